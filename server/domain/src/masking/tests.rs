use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::mapping::{Catalogue, FieldKeys as KnownKeys};
use crate::span::{Content, Span};
use crate::{SpanId, Timestamp, TraceId, Value};

fn pseudonym() -> Pseudonym {
    Arc::new(|text| {
        let sum = text.bytes().fold(7_u128, |sum, byte| {
            sum.wrapping_mul(1_000_003).wrapping_add(u128::from(byte))
        });
        sum.to_le_bytes()
    })
}

fn keys() -> FieldKeys {
    let known = |field, key| KnownKeys {
        field,
        keys: vec![key],
    };
    FieldKeys::new(&Catalogue {
        fields: vec![known("user_id", "user.id"), known("input", "input.value")],
        prefixes: Vec::new(),
    })
}

fn of_settings(settings: &MaskingSettings) -> Masker {
    settings.check().unwrap();
    Masker::new(settings, pseudonym(), keys()).unwrap()
}

pub(super) fn masker(detectors: impl IntoIterator<Item = Detector>) -> Masker {
    of_settings(&MaskingSettings {
        detectors: detectors.into_iter().collect(),
        ..MaskingSettings::default()
    })
}

fn everything() -> Masker {
    masker(Detector::ALL.iter().copied())
}

pub(super) fn masked(masker: &Masker, text: &str) -> String {
    let masked = masker.text(text, &mut Counts::default());
    masked.unwrap_or_else(|| text.to_owned())
}

fn span() -> Span {
    let trace = TraceId::from_text("t").unwrap();
    Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH)
}

#[test]
fn nothing_is_masked_by_default() {
    let settings = MaskingSettings::default();
    assert!(settings.is_off());
    assert_eq!(settings.preset(), Preset::Off);
    assert!(Masker::new(&settings, pseudonym(), keys()).is_none());
    let all = MaskingSettings::of_preset(Preset::PersonalDataAndSecrets);
    assert_eq!(all.preset(), Preset::PersonalDataAndSecrets);
    assert_eq!(all.detectors.len(), Detector::ALL.len());
}

#[test]
fn the_rest_of_a_text_stays() {
    let all = everything();
    assert_eq!(
        masked(&all, "你好 alice@example.com, 138 1234 5678!"),
        "你好 [EMAIL], [CN_MOBILE]!"
    );
    assert_eq!(masked(&all, "no @ here 12"), "no @ here 12");
}

