//! Pages of the axes: correlation, and the axes of a request.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::attribution::Axis;
use domain::attribution::answer::{
    Action, Attribution, AxisVote, Culprit, Distribution, Evidence, Feature, Group, Moment,
    Recommendation,
};
use domain::attribution::reason::{Happening, Reason};
use domain::axes::columns::Column;
use domain::axes::firsts::First;
use domain::axes::joint::joint;
use domain::axes::{AxisLine, AxisValue, Codes, Dimension, Requests};
use domain::prompt::PromptName;
use domain::trace::{TraceView, TreeSpan};
use domain::tree::build_tree;
use domain::{Nanos, Timestamp};
use serde_json::json;
use service::axes::{Joined, Picture, SameHour};
use service::prompts::Told as Moved;

use super::{HOSTILE, Load, Sample, data, sample};
use crate::attribution::{About, AttributionView};
use crate::extract::{Pairs, Reader};
use crate::layout::Frame;
use crate::pages::correlation::query::CorrelationQuery;
use crate::pages::correlation::{Changes, CorrelationPage, Told, Why, WhyPage, WhyState};
use crate::pages::traces::{AxesPage, AxesTold};

/// Requests of the sample.
const REQUESTS: usize = 600;

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let why = |state: WhyState| WhyPage {
        shell: Frame::shell(reader),
        why: Why {
            state,
            ..asked(reader, Load::Typical)
        },
    };
    vec![
        sample("correlation", &correlation(reader, Load::Typical)),
        sample("correlation-none", &correlation(reader, Load::Empty)),
        sample("correlation-overfull", &correlation(reader, Load::Overfull)),
        sample("why", &why(told(reader, "answer@18"))),
        sample("why-overfull", &why(told(reader, HOSTILE))),
        sample("why-not", &why(WhyState::Failed(HOSTILE.to_owned()))),
        sample("trace-axes", &axes(reader, Load::Typical)),
        sample("trace-axes-none", &axes(reader, Load::Empty)),
    ]
}

fn query(reader: &Reader, load: Load) -> CorrelationQuery {
    let hostile: String = form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let address = match load {
        Load::Empty => "range=15m".to_owned(),
        Load::Overfull => format!("range=1h&f=model:is:{hostile}&instance={hostile}&by=tenant"),
        _ => "range=1h&f=model:is:qwen3-32b&wf=2026-03-11T18:14:00Z&wt=2026-03-11T18:40:00Z"
            .to_owned(),
    };
    let read = CorrelationQuery::read(&Pairs::parse(address.as_bytes()), reader.zone());
    read.map(|read| read.query).unwrap_or_default()
}

fn asked(reader: &Reader, load: Load) -> Why {
    let query = query(reader, load);
    match query.window {
        Some(window) => Why::asked(reader, &query, window),
        None => Why::unasked(reader, &query, data::now()),
    }
}

fn correlation(reader: &Reader, load: Load) -> CorrelationPage {
    let query = query(reader, load);
    let (range, now) = (query.list.bounds(data::now()), data::now());
    let told = Told {
        picture: picture(&query, load),
        changes: match load {
            Load::Empty => Changes::default(),
            _ => changes(load),
        },
        strip: Arc::new(data::density(range, load == Load::Empty)),
        usual: vec![Vec::new(); query.series().len()],
        public_url: "http://triaxis.harbor.lan:3000".to_owned(),
        public_key: "pk-tx-7c1f40".to_owned(),
    };
    CorrelationPage::new(reader, (&query, &told), asked(reader, load), now)
}

/// A version goes out, harms, and goes back.
fn changes(load: Load) -> Changes {
    let before = |seconds: u64| data::now().minus(Nanos::from_seconds(seconds));
    let state = |version: u32| json!({"label": "production", "version": version});
    let moved = |action: &str, (from, to): (u32, u32), seconds: u64, actor: &str| Moved {
        at: before(seconds),
        actor: actor.to_owned(),
        action: action.to_owned(),
        before: state(from),
        after: state(to),
    };
    let family = match load {
        Load::Overfull => HOSTILE,
        _ => "support.answer",
    };
    let name = PromptName::parse("support.answer").ok();
    let times = match load {
        Load::Overfull => 30,
        _ => 1,
    };
    let moves = name.into_iter().flat_map(|name| {
        (0..times).flat_map(move |at| {
            let actor = if load == Load::Overfull {
                HOSTILE
            } else {
                "key:1"
            };
            let there = moved("prompt.label_moved", (17, 18), 2_430 - at, actor);
            let back = moved("prompt.rollback", (18, 17), 700 - at, "server");
            [(name.clone(), there), (name.clone(), back)]
        })
    });
    Changes {
        firsts: vec![First {
            dimension: Dimension::PromptVersion,
            family: family.to_owned(),
            value: "18".to_owned(),
            at: before(2_400),
        }],
        moves: moves.collect(),
        managed: BTreeSet::from([("support.answer".to_owned(), 18)]),
        ..Changes::default()
    }
}

