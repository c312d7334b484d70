//! Composition: what stands where, where it ends, and that it is the same as the naive way.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

use super::reference::{Piece, pieces};
use super::*;

fn name(text: &str) -> PromptName {
    PromptName::parse(text).unwrap()
}

fn prompt(of: &str, version: u32, content: Content) -> Prompt {
    let id = of
        .bytes()
        .fold(u128::from(version), |id, byte| id * 257 + u128::from(byte));
    Prompt {
        id: PromptId(Uuid::from_u128(id)),
        project_id: ProjectId(Uuid::nil()),
        name: name(of),
        version,
        content,
        config: Value::Null,
        labels: Vec::new(),
        tags: Tags::default(),
        commit_message: None,
        created_by: "API".into(),
        created_at: Timestamp::EPOCH,
        updated_at: Timestamp::EPOCH,
    }
}

fn text(of: &str, text: &str) -> Prompt {
    prompt(of, 1, Content::Text(text.into()))
}

fn tag(of: &str) -> String {
    format!("@@@langfusePrompt:name={of}|version=1@@@")
}

fn found(prompts: &[Prompt]) -> Found {
    let entry = |prompt: &Prompt| {
        let reference = Reference {
            name: prompt.name.clone(),
            selector: Selector::Version(prompt.version),
        };
        (reference, Arc::new(prompt.clone()))
    };
    prompts.iter().map(entry).collect()
}

fn composed(root: &Prompt, others: &[Prompt]) -> Result<Content, Uncomposable> {
    compose(root, &found(others)).map(|composed| composed.content)
}

#[test]
fn references_stand_for_their_text_and_the_graph_says_which() {
    let inner = text("inner", "in \"quotes\"\n$& {{x}}");
    let middle = text("middle", &format!("<{}>", tag("inner")));
    let root = text(
        "root",
        &format!("{0} and {0} and {1}", tag("middle"), tag("inner")),
    );
    let composed = compose(&root, &found(&[inner.clone(), middle.clone()])).unwrap();
    let inserted = "in \"quotes\"\n$& {{x}}";
    let expected = format!("<{inserted}> and <{inserted}> and {inserted}");
    assert_eq!(composed.content, Content::Text(expected));
    let graph = composed.graph.unwrap();
    assert_eq!(graph.root, Node::of(&root));
    let (middle, inner) = (Node::of(&middle), Node::of(&inner));
    let expected = vec![
        (root.id, vec![middle.clone(), inner.clone()]),
        (middle.id, vec![inner]),
    ];
    assert_eq!(graph.dependencies, expected);
}

#[test]
fn messages_are_put_together_and_the_rest_of_a_chat_stays() {
    let placeholder = Message::Placeholder {
        name: "history".into(),
    };
    let said = |content: &str| Message::Said {
        role: "user".into(),
        content: content.into(),
    };
    let root = prompt(
        "chat",
        1,
        Content::Chat(vec![placeholder.clone(), said(&tag("a"))]),
    );
    let expected = Content::Chat(vec![placeholder, said("A")]);
    assert_eq!(composed(&root, &[text("a", "A")]), Ok(expected));
    let alone = compose(&text("x", "no tag"), &Found::new()).unwrap();
    assert_eq!(alone.graph, None);
}

#[test]
fn what_cannot_be_put_together_says_why() {
    let root = text("root", &tag("a"));
    assert!(matches!(
        composed(&root, &[]),
        Err(Uncomposable::Missing(_))
    ));
    let chat = prompt("a", 1, Content::Chat(Vec::new()));
    assert!(matches!(
        composed(&root, &[chat]),
        Err(Uncomposable::Chat(_))
    ));
    let (a, b) = (text("a", &tag("b")), text("b", &tag("a")));
    assert!(matches!(
        composed(&root, &[a, b]),
        Err(Uncomposable::Cycle(_))
    ));
    let own_name = prompt("root", 2, Content::Text(tag("root")));
    let first = text("root", "first");
    assert!(matches!(
        composed(&own_name, &[first]),
        Err(Uncomposable::Cycle(_))
    ));
}

