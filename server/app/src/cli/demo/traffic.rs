//! From the story to spans: who asks what, when, and how it goes.

use domain::{Nanos, Timestamp};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::json;

use super::fleet;
use super::otlp::DemoSpan;
use super::recorder::{Call, Recorder};
use super::story;

/// The 24 hours that are told. Three hours before their end version 18 of the prompt
/// `support.answer` goes out: it begins with the time of day, so no cached prefix fits any more,
/// prefill takes long, answers are cut and come out as broken JSON. After 44 minutes it is rolled
/// back.
pub(crate) struct Day {
    end: Timestamp,
}

impl Day {
    /// The day that ends at `end`.
    pub(crate) fn ending(end: Timestamp) -> Self {
        Day { end }
    }

    /// Start and end of the incident.
    pub(crate) fn incident(&self) -> (Timestamp, Timestamp) {
        let start = self.end.minus(Nanos::from_seconds(3 * 3600));
        (start, start.plus(Nanos::from_seconds(44 * 60)))
    }

    /// When the day begins.
    pub(crate) fn begin(&self) -> Timestamp {
        self.end.minus(Nanos::from_seconds(86_400))
    }

    fn in_incident(&self, at: Timestamp) -> bool {
        let (start, end) = self.incident();
        start <= at && at < end
    }

    /// A moment of the day: busier by day than by night, seen from UTC.
    fn moment(&self, rng: &mut StdRng) -> Timestamp {
        loop {
            let back = Nanos::from_millis(rng.random_range(10_000..24 * 3_600_000));
            let at = self.end.minus(back);
            if rng.random_bool(busy(at).clamp(0.05, 1.0)) {
                return at;
            }
        }
    }
}

/// How busy the day is, 0.1 to 1: most at 14:00 UTC.
pub(crate) fn busy(at: Timestamp) -> f64 {
    let hour = at.unix_seconds().rem_euclid(86_400) as f64 / 3600.0;
    0.55 + 0.45 * ((hour - 14.0) / 24.0 * std::f64::consts::TAU).cos()
}

/// As many traces as asked for, in order of time.
pub(crate) fn traces(day: &Day, count: u32, rng: &mut StdRng) -> Vec<Vec<DemoSpan>> {
    let mut moments: Vec<Timestamp> = (0..count).map(|_| day.moment(rng)).collect();
    moments.sort();
    let mut sessions = Sessions::default();
    moments
        .into_iter()
        .map(|at| match rng.random_range(0..100) {
            0..78 => support_turn(day, at, &mut sessions, rng),
            78..92 => summary(day, at, rng),
            _ => bookkeeping(at, rng),
        })
        .collect()
}

/// Conversations that may go on: a user comes back to theirs for a few turns.
#[derive(Default)]
struct Sessions {
    open: Vec<Talk>,
    count: u32,
}

#[derive(Clone)]
struct Talk {
    session: String,
    user: String,
    tenant: &'static str,
    turns: u32,
}

impl Sessions {
    fn next(&mut self, rng: &mut StdRng) -> Talk {
        if self.open.len() > 30 || (!self.open.is_empty() && rng.random_bool(0.6)) {
            let at = rng.random_range(0..self.open.len());
            self.open[at].turns += 1;
            let talk = self.open[at].clone();
            if talk.turns > 5 || rng.random_bool(0.25) {
                self.open.swap_remove(at);
            }
            return talk;
        }
        self.count += 1;
        let talk = Talk {
            session: format!("s_{:07x}", rng.random_range(0..0x0fff_ffff)),
            user: format!("u_{:05x}", rng.random_range(0..400) * 2621 % 0xf_ffff),
            tenant: pick_tenant(rng),
            turns: 1,
        };
        self.open.push(talk.clone());
        talk
    }
}

fn support_turn(
    day: &Day,
    at: Timestamp,
    sessions: &mut Sessions,
    rng: &mut StdRng,
) -> Vec<DemoSpan> {
    let talk = sessions.next(rng);
    let (question, intent) = story::QUESTIONS[rng.random_range(0..story::QUESTIONS.len())];
    let mut recorder = Recorder::new("support-api", at, rng);
    let root = recorder.open(None, "support.turn");
    recorder.set(root, "openinference.span.kind", "AGENT");
    recorder.set(root, "session.id", talk.session.clone());
    recorder.set(root, "user.id", talk.user.clone());
    stands_for(&mut recorder, root, (talk.tenant, "chat"));
    recorder.set(root, "http.route", "/v2/support/turn");
    recorder.set(root, "langfuse.trace.tags", json!([intent, "support"]));
    recorder.set(root, "input.value", question);
    recorder.step(root, "input guard", "GUARDRAIL", (25.0, 60.0));
    classify(&mut recorder, root, question, intent);
    retrieve(&mut recorder, root, question);
    let answer = resolve(&mut recorder, root, (question, intent), day);
    recorder.step(root, "output guard", "GUARDRAIL", (25.0, 60.0));
    recorder.step(root, "persist turn", "CHAIN", (10.0, 40.0));
    recorder.set(root, "output.value", answer);
    recorder.close(root);
    rate_limit_sometimes(&mut recorder, root);
    recorder.spans
}

