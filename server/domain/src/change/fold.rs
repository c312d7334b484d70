use serde_json::{Map, Value as Json};

use super::{Change, Subject};
use crate::time::Timestamp;

/// What a set of changes of one observation or trace comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// What it is.
    pub subject: Subject,
    /// Its id.
    pub id: String,
    /// Type of the observation, by its last change.
    pub kind: String,
    /// Time of the first change: stands in for a start that nobody told.
    pub first: Timestamp,
    /// Its fields.
    pub body: Map<String, Json>,
    /// Changes that it was put together from.
    pub changes: u32,
}

/// Fields that keep their first value.
const FIXED: [&str; 5] = ["id", "traceId", "timestamp", "startTime", "environment"];
/// Fields that no `null` takes away.
const KEPT: [&str; 4] = ["statusMessage", "parentObservationId", "version", "public"];

/// Puts changes of **one** observation or trace together. `None` without any, and for an observation
/// of which only updates have come that do not say which trace they belong to.
///
/// By the time of the changes, creations first: `id`, `traceId`, `timestamp`, `startTime` and
/// `environment` keep their first value; metadata is merged in depth; tags add up; input and output
/// take the last value that says something; an empty list or object never overwrites; `null` takes a
/// field away, but for `statusMessage`, `parentObservationId`, `version` and `public`.
pub fn fold(mut changes: Vec<Change>) -> Option<Folded> {
    changes.sort_by(|a, b| order(a).cmp(&order(b)));
    changes.dedup_by(|later, earlier| order(later) == order(earlier));
    let (first, last) = (changes.first()?, changes.last()?);
    let mut folded = Folded {
        subject: first.subject,
        id: first.id.clone(),
        kind: last.kind.clone(),
        first: first.time,
        body: Map::new(),
        changes: u32::try_from(changes.len()).unwrap_or(u32::MAX),
    };
    let created = changes.iter().any(|change| !change.is_update);
    for change in changes {
        for (name, value) in change.body {
            set(&mut folded.body, name, value);
        }
    }
    let placed = folded.subject == Subject::Trace || created || folded.body.contains_key("traceId");
    placed.then_some(folded)
}

fn order(change: &Change) -> (Timestamp, bool, u32, &str) {
    (
        change.time,
        change.is_update,
        change.place,
        &change.event_id,
    )
}

fn set(body: &mut Map<String, Json>, name: String, value: Json) {
    let known = body.get_mut(&name);
    match name.as_str() {
        fixed if FIXED.contains(&fixed) => {
            if known.is_none() && !value.is_null() {
                body.insert(name, value);
            }
        }
        kept if KEPT.contains(&kept) && value.is_null() => {}
        "input" | "output" if !says_something(&value) => {}
        "metadata" => match (known, value) {
            (_, Json::Null) => {}
            (Some(known), value) => merge(known, as_object(value)),
            (None, value) => {
                body.insert(name, as_object(value));
            }
        },
        "tags" => match (known, value) {
            (Some(Json::Array(known)), Json::Array(more)) => {
                known.extend(more);
            }
            (_, value @ Json::Array(_)) => {
                body.insert(name, value);
            }
            _ => {}
        },
        _ if is_empty(&value) => {}
        _ => {
            body.insert(name, value);
        }
    }
}

/// Metadata that is no object is kept under one name.
fn as_object(value: Json) -> Json {
    match value {
        Json::Object(_) => value,
        other => Json::Object(Map::from_iter([("metadata".to_owned(), other)])),
    }
}

