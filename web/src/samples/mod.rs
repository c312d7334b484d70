//! Every page with made-up data: empty, typical and overfull. Tests render all of them; the
//! gallery writes them to files so that they can be looked at without a server.

/// Made-up traces, spans and people.
mod data;

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
    ExpectationsPage, GpuSection, KeysPage, MembersPage, PricesPage, ProjectPage,
};
use crate::pages::sign_in::SignInPage;
use crate::pages::snippet::{Way, snippet};
use crate::pages::spans::panel::Panel;
use crate::pages::traces::query::ListQuery;
use crate::pages::traces::{FirstPage, ListPage, ListView, ShowPage, ShowView, demo, ways};
use crate::urls;

/// Text that tries to run, in every place where telemetry may put text.
pub const HOSTILE: &str = "</script><script>window.__x=1</script><img src=x onerror=window.__x=1>\
    <svg onload=window.__x=1>\"'><iframe srcdoc='<script>window.__x=1</script>'></iframe>\
    [a](javascript:window.__x=1) ![t](https://tracker.invalid/p.png)";

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

/// The part of every asset's address before its path.
pub fn asset_root() -> String {
    urls::asset("")
}

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
        sample("serving", &serving(&reader, Load::Typical)),
        sample("serving-none", &serving(&reader, Load::Empty)),
        sample("serving-overfull", &serving(&reader, Load::Overfull)),
        sample(
            "settings-viewer",
            &ProjectPage::new(&data::reader(lang, theme, Role::Viewer)),
        ),
    ];
    for (name, load, address) in [
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
        ("trace-long", Load::Overfull, "span=long"),
        ("trace-10000", Load::Huge, ""),
    ] {
        samples.push(trace(&reader, name, load, address));
    }
    samples
}

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
            "range=1h&f=environment:is:production&f=tag:not:synthetic&live=1".to_owned()
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
        view: ListView::new(reader, &query, (page, density), now),
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
    let mut page = AccountPage::new(reader, true);
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
    let view = domain::trace::TraceView { summary, tree };
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
    let panel = span.map(|span| {
        Panel::new(
            reader,
            span,
            &pairs,
            (now, &domain::mapping::Catalogue::default()),
        )
    });
    let mut frame = Frame::new(reader, Section::Traces);
    frame.rail = true;
    let neighbours = (None, Some(view.summary.trace_id.clone()));
    let html = ShowView::new(reader, (&view, neighbours), (chosen, &pairs), now)
        .map_err(|_| askama::Error::Custom("the sample's address makes no sense".into()))
        .and_then(|view| {
            ShowPage {
                shell: Frame::shell(reader),
                frame,
                view,
                panel,
            }
            .render()
        });
    Sample {
        name: name.to_owned(),
        html,
    }
}

