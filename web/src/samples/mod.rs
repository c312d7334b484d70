//! Every page with made-up data: empty, typical and overfull. Tests render all of them; the
//! gallery writes them to files so that they can be looked at without a server.

/// Pages of incidents, alerts and topology.
mod alerts;
/// Pages of the axes.
mod axes;
/// What is masked, kept and forgotten; mentions.
mod compliance;
/// The overview and dashboards.
mod dashboards;
/// Made-up traces, spans and people.
mod data;
/// Pages of datasets.
mod datasets;
/// Pages of evaluators.
mod evaluators;
/// Pages of the graph of a trace.
mod graphs;
/// What goes wrong and what that does to the business.
mod impact;
/// Parts of lists.
mod lists;
/// The playground, and connections to providers of models.
mod playground;
/// Pages of prompts.
mod prompts;
/// Pages of annotation queues.
mod queues;
/// A label of a prompt that might go back.
mod rollback;
/// Pages of sessions, users, costs and caches.
mod usage;

use askama::Template;
use domain::Code;
use domain::page::{Cursor, Page};
use domain::tenancy::Role;
use domain::tree::build_tree;

use crate::choices::Theme;
use crate::content;
use crate::extract::{Pairs, Reader};
use crate::form::Field;
use crate::i18n::Lang;
use crate::layout::{Frame, Live, RangeControl, Section};
use crate::pages::account::AccountPage;
use crate::pages::error::ErrorPage;
use crate::pages::serving::ServingPage;
use crate::pages::settings::{
    ExpectationsPage, GpuSection, KeysPage, MembersPage, PricesPage, ProjectPage, ScrapeTargetsPage,
};
use crate::pages::sign_in::SignInPage;
use crate::pages::snippet::{Way, snippet};
use crate::pages::spans::diff::Other;
use crate::pages::spans::panel::{Panel, Subject};
use crate::pages::traces::query::ListQuery;
use crate::pages::traces::{
    FirstPage, ListPage, ListView, SharedPage, Sharing, ShowPage, ShowView, Sight, demo, ways,
};
use crate::urls::{self, Door};

/// Text that tries to run, in every place where telemetry may put text.
pub const HOSTILE: &str = "</script><script>window.__x=1</script><img src=x onerror=window.__x=1>\
    <svg onload=window.__x=1>\"'><iframe srcdoc='<script>window.__x=1</script>'></iframe>\
    [a](javascript:window.__x=1) ![t](https://tracker.invalid/p.png)";

/// Somebody who looks at a part of a page.
#[cfg(test)]
pub(crate) fn reader(lang: Lang) -> Reader {
    data::reader(lang, Theme::System, Role::Owner)
}

/// A rendered page.
pub struct Sample {
    /// Its name, for a file.
    pub name: String,
    /// The page, or what went wrong.
    pub html: Result<String, askama::Error>,
}

/// Path and content of every asset, to stand beside the samples.
pub fn assets() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    crate::assets::all()
}

/// Rows of the list of traces, among them hostile ones.
#[cfg(test)]
pub(crate) fn some_summaries() -> Vec<domain::trace::TraceSummary> {
    let mut all = data::summaries();
    all.extend(data::hostile_summaries());
    all
}

/// The part of every asset's address before its path.
pub fn asset_root() -> String {
    urls::asset("")
}

