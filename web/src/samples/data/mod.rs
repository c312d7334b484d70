//! Made-up traces, spans and people.

/// A call that names attachments.
mod attachments;
/// Content that means harm.
mod hostile;
/// Members, and where somebody is signed in.
mod people;
/// What is remarked on a span.
mod remarks;
/// A search, and a call with tools.
mod said;
/// What judges them.
mod scores;
/// Targets of scrapes.
mod scraped;
/// Settings of models, and what came of them.
mod serving;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::cost::{MatchKind, PriceDraft, ProjectPrice, UnpricedModel};
use domain::span::{
    Content, Cost, CostSource, EventSource, Level, PromptRef, SpanError, SpanEvent, SpanKind,
    Status, Usage,
};
use domain::tenancy::{
    ApiKey, KeyScope, KeyScopes, Membership, Organisation, Person, Project, Role, Tenant,
};
use domain::trace::{Density, DensityBucket, TraceSummary};
use domain::{Nanos, SignInId, Span, SpanId, Timestamp, TraceId, Usd, Value};
use service::api_keys::NewApiKey;
use uuid::Uuid;

pub(super) use self::attachments::attachments;
use self::attachments::with_attachments;
pub(super) use self::hostile::{hostile_spans, hostile_summaries};
pub(super) use self::people::{members, sign_ins};
pub(super) use self::remarks::remarks;
pub(super) use self::scores::judgements;
pub(super) use self::scraped::scrape_targets;
pub(super) use self::serving::{goodput, gpu_prices, gpu_reports, objectives, quality_rules};
use super::HOSTILE;
use crate::choices::{Choices, Theme};
use crate::extract::{Reader, Visitor};
use crate::i18n::Lang;
use crate::zone::Zone;

/// The instant at which all samples are looked at: 12 March 2026, 02:58 in Shanghai.
pub(super) fn now() -> Timestamp {
    Timestamp::from_unix_millis(1_773_255_480_000).unwrap_or(Timestamp::EPOCH)
}

/// Somebody who looks at them.
pub(super) fn reader(lang: Lang, theme: Theme, role: Role) -> Reader {
    let organisation = Organisation {
        id: Uuid::from_u128(1).into(),
        external_id: None,
        name: "Harbor".to_owned(),
    };
    let project = |number: u128, name: &str| Project {
        id: Uuid::from_u128(number).into(),
        external_id: None,
        organisation: organisation.clone(),
        name: name.to_owned(),
        created_at: now().minus(Nanos::from_seconds(86_400 * 40)),
    };
    let projects = [
        project(10, "support-copilot"),
        project(11, "search"),
        project(12, "<b>sandbox</b>"),
    ];
    let memberships = projects
        .iter()
        .map(|project| Membership {
            project: project.clone(),
            role,
            organisation_role: role,
        })
        .collect();
    let zone = Zone::from_name("Asia/Shanghai")
        .unwrap_or_else(Zone::utc)
        .for_lang(lang);
    Reader {
        visitor: Visitor {
            person: person(20, "maya"),
            sign_in: SignInId(Uuid::from_u128(1)),
            choices: Choices { lang, theme, zone },
            csrf: "token".to_owned(),
            here: format!("/p/{}/traces", projects[0].id),
        },
        project: projects[0].clone(),
        role,
        organisation_role: role,
        memberships,
        open_incidents: 2,
        unread_mentions: 3,
        is_behind: false,
    }
}

fn person(number: u128, name: &str) -> Person {
    Person {
        id: Uuid::from_u128(number).into(),
        email: format!("{name}@harbor.example"),
        name: name.to_owned(),
    }
}

