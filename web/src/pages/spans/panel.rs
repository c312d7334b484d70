//! The chosen span beside the tree: what it is, how long its phases took, what was said.

use domain::Timestamp;
use domain::annotation::ObjectKind;
use domain::document::documents;
use domain::mapping::{Catalogue, explain};
use domain::retention::{KeepRule, has_lost_contents};
use domain::score::Judgements;
use domain::semantic::Finding;
use domain::span::{Span, SpanKind};
use domain::trace::TreeSpan;

use super::blocks::{Block, contents};
use super::comments::{Remarks, ThreadView};
use super::copied::Form;
use super::diff::{DiffView, Other};
use super::documents::DocumentRow;
use super::moments::{Event, Link, events, links};
use super::pairs::{Group, groups, of_mapping};
use super::scores::{self, ScoreGroup};
use crate::chart::waterfall::{Piece, phase_pieces, phases};
use crate::content::attachments::Attachments;
use crate::extract::{Pairs, Reader};
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::Choice;
use crate::pages::impact::words;
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
    pub(crate) semantic: Vec<SemanticRow>,
    pub(crate) tabs: Vec<Tab>,
    /// Makes an item of a dataset of it; empty for who sees one trace only.
    pub(crate) dataset_url: String,
    /// Puts it into a queue to be judged; empty for who sees one trace only.
    pub(crate) queue_url: String,
    /// Repeats it in the playground; empty where it is no call of a model, and for who sees one trace only.
    pub(crate) again_url: String,
    pub(crate) body: Body,
    /// Why there is nothing to show, where its time is over; else empty.
    pub(crate) lost_contents: String,
    /// What is not known of it, and the keys that would tell.
    pub(crate) empties: Vec<(String, String)>,
    /// In the words of other tools: name and address; for members alone.
    pub(crate) copies: Vec<(&'static str, String)>,
}

/// What went wrong in its meaning.
pub(crate) struct SemanticRow {
    pub(crate) what: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) evidence: String,
    /// Turn, fall of confidence, fallback; empty where nothing is known.
    pub(crate) more: String,
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
    /// Against another span.
    Diff(DiffView),
    /// What people remark on it.
    Comments(ThreadView),
    /// Attributes, resource, scope.
    Attributes(Vec<Group>),
    /// Instants within the span.
    Events(Vec<Event>),
    /// Pointers to other spans.
    Links(Vec<Link>),
}

/// The chosen span with what belongs to it.
pub(crate) struct Subject<'a> {
    pub(crate) span: &'a Span,
    /// Scores of its trace.
    pub(crate) judgements: &'a Judgements,
    /// What its contents name.
    pub(crate) attachments: &'a Attachments,
    /// Who reads it and what is remarked, for members alone.
    pub(crate) remarks: Option<(&'a Reader, &'a Remarks)>,
    /// The span that it is held against.
    pub(crate) other: &'a Other,
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
        let all_tabs = tabs(sight, subject, tab, (found.len(), count(&judged)));
        let body = match tab {
            "diff" if !sight.door.is_open => Body::Diff(DiffView::new(sight, span, subject.other)),
            "comments" if subject.remarks.is_some() => thread(sight, subject, now),
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
            semantic: semantic(span, lang),
            tabs: all_tabs,
            dataset_url: sight.door.of_members().map_or_else(String::new, |project| {
                urls::dataset_add_span(project, &span.trace_id, &span.span_id)
            }),
            queue_url: sight.door.of_members().map_or_else(String::new, |project| {
                let id = span.span_id.to_string();
                urls::queue_add_one(project, ObjectKind::Observation, &id)
            }),
            again_url: match (span.kind, sight.door.of_members()) {
                (SpanKind::Generation, Some(project)) => {
                    urls::playground_step(project, &span.trace_id, &span.span_id)
                }
                _ => String::new(),
            },
            lost_contents: match &body {
                Body::Content(_) if has_lost_contents(span, now) => lost_contents(span, lang),
                _ => String::new(),
            },
            empties: match body {
                Body::Content(_) if !has_lost_contents(span, now) => empties(span, catalogue),
                _ => Vec::new(),
            },
            copies: copies(sight, span),
            body,
        }
    }
}