/// What a trace is put on the bill of.
fn stands_for(recorder: &mut Recorder<'_>, root: usize, (tenant, feature): (&str, &str)) {
    let region = if tenant.len().is_multiple_of(2) {
        "eu"
    } else {
        "us"
    };
    recorder.set(root, "tenant.id", tenant);
    recorder.set(root, "langfuse.trace.metadata.feature", feature);
    recorder.set(root, "langfuse.trace.metadata.region", region);
}

fn rate_limit_sometimes(recorder: &mut Recorder<'_>, root: usize) {
    if recorder.rng.random_bool(0.008) {
        recorder.fail(
            root,
            "RateLimitError",
            "gpt-5-mini: 429, gave up after 3 retries",
        );
    }
}

fn classify(recorder: &mut Recorder<'_>, root: usize, question: &str, intent: &str) {
    let triage = recorder.open(Some(root), "triage");
    recorder.set(triage, "openinference.span.kind", "AGENT");
    let answer = json!({"intent": intent, "confidence": 0.93}).to_string();
    let input_tokens = recorder.rng.random_range(900..1900);
    recorder.generation(
        triage,
        "classify intent",
        &Call {
            model: story::SMALL,
            prompt: Some(("support.triage", 4)),
            system: "Name the intent of the traveller's message as JSON with a confidence.",
            user: question,
            answer: &answer,
            input_tokens,
            cached_tokens: input_tokens / 2,
            output_tokens: 18,
            finish_reason: "stop",
            slowdown: 1.0,
        },
    );
    recorder.close(triage);
}

fn retrieve(recorder: &mut Recorder<'_>, root: usize, question: &str) {
    let chain = recorder.open(Some(root), "retrieve");
    recorder.set(chain, "openinference.span.kind", "CHAIN");
    let embed = recorder.step(chain, "embed query", "EMBEDDING", (14.0, 40.0));
    recorder.set(embed, "embedding.model_name", "text-embedding-3-small");
    recorder.set(embed, "llm.token_count.prompt", 31);
    recorder.set(embed, "input.value", question);
    let search = recorder.step(chain, "search kb", "RETRIEVER", (60.0, 180.0));
    recorder.set(search, "input.value", question);
    recorder.set(search, "output.value", json!(story::DOCUMENTS).to_string());
    recorder.set(search, "output.mime_type", "application/json");
    recorder.step(chain, "rerank", "RERANKER", (90.0, 240.0));
    recorder.close(chain);
}

fn resolve(
    recorder: &mut Recorder<'_>,
    root: usize,
    (question, intent): (&str, &str),
    day: &Day,
) -> String {
    let bad = day.in_incident(recorder.now());
    let resolver = recorder.open(Some(root), "resolver");
    recorder.set(resolver, "openinference.span.kind", "AGENT");
    let rounds = recorder.rng.random_range(1..4);
    for _ in 0..rounds {
        let order = format!("LA472-{}", recorder.rng.random_range(1000..9999));
        recorder.tool(
            resolver,
            "lookup_order",
            &json!({"order": order}),
            &json!({"status": "delivered", "days_late": 2}),
        );
    }
    if recorder.rng.random_bool(0.12) {
        let calls = recorder.rng.random_range(4..13);
        for page in 0..calls {
            recorder.tool(
                resolver,
                "shipment_events",
                &json!({"page": page}),
                &json!({"events": ["scanned", "loaded"]}),
            );
        }
    }
    let quote = recorder.tool(
        resolver,
        "refund_quote",
        &json!({"amount": 146, "currency": "EUR"}),
        &json!({"allowed": true, "limit": 150}),
    );
    if recorder.rng.random_bool(if bad { 0.09 } else { 0.012 }) {
        recorder.fail(quote, "ToolTimeout", "refund_quote after 10 s");
    }
    let answer = final_answer(recorder, resolver, (question, intent), day);
    recorder.close(resolver);
    answer
}

