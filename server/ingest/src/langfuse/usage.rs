use serde_json::{Map, Value as Json, json};

/// Keys of the usage of `OpenAI`'s chat interface, and the kinds that they are.
const CHAT: [(&str, &str); 3] = [
    ("prompt_tokens", "input"),
    ("completion_tokens", "output"),
    ("total_tokens", "total"),
];
/// Keys of the usage of `OpenAI`'s responses interface.
const RESPONSES: [(&str, &str); 3] = [
    ("input_tokens", "input"),
    ("output_tokens", "output"),
    ("total_tokens", "total"),
];

/// Takes usage and costs of a body, in whichever form it has them, as `usageDetails` and `costDetails`.
pub(super) fn take(fields: &Map<String, Json>, body: &mut Map<String, Json>) {
    let object = |name: &str| fields.get(name).and_then(Json::as_object);
    let usage = object("usageDetails")
        .map(details)
        .filter(|usage| !usage.is_empty());
    let usage = usage.or_else(|| object("usage").map(old_usage));
    let costs = object("costDetails")
        .map(costs)
        .filter(|costs| !costs.is_empty());
    let costs = costs.or_else(|| object("usage").map(old_costs));
    for (name, values) in [("usageDetails", usage), ("costDetails", costs)] {
        if let Some(values) = values.filter(|values| !values.is_empty()) {
            body.insert(name.to_owned(), Json::Object(values));
        }
    }
}

/// Usage by kind. The two forms of `OpenAI` are recognised by having their keys and no others; of any
/// other object the whole numbers are kept that are not negative.
fn details(usage: &Map<String, Json>) -> Map<String, Json> {
    let provider = [
        (CHAT, ["prompt_tokens_details", "completion_tokens_details"]),
        (RESPONSES, ["input_tokens_details", "output_tokens_details"]),
    ];
    let found = provider
        .iter()
        .find_map(|(keys, parts)| of_provider(usage, keys, parts));
    found.unwrap_or_else(|| {
        let counts = usage
            .iter()
            .filter_map(|(kind, value)| Some((kind.clone(), count(value)?.into())));
        counts.collect()
    })
}

fn of_provider(
    usage: &Map<String, Json>,
    keys: &[(&str, &str); 3],
    parts: &[&str; 2],
) -> Option<Map<String, Json>> {
    let is_known =
        |key: &String| keys.iter().any(|(known, _)| known == key) || parts.contains(&key.as_str());
    if !usage.keys().all(is_known) {
        return None;
    }
    let mut kinds = Map::new();
    for (key, kind) in keys {
        kinds.insert((*kind).to_owned(), usage.get(*key)?.as_u64()?.into());
    }
    for (key, kind) in parts.iter().zip(["input", "output"]) {
        let Some(part) = usage.get(*key).and_then(Json::as_object) else {
            continue;
        };
        for (name, value) in part {
            let Some(tokens) = value.as_u64() else {
                continue;
            };
            let whole = kinds.get(kind).and_then(Json::as_u64).unwrap_or(0);
            kinds.insert(kind.to_owned(), whole.saturating_sub(tokens).into());
            kinds.insert(format!("{kind}_{name}"), tokens.into());
        }
    }
    Some(kinds)
}

fn count(value: &Json) -> Option<u64> {
    match value {
        Json::String(text) => text.trim().parse().ok(),
        other => other.as_u64(),
    }
}

fn costs(costs: &Map<String, Json>) -> Map<String, Json> {
    let is_cost = |value: &Json| value.as_f64().is_some_and(|cost| cost >= 0.0);
    let good = costs.iter().filter(|(_, value)| is_cost(value));
    good.map(|(kind, value)| (kind.clone(), value.clone()))
        .collect()
}

/// The old form: input, output and total, or the same by the names of `OpenAI`.
fn old_usage(usage: &Map<String, Json>) -> Map<String, Json> {
    let names = [
        ("input", "promptTokens"),
        ("output", "completionTokens"),
        ("total", "totalTokens"),
    ];
    let kept = names.iter().filter_map(|(kind, old)| {
        let tokens = usage
            .get(*kind)
            .or_else(|| usage.get(*old))
            .and_then(count)?;
        Some(((*kind).to_owned(), json!(tokens)))
    });
    kept.collect()
}

fn old_costs(usage: &Map<String, Json>) -> Map<String, Json> {
    let names = [
        ("input", "inputCost"),
        ("output", "outputCost"),
        ("total", "totalCost"),
    ];
    let given = names
        .iter()
        .filter_map(|(kind, old)| Some(((*kind).to_owned(), usage.get(*old)?.clone())));
    costs(&given.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(body: &Json) -> Json {
        let mut kept = Map::new();
        take(body.as_object().unwrap(), &mut kept);
        Json::Object(kept)
    }

    #[test]
    fn usage_comes_in_four_forms() {
        let chat = json!({"usageDetails": {
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 60, "audio_tokens": null},
            "completion_tokens_details": {"reasoning_tokens": 5},
        }});
        assert_eq!(
            taken(&chat)["usageDetails"],
            json!({
                "input": 40, "output": 15, "total": 120, "input_cached_tokens": 60, "output_reasoning_tokens": 5,
            })
        );
        let responses =
            json!({"usageDetails": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}});
        assert_eq!(
            taken(&responses)["usageDetails"],
            json!({"input": 3, "output": 4, "total": 7})
        );
        let free = json!({"usageDetails": {
            "prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4, "more": "5", "half": 0.5, "less": -1,
        }});
        let kept =
            json!({"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4, "more": 5});
        assert_eq!(taken(&free)["usageDetails"], kept);
        let old = json!({"usage": {"promptTokens": 1, "completionTokens": 2, "totalTokens": 3}});
        assert_eq!(
            taken(&old),
            json!({"usageDetails": {"input": 1, "output": 2, "total": 3}})
        );
    }

    #[test]
    fn old_costs_stand_in_where_there_are_no_others() {
        let old = json!({"usage": {"input": 1, "unit": "TOKENS", "inputCost": 0.5, "totalCost": 1, "outputCost": -1}});
        assert_eq!(
            taken(&old)["costDetails"],
            json!({"input": 0.5, "total": 1})
        );
        let both = json!({"usage": {"inputCost": 0.5}, "costDetails": {"input": 2, "bad": "x"}});
        assert_eq!(taken(&both)["costDetails"], json!({"input": 2}));
        assert_eq!(taken(&json!({"usage": {}, "usageDetails": {}})), json!({}));
    }
}