fn picture(query: &CorrelationQuery, load: Load) -> Picture {
    let is_empty = load == Load::Empty;
    let group = match load {
        Load::Overfull => vec![(Dimension::Tenant, Some(Arc::from(HOSTILE)))],
        _ => Vec::new(),
    };
    let line = |at: usize| AxisLine {
        group: group.clone(),
        values: (0..300)
            .map(|step| (!is_empty && step % 41 != 40).then(|| 0.5 + 0.4 * wave(step + 40 * at)))
            .collect(),
        counts: vec![1; 300],
    };
    let requests = requests(REQUESTS);
    let of = |value: &AxisValue| requests.column(value).cloned();
    let joints = query.joints.iter().map(|(x, y)| match (of(x), of(y)) {
        (Some(x), Some(y)) if !is_empty => joint((&x, &y), 10, None),
        _ => domain::axes::joint::Joint {
            bins: Vec::new(),
            count: 0,
            is_share: false,
        },
    });
    Picture {
        answers: (0..query.series().len()).map(|at| vec![line(at)]).collect(),
        joints: joints.collect(),
        counts: vec![15_902, 14_006],
        requests: if is_empty { 0 } else { REQUESTS },
        placed: REQUESTS,
        is_sample: load == Load::Overfull,
        values: vec![(Dimension::Tenant, vec![(Arc::from(HOSTILE), 3)])],
        own: vec![AxisValue::Score("helpfulness".to_owned())],
        fleet: (!is_empty, !is_empty),
    }
}

/// Something between 0 and 1.
fn wave(at: usize) -> f64 {
    0.5 + 0.5 * (at as f64 / 17.0).sin() * (at as f64 / 5.3).cos()
}

/// Requests of the hour before the instant of all samples, the last a little after it began.
fn requests(count: usize) -> Requests {
    let begin = data::now().minus(Nanos::from_seconds(3_600));
    let names = [
        "gpu.sm_active",
        "gpu.power_w",
        "token.ttft_ms",
        "token.prefix_cache_hit_rate",
        "token.kv_cache_usage",
        "quality.format_valid",
    ];
    let column = |name: &str| {
        let value = AxisValue::parse(name).unwrap_or(AxisValue::Requests);
        let of = |row: usize| match name {
            "gpu.power_w" => Some(300.0 + 300.0 * wave(row)),
            "token.ttft_ms" => Some(300.0 + 900.0 * wave(row + 9)),
            "quality.format_valid" => Some(f64::from(u8::from(!row.is_multiple_of(23)))),
            "token.kv_cache_usage" => None,
            _ => Some(wave(row)),
        };
        let values = (0..count).map(of).collect();
        let is_flag = value.is_flag();
        Column::new(value, is_flag, values)
    };
    let span = data::spans().into_iter().next();
    let span = span.unwrap_or_else(data::bare_span);
    Requests {
        trace_ids: vec![span.trace_id.clone(); count],
        span_ids: vec![span.span_id.clone(); count],
        starts: (0..count as u64)
            .map(|row| begin.plus(Nanos::from_seconds(row * 6)))
            .collect(),
        dimensions: std::array::from_fn(|_| Codes {
            names: Vec::new(),
            codes: vec![Codes::NONE; count],
        }),
        instances: vec![None; count],
        found_by: vec![None; count],
        columns: names.map(column).to_vec(),
        ..Requests::default()
    }
}

fn told(reader: &Reader, suspect: &str) -> WhyState {
    let (id, now) = (reader.id(), data::now());
    let about = About {
        project: id,
        symptom: "token.ttft_ms",
        window: (now.minus(Nanos::from_seconds(2_640)), now),
        took_ms: Some(214),
    };
    let view = AttributionView::new(&answer(suspect), &about, (reader.lang(), reader.zone()));
    WhyState::Told(Box::new(view))
}