fn final_answer(
    recorder: &mut Recorder<'_>,
    resolver: usize,
    (question, intent): (&str, &str),
    day: &Day,
) -> String {
    let bad = day.in_incident(recorder.now());
    let instance = recorder.rng.random_range(0..story::INSTANCES.len());
    let whole = json!({
        "reply": story::answer_to(intent),
        "action": intent,
        "sources": ["policy-B4", "kb-2207"],
    })
    .to_string();
    // Where the GPU is busy, answers come out as broken JSON more often, whatever the prompt.
    let is_busy = fleet::state(day, instance, recorder.now()).sm_active > 0.6;
    let broken = recorder.rng.random_bool(match (bad, is_busy) {
        (true, _) => 0.11,
        (false, true) => 0.023,
        (false, false) => 0.004,
    });
    let answer = if broken { cut_short(&whole) } else { whole };
    let input_tokens = recorder.rng.random_range(3800..14_000);
    let version = if bad { 18 } else { 17 };
    // A prompt that begins with the time shares no prefix with the one before it.
    let now = if bad {
        format!("Now: {}. ", recorder.now())
    } else {
        String::new()
    };
    let system = format!(
        "{now}You are the support assistant. Answer as JSON with reply, action and sources."
    );
    let output_tokens = recorder.rng.random_range(60..320);
    let index = recorder.generation(
        resolver,
        "answer",
        &Call {
            model: story::SELF_HOSTED,
            prompt: Some(("support.answer", version)),
            system: &system,
            user: question,
            answer: &answer,
            input_tokens,
            cached_tokens: if bad { 14 } else { input_tokens * 4 / 5 },
            output_tokens,
            finish_reason: if broken { "length" } else { "stop" },
            slowdown: if bad { 2.4 } else { 1.0 },
        },
    );
    recorder.set(index, "server.address", story::INSTANCES[instance]);
    recorder.set(index, "llm.quality.format_valid", !broken);
    answer
}

fn cut_short(answer: &str) -> String {
    answer
        .chars()
        .take(answer.chars().count() * 2 / 3)
        .collect()
}

fn summary(day: &Day, at: Timestamp, rng: &mut StdRng) -> Vec<DemoSpan> {
    let tenant = pick_tenant(rng);
    let (question, intent) = story::QUESTIONS[rng.random_range(0..story::QUESTIONS.len())];
    let mut recorder = Recorder::new("summary-worker", at, rng);
    let root = recorder.open(None, "support.summary");
    recorder.set(root, "openinference.span.kind", "CHAIN");
    stands_for(&mut recorder, root, (tenant, "handover"));
    recorder.set(root, "input.value", question);
    let input_tokens = recorder.rng.random_range(4000..15_000);
    let output_tokens = recorder.rng.random_range(120..600);
    recorder.generation(
        root,
        "summarise",
        &Call {
            model: story::LARGE,
            prompt: Some(("support.summary", 6)),
            system: "Summarise the conversation in three sentences for the next shift.",
            user: question,
            answer: story::answer_to(intent),
            input_tokens,
            cached_tokens: 0,
            output_tokens,
            finish_reason: "stop",
            slowdown: if day.in_incident(at) { 1.2 } else { 1.0 },
        },
    );
    recorder.set(root, "output.value", story::answer_to(intent));
    recorder.close(root);
    recorder.spans
}

fn bookkeeping(at: Timestamp, rng: &mut StdRng) -> Vec<DemoSpan> {
    let tenant = pick_tenant(rng);
    let number = rng.random_range(10_000..99_999);
    let mut recorder = Recorder::new("ledger-agent", at, rng);
    let root = recorder.open(None, "ledger.reconcile");
    recorder.set(root, "openinference.span.kind", "AGENT");
    stands_for(&mut recorder, root, (tenant, "bookkeeping"));
    recorder.set(root, "user.id", "ops-batch");
    recorder.set(
        root,
        "input.value",
        format!("Reconcile invoice {number} with the bank statement"),
    );
    let steps = recorder.rng.random_range(2..7);
    for step in 0..steps {
        let input_tokens = 1500 + step * 700;
        let answer = json!({"next": "query_ledger", "step": step}).to_string();
        recorder.generation(
            root,
            "plan",
            &Call {
                model: story::LARGE,
                prompt: Some(("ledger.plan", 3)),
                system: "Plan the next step of the reconciliation. Answer as JSON.",
                user: "What do you need next?",
                answer: &answer,
                input_tokens,
                cached_tokens: 1000,
                output_tokens: 40,
                finish_reason: "tool_calls",
                slowdown: 1.0,
            },
        );
        let query = recorder.tool(
            root,
            "query_ledger",
            &json!({"invoice": number, "page": step}),
            &json!({"rows": 12, "sum": "1042.17"}),
        );
        if recorder.rng.random_bool(0.03) {
            recorder.fail(
                query,
                "OperationalError",
                "ledger: connection reset by peer",
            );
        }
    }
    recorder.set(root, "output.value", "Matched: 1042.17 EUR on both sides.");
    recorder.close(root);
    recorder.spans
}

fn pick_tenant(rng: &mut StdRng) -> &'static str {
    let mut ticket = rng.random_range(0..100);
    for (tenant, share) in story::TENANTS {
        if ticket < *share {
            return tenant;
        }
        ticket -= share;
    }
    story::TENANTS[0].0
}