/// Pages of a trace: name, how much of it there is, its address.
const TRACES: [(&str, Load, &str); 26] = [
    ("trace", Load::Typical, "span=answer"),
    ("trace-raw", Load::Typical, "span=answer&tab=raw"),
    (
        "trace-attributes",
        Load::Typical,
        "span=answer&tab=attributes",
    ),
    ("trace-events", Load::Typical, "span=refund-1&tab=events"),
    ("trace-tools", Load::Typical, "span=plan"),
    (
        "trace-documents",
        Load::Typical,
        "span=search-kb&tab=documents",
    ),
    ("trace-attachments", Load::Typical, "span=plan-again"),
    ("trace-scores", Load::Typical, "span=answer&tab=scores"),
    ("trace-comments", Load::Typical, "span=answer&tab=comments"),
    (
        "trace-overfull-comments",
        Load::Overfull,
        "span=hostile&tab=comments",
    ),
    (
        "trace-diff",
        Load::Typical,
        "span=plan-again&tab=diff&other=plan",
    ),
    (
        "trace-overfull-diff",
        Load::Overfull,
        "span=hostile&tab=diff&other=long",
    ),
    ("trace-heat", Load::Typical, "span=answer&heat=latency"),
    (
        "trace-stretch",
        Load::Typical,
        "span=answer&from_ms=1000&to_ms=4000&path=1",
    ),
    ("trace-error", Load::Typical, "span=refund-1"),
    ("trace-search", Load::Typical, "span=answer&in=quote"),
    ("trace-empty", Load::Empty, ""),
    ("trace-overfull", Load::Overfull, "span=hostile"),
    (
        "trace-overfull-attributes",
        Load::Overfull,
        "span=hostile&tab=attributes",
    ),
    (
        "trace-overfull-events",
        Load::Overfull,
        "span=hostile&tab=events",
    ),
    (
        "trace-overfull-links",
        Load::Overfull,
        "span=hostile&tab=links",
    ),
    (
        "trace-overfull-scores",
        Load::Overfull,
        "span=hostile&tab=scores",
    ),
    ("trace-long", Load::Overfull, "span=long"),
    ("trace-10000", Load::Huge, ""),
    ("shared-trace", Load::Typical, "span=plan-again"),
    ("shared-overfull", Load::Overfull, "span=hostile&tab=links"),
];

/// Every page in a language and a theme (`light`, `dark`, else as the system is set).
pub fn all(lang: &str, theme: &str) -> Vec<Sample> {
    let lang = Lang::from_tag(lang).unwrap_or_default();
    let theme = Theme::from_name(theme).unwrap_or_default();
    let reader = data::reader(lang, theme, Role::Owner);
    let mut samples = vec![
        sample("sign-in", &sign_in(&reader, false)),
        sample("sign-in-wrong", &sign_in(&reader, true)),
        sample("error", &error(&reader)),
        sample("traces", &traces(&reader, Load::Typical)),
        sample("traces-none", &traces(&reader, Load::Empty)),
        sample("traces-overfull", &traces(&reader, Load::Overfull)),
        sample("first", &first(&reader)),
        sample("settings-project", &ProjectPage::new(&reader)),
        sample("settings-keys", &keys(&reader, false)),
        sample("settings-key-made", &keys(&reader, true)),
        sample("settings-members", &members(&reader)),
        sample("account", &account(&reader)),
        sample("settings-prices", &prices(&reader)),
        sample("settings-expectations", &expectations(&reader)),
        sample("settings-scrape-targets", &scrape_targets(&reader)),
        sample("serving", &serving(&reader, Load::Typical)),
        sample("serving-none", &serving(&reader, Load::Empty)),
        sample("serving-overfull", &serving(&reader, Load::Overfull)),
        sample(
            "settings-viewer",
            &ProjectPage::new(&data::reader(lang, theme, Role::Viewer)),
        ),
    ];
    for (name, load, address) in TRACES {
        samples.push(trace(&reader, name, load, address));
    }
    samples.extend(graphs::all(&reader));
    samples.extend(prompts::all(&reader));
    samples.extend(playground::all(&reader));
    samples.extend(datasets::all(&reader));
    samples.extend(evaluators::all(&reader));
    samples.extend(queues::all(&reader));
    samples.extend(alerts::all(&reader));
    samples.extend(impact::all(&reader));
    samples.extend(axes::all(&reader));
    samples.extend(lists::all(&reader));
    samples.extend(usage::all(&reader));
    samples.extend(dashboards::all(&reader));
    samples.extend(compliance::all(&reader));
    samples
}

/// Pages of traces that anybody sees begin so.
const SHARED: &str = "shared-";

/// How much there is to show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Load {
    Empty,
    Typical,
    Overfull,
    Huge,
}

fn sample(name: &str, page: &impl Template) -> Sample {
    Sample {
        name: name.to_owned(),
        html: page.render(),
    }
}

