use serde_json::{Value, json};

use super::{Change, Version, changes};
use crate::prompt::{Content, Message};

fn said(role: &str, content: &str) -> Message {
    Message::Said {
        role: role.into(),
        content: content.into(),
    }
}

/// Changes as text: `replace /prompt/0/content`.
fn told(old: (&Content, Value), new: (&Content, Value)) -> Vec<(String, Option<Value>)> {
    let found = changes(
        Version {
            content: old.0,
            config: &old.1,
        },
        Version {
            content: new.0,
            config: &new.1,
        },
    );
    let line = |change: Change| (format!("{} {}", change.op, change.path), change.new);
    found.into_iter().map(line).collect()
}

#[test]
fn messages_are_matched_by_what_they_say() {
    let old = Content::Chat(vec![
        said("system", "Be short."),
        said("user", "{{question}}"),
        said("assistant", "Yes?"),
    ]);
    let new = Content::Chat(vec![
        said("system", "It is {{now}}."),
        said("system", "Be short."),
        said("user", "{{question}}"),
    ]);
    let found = told((&old, json!({})), (&new, json!({})));
    let lines: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(
        lines,
        ["add /prompt/0", "remove /prompt/2", "add /variables/now"]
    );
    assert_eq!(
        found[0].1,
        Some(json!({"role": "system", "content": "It is {{now}}."}))
    );
}

#[test]
fn roles_contents_and_configuration_are_told_apart() {
    let old = Content::Chat(vec![said("system", "Be short."), said("user", "a")]);
    let new = Content::Chat(vec![
        said("developer", "Be brief."),
        Message::Placeholder {
            name: "history".into(),
        },
    ]);
    let before = json!({"model": "a", "stop": ["x"], "a/b": {"~": 1, "gone": null}});
    let after = json!({"stop": ["x", "y"], "model": "a", "a/b": {"~": 2}, "new": true});
    let found = told((&old, before), (&new, after));
    let lines: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(
        lines,
        [
            "replace /prompt/0/role",
            "replace /prompt/0/content",
            "replace /prompt/1",
            "replace /config/stop",
            "replace /config/a~1b/~0",
            "remove /config/a~1b/gone",
            "add /config/new",
        ]
    );
}

#[test]
fn the_same_changes_nothing_and_a_text_says_its_words() {
    let old = Content::Text("Answer {{question}} shortly.".into());
    let same = told((&old, json!({"a": 1})), (&old, json!({"a": 1})));
    assert!(same.is_empty(), "{same:?}");
    let new = Content::Text("Answer {{question}} at length.".into());
    let config = Value::Null;
    let version = |content| Version {
        content,
        config: &config,
    };
    let found = changes(version(&old), version(&new));
    assert_eq!((found.len(), found[0].path.as_str()), (1, "/prompt"));
    let edits: Vec<&str> = found[0].words.iter().map(|s| s.edit.as_str()).collect();
    assert_eq!(edits, ["equal", "delete", "insert", "equal"]);
}

#[test]
fn very_long_chats_are_compared_by_number() {
    let chat = |count: usize, text: &str| {
        Content::Chat(
            (0..count)
                .map(|at| said("user", &format!("{text} {at}")))
                .collect(),
        )
    };
    let found = told(
        (&chat(3_000, "a"), json!({})),
        (&chat(3_001, "a"), json!({})),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "add /prompt/3000");
}
