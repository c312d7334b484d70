//! Pages of incidents, alerts and topology with made-up data.

use std::collections::BTreeMap;

use domain::alert::channel::{AlertChannel, ChannelKind};
use domain::alert::incident::{Happening, Incident, IncidentState, Moment, Subject};
use domain::alert::state::{Phase, Reading, Resolution, States, Verdict};
use domain::alert::{
    AlertSeries, AlertSettings, Group, GroupState, Kind, Rule, RuleDraft, RuleFilter, Severity,
};
use domain::attribution::Axis;
use domain::axes::Topology;
use domain::page::Cursor;
use domain::{Fault, Nanos, Timestamp};
use serde_json::{Map, Value, json};
use service::alerts::Attempt;
use service::alerts::course::{Course, Hit, Point};
use service::alerts::rules::Listed;
use service::alerts::trial::{Preview, Told as WouldBe};
use service::incidents::{Attached, Delivery, Whole};
use service::topology::Held;
use uuid::Uuid;

use super::axes::distribution;
use super::data::now;
use super::{HOSTILE, Sample, rollback, sample};
use crate::extract::Reader;
use crate::pages::alerts::{
    AlertSettingsPage, Beside, ChannelsPage, PreviewView, RuleForm, RulePage, RulesPage, Seen,
};
use crate::pages::incidents::{IncidentPage, IncidentsPage, Listed as Shown, SampleRow, Told};
use crate::pages::settings::{Found, TopologyPage};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    made(reader).unwrap_or_default()
}

fn ago(seconds: u64) -> Timestamp {
    now().minus(Nanos::from_seconds(seconds))
}

fn made(reader: &Reader) -> Result<Vec<Sample>, Fault> {
    let rules = rules()?;
    let mut samples = incidents(reader, &rules);
    let listed = Listed {
        states: states(&rules),
        standing: Default::default(),
        rules,
    };
    let seen = seen(&listed.rules);
    let none = Listed {
        rules: Vec::new(),
        states: States::new(),
        standing: Default::default(),
    };
    samples.push(sample("alerts", &RulesPage::new(reader, &listed, &seen)));
    let empty = RulesPage::new(reader, &none, &Seen::new());
    samples.push(sample("alerts-none", &empty));
    let channels = channels();
    let beside = Beside {
        listed: &listed,
        seen: &seen,
        channels: &channels,
    };
    for kind in domain::alert::kind::NAMES {
        let form = RuleForm::of_kind(kind);
        let page = RulePage::new(reader, &form, None, &beside);
        samples.push(sample(&format!("alert-new-{kind}"), &page));
    }
    let range = (ago(86_400), now());
    for rule in &listed.rules {
        let form = RuleForm::of_rule(rule);
        let course = course(range, rule.draft.kind.needs_baseline());
        let page = RulePage::new(reader, &form, Some(rule), &beside);
        let page = page.with_course(reader, (rule, &course), range);
        samples.push(sample(&format!("alert-{}", rule.draft.kind.name()), &page));
    }
    if let Some(rule) = listed.rules.first() {
        let mut page = RulePage::new(reader, &RuleForm::of_rule(rule), None, &beside);
        page.preview = Some(PreviewView::new(reader, &preview(rule)));
        samples.push(sample("alert-preview", &page));
    }
    let page = ChannelsPage::new(reader, &channels);
    let attempt = Attempt {
        status: Some(503),
        error: None,
    };
    let tried = match channels.first() {
        Some(first) => page.with_test(first.id, &attempt, reader.lang()),
        None => page,
    };
    samples.push(sample("alert-channels", &tried));
    let mut page = ChannelsPage::new(reader, &[]);
    page.made = Some(("on call".to_owned(), "4f21".repeat(12)));
    samples.push(sample("alert-channels-made", &page));
    let settings = AlertSettingsPage::new(reader, &AlertSettings::default());
    samples.push(sample("alert-settings", &settings));
    samples.extend(topology(reader));
    Ok(samples)
}