fn sign_in(reader: &Reader, wrong: bool) -> SignInPage {
    let shell = Frame::shell(reader);
    let (email, password) = if wrong {
        let words = reader.lang().t("E-mail and password do not match.");
        let password = Field {
            value: String::new(),
            error: words.to_owned(),
        };
        (Field::holding("maya@harbor.example"), password)
    } else {
        (Field::default(), Field::default())
    };
    SignInPage {
        shell,
        next: urls::HOME.to_owned(),
        email,
        password,
        provider: Some("Harbor".to_owned()),
        provider_url: urls::oidc(urls::HOME),
        by_password: true,
        fault: String::new(),
    }
}

fn error(reader: &Reader) -> ErrorPage {
    let path = urls::traces_home(reader.id());
    let message = "there is no trace of this id in this project";
    ErrorPage::new(&reader.visitor.choices, Code::NotFound, message, &path)
}

fn traces(reader: &Reader, load: Load) -> ListPage {
    let address = match load {
        Load::Typical | Load::Huge => {
            "range=1h&f=environment:is:production&f=tag:not:synthetic&live=1&facets=model"
                .to_owned()
        }
        Load::Empty => "range=15m&f=user_id:is:u_0000&min_ms=1500&error=yes".to_owned(),
        Load::Overfull => {
            let hostile: String = form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
            format!("q={hostile}&f=name:is:{hostile}&f=tag:has:{hostile}")
        }
    };
    let now = data::now();
    let query = ListQuery::read(&Pairs::parse(address.as_bytes()), reader.zone());
    let query = query.map(|read| read.query).unwrap_or_default();
    let rows = match load {
        Load::Empty => Vec::new(),
        Load::Typical | Load::Huge => data::summaries(),
        Load::Overfull => data::hostile_summaries(),
    };
    let next_cursor = rows.last().map(|last| Cursor {
        start: last.start,
        id: last.trace_id.to_string(),
    });
    let density = data::density(query.bounds(now), rows.is_empty());
    let shell = Frame::shell(reader);
    let mut frame = Frame::new(reader, Section::Traces);
    frame.live = Some(Live::new(reader.id(), &query));
    let control = (&shell, &reader.visitor.choices);
    frame.range = Some(RangeControl::new(
        &|query| urls::traces(reader.id(), query),
        &query,
        control,
        now,
    ));
    let page = Page {
        data: rows,
        next_cursor,
    };
    ListPage {
        view: ListView::new(reader, &query, (page, &density), now),
        shell,
        frame,
    }
}

fn first(reader: &Reader) -> FirstPage {
    let (id, public_url) = (reader.id(), "http://triaxis.harbor.lan:3000");
    FirstPage {
        shell: Frame::shell(reader),
        frame: Frame::new(reader, Section::Traces),
        public_key: "pk-tx-7c1f40".to_owned(),
        grpc_port: "4317".to_owned(),
        demo: demo("/opt/triaxis/triaxis", public_url, "pk-tx-7c1f40"),
        keys_url: urls::api_keys(id),
        ways: ways(&urls::traces_home(id), Way::Python),
        code: snippet(Way::Python, public_url, None),
        public_url: public_url.to_owned(),
        live_url: urls::traces_live(id),
        list_url: urls::traces_home(id),
    }
}

fn keys(reader: &Reader, made: bool) -> KeysPage {
    let page = KeysPage::new(reader, &data::keys(), data::now());
    if made {
        page.with_made(data::new_key(), "http://triaxis.harbor.lan:3000")
    } else {
        page
    }
}

fn prices(reader: &Reader) -> PricesPage {
    let mut page = PricesPage::new(reader, &data::prices(), &data::unpriced(), data::now());
    page.gpus = GpuSection::new(reader, &data::gpu_prices());
    page
}

fn expectations(reader: &Reader) -> ExpectationsPage {
    ExpectationsPage::new(reader, &data::objectives(), &data::quality_rules())
}

fn scrape_targets(reader: &Reader) -> ScrapeTargetsPage {
    let targets = data::scrape_targets();
    let page = ScrapeTargetsPage::new(reader, &targets, data::now());
    let outcome = targets.iter().find_map(|target| target.outcome.as_ref());
    match outcome {
        Some(outcome) => page.tested(reader.lang(), HOSTILE, outcome),
        None => page,
    }
}