/// API keys.
pub(super) fn keys() -> Vec<ApiKey> {
    let key = |number: u128, public: &str, note: &str, used: bool| ApiKey {
        id: Uuid::from_u128(number).into(),
        tenant: Tenant::Project(Uuid::from_u128(10).into()),
        public_key: format!("pk-tx-{public}"),
        role: if used { Role::Admin } else { Role::Member },
        scopes: (!used)
            .then(|| KeyScopes::new([KeyScope::Ingest, KeyScope::Prompts]))
            .flatten(),
        expires_at: (!used).then(|| now().plus(Nanos::from_seconds(86_400 * 30))),
        secret_hint: "9f3a".to_owned(),
        note: note.to_owned(),
        created_at: now().minus(Nanos::from_seconds(86_400 * 12)),
        last_used_at: used.then(|| now().minus(Nanos::from_seconds(70))),
    };
    vec![
        key(31, "7c1f40b2a9", "production collector", true),
        key(32, "00aa41d0c3", "", false),
        key(33, "bb71e2f5d7", HOSTILE, true),
    ]
}

/// Prices of the project.
pub(super) fn prices() -> Vec<ProjectPrice> {
    let price = |number: u128, model: &str, match_kind, input: &str| ProjectPrice {
        id: Uuid::from_u128(number).into(),
        draft: PriceDraft {
            match_kind,
            model: model.to_owned(),
            prices: [
                ("input".to_owned(), usd(input)),
                ("output".to_owned(), usd("0.0000006")),
                ("cache_read".to_owned(), usd("0.00000002")),
            ]
            .into(),
            valid_from: (number == 41).then(|| now().minus(Nanos::from_seconds(86_400 * 30))),
            valid_to: None,
            listing: None,
        },
        created_at: now().minus(Nanos::from_seconds(86_400 * 30)),
        updated_at: now().minus(Nanos::from_seconds(86_400 * 3)),
    };
    vec![
        price(41, "harbor/support-7b", MatchKind::Exact, "0.00000015"),
        price(42, "(?i)^harbor/", MatchKind::Pattern, "0.0000002"),
        price(43, HOSTILE, MatchKind::Exact, "0.000001"),
    ]
}

/// Models without a price.
pub(super) fn unpriced() -> Vec<UnpricedModel> {
    let model = |model: Option<&str>, calls| UnpricedModel {
        model: model.map(str::to_owned),
        provider: Some("vllm".to_owned()),
        calls,
        last_call: now().minus(Nanos::from_seconds(40)),
    };
    vec![
        model(Some("Qwen/Qwen3-32B"), 14_204),
        model(Some(HOSTILE), 7),
        model(None, 1),
    ]
}

/// A key that has just been made.
pub(super) fn new_key() -> NewApiKey {
    let secret = "sk-tx-4f6b1d0c9a8e7f5544332211aabbccdd".to_owned();
    NewApiKey {
        key: keys().swap_remove(0),
        secret,
    }
}

fn trace_id(text: &str) -> TraceId {
    // Every text here is printable and short.
    TraceId::from_text(text).unwrap_or_else(|_| unreachable_id())
}

fn unreachable_id() -> TraceId {
    TraceId::from_text("t").unwrap_or_else(|_| unreachable_id())
}

fn span_id(text: &str) -> SpanId {
    SpanId::from_text(text).unwrap_or_else(|_| span_id("s"))
}

const SAID: [&str; 12] = [
    "My bag for LA 472 arrived two days late and the clothes I bought meanwhile cost 146 euro",
    "Change the name on booking 7XK2P, I married last week",
    "Est-ce que je peux emmener mon vélo sur le vol de samedi ?",
    "Why was I charged twice for seat 14C",
    "Wann bekomme ich das Geld für den stornierten Flug zurück?",
    "Cancel my subscription but keep the points",
    "هل يمكنني تغيير موعد رحلتي إلى الغد؟",
    "我的行李晚到了两天，买衣服的钱可以报销吗？",
    "I need an invoice with VAT for order 99120-B",
    "Can my daughter fly alone, she is eleven",
    "Upgrade to business with points, flight LA 118",
    "What is the allowance for a cello",
];