fn incidents(reader: &Reader, rules: &[Rule]) -> Vec<Sample> {
    let shown = |going_on, over, next| {
        let listed = Shown {
            culprits: BTreeMap::new(),
            going_on,
            over,
            next,
            is_first: true,
            shows_silent: false,
        };
        IncidentsPage::new(reader, &listed, now())
    };
    let next = Cursor {
        start: ago(90_000),
        id: Uuid::nil().to_string(),
    };
    let over = vec![incident(rules.get(1), (90_000, Some(86_000)), HOSTILE)];
    let going_on = vec![incident(rules.first(), (2_640, None), "support.answer@18")];
    let mut samples = vec![
        sample("incidents", &shown(going_on, over, Some(next))),
        sample("incidents-none", &shown(Vec::new(), Vec::new(), None)),
    ];
    let all = [
        ("incident", Some(0), "support.answer@18", None),
        ("incident-over", Some(1), "support.answer@18", Some(600)),
        ("incident-hostile", Some(0), HOSTILE, None),
        (
            "incident-without-rule",
            None,
            "support.answer@18",
            Some(600),
        ),
    ];
    for (name, rule, group, over) in all {
        let rule = rule.and_then(|at: usize| rules.get(at));
        let told = told(reader, rule, incident(rule, (2_640, over), group));
        samples.push(sample(name, &IncidentPage::new(reader, told, now())));
    }
    samples
}

fn told(reader: &Reader, rule: Option<&Rule>, incident: Incident) -> Told {
    let moment = |seconds, what, detail: &str| Moment {
        at: ago(seconds),
        what,
        detail: detail.to_owned(),
    };
    let moments = vec![
        moment(2_640, Happening::Onset, ""),
        moment(
            2_600,
            Happening::Member,
            "gpu: SM active {\"instance\":\"vllm-a0\"}",
        ),
        moment(2_580, Happening::Fired, ""),
        moment(2_580, Happening::SamplingRaised, &ago(2_280).to_string()),
        moment(2_579, Happening::Notified, "on call: fired"),
        moment(2_570, Happening::NotNotified, "chat: fired"),
        moment(2_400, Happening::Acknowledged, ""),
        moment(600, Happening::Resolved, "recovered"),
    ];
    let delivery = |state: &str, tries, last_status| Delivery {
        id: Uuid::nil(),
        channel: "on call".to_owned(),
        occasion: "fired".to_owned(),
        state: state.to_owned(),
        tries,
        last_status,
        last_error: None,
    };
    let deliveries = vec![
        delivery("sent", 1, Some(200)),
        delivery("failed", 16, Some(500)),
        delivery("waiting", 0, None),
    ];
    let range = (ago(4_800), now());
    let row = SampleRow {
        url: crate::urls::traces_home(reader.id()),
        id: "4be1a07c39d24be1a07c39d24be1a07c".to_owned(),
        short: "4be1a07c39d2".to_owned(),
        time: "02:21:10".to_owned(),
        model: HOSTILE.to_owned(),
        prompt: "support.answer@18".to_owned(),
        value: "8.42 s".to_owned(),
        e2e: "9.12 s".to_owned(),
    };
    let group = incident.subject.group.clone();
    Told {
        whole: Whole {
            suppressed: vec![incident.clone()],
            incident,
            moments,
            rollbacks: rollback::suggested().into_iter().collect(),
            attribution: Some(attribution()),
            deliveries,
        },
        drawn: rule.map(|rule| (rule.clone(), group)),
        course: match rule {
            Some(_) => course(range, true),
            None => Course::default(),
        },
        range,
        samples: vec![row],
        link: "http://triaxis.harbor.lan:3000/p/1/incidents/2".to_owned(),
    }
}

/// A feature of an answer.
fn moved(series: &str, axis: &str, effect: f64, medians: (f64, f64), lead_s: f64) -> Value {
    json!({
        "series": series, "axis": axis, "effect": effect, "q_value": 1e-6,
        "baseline_median": medians.0, "alert_median": medians.1, "leads_symptom_by_s": lead_s,
        "share": 0.4, "group": null,
    })
}

/// How values lay and lie, as an answer has it.
fn lying(series: &str, ends: (f64, f64), middles: (f64, f64)) -> Value {
    let told = distribution(series, ends, middles);
    json!({
        "series": series, "axis": told.axis.map(Axis::as_str), "group": null,
        "edges": told.edges, "baseline": told.baseline, "alert": told.alert,
        "baseline_requests": 14_200, "alert_requests": 1_702,
    })
}

