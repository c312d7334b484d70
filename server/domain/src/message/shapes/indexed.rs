use serde_json::Value as Json;

use crate::message::json::{self, Map};
use crate::message::{Modality, Part};

/// Parts as numbered keys spell them: fewer steps than the JSON they were made from, and calls
/// without a mark.
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |key| json::text(map, &[key]);
    match json::kind(map) {
        "tool_use" | "tool_call" => {
            let function = json::object(map, &["function"])?;
            Some(Part::ToolCall {
                id: json::owned(map, &["id"]),
                name: json::owned(function, &["name"])?,
                arguments: function
                    .get("arguments")
                    .map_or(Json::Null, json::unwrapped),
            })
        }
        kind @ ("image" | "audio" | "video" | "document") => {
            let modality = Modality::from_word(kind)?;
            let inner = json::object(map, &[kind]).unwrap_or(map);
            let mime = json::text(inner, &["mime_type"]);
            let url = json::text(inner, &["url"])?;
            Some(Part::at(modality, mime, url))
        }
        "" if map.len() == 3 => Some(Part::ToolCall {
            id: Some(text("id")?.to_owned()),
            name: text("name")?.to_owned(),
            arguments: json::unwrapped(map.get("arguments")?),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Reference, Role};
    use serde_json::json;

    #[test]
    fn a_call_that_stands_in_the_content_and_beside_it_is_one() {
        let messages = input(&json!([
            {"role": "user", "contents": [{"type": "text", "text": "该带什么衣服？"}, {"type": "image", "url": "https://example.com/a.png"}]},
            {"role": "assistant",
             "contents": [{"type": "text", "text": "I will check."},
                {"type": "tool_use", "id": "toolu_1", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}],
             "tool_calls": [{"id": "toolu_1", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]},
            {"role": "tool", "tool_call_id": "toolu_1", "content": "{'temp_c': -3}"},
        ]));
        assert_eq!(
            messages[1].parts,
            [
                Part::text("I will check."),
                call("toolu_1", "get_weather", json!({"city": "Oslo"}))
            ]
        );
        assert_eq!(messages[2].role, Role::Tool);
        let Part::Media(image) = &messages[0].parts[1] else {
            panic!("no media")
        };
        assert_eq!(
            image.reference,
            Reference::Uri("https://example.com/a.png".to_owned())
        );
    }

    #[test]
    fn the_same_call_made_twice_is_two_calls() {
        let same = json!({"function": {"name": "roll_dice", "arguments": {}}});
        let messages =
            output(&json!([{"role": "assistant", "content": "", "tool_calls": [same, same]}]));
        assert_eq!(messages[0].parts.len(), 2);
    }

    #[test]
    fn thoughts_in_contents_are_no_words() {
        let messages = output(&json!([{"role": "assistant", "contents": [
            {"type": "reasoning", "text": "Snow.", "signature": "Nj"}, {"type": "text", "text": "带厚外套。"},
        ]}]));
        assert_eq!(
            messages[0].parts,
            [Part::reasoning("Snow."), Part::text("带厚外套。")]
        );
    }

    #[test]
    fn calls_without_marks_or_arguments_are_calls() {
        let messages = output(&json!([{"role": "assistant", "finish_reason": "tool_calls",
            "tool_calls": [{"arguments": "{\"city\": \"Oslo\"}", "id": "c1", "name": "get_weather"}]}]));
        assert_eq!(
            messages[0].parts,
            [call("c1", "get_weather", json!({"city": "Oslo"}))]
        );
        let messages = output(
            &json!([{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "transfer"}}]}]),
        );
        assert_eq!(messages[0].parts, [call("c1", "transfer", json!(null))]);
        let messages = output(
            &json!([{"id": "c1", "name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}]),
        );
        assert_eq!(messages[0].role, Role::Assistant);
    }

    #[test]
    fn a_list_of_parts_in_text_is_parts() {
        let messages = input(
            &json!([{"role": "user", "content": "[{\"type\": \"text\", \"text\": \"hi\"}]"},
            {"role": "user", "content": "[1, 2]"}]),
        );
        assert_eq!(texts(&messages), ["hi", "[1, 2]"]);
    }
}