/// Why nothing is there to show.
fn lost_contents(span: &Span, lang: Lang) -> String {
    let days = span.keep.content_days.to_string();
    match span.keep.rule {
        KeepRule::Sampled => lang.fill(
            "Contents of this trace were dropped by sampling, {} days after it began: it is outside of the share that keeps them. What was counted of them stays.",
            &[&days],
        ),
        _ => lang.fill(
            "Contents of this span went {} days after it began, as the retention of the project says. What was counted of them stays.",
            &[&days],
        ),
    }
}

/// Fields that a reader looks for first, where nothing gave them, with the keys that were looked for.
fn empties(span: &Span, catalogue: &Catalogue) -> Vec<(String, String)> {
    let is_call = matches!(span.kind, SpanKind::Generation | SpanKind::Embedding);
    let asked = |field: &str| match field {
        "input" => span.input.is_none(),
        "output" => span.output.is_none(),
        "request_model" => is_call && span.model().is_none(),
        "usage.input_tokens" | "usage.output_tokens" => is_call && span.usage.is_none(),
        _ => false,
    };
    let fields = explain(span, catalogue).fields.into_iter();
    fields
        .filter(|field| field.key.is_none() && asked(&field.field))
        .map(|field| (field.field, field.looked_for.join(", ")))
        .collect()
}

fn copies(sight: Sight<'_>, span: &Span) -> Vec<(&'static str, String)> {
    if sight.door.is_open {
        return Vec::new();
    }
    let lang = sight.lang();
    let named = |form: Form| match form {
        Form::Curl => "curl",
        Form::Pytest => lang.t("pytest fixture"),
        Form::DatasetItem => lang.t("Dataset item, JSON"),
    };
    let fits = |form: &Form| *form != Form::Curl || span.kind == SpanKind::Generation;
    let url =
        |form: Form| urls::span_content(sight.door, &span.trace_id, &span.span_id, form.name());
    let all = Form::ALL.into_iter().filter(fits);
    all.map(|form| (named(form), url(form))).collect()
}

/// Nothing for whoever is no member.
fn thread(sight: Sight<'_>, subject: &Subject<'_>, now: Timestamp) -> Body {
    match subject.remarks {
        Some((reader, remarks)) => {
            Body::Comments(ThreadView::new((sight, reader), subject.span, remarks, now))
        }
        None => Body::Content(Vec::new()),
    }
}

fn count(groups: &[ScoreGroup]) -> usize {
    groups.iter().map(|group| group.rows.len()).sum()
}

fn tabs(
    sight: Sight<'_>,
    subject: &Subject<'_>,
    open: &str,
    (documents, scores): (usize, usize),
) -> Vec<Tab> {
    let (lang, span) = (sight.lang(), subject.span);
    let attributes = span.attributes.len() + span.resource.len();
    let known = [
        "messages",
        "documents",
        "raw",
        "attributes",
        "mapping",
        "events",
        "scores",
        "comments",
        "diff",
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
    if let Some((_, remarks)) = subject.remarks {
        tabs.push(tab("comments", lang.t("Comments"), remarks.list.len()));
    }
    if !sight.door.is_open {
        tabs.push(tab("diff", lang.t("Diff"), 0));
    }
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

fn semantic(span: &Span, lang: Lang) -> Vec<SemanticRow> {
    let row = |event: &Finding| {
        let detail = &event.detail;
        let round = detail.trigger_round;
        let drop = detail.confidence_drop;
        let fallback = detail.fallback_intent.as_ref();
        let more = [
            round.map(|round| lang.fill("turn {}", &[&round.to_string()])),
            drop.map(|drop| lang.fill("confidence fell by {}", &[&format::trimmed(drop, 2)])),
            fallback.map(|intent| lang.fill("fell back on {}", &[intent])),
        ];
        let more: Vec<String> = more.into_iter().flatten().collect();
        SemanticRow {
            what: words::event_type(event.event_type, lang),
            rule: words::rule(detail.rule, lang),
            evidence: detail.evidence.clone(),
            more: more.join(" · "),
        }
    };
    span.semantic_events.iter().map(row).collect()
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
        (
            span.from_cache == Some(true),
            lang.t("A cache of answers gave the answer: no model ran, and it cost nothing."),
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
