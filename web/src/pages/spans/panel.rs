//! The chosen span beside the tree: what it is, how long its phases took, what was said.

use domain::Timestamp;
use domain::document::documents;
use domain::mapping::{Catalogue, explain};
use domain::message::{Side, said};
use domain::score::Judgements;
use domain::span::{Span, SpanKind};
use domain::trace::TreeSpan;

use super::documents::DocumentRow;
use super::pairs::{Group, Pair, groups, of_attributes, of_mapping};
use super::scores::{self, ScoreGroup};
use crate::chart::waterfall::{Piece, phase_pieces, phases};
use crate::content::attachments::Attachments;
use crate::content::messages::Part;
use crate::content::{self, Amount, Readable, Shown};
use crate::extract::Pairs;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::Choice;
use crate::pages::traces::{Sight, kind_class};
use crate::urls;

/// The chosen span.
pub(crate) struct Panel {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    pub(crate) kind_class: &'static str,
    /// Model and service.
    pub(crate) subtitle: String,
    /// Which instance of the service, whole.
    pub(crate) instance: String,
    pub(crate) phases: Vec<Phase>,
    pub(crate) bar: Vec<Piece>,
    pub(crate) facts: Vec<(&'static str, Figure)>,
    pub(crate) oddities: Vec<&'static str>,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) body: Body,
}

/// A part of a model call's time.
pub(crate) struct Phase {
    pub(crate) class: &'static str,
    pub(crate) label: &'static str,
    pub(crate) time: String,
}

/// A part of the panel to choose.
pub(crate) struct Tab {
    pub(crate) choice: Choice,
    pub(crate) count: String,
    /// Whether it is a page of its own.
    pub(crate) is_page: bool,
}

/// The part that is open.
pub(crate) enum Body {
    /// What was said, or input and output as sent.
    Content(Vec<Block>),
    /// What a search found or a reranker ordered.
    Documents(Vec<DocumentRow>),
    /// What judges it.
    Scores(Vec<ScoreGroup>),
    /// Attributes, resource, scope.
    Attributes(Vec<Group>),
    /// Instants within the span.
    Events(Vec<Event>),
    /// Pointers to other spans.
    Links(Vec<Link>),
}

/// A piece of a conversation, or a whole input or output.
pub(crate) struct Block {
    /// Class of the message.
    pub(crate) class: String,
    /// Who, or what.
    pub(crate) role: String,
    /// Beside it.
    pub(crate) note: String,
    pub(crate) parts: Vec<Part>,
    /// Whether the parts are code: as sent, in monospace.
    pub(crate) code: bool,
    /// Where the whole is, when this is its head.
    pub(crate) more: Option<More>,
}

/// What is missing from a content.
pub(crate) struct More {
    pub(crate) all_url: String,
    /// Empty where it is not given as a file.
    pub(crate) download_url: String,
    pub(crate) size: String,
}

/// An instant within the span.
pub(crate) struct Event {
    pub(crate) name: String,
    /// Time after the span's start.
    pub(crate) after: String,
    pub(crate) time: String,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) failed: bool,
}

/// A pointer to another span.
pub(crate) struct Link {
    pub(crate) url: String,
    pub(crate) trace_id: String,
    pub(crate) span_id: String,
    pub(crate) pairs: Vec<Pair>,
}

/// The chosen span with what belongs to it.
pub(crate) struct Subject<'a> {
    pub(crate) span: &'a Span,
    /// Scores of its trace.
    pub(crate) judgements: &'a Judgements,
    /// What its contents name.
    pub(crate) attachments: &'a Attachments,
}

impl Panel {
    /// Prepares everything for the template; the address names the tab.
    pub(crate) fn new(
        sight: Sight<'_>,
        subject: &Subject<'_>,
        pairs: &Pairs,
        (now, catalogue): (Timestamp, &Catalogue),
    ) -> Self {
        let (span, judgements) = (subject.span, subject.judgements);
        let (lang, zone) = (sight.lang(), sight.zone());
        let tab = pairs.get("tab").unwrap_or("messages");
        let found = documents(span);
        let judged = scores::groups(sight, span, judgements, now);
        let all_tabs = tabs(sight, span, tab, (found.len(), count(&judged)));
        let body = match tab {
            "documents" => Body::Documents(found.into_iter().map(DocumentRow::from).collect()),
            "attributes" => Body::Attributes(groups(span, lang, (zone, now))),
            "mapping" => Body::Attributes(of_mapping(&explain(span, catalogue), lang)),
            "scores" => Body::Scores(judged),
            "events" => Body::Events(events(sight, span, now)),
            "links" => Body::Links(links(sight, span)),
            _ => Body::Content(contents(sight, subject, tab, pairs.get("all"))),
        };
        let timed = TreeSpan::from(span);
        let shares = match (span.kind, span.latency()) {
            (SpanKind::Generation | SpanKind::Embedding, Some(length)) => phases(&timed, length),
            _ => Vec::new(),
        };
        let service = span.service.as_str();
        Panel {
            id: span.span_id.to_string(),
            name: if span.name.is_empty() {
                lang.t("(no name)").to_owned()
            } else {
                span.name.clone()
            },
            kind: span.kind,
            kind_class: kind_class(span.kind),
            subtitle: match span.model() {
                Some(model) if service.is_empty() => model.to_owned(),
                Some(model) => lang.fill("{} on {}", &[model, service]),
                None => service.to_owned(),
            },
            instance: span.instance.clone().unwrap_or_default(),
            bar: phase_pieces(&shares),
            phases: phase_words(span, &shares, lang),
            facts: facts(span, lang),
            oddities: oddities(span, lang),
            tabs: all_tabs,
            body,
        }
    }
}

