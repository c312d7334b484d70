//! What is said of a trace below its name.

use domain::score::Judgements;
use domain::trace::TraceSummary;
use domain::{ProjectId, Timestamp};

use super::query::ListQuery;
use super::sight::Sight;
use crate::extract::Pairs;
use crate::format;
use crate::i18n::Lang;
use crate::pages::spans::scores::in_a_line;
use crate::urls::{self, Door};

/// A word about the trace with its value.
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) exact: String,
    pub(crate) url: String,
    pub(crate) mono: bool,
    pub(crate) strong: bool,
}

/// What is said of a trace below its name.
pub(super) fn facts(
    sight: Sight<'_>,
    trace: &TraceSummary,
    judgements: &Judgements,
    now: Timestamp,
) -> Vec<Fact> {
    let (door, lang) = (sight.door, sight.lang());
    let zone = sight.zone();
    let mut facts = Vec::new();
    let started = format!(
        "{} {}",
        zone.date_time(trace.start, now),
        zone.offset(trace.start)
    );
    facts.push(Fact::new(lang.t("Started"), started).exactly(trace.start.to_string()));
    let latency = format::nanos(trace.latency());
    let mut fact = Fact::new(lang.t("Latency"), latency.text).exactly(latency.exact);
    fact.strong = true;
    facts.push(fact);
    if let Some(tokens) = token_words(trace, lang) {
        facts.push(Fact::new(lang.t("Tokens"), tokens));
    }
    if trace.cost.is_some() {
        let cost = format::dollars(trace.cost);
        facts.push(Fact::new(lang.t("Cost"), cost.text).exactly(cost.exact));
    }
    if trace.unpriced_calls > 0 {
        let calls = format::count(trace.unpriced_calls);
        facts.push(Fact::new(lang.t("Calls without a price"), calls));
    }
    if trace.error_count > 0 {
        facts.push(Fact::new(
            lang.t("Errors"),
            format::count(trace.error_count),
        ));
    }
    if let Some((few, all)) = in_a_line(judgements, &trace.trace_id, lang) {
        facts.push(Fact::new(lang.t("Scores"), few).exactly(all));
    }
    let of_members =
        |url: &dyn Fn(ProjectId) -> String| door.of_members().map_or_else(String::new, url);
    if let Some(session) = &trace.session_id {
        let url = of_members(&|id| urls::session_trace(id, session, &trace.trace_id));
        facts.push(Fact::linked(lang.t("Session"), session, url));
    }
    if let Some(user) = &trace.user_id {
        let url = of_members(&|id| urls::user_home(id, user));
        facts.push(Fact::linked(lang.t("User"), user, url));
    }
    let linked = [
        (lang.t("Tenant"), &trace.tenant, "tenant"),
        (lang.t("Release"), &trace.release, "release"),
    ];
    for (label, value, column) in linked {
        if let Some(value) = value {
            facts.push(Fact::linked(label, value, list_of(door, column, value)));
        }
    }
    if trace.environment != domain::span::DEFAULT_ENVIRONMENT {
        let url = list_of(door, "environment", &trace.environment);
        let mut fact = Fact::linked(lang.t("Environment"), &trace.environment, url);
        fact.mono = false;
        facts.push(fact);
    }
    if !trace.tags.is_empty() {
        let tags = trace.tags.join(", ");
        facts.push(Fact::new(lang.t("Tags"), tags.clone()).exactly(tags));
    }
    if !trace.has_root {
        facts.push(Fact::new(
            lang.t("Root"),
            lang.t("has not come yet").to_owned(),
        ));
    }
    facts
}

fn token_words(trace: &TraceSummary, lang: Lang) -> Option<String> {
    let part = |tokens: Option<u64>| format::count_or_nothing(tokens).text;
    match (trace.input_tokens, trace.output_tokens) {
        (None, None) => None,
        (input, output) => Some(lang.fill("{} in, {} out", &[&part(input), &part(output)])),
    }
}

/// The list narrowed to a value; for members alone.
fn list_of(door: Door, column: &str, value: &str) -> String {
    let Some(project) = door.of_members() else {
        return String::new();
    };
    let pair = format!("{column}:is:{value}");
    let pairs = Pairs(vec![("f".to_owned(), pair)]);
    let query = ListQuery::read(&pairs, &crate::zone::Zone::utc());
    query.map_or(String::new(), |read| urls::traces(project, &read.query))
}

impl Fact {
    fn new(label: &'static str, value: String) -> Self {
        let (exact, url) = (String::new(), String::new());
        Fact {
            label,
            value,
            exact,
            url,
            mono: false,
            strong: false,
        }
    }

    fn linked(label: &'static str, value: &str, url: String) -> Self {
        Fact {
            url,
            mono: true,
            ..Fact::new(label, value.to_owned()).exactly(value.to_owned())
        }
    }

    fn exactly(mut self, exact: String) -> Self {
        self.exact = exact;
        self
    }
}