/// Fifty ordinary traces.
pub(super) fn summaries() -> Vec<TraceSummary> {
    (0..50u64)
        .map(|n| {
            let mix = n.wrapping_mul(2_654_435_761) % 9973;
            let failed = mix % 11 == 3;
            let start = now().minus(Nanos::from_millis(2_400 * n + mix % 900));
            TraceSummary {
                trace_id: trace_id(&format!("4be1a07c39d2{n:020x}")),
                name: if mix % 5 == 0 {
                    "support.summary"
                } else {
                    "support.turn"
                }
                .to_owned(),
                start,
                end: (n != 0).then(|| start.plus(Nanos::from_millis(900 + mix))),
                has_root: true,
                user_id: Some(format!("u_{:05x}", mix * 31)),
                session_id: None,
                environment: "production".to_owned(),
                release: None,
                version: None,
                tenant: Some(
                    ["lumen-air", "acme-retail", "northstar", "kite-bank"][(mix % 4) as usize]
                        .to_owned(),
                ),
                tags: Vec::new(),
                models: vec!["qwen3-32b".to_owned()],
                prompt: Some(("support.answer".to_owned(), (17 + mix % 2).to_string())),
                input_preview: Some(SAID[(mix % 12) as usize].to_owned()),
                output_preview: None,
                is_public: false,
                span_count: 19,
                error_count: u64::from(failed),
                first_error: failed.then(|| "ToolTimeout: refund_quote after 10 s".to_owned()),
                input_tokens: (mix % 9 != 0).then_some(3_000 + mix),
                output_tokens: (mix % 9 != 0).then_some(100 + mix % 700),
                unpriced_calls: u64::from(mix % 9 == 0),
                cost: (mix % 9 != 0).then(|| usd(if mix % 7 == 0 { "0.000004" } else { "0.0214" })),
                ttft_ms: (mix % 6 != 0).then_some(230.0 + (mix % 2500) as f64),
            }
        })
        .collect()
}

fn usd(text: &str) -> Usd {
    text.parse().unwrap_or_default()
}

/// Traffic with a rise of errors.
pub(super) fn density((from, to): (Timestamp, Timestamp), empty: bool) -> Density {
    let step = Nanos((to - from).0 / 120);
    let buckets: Vec<DensityBucket> = (0..120u64)
        .map(|n| {
            let mix = n.wrapping_mul(2_654_435_761) % 997;
            let traces = if empty { 0 } else { 90 + mix % 60 };
            DensityBucket {
                start: from.plus(Nanos(step.0 * n)),
                traces,
                errors: if empty {
                    0
                } else {
                    1 + (mix % 9) * u64::from(n > 60) / 2
                },
                p95_ms: (!empty).then_some(4_000.0 + 40.0 * n as f64 + (mix % 300) as f64),
            }
        })
        .collect();
    Density {
        step,
        traces: buckets.iter().map(|bucket| bucket.traces).sum(),
        errors: buckets.iter().map(|bucket| bucket.errors).sum(),
        p95_ms: (!empty).then_some(7_120.0),
        buckets,
    }
}

/// A span from the second millisecond to the third, both after the trace's start.
fn span(id: &str, parent: &str, kind: SpanKind, (from_ms, to_ms): (u64, u64)) -> Span {
    let start = now().minus(Nanos::from_seconds(1_600));
    let mut span = Span::bare(
        trace_id("4be1a07c39d25f1e8844aa0b17c0de42"),
        span_id(id),
        start.plus(Nanos::from_millis(from_ms)),
    );
    span.parent_span_id = (!parent.is_empty()).then(|| span_id(parent));
    span.name = id.replace('-', " ");
    span.kind = kind;
    span.end = Some(start.plus(Nanos::from_millis(to_ms)));
    span.service = "support".to_owned();
    span
}