#[test]
fn json_stays_json_and_numbers_count() {
    let all = everything();
    let text = r#"{"big": 12345678901234567890123, "phone": 13812345678, "x":[1.50, -0, "a\u0040b.com"], "a@b.com": null}"#;
    assert_eq!(
        masked(&all, text),
        r#"{"big": 12345678901234567890123, "phone": "[CN_MOBILE]", "x":[1.50, -0, "[EMAIL]"], "[EMAIL]": null}"#
    );
    let nested = json!({"arguments": json!({"to": "alice@example.com"}).to_string()}).to_string();
    let nested = nested.replace('@', r"\\u0040");
    let out: Json = serde_json::from_str(&masked(&all, &nested)).unwrap();
    let inner: Json = serde_json::from_str(out["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(inner, json!({"to": "[EMAIL]"}));
}

#[test]
fn parts_of_one_message_are_read_together() {
    let all = everything();
    let parts = json!([{"role": "user", "content": [
        {"type": "text", "text": "I am alice@exa"},
        {"type": "text", "text": "mple"},
        {"type": "text", "text": ".com, hello"},
    ]}]);
    let out: Json = serde_json::from_str(&masked(&all, &parts.to_string())).unwrap();
    let texts: Vec<&str> = (0..3)
        .map(|at| out[0]["content"][at]["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["I am [EMAIL]", "", ", hello"]);
    let long = "x ".repeat(1_000);
    let parts = json!([format!("{long}138"), format!("12345678 {long}")]);
    let out = masked(&all, &parts.to_string());
    assert!(
        out.contains("[CN_MOBILE]") && !out.contains("12345678"),
        "{out}"
    );
}

#[test]
fn paths_fields_and_attributes_have_rules_of_their_own() {
    let masker = of_settings(&MaskingSettings {
        detectors: BTreeSet::from([Detector::Email]),
        paths: [
            ("$..password", Action::Mask),
            ("$.plan", Action::Hash),
            ("$.gone", Action::Drop),
        ]
        .map(|(path, action)| PathRule {
            path: path.to_owned(),
            action,
        })
        .to_vec(),
        fields: [
            (MaskedField::Output, Action::Drop),
            (MaskedField::Tags, Action::Keep),
        ]
        .into(),
        attributes: vec![AttributeRule {
            key: "http.header.*".to_owned(),
            action: Action::Drop,
        }],
        ..MaskingSettings::default()
    });
    let mut span = span();
    let content = |text: &str, key: Option<&str>| {
        Some(Content {
            text: text.into(),
            attribute: key.map(Arc::from),
        })
    };
    let input = r#"{"a":{"password":{"x":[1]}},"plan":"gold","gone":[1,2],"b":1}"#;
    span.input = content(input, Some("input.value"));
    span.output = content("the answer", None);
    span.user_id = Some("alice@example.com".to_owned());
    span.tags = vec!["bob@example.com".to_owned()];
    span.metadata
        .insert("password".to_owned(), "\"secret\"".to_owned());
    span.attributes = vec![
        ("input.value".into(), input.into()),
        ("user.id".into(), "alice@example.com".into()),
        ("http.header.cookie".into(), "c=1".into()),
        ("metadata.password".into(), "secret".into()),
    ];
    let mut counts = Counts::default();
    masker.spans(std::slice::from_mut(&mut span), &mut counts);
    let text = span.input.as_ref().unwrap().text.to_string();
    let read: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(read["a"]["password"], "[MASKED]");
    assert!(read["plan"].as_str().unwrap().starts_with("[HASH:"));
    assert_eq!((&read["gone"], &read["b"]), (&Json::Null, &json!(1)));
    assert_eq!(span.attributes[0].1, Value::Str(text.into()));
    assert_eq!(&*span.output.as_ref().unwrap().text, "[DROPPED]");
    let user = span.user_id.clone().unwrap();
    assert!(user.starts_with("[EMAIL:") && user.len() == 20, "{user}");
    assert_eq!(span.attributes[1].1, Value::Str(user.into()));
    assert_eq!(span.attributes[2].1, Value::Str("[DROPPED]".into()));
    assert_eq!(span.attributes[3].1, Value::Str("[MASKED]".into()));
    assert_eq!(span.metadata["password"], "\"[MASKED]\"");
    assert_eq!(span.tags, ["bob@example.com"]);
    assert_eq!(counts.of("field:output"), 1);
    assert_eq!(counts.of("attribute:http.header.*"), 1);
    let once = span.clone();
    masker.spans(std::slice::from_mut(&mut span), &mut counts);
    assert_eq!(span, once);
}

#[test]
fn patterns_are_found_and_bad_ones_refused() {
    let custom = |name: &str, pattern: &str| MaskingSettings {
        patterns: vec![CustomPattern {
            name: name.to_owned(),
            pattern: pattern.to_owned(),
        }],
        ..MaskingSettings::default()
    };
    let masker = of_settings(&custom("staff_number", r"\bEMP-\d{4}\b"));
    assert_eq!(masked(&masker, "ask EMP-1234"), "ask [STAFF_NUMBER]");
    let many = "EMP-1234 ".repeat(2_000);
    assert!(!masked(&masker, &many).contains("1234"));
    for (name, pattern) in [
        ("", "a"),
        ("A", "a"),
        ("email", "a"),
        ("x", ""),
        ("x", "a*"),
        ("x", r"(a)\1"),
        ("x", "(?=a)"),
        ("x", r"(\w{500}){500}"),
    ] {
        let problem = custom(name, pattern).check().unwrap_err();
        assert_eq!(problem.field, "patterns", "{name} {pattern}");
    }
}

#[test]
fn machines_keep_their_addresses() {
    let all = everything();
    let mut span = span();
    span.instance = Some("10.0.0.5:8000".to_owned());
    span.attributes = vec![
        ("server.address".into(), "10.0.0.5".into()),
        ("client.address".into(), "203.0.113.7".into()),
    ];
    all.spans(std::slice::from_mut(&mut span), &mut Counts::default());
    assert_eq!(span.instance.as_deref(), Some("10.0.0.5:8000"));
    assert_eq!(span.attributes[0].1, Value::Str("10.0.0.5".into()));
    assert_eq!(span.attributes[1].1, Value::Str("[IP_ADDRESS]".into()));
}

/// Texts full of what detectors look for, and of pieces of it.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "alice",
        "@",
        "example.com",
        ".",
        "138",
        "1234",
        "5678",
        "13812345678",
        "+86",
        "+1",
        "-",
        " ",
        "4111",
        "1111",
        "４１１１",
        "11010519491231002X",
        "192.168.1.1",
        "::",
        "2001:db8",
        "sk-abcdefghijklmnop1",
        "Bearer ",
        "\\u0040",
        "\\",
        "\"",
        "\u{200b}",
        "＠",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"a\":",
        "x",
        "中",
        "\n",
        "[EMAIL]",
        "-----BEGIN PRIVATE KEY-----",
        "%40",
        "&#64;",
        "\\n",
        "(",
        ")",
        "/",
        "_",
    ]);
    let piece = prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn tree() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        hostile().prop_map(Json::String),
        any::<i64>().prop_map(Json::from),
        Just(json!(13_812_345_678_i64)),
        Just(Json::Null),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((hostile(), inner), 0..5)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn masked_twice_is_masked_once(text in hostile()) {
        let all = everything();
        let once = masked(&all, &text);
        prop_assert_eq!(masked(&all, &once), once);
    }

    #[test]
    fn json_is_json_afterwards(tree in tree()) {
        let all = everything();
        // A bare number is a text like any other.
        let once = masked(&all, &json!([tree]).to_string());
        let read: Result<Json, _> = serde_json::from_str(&once);
        prop_assert!(read.is_ok(), "{once}");
        let twice = masked(&all, &once);
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn no_address_is_left(left in ".{0,20}", right in ".{0,20}") {
        let out = masked(&everything(), &format!("{left} alice@example.com {right}"));
        prop_assert!(!out.contains("alice@example.com"));
        let json = json!({"a": [format!("{left} alice@example.com {right}")]}).to_string();
        prop_assert!(!masked(&everything(), &json).contains("alice@example.com"));
    }
}
