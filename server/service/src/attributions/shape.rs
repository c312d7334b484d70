//! An answer for programs, in the names of `POST /api/v1/attributions`; kept so with incidents, too.

use domain::attribution::answer::{
    AxisVote, Culprit, Distribution, Evidence, Feature, Group, Moment, PromptSuspect,
};
use domain::attribution::request::Window;
use domain::prompt::Prefix;
use serde_json::{Value, json};

use super::{Answered, Question};

/// An answer as JSON.
pub fn shape(answered: &Answered) -> Value {
    let attribution = &answered.attribution;
    let prompt = attribution.prompt.as_ref();
    let recommendation = &attribution.recommendation;
    let took_ms = (answered.took.as_secs_f64() * 1e4).round() / 10.0;
    json!({
        "axis": attribution.axis.map_or("none", |axis| axis.as_str()),
        "confidence": attribution.confidence,
        "reasons": each(&attribution.reasons, |reason| json!(reason.to_string())),
        "axes": each(&attribution.axes, vote),
        "features": each(&attribution.features, feature),
        "distributions": each(&attribution.distributions, distribution),
        "culprits": each(&attribution.culprits, culprit),
        "prompt": prompt.map(|prompt| suspect(prompt, answered.prefix.as_ref())),
        "recommendation": {
            "action": recommendation.action.as_str(),
            "reason": recommendation.reason.to_string(),
            "contested_by": recommendation.contested_by.map(|axis| axis.as_str()),
        },
        "timeline": each(&attribution.timeline, moment),
        "sample_trace_ids": each(&attribution.sample_trace_ids, |id| json!(id.as_str())),
        "requests_considered": attribution.requests_considered,
        "sampled": answered.is_sample,
        "symptom": symptom(&answered.question, attribution.symptom_p_value),
        "window": window(answered.question.windows.alert),
        "baseline": window(answered.question.windows.used_baseline()),
        "took_ms": took_ms,
    })
}

fn each<T>(items: &[T], shape: impl Fn(&T) -> Value) -> Vec<Value> {
    items.iter().map(shape).collect()
}

fn window(window: Window) -> Value {
    json!({ "from": window.from.to_string(), "to": window.to.to_string() })
}

fn symptom(question: &Question, p_value: f64) -> Value {
    json!({
        "series": question.value.to_string(),
        "direction": question.direction.as_str(),
        "threshold": question.threshold,
        "p_value": p_value,
    })
}

fn vote(vote: &AxisVote) -> Value {
    json!({
        "axis": vote.axis.as_str(),
        "chi2": vote.chi2,
        "p_value": vote.p_value,
        "cramers_v": vote.cramers_v,
        "clusters": vote.clusters,
        "requests": vote.requests,
    })
}

fn feature(feature: &Feature) -> Value {
    json!({
        "series": feature.series,
        "axis": feature.axis.as_str(),
        "effect": feature.effect,
        "q_value": feature.q_value,
        "baseline_median": feature.baseline_median,
        "alert_median": feature.alert_median,
        "leads_symptom_by_s": feature.leads_symptom_by_s,
        "granger_p": feature.granger_p,
        "share": feature.share,
        "group": feature.group.as_ref().map(group),
    })
}

fn distribution(distribution: &Distribution) -> Value {
    json!({
        "series": distribution.series,
        "axis": distribution.axis.map(|axis| axis.as_str()),
        "edges": distribution.edges,
        "baseline": distribution.baseline,
        "alert": distribution.alert,
        "baseline_requests": distribution.baseline_requests,
        "alert_requests": distribution.alert_requests,
        "group": distribution.group.as_ref().map(group),
    })
}

fn group(group: &Group) -> Value {
    json!({ "dimension": group.dimension, "value": group.value })
}

fn culprit(culprit: &Culprit) -> Value {
    json!({
        "dimension": culprit.dimension,
        "value": culprit.value,
        "share_of_abnormal": culprit.share_of_abnormal,
        "share_of_baseline": culprit.share_of_baseline,
        "lift": culprit.lift,
        "q_value": culprit.q_value,
        "evidence": match culprit.evidence {
            Evidence::Contrast => "contrast",
            Evidence::Growth => "growth",
        },
        "score": culprit.score,
    })
}

fn suspect(prompt: &PromptSuspect, prefix: Option<&Prefix>) -> Value {
    json!({
        "name": prompt.name,
        "suspect_version": prompt.suspect_version,
        "previous_version": prompt.previous_version,
        "diverges_at_token": prompt.diverges_at_token,
        "tokenizer": prefix.map(|prefix| prefix.tokenizer.as_str()),
        "prefix_reuse_before": prompt.prefix_reuse_before,
        "prefix_reuse_after": prompt.prefix_reuse_after,
    })
}

fn moment(moment: &Moment) -> Value {
    json!({ "at": moment.at.to_string(), "what": moment.what.to_string() })
}