fn call(id: &str, parent: &str, times: (u64, u64), tokens: (u64, u64)) -> Span {
    let mut call = span(id, parent, SpanKind::Generation, times);
    call.request_model = Some("qwen3-32b".to_owned());
    call.instance = Some("vllm-a2".to_owned());
    call.usage = Some(Usage {
        input_tokens: Some(tokens.0),
        output_tokens: Some(tokens.1),
        details: BTreeMap::from([("cache_read".to_owned(), 14)]),
        ..Usage::default()
    });
    call.cost = Some(Cost {
        total: Some(usd("0.0070")),
        details: BTreeMap::new(),
        source: CostSource::GpuHours,
        terms: None,
    });
    let length = (times.1 - times.0) as f64;
    call.timings.queue_ms = Some(length * 0.23);
    call.timings.prefill_ms = Some(length * 0.43);
    call.timings.ttft_ms = Some(length * 0.66);
    call.timings.tpot_ms = Some(3.9);
    call.timings.ttft_source = Some("gen_ai.server.time_to_first_token".to_owned());
    call.prompt = Some(PromptRef {
        name: "support.answer".to_owned(),
        version: "18".to_owned(),
    });
    call.finish_reasons = vec!["stop".to_owned()];
    call
}

fn text(text: &str) -> Option<Content> {
    Some(Content {
        text: text.into(),
        attribute: None,
    })
}

/// An agent at work: the trace of the design.
pub(super) fn spans() -> Vec<Span> {
    use SpanKind::{Agent, Chain, Embedding, Guardrail, Reranker, Retriever, Tool};
    let mut root = span("support.turn", "", Agent, (0, 8420));
    root.user_id = Some("u_19c4e".to_owned());
    root.session_id = Some("s_7Qd2kV".to_owned());
    let mut spans = vec![
        root,
        span("input-guard", "support.turn", Guardrail, (0, 38)),
        span("triage", "support.turn", Agent, (40, 974)),
        call("classify-intent", "triage", (45, 970), (1_800, 100)),
        span("retrieve", "support.turn", Chain, (980, 1_367)),
        span("embed-query", "retrieve", Embedding, (985, 1_009)),
        said::searched(span("search-kb", "retrieve", Retriever, (1_012, 1_130))),
        span("rerank", "retrieve", Reranker, (1_133, 1_367)),
        span("resolver", "support.turn", Agent, (1_370, 8_330)),
        said::with_tools(call("plan", "resolver", (1_375, 3_605), (3_800, 100))),
        span("lookup_order", "resolver", Tool, (3_610, 3_694)),
        failed("refund-1"),
        with_attachments(call("plan-again", "resolver", (4_200, 5_800), (4_100, 118))),
        span("refund_quote", "resolver", Tool, (5_810, 5_868)),
        span("search-policy", "resolver", Retriever, (5_870, 5_990)),
        answer(),
        span("output-guard", "support.turn", Guardrail, (8_340, 8_384)),
        span(
            "persist-turn",
            "support.turn",
            SpanKind::Span,
            (8_390, 8_414),
        ),
        span("late-log", "not-there", SpanKind::Event, (8_400, 8_400)),
    ];
    if let Some(open) = spans.last_mut() {
        open.end = None;
    }
    spans
}