/// Values around one place of a stretch before and around another now.
pub(super) fn distribution(series: &str, ends: (f64, f64), middles: (f64, f64)) -> Distribution {
    const BINS: u32 = 24;
    let shares = |middle: f64| {
        let place = |at: u32| (f64::from(at) + 0.5) / f64::from(BINS);
        let weight = |at: u32| (-((place(at) - middle) / 0.12).powi(2)).exp();
        let sum: f64 = (0..BINS).map(weight).sum();
        (0..BINS).map(|at| weight(at) / sum).collect()
    };
    let width = (ends.1 - ends.0) / f64::from(BINS);
    Distribution {
        series: series.to_owned(),
        axis: Axis::of(series),
        edges: (0..=BINS)
            .map(|at| ends.0 + width * f64::from(at))
            .collect(),
        baseline: shares(middles.0),
        alert: shares(middles.1),
        baseline_requests: 26_402,
        alert_requests: 3_506,
        group: None,
    }
}

fn answer(suspect: &str) -> Attribution {
    let group = || Group {
        dimension: "prompt_version".to_owned(),
        value: suspect.to_owned(),
    };
    let concentrated = || Reason::Concentrated {
        group: group(),
        share_of_abnormal: 0.94,
        share_of_baseline: 0.0,
    };
    let feature = |series: &str, axis: Axis, effect: f64, medians: (f64, f64), lead: f64| Feature {
        series: series.to_owned(),
        axis,
        effect,
        q_value: 1e-6,
        baseline_median: Some(medians.0),
        alert_median: Some(medians.1),
        leads_symptom_by_s: Some(lead),
        granger_p: None,
        share: 0.4,
        group: None,
    };
    Attribution {
        axis: Some(Axis::Token),
        confidence: 0.93,
        reasons: vec![concentrated()],
        axes: vec![
            vote(Axis::Gpu, 0.22, 0.004),
            vote(Axis::Token, 0.71, 1e-12),
            vote(Axis::Quality, 0.29, 2e-5),
        ],
        features: vec![
            feature(
                "token.prefix_cache_hit_rate",
                Axis::Token,
                -0.97,
                (0.81, 0.07),
                38.0,
            ),
            feature(
                "token.waiting_requests",
                Axis::Token,
                0.74,
                (0.0, 14.0),
                9.0,
            ),
            feature("gpu.sm_active", Axis::Gpu, 0.43, (0.71, 0.96), -13.0),
        ],
        distributions: vec![
            distribution("token.ttft_ms", (180.0, 3_200.0), (0.12, 0.62)),
            distribution("token.prefix_cache_hit_rate", (0.0, 1.0), (0.8, 0.08)),
            distribution("gpu.sm_active", (0.3, 1.0), (0.5, 0.9)),
        ],
        culprits: vec![Culprit {
            dimension: "prompt_version".to_owned(),
            value: suspect.to_owned(),
            share_of_abnormal: 0.94,
            share_of_baseline: 0.0,
            lift: f64::INFINITY,
            q_value: 1e-9,
            evidence: Evidence::Contrast,
            score: 1.4,
        }],
        prompt: None,
        recommendation: Recommendation {
            action: Action::Rollback,
            reason: concentrated(),
            contested_by: Some(Axis::Gpu),
        },
        timeline: vec![Moment {
            at: Timestamp::EPOCH.max(data::now().minus(Nanos::from_seconds(2_400))),
            what: Happening::FirstSeen { group: group() },
        }],
        sample_trace_ids: data::spans()
            .first()
            .map(|span| span.trace_id.clone())
            .into_iter()
            .collect(),
        requests_considered: 29_908,
        symptom_p_value: 1e-30,
    }
}

fn vote(axis: Axis, cramers_v: f64, p_value: f64) -> AxisVote {
    AxisVote {
        axis,
        chi2: 12.0,
        p_value,
        cramers_v,
        clusters: 2,
        requests: 9_000,
    }
}

fn axes(reader: &Reader, load: Load) -> AxesPage {
    let spans = data::spans();
    let tree = build_tree(spans.iter().map(TreeSpan::from).collect());
    let summary = data::summary_of(&spans);
    let joined = |count: usize| Joined {
        requests: requests(count),
        ..Joined::default()
    };
    let is_empty = load == Load::Empty;
    let hour = SameHour {
        hour: Some((data::now().minus(Nanos::from_seconds(3_600)), data::now())),
        days: (1..8).map(|day| requests(40 * (day % 3))).collect(),
        ..SameHour::default()
    };
    let told = AxesTold {
        trace: &TraceView::new(summary, tree),
        judgements: &data::judgements(None),
        own: &joined(if is_empty { 0 } else { REQUESTS }),
        row: (!is_empty).then_some(REQUESTS - 1),
        others: &joined(REQUESTS),
        hour: (!is_empty).then_some(&hour),
    };
    AxesPage::new(reader, &told, data::now())
}