fn attribution() -> Attached {
    let window = json!({ "from": ago(2_640).to_string(), "to": now().to_string() });
    let vote = |axis: &str, v: f64| json!({ "axis": axis, "cramers_v": v, "p_value": 1e-9 });
    let answer = json!({
        "axis": "token",
        "confidence": 0.93,
        "reasons": [HOSTILE],
        "axes": [vote("token", 0.71), vote("quality", 0.29), vote("gpu", 0.22)],
        "features": [
            moved("token.prefix_cache_hit_rate", "token", -0.97, (0.81, 0.07), 38.0),
            moved("token.waiting_requests", "token", 0.74, (0.0, 14.0), 9.0),
            moved("gpu.sm_active", "gpu", 0.43, (0.71, 0.96), -13.0),
        ],
        "distributions": [
            lying("token.ttft_ms", (150.0, 3_150.0), (0.12, 0.66)),
            lying("token.prefix_cache_hit_rate", (0.0, 1.0), (0.81, 0.08)),
            lying("token.waiting_requests", (0.0, 24.0), (0.05, 0.55)),
            lying("gpu.sm_active", (0.3, 1.0), (0.55, 0.92)),
        ],
        "culprits": [{
            "dimension": "prompt_version", "value": "support.answer@18",
            "share_of_abnormal": 0.94, "share_of_baseline": 0.0, "lift": null, "p_value": 1e-9,
        }],
        "prompt": null,
        "recommendation": { "action": "rollback", "reason": HOSTILE },
        "timeline": [{ "at": ago(2_640).to_string(), "what": HOSTILE }],
        "sample_trace_ids": [],
        "requests_considered": 15_902,
        "symptom": { "series": "token.ttft_ms", "direction": "up", "p_value": 1e-9 },
        "window": window,
        "baseline": window,
    });
    Attached {
        state: "final".to_owned(),
        tries: 1,
        answer: Some(answer),
        attached_at: Some(ago(2_580)),
        last_error: None,
    }
}

fn incident(rule: Option<&Rule>, (onset, over): (u64, Option<u64>), group: &str) -> Incident {
    let draft = rule.map(|rule| &rule.draft);
    let series = draft.and_then(|draft| draft.series.as_ref());
    Incident {
        id: Uuid::from_u128(u128::from(onset)).into(),
        rule_id: rule.map(|rule| rule.id),
        subject: Subject {
            rule_name: draft.map_or_else(|| HOSTILE.to_owned(), |draft| draft.name.clone()),
            kind: draft
                .map_or("threshold", |draft| draft.kind.name())
                .to_owned(),
            series: series.map(ToString::to_string),
            axis: series.and_then(AlertSeries::axis),
            group: Group(BTreeMap::from([("prompt".to_owned(), group.to_owned())])),
            reading: Reading {
                verdict: Verdict::Abnormal,
                value: Some(2_410.0),
                bound: Some(1_600.0),
                baseline: Some(640.0),
            },
        },
        severity: Severity::P1,
        state: match over {
            Some(_) => IncidentState::Resolved,
            None => IncidentState::Open,
        },
        suppressed_by: None,
        onset: ago(onset),
        fired_at: ago(onset.saturating_sub(60)),
        acknowledged_at: over.map(|_| ago(onset.saturating_sub(240))),
        resolved_at: over.map(ago),
        resolution: over.map(|_| Resolution::Recovered),
    }
}

fn course((from, to): (Timestamp, Timestamp), has_band: bool) -> Course {
    let piece = (to - from).0 / 120;
    let point = |at: u64| {
        let bad = if (55..100).contains(&at) {
            2_000.0
        } else {
            0.0
        };
        Point {
            at: from.plus(Nanos(piece * (at + 1))),
            reading: Reading {
                verdict: Verdict::Normal,
                value: (at % 17 != 3).then_some(600.0 + bad + (at % 7) as f64 * 30.0),
                bound: Some(1_600.0),
                baseline: has_band.then_some(640.0),
            },
            band: has_band.then_some((520.0, 760.0)),
        }
    };
    Course {
        points: (0..120).map(point).collect(),
        hit: Some(Hit {
            beyond: Some(11_846),
            of_group: 15_902,
            of_all: 20_004,
        }),
    }
}

fn preview(rule: &Rule) -> Preview {
    let (from, to) = (ago(604_800), now());
    let would = |seconds: u64| WouldBe {
        group: Group::default(),
        onset: ago(seconds),
        fired_at: ago(seconds - 60),
        reading: Reading {
            verdict: Verdict::Abnormal,
            value: Some(2_410.0),
            bound: Some(1_600.0),
            baseline: None,
        },
        resolved: Some((ago(seconds - 900), Resolution::Recovered)),
    };
    Preview {
        rule: rule.clone(),
        from,
        to,
        fired: 3,
        told: [500_000, 300_000, 40_000].map(would).into(),
        points: course((from, to), true).points,
    }
}

