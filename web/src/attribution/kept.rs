//! An attribution as it was kept with an incident: in the names of `POST /api/v1/attributions`.
//!
//! Its sentences were written when it was made, and are shown as they are.

use domain::attribution::Axis;
use domain::attribution::answer::{
    Action, Attribution, AxisVote, Culprit, Distribution, Evidence, Feature, Group, PromptSuspect,
    Recommendation,
};
use domain::attribution::reason::Reason;
use domain::{ProjectId, Timestamp, TraceId};
use serde_json::Value;

use super::{About, AttributionView, MomentRow, REASONS};
use crate::i18n::Lang;
use crate::zone::Zone;

impl AttributionView {
    /// Of a kept answer; `None` where it has no window or symptom, as no answer should.
    pub(crate) fn kept(
        answer: &Value,
        project: ProjectId,
        (lang, zone): (Lang, &Zone),
    ) -> Option<Self> {
        let instant = |value: &Value| Timestamp::parse(value.as_str()?).ok();
        let window = &answer["window"];
        let about = About {
            project,
            symptom: answer["symptom"]["series"].as_str()?,
            window: (instant(&window["from"])?, instant(&window["to"])?),
            took_ms: None,
        };
        let mut view = AttributionView::new(&read(answer), &about, (lang, zone));
        let reasons = each(&answer["reasons"]).filter_map(Value::as_str);
        view.reasons = reasons.take(REASONS).map(str::to_owned).collect();
        view.advice_reason = text(&answer["recommendation"]["reason"]);
        view.moments = each(&answer["timeline"])
            .filter_map(|moment| {
                let at = instant(&moment["at"])?;
                Some(MomentRow {
                    time: zone.clock(at),
                    exact: zone.exact(at),
                    what: text(&moment["what"]),
                    url: String::new(),
                })
            })
            .collect();
        if view.class.is_empty() && answer["recommendation"]["action"] == "inspect" {
            lang.t("No axis explains it").clone_into(&mut view.verdict);
        }
        Some(view)
    }
}

fn read(answer: &Value) -> Attribution {
    // What is said in sentences is put in its place by whoever called this.
    let as_before = || Reason::AsBefore {
        series: String::new(),
        traffic: 1.0,
    };
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let prompt = &answer["prompt"];
    Attribution {
        axis: axis(&answer["axis"]),
        confidence: number(&answer["confidence"]).unwrap_or(0.0),
        reasons: vec![as_before()],
        axes: each(&answer["axes"]).filter_map(vote).collect(),
        features: each(&answer["features"]).filter_map(feature).collect(),
        distributions: each(&answer["distributions"]).map(distribution).collect(),
        culprits: each(&answer["culprits"]).map(culprit).collect(),
        prompt: prompt.is_object().then(|| PromptSuspect {
            name: text(&prompt["name"]),
            suspect_version: text(&prompt["suspect_version"]),
            previous_version: prompt["previous_version"].as_str().map(str::to_owned),
            diverges_at_token: prompt["diverges_at_token"].as_u64(),
            prefix_reuse_before: number(&prompt["prefix_reuse_before"]),
            prefix_reuse_after: number(&prompt["prefix_reuse_after"]),
        }),
        recommendation: Recommendation {
            action: action(&answer["recommendation"]["action"]),
            reason: as_before(),
            contested_by: axis(&answer["recommendation"]["contested_by"]),
        },
        timeline: Vec::new(),
        sample_trace_ids: each(&answer["sample_trace_ids"])
            .filter_map(|id| TraceId::from_text(id.as_str()?).ok())
            .collect(),
        requests_considered: count(&answer["requests_considered"]),
        symptom_p_value: number(&answer["symptom"]["p_value"]).unwrap_or(f64::NAN),
    }
}

fn vote(vote: &Value) -> Option<AxisVote> {
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
    Some(AxisVote {
        axis: axis(&vote["axis"])?,
        chi2: number(&vote["chi2"]).unwrap_or(0.0),
        p_value: number(&vote["p_value"]).unwrap_or(f64::NAN),
        cramers_v: number(&vote["cramers_v"]).unwrap_or(0.0),
        clusters: count(&vote["clusters"]),
        requests: count(&vote["requests"]),
    })
}

fn feature(feature: &Value) -> Option<Feature> {
    Some(Feature {
        series: text(&feature["series"]),
        axis: axis(&feature["axis"])?,
        effect: number(&feature["effect"])?,
        q_value: number(&feature["q_value"]).unwrap_or(f64::NAN),
        baseline_median: number(&feature["baseline_median"]),
        alert_median: number(&feature["alert_median"]),
        leads_symptom_by_s: number(&feature["leads_symptom_by_s"]),
        granger_p: number(&feature["granger_p"]),
        share: number(&feature["share"]).unwrap_or(0.0),
        group: group(&feature["group"]),
    })
}