#[test]
fn five_deep_is_the_end_whatever_was_put_together_before() {
    let chain = |depth: usize| -> Vec<Prompt> {
        let link = |at: usize| {
            let content = if at < depth {
                tag(&format!("p{}", at + 1))
            } else {
                "end".into()
            };
            text(&format!("p{at}"), &content)
        };
        (1..=depth).map(link).collect()
    };
    let root = text("root", &tag("p1"));
    assert_eq!(composed(&root, &chain(5)), Ok(Content::Text("end".into())));
    assert_eq!(composed(&root, &chain(6)), Err(Uncomposable::Deep));
    // The deep one was put together near the surface first.
    let both = text("root", &format!("{} {}", tag("p4"), tag("p1")));
    assert_eq!(composed(&both, &chain(6)), Err(Uncomposable::Deep));
}

#[test]
fn what_doubles_at_each_step_ends_soon() {
    let many = |of: &str, inner: &str| text(of, &tag(inner).repeat(2_000));
    let others = [
        many("a", "b"),
        many("b", "c"),
        many("c", "d"),
        text("d", "x"),
    ];
    let root = many("root", "a");
    assert_eq!(composed(&root, &others), Err(Uncomposable::Large));
    // Many references to nothing much are cheap.
    let others = [
        many("a", "b"),
        many("b", "c"),
        many("c", "d"),
        text("d", ""),
    ];
    assert_eq!(composed(&root, &others), Ok(Content::Text(String::new())));
}

/// Text that is made of what matters.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("@@@".to_owned()),
        Just("@@@langfusePrompt:".to_owned()),
        Just("name=a".to_owned()),
        Just("|".to_owned()),
        Just("version=1".to_owned()),
        Just("label=x".to_owned()),
        Just("{{".to_owned()),
        Just("}}".to_owned()),
        Just(tag("b")),
        ".{0,4}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_is_lost_between_the_pieces(text in hostile()) {
        let mut rest = text.as_str();
        for piece in pieces(&text) {
            let length = match piece {
                Piece::Text(text) => {
                    prop_assert!(rest.starts_with(text));
                    text.len()
                }
                Piece::Reference(_) => {
                    prop_assert!(rest.starts_with("@@@langfusePrompt:"));
                    let close = rest[18..].find("@@@").unwrap();
                    18 + close + 3
                }
            };
            rest = &rest[length..];
        }
        prop_assert_eq!(rest, "");
    }

    #[test]
    fn variables_are_within_the_text(text in hostile()) {
        for variable in variables(&text) {
            prop_assert!(text.contains(variable));
        }
    }

    #[test]
    fn composing_is_replacing_from_the_inside(
        inner in hostile(),
        others in proptest::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        // Each prompt may refer to those before it.
        // Shortening `@@@` would make others of what is left.
        let inner = inner.replace('@', "");
        let mut texts = vec![inner.clone()];
        let mut prompts = vec![text("p0", &inner)];
        for (at, other) in others.iter().enumerate() {
            let to = other.index(prompts.len());
            let content = format!("[{0}|{0}]", tag(&format!("p{to}")));
            texts.push(format!("[{0}|{0}]", texts[to]));
            prompts.push(text(&format!("p{}", at + 1), &content));
        }
        let root = prompts.pop().unwrap();
        let expected = texts.pop().unwrap();
        prop_assert_eq!(composed(&root, &prompts), Ok(Content::Text(expected)));
    }

    #[test]
    fn names_and_labels_that_parse_are_kept_as_they_are(text in ".{0,40}") {
        if let Ok(name) = PromptName::parse(&text) {
            prop_assert_eq!(name.as_str(), text.as_str());
        }
        if let Ok(label) = Label::parse(&text) {
            prop_assert!(label.as_str().len() <= 36);
        }
    }
}