fn count(groups: &[ScoreGroup]) -> usize {
    groups.iter().map(|group| group.rows.len()).sum()
}

fn tabs(
    sight: Sight<'_>,
    span: &Span,
    open: &str,
    (documents, scores): (usize, usize),
) -> Vec<Tab> {
    let lang = sight.lang();
    let attributes = span.attributes.len() + span.resource.len();
    let known = [
        "messages",
        "documents",
        "raw",
        "attributes",
        "mapping",
        "events",
        "scores",
        "links",
    ];
    let open = if known.contains(&open) {
        open
    } else {
        "messages"
    };
    let tab = |name: &str, label: &str, count: usize| Tab {
        choice: Choice {
            label: label.to_owned(),
            url: urls::trace_span_tab(sight.door, &span.trace_id, &span.span_id, name),
            current: name == open,
        },
        count: if count == 0 {
            String::new()
        } else {
            count.to_string()
        },
        is_page: false,
    };
    let mut tabs = vec![
        tab("messages", lang.t("Messages"), 0),
        tab("raw", lang.t("Raw"), 0),
        tab("attributes", lang.t("Attributes"), attributes),
        tab("mapping", lang.t("Mapping"), 0),
        tab("events", lang.t("Events"), span.events.len()),
        tab("scores", lang.t("Scores"), scores),
    ];
    if documents > 0 || open == "documents" {
        tabs.insert(1, tab("documents", lang.t("Documents"), documents));
    }
    if let (SpanKind::Generation, Some(project)) = (span.kind, sight.door.of_members()) {
        let axes = urls::trace_axes(project, &span.trace_id, Some(&span.span_id));
        tabs.push(Tab {
            choice: Choice {
                label: lang.t("Axes").to_owned(),
                url: axes,
                current: false,
            },
            count: String::new(),
            is_page: true,
        });
    }
    if !span.links.is_empty() || open == "links" {
        tabs.push(tab("links", lang.t("Links"), span.links.len()));
    }
    tabs
}

fn phase_words(span: &Span, shares: &[(&'static str, f64)], lang: Lang) -> Vec<Phase> {
    let whole = span.latency().unwrap_or_default().as_millis_f64();
    let only_first_token = span.timings.queue_ms.is_none() && span.timings.prefill_ms.is_none();
    shares
        .iter()
        .map(|(class, share)| Phase {
            class,
            label: match (*class, only_first_token) {
                ("queue", _) => lang.t("Queue"),
                ("prefill", false) => lang.t("Prefill"),
                ("prefill", true) => lang.t("To first token"),
                _ => lang.t("Decode"),
            },
            time: format::latency(share * whole),
        })
        .collect()
}

/// Only what is known.
fn facts(span: &Span, lang: Lang) -> Vec<(&'static str, Figure)> {
    let plain = |text: String| Figure {
        text,
        exact: String::new(),
        none: false,
    };
    let mut facts = vec![(lang.t("Latency"), format::nanos(span.latency()))];
    if let Some(ttft) = span.timings.ttft_ms {
        let source = span.timings.ttft_source.clone().unwrap_or_default();
        facts.push((
            lang.t("TTFT"),
            Figure {
                exact: source,
                ..plain(format::latency(ttft))
            },
        ));
    }
    if let Some(tpot) = span.timings.tpot_ms {
        facts.push((lang.t("TPOT"), plain(format::latency(tpot))));
    }
    if let Some(usage) = &span.usage {
        let part = |tokens: Option<u64>| format::count_or_nothing(tokens).text;
        let both = format!(
            "{} / {}",
            part(usage.input_tokens),
            part(usage.output_tokens)
        );
        facts.push((lang.t("In / out"), plain(both)));
        for (key, label) in [
            ("cache_read", lang.t("Cached")),
            ("reasoning", lang.t("Reasoning tokens")),
        ] {
            if let Some(tokens) = usage.details.get(key) {
                facts.push((label, plain(format::count(*tokens))));
            }
        }
    }
    if let Some(cost) = &span.cost {
        facts.push((lang.t("Cost"), format::dollars(cost.total)));
        if let Some(terms) = &cost.terms {
            facts.push((lang.t("Price of"), plain(terms.model.clone())));
        }
    }
    if let Some(prompt) = &span.prompt {
        facts.push((
            lang.t("Prompt"),
            plain(format!("{} {}", prompt.name, prompt.version)),
        ));
    }
    if !span.finish_reasons.is_empty() {
        facts.push((
            lang.t("Finish reason"),
            plain(span.finish_reasons.join(", ")),
        ));
    }
    facts
}

fn oddities(span: &Span, lang: Lang) -> Vec<&'static str> {
    let odd = span.oddities;
    let words = [
        (
            odd.end_before_start,
            lang.t("The end lay before the start; latency counts as zero."),
        ),
        (
            odd.start_unknown,
            lang.t("The start was missing or absurd; the end or the time of arrival stands in."),
        ),
        (
            odd.cut,
            lang.t("A text was longer than the limit and was cut on arrival."),
        ),
        (
            odd.invalid_utf8,
            lang.t("Bytes that were not UTF-8 were replaced on arrival."),
        ),
    ];
    words
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, words)| words)
        .collect()
}