/// Objects into each other, to any depth that a body may have; everything else replaces what was there.
fn merge(known: &mut Json, more: Json) {
    match (known, more) {
        (Json::Object(known), Json::Object(more)) => {
            for (name, value) in more {
                match known.get_mut(&name) {
                    Some(inner) => merge(inner, value),
                    None => {
                        known.insert(name, value);
                    }
                }
            }
        }
        (known, more) => *known = more,
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// What counts as true where the values come from.
fn says_something(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty(),
        Json::Number(number) => number.as_f64() != Some(0.0),
        other => !is_empty(other),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn change(event: u8, at_millis: i64, is_update: bool, body: &Json) -> Change {
        Change {
            subject: Subject::Observation,
            id: "o".to_owned(),
            time: Timestamp::from_unix_millis(at_millis).unwrap(),
            is_update,
            place: u32::from(event) / 2,
            event_id: format!("event-{event}"),
            kind: "span".to_owned(),
            body: body.as_object().unwrap().clone(),
        }
    }

    fn folded(changes: Vec<Change>) -> Json {
        Json::Object(fold(changes).unwrap().body)
    }

    #[test]
    fn a_creation_and_its_end_make_one() {
        let begun = change(
            1,
            5,
            false,
            &json!({"traceId": "t", "input": {"q": 1}, "name": "a"}),
        );
        let ended = change(
            2,
            5,
            true,
            &json!({"traceId": "x", "output": "b", "name": null}),
        );
        let whole = json!({"traceId": "t", "input": {"q": 1}, "output": "b", "name": null});
        assert_eq!(folded(vec![ended.clone(), begun.clone()]), whole);
        let again = fold(vec![begun.clone(), ended, begun]).unwrap();
        assert_eq!(
            (again.body, again.changes),
            (whole.as_object().unwrap().clone(), 2)
        );
    }

    #[test]
    fn fields_follow_their_own_rules() {
        let first = json!({
            "metadata": {"a": {"x": 1, "y": [1]}, "b": 1}, "tags": ["b", "a"], "usageDetails": {"input": 1},
            "statusMessage": "bad", "output": "kept", "public": true, "level": "ERROR", "environment": "e",
        });
        let second = json!({
            "metadata": {"a": {"y": 2}}, "tags": ["c"], "usageDetails": {"output": 2},
            "statusMessage": null, "output": "", "public": null, "level": null, "environment": "f",
            "modelParameters": {},
        });
        let third = json!({"metadata": "note", "usageDetails": {}, "tags": []});
        let changes = vec![
            change(1, 1, false, &first),
            change(2, 2, true, &second),
            change(3, 3, true, &third),
        ];
        assert_eq!(
            folded(changes),
            json!({
                "metadata": {"a": {"x": 1, "y": 2}, "b": 1, "metadata": "note"},
                "tags": ["b", "a", "c"], "usageDetails": {"output": 2}, "statusMessage": "bad",
                "output": "kept", "public": true, "level": null, "environment": "e",
            })
        );
    }

    #[test]
    fn of_one_instant_the_later_in_its_request_counts_whatever_the_events_are_called() {
        let mut first = change(9, 1, true, &json!({"traceId": "t", "output": "partial"}));
        let mut second = change(1, 1, true, &json!({"output": "final"}));
        (first.place, second.place) = (0, 1);
        let both = folded(vec![second, first.clone()]);
        assert_eq!(both["output"], "final");
        // The same name for a creation and an update makes two changes.
        let mut created = change(9, 1, false, &json!({"input": "a"}));
        created.place = 0;
        assert_eq!(fold(vec![first, created]).unwrap().changes, 2);
    }

    #[test]
    fn an_update_that_names_no_trace_waits_for_its_creation() {
        let update = change(2, 2, true, &json!({"output": "b"}));
        assert_eq!(fold(vec![update.clone()]), None);
        assert!(fold(vec![update, change(1, 1, false, &json!({}))]).is_some());
        assert_eq!(fold(Vec::new()), None);
    }

    fn bodies() -> impl Strategy<Value = Json> {
        let value = prop_oneof![
            Just(Json::Null),
            Just(json!("")),
            Just(json!({})),
            "[a-c]".prop_map(Json::from),
            "[a-c]".prop_map(|key| json!({ key: [1] })),
            "[a-c]".prop_map(|tag| json!([tag])),
        ];
        let names = [
            "traceId",
            "name",
            "input",
            "metadata",
            "tags",
            "version",
            "usageDetails",
        ];
        prop::collection::btree_map(prop::sample::select(names.to_vec()), value, 0..5)
            .prop_map(|fields| json!(fields))
    }

    proptest! {
        #[test]
        fn order_and_repetition_make_no_difference(
            made in prop::collection::vec((0..4_i64, any::<bool>(), bodies()), 1..8),
            shuffled in any::<prop::sample::Index>(),
            repeated in any::<prop::sample::Index>(),
        ) {
            let changes: Vec<Change> = made
                .iter()
                .enumerate()
                .map(|(event, (at, is_update, body))| change(event as u8, *at, *is_update, body))
                .collect();
            let mut other = changes.clone();
            other.rotate_left(shuffled.index(changes.len()));
            other.push(changes[repeated.index(changes.len())].clone());
            prop_assert_eq!(fold(changes), fold(other));
        }
    }
}