/// What a hostile text looks like in a list.
pub fn hostile_preview() -> String {
    content::preview(HOSTILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> Vec<(String, String)> {
        let mut all_samples = all("en", "light");
        all_samples.extend(all("zh", "dark"));
        all_samples
            .into_iter()
            .map(|sample| (sample.name, sample.html.unwrap()))
            .collect()
    }

    /// The tags of a page, without its text.
    fn tags(html: &str) -> Vec<&str> {
        html.split('<')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('>')?.0))
            .collect()
    }

    /// A tag with its attributes' names but without their values, in lower case.
    fn without_values(tag: &str) -> String {
        tag.split('"').step_by(2).collect::<String>().to_lowercase()
    }

    #[test]
    fn no_page_needs_more_than_the_policy_allows() {
        for (name, html) in every() {
            for tag in tags(&html) {
                let lower = without_values(tag);
                assert!(!lower.starts_with("style"), "{name}: <{tag}>");
                assert!(!lower.contains(" style="), "{name}: <{tag}>");
                assert!(
                    !lower.starts_with("iframe") && !lower.starts_with("img"),
                    "{name}: <{tag}>"
                );
                if lower.starts_with("script") {
                    assert!(tag.contains(" src=\"/assets/"), "{name}: <{tag}>");
                }
                for address in ["href=\"", "src=\"", "action=\""] {
                    let ours = tag
                        .split(address)
                        .skip(1)
                        .all(|rest| rest.starts_with(['/', '#']));
                    assert!(ours, "{name}: <{tag}>");
                }
                let handler = lower.split_whitespace().any(|part| {
                    part.starts_with("on") && part.contains('=') && !part.starts_with("on=")
                });
                assert!(!handler, "{name}: <{tag}>");
            }
        }
    }

    #[test]
    fn hostile_text_is_shown_and_never_markup() {
        let pages = every();
        let hostile = pages.iter().filter(|(name, _)| name.contains("overfull"));
        let mut seen = 0;
        for (name, html) in hostile {
            assert!(!html.contains("<script>window"), "{name}");
            assert!(
                !html.contains("<img") && !html.contains("<iframe"),
                "{name}"
            );
            seen += html.matches("window.__x=1").count();
        }
        assert!(seen > 50, "the text is there: {seen}");
    }

    #[test]
    fn every_tag_is_closed_where_it_was_opened() {
        const VOID: [&str; 8] = [
            "meta", "link", "input", "br", "hr", "col", "!doctype", "img",
        ];
        for (name, html) in every() {
            let mut open: Vec<&str> = Vec::new();
            for tag in tags(&html) {
                let word = tag
                    .split([' ', '\n', '/'])
                    .find(|word| !word.is_empty())
                    .unwrap_or("");
                if let Some(closing) = tag.strip_prefix('/') {
                    assert_eq!(
                        open.pop(),
                        Some(closing.trim()),
                        "{name}: </{closing}> after {open:?}"
                    );
                } else if !tag.ends_with('/') && !VOID.contains(&word) {
                    open.push(word);
                }
            }
            assert!(open.is_empty(), "{name}: {open:?} left open");
        }
    }

    #[test]
    fn every_field_has_a_label_and_every_id_is_the_only_one() {
        for (name, html) in every() {
            let ids: Vec<&str> = tags(&html)
                .into_iter()
                .filter_map(|tag| tag.split_once(" id=\"")?.1.split('"').next())
                .collect();
            for id in &ids {
                assert_eq!(
                    ids.iter().filter(|other| other == &id).count(),
                    1,
                    "{name}: id {id}"
                );
            }
            for tag in tags(&html) {
                let is_field = ["input ", "select ", "textarea "]
                    .iter()
                    .any(|t| tag.starts_with(t));
                if !is_field || tag.contains("type=\"hidden\"") {
                    continue;
                }
                let id = tag
                    .split_once(" id=\"")
                    .and_then(|(_, rest)| rest.split('"').next());
                let labelled = id.is_some_and(|id| html.contains(&format!(" for=\"{id}\"")));
                assert!(labelled || tag.contains("aria-label=\""), "{name}: <{tag}>");
            }
        }
    }

    #[test]
    fn ten_thousand_spans_open_in_less_than_a_megabyte() {
        let reader = data::reader(Lang::En, Theme::Light, Role::Owner);
        let page = trace(&reader, "many", Load::Huge, "").html.unwrap();
        assert!(page.len() < 1_000_000, "{} bytes", page.len());
        assert!(
            page.contains("data-more"),
            "the rest is loaded on the way down"
        );
    }

    #[test]
    fn a_long_output_is_shown_by_its_head() {
        let reader = data::reader(Lang::En, Theme::Light, Role::Owner);
        let page = trace(&reader, "long", Load::Overfull, "span=long")
            .html
            .unwrap();
        assert!(page.len() < 200_000, "{} bytes", page.len());
        assert!(page.contains("5.2 MB") && page.contains("all=output"));
    }

    #[test]
    fn a_viewer_is_offered_nothing_that_would_be_refused() {
        let reader = data::reader(Lang::En, Theme::Light, Role::Viewer);
        for html in [
            traces(&reader, Load::Typical).render().unwrap(),
            keys(&reader, false).render().unwrap(),
            members(&reader).render().unwrap(),
            prices(&reader).render().unwrap(),
            expectations(&reader).render().unwrap(),
            ProjectPage::new(&reader).render().unwrap(),
        ] {
            let forms = html.matches("method=\"post\"").count();
            let bulk = html.matches("id=\"bulk\"").count();
            assert_eq!(forms, 1 + bulk, "signing out, and the form around the list");
            assert!(!html.contains("data-dialog=\"re") && !html.contains("data-selection"));
        }
    }
}