/// What was said, for a page that shows nothing else of a span.
pub(crate) fn conversation(sight: Sight<'_>, subject: &Subject<'_>) -> Vec<Block> {
    contents(sight, subject, "messages", None)
}

/// The error first, then what went in and what came out.
fn contents(sight: Sight<'_>, subject: &Subject<'_>, tab: &str, all: Option<&str>) -> Vec<Block> {
    let span = subject.span;
    let lang = sight.lang();
    let mut blocks = Vec::new();
    if let Some(error) = span.error.as_ref().filter(|_| tab != "raw") {
        let message = content::head(&error.message, content::HEAD_BYTES);
        blocks.push(Block {
            class: "failure".to_owned(),
            role: lang.t("error").to_owned(),
            note: error.kind.clone().unwrap_or_default(),
            parts: vec![Part::Text(message.to_owned())],
            code: true,
            more: None,
        });
    }
    let both = [
        ("input", lang.t("input"), &span.input, Side::Input),
        ("output", lang.t("output"), &span.output, Side::Output),
    ];
    for (which, label, sent, side) in both {
        let Some(sent) = sent else { continue };
        let amount = if all == Some(which) {
            Amount::Whole
        } else {
            Amount::Head
        };
        let shown = if tab == "raw" {
            content::raw(&sent.text, amount)
        } else {
            content::read(&sent.text, said(span, side), amount)
        };
        let more = shown
            .cut
            .then(|| more(sight, span, (tab, which), shown.bytes));
        add_blocks(&mut blocks, (which, label), shown, more);
    }
    if tab != "raw" {
        for block in &mut blocks {
            block.parts = subject.attachments.within(std::mem::take(&mut block.parts));
        }
    }
    blocks
}

fn more(sight: Sight<'_>, span: &Span, (tab, which): (&str, &str), bytes: usize) -> More {
    let tab_url = urls::trace_span_tab(sight.door, &span.trace_id, &span.span_id, tab);
    More {
        all_url: format!("{tab_url}&all={which}"),
        download_url: match sight.door.is_open {
            true => String::new(),
            false => urls::span_content(sight.door, &span.trace_id, &span.span_id, which),
        },
        size: format::bytes(bytes),
    }
}

fn add_blocks(
    blocks: &mut Vec<Block>,
    (which, label): (&str, &str),
    shown: Shown,
    more: Option<More>,
) {
    let output = if which == "output" { " output" } else { "" };
    let single = |part: Part, code: bool| Block {
        class: format!("plain{output}"),
        role: label.to_owned(),
        note: String::new(),
        parts: vec![part],
        code,
        more: None,
    };
    match shown.readable {
        Readable::Text(text) => blocks.push(single(Part::Text(text), false)),
        Readable::Json(tokens) => blocks.push(single(Part::Other(tokens), true)),
        Readable::Messages(messages) => blocks.extend(messages.into_iter().map(|message| Block {
            class: format!("{}{output}", message.role),
            role: message.role.to_owned(),
            note: message.name.unwrap_or_default(),
            parts: message.parts,
            code: false,
            more: None,
        })),
    }
    if let Some(last) = blocks.last_mut() {
        last.more = more;
    }
}

fn events(sight: Sight<'_>, span: &Span, now: Timestamp) -> Vec<Event> {
    let zone = sight.zone();
    span.events
        .iter()
        .map(|event| {
            let known = event.time != Timestamp::EPOCH;
            Event {
                name: event.name.clone(),
                after: if known && event.time >= span.start {
                    format!(
                        "+{}",
                        format::latency((event.time - span.start).as_millis_f64())
                    )
                } else {
                    String::new()
                },
                time: if known {
                    zone.date_time(event.time, now)
                } else {
                    String::new()
                },
                pairs: of_attributes(&event.attributes),
                failed: event.is_exception(),
            }
        })
        .collect()
}

fn links(sight: Sight<'_>, span: &Span) -> Vec<Link> {
    span.links
        .iter()
        .map(|link| Link {
            // Whoever may see this trace may not see that one.
            url: match sight.door.is_open {
                true => String::new(),
                false => urls::trace_span(sight.door, &link.trace_id, &link.span_id),
            },
            trace_id: link.trace_id.to_string(),
            span_id: link.span_id.to_string(),
            pairs: of_attributes(&link.attributes),
        })
        .collect()
}
