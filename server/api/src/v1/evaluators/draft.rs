//! What a body sets of an evaluator.

use domain::evaluator::{EvaluatorDraft, Judge, LooksAt, Method, On, Rule, RuleKind, Scale};
use domain::score::DataType;
use domain::{Fault, LlmConnectionId};

use crate::extract::{Body, wrong};

/// Kinds of rules, as a fault lists them.
const CHECKS: &str = "give matches, does_not_match, contains, does_not_contain, is_json, has_json_path, length, \
                      output_tokens, latency_ms or cost_usd";

/// A draft with what the body gives, and what is usual where it gives nothing.
pub(super) fn new(body: &Body) -> Result<EvaluatorDraft, Fault> {
    let (method, data_type) = match (
        body.nested("judge")?.flatten(),
        body.nested("rule")?.flatten(),
    ) {
        (Some(given), None) => (Method::Judge(new_judge(&given)?), DataType::Numeric),
        (None, Some(_)) => (Method::Rule(Rule::default()), DataType::Boolean),
        _ => return Err(wrong("judge", "give either judge or rule")),
    };
    let empty = EvaluatorDraft {
        name: String::new(),
        method,
        looks_at: LooksAt::default(),
        filter: String::new(),
        sample_rate: 1.0,
        score: Scale {
            name: body.text("name")?.unwrap_or_default().to_owned(),
            data_type,
            labels: Vec::new(),
            min: None,
            max: None,
        },
        max_cost_per_day: None,
        is_enabled: false,
    };
    changed(empty, body)
}

/// A draft with those fields changed that the body gives.
pub(super) fn changed(mut draft: EvaluatorDraft, body: &Body) -> Result<EvaluatorDraft, Fault> {
    body.only(&[
        "name",
        "enabled",
        "looks_at",
        "filter",
        "sample_rate",
        "score",
        "judge",
        "rule",
        "max_cost_per_day",
    ])?;
    if let Some(name) = body.text("name")? {
        name.clone_into(&mut draft.name);
    }
    if let Some(is_enabled) = body.flag("enabled")? {
        draft.is_enabled = is_enabled;
    }
    if let Some(name) = body.text("looks_at")? {
        let known = LooksAt::from_name(name);
        draft.looks_at =
            known.ok_or_else(|| wrong("looks_at", "give root_spans or generations"))?;
    }
    if let Some(filter) = body.text("filter")? {
        filter.clone_into(&mut draft.filter);
    }
    if let Some(rate) = body.number("sample_rate")? {
        draft.sample_rate = rate;
    }
    if let Some(Some(score)) = body.nested("score")? {
        scale(&mut draft.score, &score).map_err(|fault| within("score", fault))?;
    }
    if let Some(Some(given)) = body.nested("judge")? {
        let Method::Judge(judge) = &mut draft.method else {
            return Err(wrong("judge", "it is a rule, and stays one"));
        };
        set_judge(judge, &given).map_err(|fault| within("judge", fault))?;
    }
    if let Some(Some(given)) = body.nested("rule")? {
        let Method::Rule(rule) = &mut draft.method else {
            return Err(wrong("rule", "it is a judge, and stays one"));
        };
        set_rule(rule, &given).map_err(|fault| within("rule", fault))?;
    }
    if body.has("max_cost_per_day") {
        draft.max_cost_per_day = match body.fields().get("max_cost_per_day") {
            Some(serde_json::Value::Null) => None,
            _ => body.amount("max_cost_per_day")?,
        };
    }
    Ok(draft)
}

fn new_judge(given: &Body) -> Result<Judge, Fault> {
    let id = given.text("connection_id")?.unwrap_or_default();
    Ok(Judge {
        connection: connection(id).map_err(|fault| within("judge", fault))?,
        model: String::new(),
        prompt: String::new(),
    })
}

fn connection(id: &str) -> Result<LlmConnectionId, Fault> {
    let id = id.parse();
    id.map_err(|_| wrong("connection_id", "there is no such connection"))
}

fn scale(scale: &mut Scale, given: &Body) -> Result<(), Fault> {
    given.only(&["name", "data_type", "labels", "min", "max"])?;
    if let Some(name) = given.text("name")? {
        name.clone_into(&mut scale.name);
    }
    if let Some(name) = given.text("data_type")? {
        let known = DataType::from_name(name);
        let known =
            known.ok_or_else(|| wrong("data_type", "give NUMERIC, BOOLEAN or CATEGORICAL"))?;
        if known != scale.data_type {
            (scale.labels, scale.min, scale.max) = (Vec::new(), None, None);
        }
        scale.data_type = known;
    }
    if given.has("labels") {
        scale.labels = given.texts("labels")?;
    }
    if given.has("min") {
        scale.min = given.number("min")?;
    }
    if given.has("max") {
        scale.max = given.number("max")?;
    }
    Ok(())
}

fn set_judge(judge: &mut Judge, given: &Body) -> Result<(), Fault> {
    given.only(&["connection_id", "model", "prompt"])?;
    if let Some(id) = given.text("connection_id")? {
        judge.connection = connection(id)?;
    }
    if let Some(model) = given.text("model")? {
        model.clone_into(&mut judge.model);
    }
    if let Some(prompt) = given.text("prompt")? {
        prompt.clone_into(&mut judge.prompt);
    }
    Ok(())
}

fn set_rule(rule: &mut Rule, given: &Body) -> Result<(), Fault> {
    given.only(&["check", "on", "value", "min", "max"])?;
    if let Some(name) = given.text("check")? {
        let known = RuleKind::from_name(name).ok_or_else(|| wrong("check", CHECKS))?;
        if known != rule.kind {
            (rule.value, rule.min, rule.max) = (String::new(), None, None);
        }
        rule.kind = known;
    }
    if let Some(name) = given.text("on")? {
        rule.on = On::from_name(name).ok_or_else(|| wrong("on", "give output or input"))?;
    }
    if let Some(value) = given.text("value")? {
        value.clone_into(&mut rule.value);
    }
    if given.has("min") {
        rule.min = given.number("min")?;
    }
    if given.has("max") {
        rule.max = given.number("max")?;
    }
    Ok(())
}

/// What is wrong with a part, named by its whole path.
fn within(part: &str, mut fault: Fault) -> Fault {
    fault.field = fault.field.map(|field| format!("{part}.{field}"));
    fault
}