fn distribution(distribution: &Value) -> Distribution {
    let numbers = |name: &str| each(&distribution[name]).filter_map(number).collect();
    let count = |name: &str| distribution[name].as_u64().unwrap_or(0);
    Distribution {
        series: text(&distribution["series"]),
        axis: axis(&distribution["axis"]),
        edges: numbers("edges"),
        baseline: numbers("baseline"),
        alert: numbers("alert"),
        baseline_requests: count("baseline_requests"),
        alert_requests: count("alert_requests"),
        group: group(&distribution["group"]),
    }
}

fn group(group: &Value) -> Option<Group> {
    group.is_object().then(|| Group {
        dimension: text(&group["dimension"]),
        value: text(&group["value"]),
    })
}

fn culprit(culprit: &Value) -> Culprit {
    Culprit {
        dimension: text(&culprit["dimension"]),
        value: text(&culprit["value"]),
        share_of_abnormal: number(&culprit["share_of_abnormal"]).unwrap_or(0.0),
        share_of_baseline: number(&culprit["share_of_baseline"]).unwrap_or(0.0),
        // Infinite of what is new, which JSON cannot say.
        lift: number(&culprit["lift"]).unwrap_or(f64::INFINITY),
        q_value: number(&culprit["q_value"]).unwrap_or(f64::NAN),
        evidence: match culprit["evidence"].as_str() {
            Some("growth") => Evidence::Growth,
            _ => Evidence::Contrast,
        },
        score: number(&culprit["score"]).unwrap_or(0.0),
    }
}

fn axis(value: &Value) -> Option<Axis> {
    let name = value.as_str()?;
    Axis::ALL.into_iter().find(|axis| axis.as_str() == name)
}

fn action(value: &Value) -> Action {
    let all = [
        Action::Rollback,
        Action::Defragment,
        Action::Rebalance,
        Action::ScaleOut,
        Action::Inspect,
    ];
    let known = all
        .into_iter()
        .find(|action| Some(action.as_str()) == value.as_str());
    known.unwrap_or(Action::None)
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kept_answer_says_what_it_said() {
        let answer = json!({
            "axis": "token", "confidence": 0.93,
            "reasons": ["token.prefix_cache_hit_rate explains 91 % of the excess."],
            "axes": [{"axis": "token", "chi2": 9.0, "p_value": 1e-12, "cramers_v": 0.71, "clusters": 2, "requests": 900}],
            "features": [{"series": "gpu.sm_active", "axis": "gpu", "effect": 0.43, "q_value": 1e-6,
                "baseline_median": 0.71, "alert_median": 0.96, "leads_symptom_by_s": -13.0, "share": 0.1}],
            "distributions": [{"series": "token.ttft_ms", "axis": "token", "edges": [0.0, 100.0, 200.0],
                "baseline": [1.0, 0.0], "alert": [0.25, 0.75], "baseline_requests": 900, "alert_requests": 80}],
            "culprits": [{"dimension": "prompt_version", "value": "answer@18", "share_of_abnormal": 0.94,
                "share_of_baseline": 0.0, "lift": null, "q_value": 1e-9, "evidence": "contrast", "score": 1.2}],
            "prompt": {"name": "answer", "suspect_version": "18", "previous_version": "17"},
            "recommendation": {"action": "rollback", "reason": "94 % of the bad requests have it."},
            "timeline": [{"at": "2026-03-12T02:14:05Z", "what": "the alert fires"}],
            "sample_trace_ids": ["4be1a07c39d2"], "requests_considered": 29_908,
            "symptom": {"series": "token.ttft_ms", "direction": "up", "p_value": 1e-30},
            "window": {"from": "2026-03-12T02:14:00Z", "to": "2026-03-12T02:58:00Z"},
        });
        let project = "0197f2c8-0000-7000-8000-000000000001".parse().unwrap();
        let look = (Lang::En, &Zone::utc());
        let view = AttributionView::kept(&answer, project, look).unwrap();
        assert_eq!(
            (view.verdict.as_str(), view.confidence.as_str()),
            ("Token axis", "0.93")
        );
        assert_eq!(
            view.reasons,
            ["token.prefix_cache_hit_rate explains 91 % of the excess."]
        );
        assert_eq!(view.features[0].lead, "+13 s");
        assert_eq!(view.carriers[0].lift, "new");
        assert_eq!(view.distributions[0].counts, "900 → 80");
        assert_eq!(view.moments[0].what, "the alert fires");
        assert_eq!(view.advice, "Roll back");
        assert!(AttributionView::kept(&json!({}), project, look).is_none());
    }
}
