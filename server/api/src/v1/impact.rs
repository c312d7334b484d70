//! `GET /api/v1/impact`

use axum::Json;
use axum::extract::State;
use domain::impact::timeline::Timeline;
use domain::impact::{Cause, Example, Link, Stretch, UnitKind};
use domain::stats::risk::Estimate;
use domain::{Fault, Nanos, Timestamp};
use serde_json::{Value, json};
use service::App;
use service::impact::{Impact, Question, show};

use crate::error::Result;
use crate::extract::{Caller, Params, wrong};

/// Business events linked with semantic events and incidents.
pub(crate) async fn show_impact(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Json<Value>> {
    let unit = params.one("unit")?.map(|name| {
        UnitKind::from_name(name).ok_or_else(|| wrong("unit", "give trace, session or user"))
    });
    let question = Question {
        from: params.time("from")?,
        to: params.time("to")?,
        within: within(&params)?,
        unit: unit.transpose()?,
    };
    let impact = show(&app, &scope, question).await?;
    Ok(Json(shape(&impact)))
}

fn within(params: &Params) -> std::result::Result<Option<Nanos>, Fault> {
    let Some(text) = params.one("within_s")? else {
        return Ok(None);
    };
    let seconds = text.parse().map(Nanos::from_seconds);
    let seconds = seconds.map_err(|_| wrong("within_s", "give a whole number of seconds"))?;
    Ok(Some(seconds))
}

fn shape(impact: &Impact) -> Value {
    json!({
        "from": impact.from.to_string(),
        "to": impact.to.to_string(),
        "within_s": seconds(impact.method.within),
        "traces_considered": impact.traces,
        "business_events_considered": impact.events,
        "is_sample": impact.is_sample,
        "links": impact.links.iter().map(link).collect::<Vec<_>>(),
        "timeline": timeline(&impact.timeline, &impact.incidents),
    })
}

fn link(link: &Link) -> Value {
    let measured = link.measured.as_ref();
    let cause = match &link.cause {
        Cause::Semantic(event_type) => json!({
            "kind": "semantic_event", "type": event_type, "incident_id": null,
        }),
        Cause::Incident(id, name) => json!({
            "kind": "incident", "type": name, "incident_id": id.to_string(),
        }),
    };
    let (risk, other_risk) = link.counts.risks();
    json!({
        "cause": cause,
        "effect": link.effect,
        "unit": link.unit,
        "standing": link.standing,
        "lacking": link.lacking,
        "exposed": { "n": link.counts.of, "with_event": link.counts.hits, "rate": risk },
        "unexposed": {
            "n": link.counts.of_others, "with_event": link.counts.other_hits, "rate": other_risk,
        },
        "left_out_event_before_cause": link.before,
        "strata": link.strata,
        "stratified_by_ab_group": link.by_group,
        "risk_difference": measured.map(|it| estimate(it.difference)),
        "risk_ratio": measured.map(|it| estimate(it.ratio)),
        "p_value": measured.map(|it| it.p_value),
        "q_value": measured.map(|it| it.q_value),
        "causal_score": measured.map(|it| it.causal_score),
        "e_value": measured.map(|it| it.e_value),
        "median_delay_s": link.median_delay.map(seconds),
        "examples": link.examples.iter().map(example).collect::<Vec<_>>(),
    })
}

fn estimate(estimate: Estimate) -> Value {
    json!({ "value": estimate.value, "low": estimate.low, "high": estimate.high })
}

fn example(example: &Example) -> Value {
    json!({
        "trace_id": example.trace_id,
        "session_id": example.session_id,
        "user_id": example.user_id,
        "cause_at": example.cause_at.to_string(),
        "effect_at": example.effect_at.to_string(),
    })
}

fn timeline(timeline: &Timeline, incidents: &[Stretch]) -> Value {
    let times =
        |times: &[Timestamp]| -> Vec<String> { times.iter().map(ToString::to_string).collect() };
    let semantic = timeline.semantic.iter();
    let business = timeline.business.iter();
    json!({
        "starts": times(&timeline.starts),
        "semantic": semantic
            .map(|(event_type, counts)| json!({ "type": event_type, "counts": counts }))
            .collect::<Vec<_>>(),
        "business": business
            .map(|(name, counts)| json!({ "type": name, "counts": counts }))
            .collect::<Vec<_>>(),
        "incidents": incidents
            .iter()
            .map(|one| json!({
                "id": one.id.to_string(), "name": one.name,
                "from": one.from.to_string(), "to": one.to.to_string(),
            }))
            .collect::<Vec<_>>(),
    })
}

fn seconds(time: Nanos) -> f64 {
    time.as_millis_f64() / 1e3
}