fn rules() -> Result<Vec<Rule>, Fault> {
    let rule = |number: u128, name: &str, kind: &str, series: &str, params: Value| {
        let none = Map::new();
        let kind = Kind::parse(kind, params.as_object().unwrap_or(&none))?;
        let series = Some(series).filter(|series| !series.is_empty());
        let series = kind.series(series)?;
        Ok::<_, Fault>(Rule {
            id: Uuid::from_u128(number).into(),
            draft: RuleDraft {
                name: name.to_owned(),
                kind,
                series,
                filter: RuleFilter::default(),
                for_s: 30,
                severity: Severity::P1,
                channels: vec![Uuid::from_u128(70).into()],
                enabled: number != 4,
            },
            created_at: ago(90_000),
            updated_at: ago(90_000),
        })
    };
    let grouped = json!({"group_by": ["prompt"]});
    Ok(vec![
        rule(
            1,
            "First token late",
            "adaptive",
            "token.ttft_ms:p99",
            grouped,
        )?,
        rule(
            2,
            HOSTILE,
            "threshold",
            "token.ttft_ms:p99",
            json!({"value": 1600}),
        )?,
        rule(3, "Two axes", "composite", "", json!({}))?,
        rule(
            4,
            "Budget of errors",
            "slo_burn",
            "request.errors:rate",
            json!({}),
        )?,
        rule(
            5,
            "Exporter is there",
            "no_data",
            "gpu.sm_active:avg",
            json!({}),
        )?,
        rule(6, "Cost", "cost_spike", "", json!({}))?,
        rule(7, "P99 of TTFT", "p99_shift", "", json!({}))?,
    ])
}

fn states(rules: &[Rule]) -> States {
    let group = |value: &str| Group(BTreeMap::from([("prompt".to_owned(), value.to_owned())]));
    let state = |phase, verdict| GroupState { phase, verdict };
    let firing = Phase::Firing {
        onset: ago(2_640),
        fired_at: ago(2_580),
        normal_since: None,
        silent_since: None,
    };
    let pending = Phase::Pending { onset: ago(20) };
    let first = BTreeMap::from([
        (group("support.answer@18"), state(firing, Verdict::Abnormal)),
        (
            group("support.answer@17"),
            state(Phase::Ok, Verdict::Normal),
        ),
        (group(HOSTILE), state(Phase::Ok, Verdict::NoBaseline)),
    ]);
    let all = |state| BTreeMap::from([(Group::default(), state)]);
    let each = [
        first,
        all(state(pending, Verdict::Abnormal)),
        all(state(Phase::Ok, Verdict::Normal)),
        all(state(Phase::Ok, Verdict::NoData)),
    ];
    rules.iter().map(|rule| rule.id).zip(each).collect()
}

fn seen(rules: &[Rule]) -> Seen {
    let reading = |value| Reading {
        verdict: Verdict::Normal,
        value: Some(value),
        bound: Some(1_600.0),
        baseline: None,
    };
    let one = |rule: &Rule| (rule.id, vec![(Group::default(), reading(640.0))]);
    rules.iter().skip(1).take(1).map(one).collect()
}

fn channels() -> Vec<AlertChannel> {
    let channel = |number: u128, name: &str, kind, enabled| AlertChannel {
        tells_of_prompts: enabled,
        id: Uuid::from_u128(number).into(),
        name: name.to_owned(),
        kind,
        host: "hooks.harbor.lan".to_owned(),
        enabled,
        created_at: ago(90_000),
        updated_at: ago(90_000),
    };
    vec![
        channel(70, "on call", ChannelKind::Webhook, true),
        channel(71, HOSTILE, ChannelKind::Slack, false),
        channel(72, "alertmanager", ChannelKind::Alertmanager, true),
    ]
}

fn topology(reader: &Reader) -> Vec<Sample> {
    let held = |updated_at| Held {
        topology: Topology::default(),
        updated_at,
    };
    let found = Found {
        requests: "15,902".to_owned(),
        instance: "15,870".to_owned(),
        instance_share: "99.8 %".to_owned(),
        gpu: "14,204".to_owned(),
        gpu_share: "89.3 %".to_owned(),
        by_rule: vec![("address".to_owned(), "15,870".to_owned())],
        is_sample: true,
        is_empty: false,
    };
    let none = Found {
        is_empty: true,
        ..Found::default()
    };
    let own = TopologyPage::new(reader, &held(Some(ago(90_000))), found);
    let usual = TopologyPage::new(reader, &held(None), none);
    vec![
        sample("settings-topology", &own),
        sample("settings-topology-none", &usual),
    ]
}