fn serving(reader: &Reader, load: Load) -> ServingPage {
    let page = match load {
        Load::Empty => ServingPage::new(reader, &[], &[]),
        _ => ServingPage::new(
            reader,
            &data::goodput(load == Load::Overfull),
            &data::gpu_reports(),
        ),
    };
    page.with_range(reader, &ListQuery::default(), data::now())
}

fn members(reader: &Reader) -> MembersPage {
    let mut page = MembersPage::new(reader, &data::members());
    page.email = Field {
        value: "no-at-sign".to_owned(),
        error: "email must hold an @".to_owned(),
    };
    page
}

fn account(reader: &Reader) -> AccountPage {
    let mut page = AccountPage::new(reader, &data::sign_ins(), true);
    page.old = Field {
        value: String::new(),
        error: "that is not your password".to_owned(),
    };
    page
}

fn trace(reader: &Reader, name: &str, load: Load, address: &str) -> Sample {
    let spans = match load {
        Load::Empty => vec![data::bare_span()],
        Load::Typical => data::spans(),
        Load::Overfull => data::hostile_spans(),
        Load::Huge => data::many_spans(10_000),
    };
    let pairs = Pairs::parse(address.as_bytes());
    let tree = build_tree(spans.iter().map(domain::trace::TreeSpan::from).collect());
    let summary = data::summary_of(&spans);
    let view = domain::trace::TraceView::new(summary, tree);
    let chosen = pairs.filled("span").map(str::to_owned);
    let chosen = chosen.or_else(|| {
        view.tree
            .rows
            .first()
            .map(|row| row.span.span_id.to_string())
    });
    let span = spans
        .iter()
        .find(|span| Some(span.span_id.as_str()) == chosen.as_deref());
    let now = data::now();
    let judgements = data::judgements(span);
    let mut sight = Sight::from(reader);
    let mut attachments = data::attachments(reader.id());
    if name.starts_with(SHARED) {
        sight.door = Door::open(reader.id());
        attachments = attachments.of_public(&view.summary.trace_id);
    }
    let remarks = data::remarks(span);
    let other = spans
        .iter()
        .find(|span| Some(span.span_id.as_str()) == pairs.get("other"));
    let other = other.map_or(Other::NotChosen, |span| {
        Other::Found(Box::new(span.clone()))
    });
    let panel = span.map(|span| {
        Panel::new(
            sight,
            &Subject {
                span,
                judgements: &judgements,
                attachments: &attachments,
                remarks: (!name.starts_with(SHARED)).then_some((reader, &remarks)),
                other: &other,
            },
            &pairs,
            (now, &domain::mapping::Catalogue::default()),
        )
    });
    let neighbours = (None, Some(view.summary.trace_id.clone()));
    let told = (&view, &judgements, neighbours);
    let html = ShowView::new(sight, told, (chosen, &pairs), now)
        .map_err(|_| askama::Error::Custom("the sample's address makes no sense".into()))
        .and_then(|view| shown(reader, (name, view), panel));
    Sample {
        name: name.to_owned(),
        html,
    }
}

fn shown(
    reader: &Reader,
    (name, mut view): (&str, ShowView),
    panel: Option<Panel>,
) -> Result<String, askama::Error> {
    if name.starts_with(SHARED) {
        let page = SharedPage {
            shell: Frame::shell(reader),
            sign_in_url: urls::sign_in(&view.here),
            view,
            panel,
        };
        return page.render();
    }
    let mut frame = Frame::new(reader, Section::Traces);
    frame.rail = true;
    view.may_delete = true;
    view.sharing = Some(Sharing {
        is_public: name.ends_with("raw"),
        address: view.here.clone(),
        url: view.delete_url.clone(),
    });
    let page = ShowPage {
        shell: Frame::shell(reader),
        frame,
        view,
        panel,
    };
    page.render()
}

/// What a hostile text looks like in a list.
pub fn hostile_preview() -> String {
    content::preview(HOSTILE)
}

#[cfg(test)]
mod tests;