fn failed(id: &str) -> Span {
    let mut tool = span(id, "resolver", SpanKind::Tool, (4_120, 4_181));
    tool.name = "refund_quote".to_owned();
    tool.status = Status::Error;
    tool.level = Level::Error;
    tool.error = Some(SpanError {
        kind: Some("ValidationError".to_owned()),
        message: "currency is missing\n  at refund_quote (tools.py:41)".to_owned(),
    });
    tool.input = text(r#"{"order": "LA472-5590", "amount": 146, "id": 107505301260286111}"#);
    tool.events = vec![SpanEvent {
        name: "exception".to_owned(),
        time: tool.start.plus(Nanos::from_millis(58)),
        attributes: vec![
            ("exception.type".into(), Value::from("ValidationError")),
            (
                "exception.stacktrace".into(),
                Value::Str("at refund_quote (tools.py:41)\n".repeat(30).into()),
            ),
        ],
        source: EventSource::Span,
    }];
    tool
}

fn answer() -> Span {
    let mut answer = call("answer", "resolver", (5_990, 8_330), (4_611, 204));
    answer.input = text(
        r#"[{"role":"system","content":"You are the support assistant of Lumen Air. Now: 2026-03-12T02:31:07Z.\nTicket TK-88213. Be brief and kind."},
        {"role":"user","content":"My bag for LA 472 arrived two days late and the clothes I bought meanwhile cost 146 euro. Can I get that back?"},
        {"role":"assistant","reasoning_content":"Delay over 24 h is confirmed by the shipment events. Policy B-4 covers necessary purchases up to 150 EUR with receipts.","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"refund_quote","arguments":"{\"order\": \"LA472-5590\", \"amount\": 146, \"currency\": \"EUR\"}"}}]},
        {"role":"tool","name":"refund_quote","content":"{\"allowed\": true, \"limit\": 150, \"needs\": [\"receipts\"], \"days\": 7}"}]"#,
    );
    answer.output = text(
        r#"[{"role":"assistant","content":"{\"reply\":\"I am sorry about the delay. You can claim the full 146 EUR. Please send the receipts, we pay within 7 days.\",\"action\":\"refund\",\"amount\":146,\"sources\":[\"policy-B4\",\"kb-2207\"]}"}]"#,
    );
    answer.attributes = vec![
        ("gen_ai.request.model".into(), Value::from("qwen3-32b")),
        ("gen_ai.usage.input_tokens".into(), Value::Int(4_611)),
        (
            "gen_ai.request.stop_sequences".into(),
            Value::Array(vec![Value::from("\n\n"), Value::from("END")]),
        ),
        ("llm.is_streaming".into(), Value::Bool(true)),
    ];
    answer.resource = Arc::new(vec![("service.name".into(), Value::from("support"))]);
    answer.parameters = BTreeMap::from([("temperature".to_owned(), "0.2".to_owned())]);
    answer
}

/// A span that says nothing.
pub(super) fn bare_span() -> Span {
    span("chat", "", SpanKind::Span, (0, 0))
}

/// One root with many spans below it, five levels deep.
pub(super) fn many_spans(count: u64) -> Vec<Span> {
    (0..count)
        .map(|n| {
            let parent = if n == 0 {
                String::new()
            } else {
                format!("step-{}", (n - 1) / 9)
            };
            let mut step = span(&format!("step-{n}"), &parent, SpanKind::Tool, (n, n + 40));
            if n % 7 == 0 {
                step.kind = SpanKind::Generation;
                step.request_model = Some("qwen3-32b".to_owned());
            }
            if n == 0 {
                step.end = Some(step.start.plus(Nanos::from_millis(count + 40)));
            }
            step
        })
        .collect()
}

/// The row in the list of a trace of these spans.
pub(super) fn summary_of(spans: &[Span]) -> TraceSummary {
    let mut summary = summaries().swap_remove(1);
    let Some(root) = spans.first() else {
        return summary;
    };
    summary.trace_id = root.trace_id.clone();
    summary.name.clone_from(&root.name);
    summary.start = root.start;
    summary.end = root.end;
    summary.user_id.clone_from(&root.user_id);
    summary.session_id.clone_from(&root.session_id);
    summary.tenant = root.tenant.clone().or(summary.tenant);
    summary.release = root.release.clone().or(Some("2026.11.3".to_owned()));
    summary.environment.clone_from(&root.environment);
    summary.tags.clone_from(&root.tags);
    summary.span_count = spans.len() as u64;
    summary.error_count = spans.iter().filter(|span| span.failed()).count() as u64;
    summary
}
