use domain::usage_record;
use serde_json::{Map, Value as Json};

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

fn details(usage: &Map<String, Json>) -> Map<String, Json> {
    let counts = usage_record::usage(usage).into_iter();
    counts.map(|(kind, count)| (kind, count.into())).collect()
}

fn costs(costs: &Map<String, Json>) -> Map<String, Json> {
    let good = usage_record::costs(costs);
    let sent = costs.iter().filter(|(kind, _)| good.contains_key(*kind));
    sent.map(|(kind, value)| (kind.clone(), value.clone()))
        .collect()
}

/// The old form: input, output and total, or the same by the names of `OpenAI`.
fn old_usage(usage: &Map<String, Json>) -> Map<String, Json> {
    let names = [
        ("input", "promptTokens"),
        ("output", "completionTokens"),
        ("total", "totalTokens"),
    ];
    let given = names.iter().filter_map(|(kind, old)| {
        let tokens = usage.get(*kind).or_else(|| usage.get(*old))?;
        Some(((*kind).to_owned(), tokens.clone()))
    });
    details(&given.collect())
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
    use serde_json::json;

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
