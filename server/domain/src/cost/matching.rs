//! Which price of the table a model's name means.
//!
//! The provider's own row comes before another's row of the same name, for one model costs
//! differently by host. No step is a likeness of names: beyond decorations only a date may differ, so
//! that no model takes the price of its bigger or smaller sibling. Every step is a look-up.

use super::host::{self, Hosting, Weights};
use super::name;
use super::price::Price;
use super::table::{NO_HOST, Table};

/// The price of `model` at `provider` (names of the telemetry conventions).
pub(super) fn find<'t>(table: &'t Table, provider: Option<&str>, model: &str) -> Option<&'t Price> {
    let called = Called::of(table, provider, model)?;
    called
        .exactly_at_its_provider(table)
        .or_else(|| called.at_its_provider(table))
        .or_else(|| table.at_key(&called.name))
        .or_else(|| called.at_the_host_it_tells(table))
        .or_else(|| called.at_its_maker(table))
}

/// A model as a call names it.
struct Called {
    /// The whole name in lower case.
    name: String,
    /// The name without path: a reseller lists `deepseek/deepseek-chat`.
    id: String,
    /// The name without path and without the host before a slash.
    rest: String,
    /// Where the span says the call went.
    hosting: Hosting,
    /// Hosts that the name tells, the best first.
    told: Vec<String>,
    maker: Option<(&'static str, Weights)>,
}

impl Called {
    /// `None` when there is no name, or it runs on the project's own machines.
    fn of(table: &Table, provider: Option<&str>, model: &str) -> Option<Self> {
        let name = model.trim().to_ascii_lowercase();
        let listed = |host: &str| table.lists_host(host);
        let is_host = |first: &str| listed(first) || listed(&first.replace('-', "_"));
        let hosting = provider.map_or(Hosting::Unknown, |name| Hosting::of(name, listed));
        let (path_host, id) = name::without_path(&name);
        let mut told: Vec<String> = path_host.into_iter().map(str::to_owned).collect();
        let mut rest = id;
        if let Some((first, tail)) = id.split_once('/') {
            let by_name = Hosting::of(first, listed);
            if by_name == Hosting::SelfHosted {
                return None;
            }
            // `qwen/` and `mistralai/` say who made the weights, not who serves them.
            if is_host(first) {
                told.extend_from_slice(by_name.names());
                rest = tail;
            }
        }
        let nothing = rest.is_empty() || hosting == Hosting::SelfHosted;
        let (id, rest) = (id.to_owned(), rest.to_owned());
        (!nothing).then(|| Called {
            maker: host::maker(name::bare(&rest)),
            name,
            id,
            rest,
            hosting,
            told,
        })
    }

    fn exactly_at_its_provider<'t>(&self, table: &'t Table) -> Option<&'t Price> {
        let mut hosts = self.hosting.names().iter();
        hosts.find_map(|host| table.at_host(host, &self.name))
    }

    /// A gateway that speaks `OpenAI`'s language passes for it: then the name knows better.
    fn at_its_provider<'t>(&self, table: &'t Table) -> Option<&'t Price> {
        let certain = !self.hosting.is_open_question();
        certain.then(|| self.at_said_hosts(table)).flatten()
    }

    fn at_the_host_it_tells<'t>(&self, table: &'t Table) -> Option<&'t Price> {
        let open_question = self.hosting.is_open_question();
        let mut told = self
            .told
            .iter()
            .filter(|_| open_question || self.is_closed());
        told.find_map(|host| nearest_at(table, host, &self.rest))
            .or_else(|| self.at_said_hosts(table))
    }

    fn at_said_hosts<'t>(&self, table: &'t Table) -> Option<&'t Price> {
        let mut hosts = self.hosting.names().iter();
        hosts.find_map(|host| {
            nearest_at(table, host, &self.id).or_else(|| nearest_at(table, host, &self.rest))
        })
    }

    /// The maker's price: of closed models for any host, of open weights only where the maker may
    /// well have been the host, for `Qwen/Qwen3-32B` is what one downloads.
    fn at_its_maker<'t>(&self, table: &'t Table) -> Option<&'t Price> {
        let may_be_the_maker = self.hosting.is_open_question() && !self.rest.contains('/');
        if !self.is_closed() && !may_be_the_maker {
            return None;
        }
        let maker = self.maker.map(|(maker, _)| maker);
        let mut hosts = [Some(NO_HOST), maker].into_iter().flatten();
        hosts.find_map(|host| nearest_at(table, host, &self.rest))
    }

    fn is_closed(&self) -> bool {
        self.maker
            .is_some_and(|(_, weights)| weights == Weights::Closed)
    }
}

/// The price at one host: the exact name, else the nearest of its aliases.
fn nearest_at<'t>(table: &'t Table, host: &str, name: &str) -> Option<&'t Price> {
    table.at_host(host, name).or_else(|| {
        name::aliases(name)
            .iter()
            .find_map(|alias| table.at_alias(host, &alias.name))
    })
}
