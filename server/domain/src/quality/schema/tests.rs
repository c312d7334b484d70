use proptest::prelude::*;

use super::*;

fn refused(schema: &str) -> SchemaError {
    Schema::compile(schema).unwrap_err()
}

#[test]
fn the_shape_counts_not_only_the_syntax() {
    let schema = Schema::compile(
        r##"{"type": "object", "additionalProperties": false, "required": ["sentiment"],
             "properties": {"sentiment": {"enum": ["good", "bad"]}, "tags": {"$ref": "#/$defs/tags"}},
             "$defs": {"tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}}}}"##,
    )
    .unwrap();
    assert_eq!(
        schema.accepts(r#"{"sentiment": "good", "tags": ["a"]}"#),
        Some(true)
    );
    assert_eq!(
        schema.accepts(r#"{"sentiment": "good", "tags": ["A"]}"#),
        Some(false)
    );
    assert_eq!(schema.accepts(r#"{"sentiment": "fine"}"#), Some(false));
    assert_eq!(schema.accepts("好的"), Some(false));
}

#[test]
fn a_schema_of_trees_accepts_trees() {
    let schema = Schema::compile(
        r##"{"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"},
             "value": {"type": "integer"}}, "required": ["value"], "additionalProperties": false}"##,
    )
    .unwrap();
    let tree = |leaf: &str| {
        (0..40).fold(leaf.to_owned(), |tree, _| {
            format!(r#"{{"value": 1, "left": {tree}}}"#)
        })
    };
    assert_eq!(schema.accepts(&tree(r#"{"value": 1}"#)), Some(true));
    assert_eq!(schema.accepts(&tree(r#"{"value": "1"}"#)), Some(false));
}

#[test]
fn what_cannot_be_trusted_is_not_compiled() {
    assert_eq!(refused("{"), SchemaError::NotJson);
    assert_eq!(
        refused(&format!("[{}1]", "1,".repeat(MAX_SCHEMA_BYTES))),
        SchemaError::TooLarge
    );
    for reference in [
        "https://example.com/s.json",
        "file:///etc/passwd",
        "other",
        "#name",
        "#/nowhere",
    ] {
        let schema = format!(r#"{{"$ref": "{reference}"}}"#);
        assert!(
            matches!(refused(&schema), SchemaError::Reference(_)),
            "{reference}"
        );
    }
    for schema in [
        r#"{"type": "thing"}"#,
        r#"{"pattern": "(a+)+\\1"}"#,
        r#"{"pattern": "(a{1000}){1000}"}"#,
        "7",
    ] {
        assert!(
            matches!(refused(schema), SchemaError::Invalid(_)),
            "{schema}"
        );
    }
}

#[test]
fn a_schema_without_end_is_not_compiled() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"not": {"$ref": "#"}}]}"##,
        r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##,
    ] {
        assert_eq!(refused(schema), SchemaError::TooCostly, "{schema}");
    }
}

fn doubling(keyword: &str) -> String {
    let definitions: Vec<String> = (0..60)
        .map(|n| {
            let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, n + 1);
            match keyword {
                "properties" => {
                    format!(r#""d{n}": {{"properties": {{"a": {next}, "b": {next}}}}}"#)
                }
                _ => format!(r#""d{n}": {{"{keyword}": [{next}, {next}]}}"#),
            }
        })
        .collect();
    format!(
        r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d60": {{"type": "string"}}}}}}"##,
        definitions.join(",")
    )
}

#[test]
fn work_that_doubles_in_place_is_refused_but_children_that_share_a_schema_are_fine() {
    assert_eq!(refused(&doubling("allOf")), SchemaError::TooCostly);
    let shared = Schema::compile(&doubling("properties")).unwrap();
    assert_eq!(shared.accepts(r#"{"a": {"b": {}}}"#), Some(true));
}

#[test]
fn work_that_doubles_at_each_depth_limits_the_depth() {
    let schema = Schema::compile(
        r##"{"allOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}}}]}"##,
    )
    .unwrap();
    let nested = |depth| (0..depth).fold("1".to_owned(), |inner, _| format!(r#"{{"x": {inner}}}"#));
    assert_eq!(schema.accepts(&nested(6)), Some(true));
    assert_eq!(schema.accepts(&nested(60)), None);
}

#[test]
fn patterns_are_counted() {
    let pattern = r#"{"pattern": "(a|b)*c$"}"#;
    let schema = |count| format!(r#"{{"allOf": [{}]}}"#, vec![pattern; count].join(","));
    assert!(Schema::compile(&schema(MAX_PATTERNS)).is_ok());
    assert_eq!(
        refused(&schema(MAX_PATTERNS + 1)),
        SchemaError::TooManyPatterns
    );
}

#[test]
fn a_pattern_run_many_times_over_a_long_text_is_beyond_the_budget() {
    let references = vec![r##"{"$ref": "#/$defs/p"}"##; 1_000].join(",");
    let schema =
        format!(r#"{{"allOf": [{references}], "$defs": {{"p": {{"pattern": "(a|b)*c$"}}}}}}"#);
    let schema = Schema::compile(&schema).unwrap();
    assert_eq!(schema.accepts(r#""abc""#), Some(true));
    assert_eq!(schema.accepts(&format!("{:?}", "ab".repeat(400_000))), None);
}

#[test]
fn an_answer_beyond_the_limits_is_unknown() {
    let schema = Schema::compile(r#"{"type": "array"}"#).unwrap();
    assert_eq!(
        schema.accepts(&format!("[{}1]", "1,".repeat(MAX_ANSWER_BYTES))),
        None
    );
    assert_eq!(
        schema.accepts(&format!("{}{}", "[".repeat(1_000), "]".repeat(1_000))),
        None
    );
    assert_eq!(
        schema.accepts(&"[".repeat(2 * MAX_ANSWER_BYTES)),
        Some(false)
    );
}

proptest! {
    #[test]
    fn no_schema_hangs_or_fails_on_any_answer(schema in hostile_schema(), answer in nested_answer()) {
        if let Ok(schema) = Schema::compile(&schema) {
            schema.accepts(&answer);
        }
    }
}

/// Three definitions that apply each other in any way that there is.
fn hostile_schema() -> impl Strategy<Value = String> {
    let reference = (0..4_usize).prop_map(|n| match n {
        3 => r##"{"$ref": "#"}"##.to_owned(),
        _ => format!(r##"{{"$ref": "#/$defs/{n}"}}"##),
    });
    let leaf = prop_oneof![
        reference,
        Just("true".to_owned()),
        Just(r#"{"type": "object"}"#.to_owned())
    ];
    let schema = leaf.prop_recursive(3, 16, 3, |inner| {
        let keyword = prop::sample::select(vec![
            "not",
            "if",
            "items",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "unevaluatedItems",
            "propertyNames",
        ]);
        let one = (keyword, inner.clone())
            .prop_map(|(keyword, schema)| format!(r#"{{"{keyword}": {schema}}}"#));
        let list = prop::sample::select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]);
        let many = (list, prop::collection::vec(inner.clone(), 1..4))
            .prop_map(|(keyword, schemas)| format!(r#"{{"{keyword}": [{}]}}"#, schemas.join(",")));
        let named = (inner.clone(), inner).prop_map(|(a, b)| {
            format!(
                r#"{{"properties": {{"a": {a}, "b": {b}}}, "patternProperties": {{"^a": {b}}}}}"#
            )
        });
        prop_oneof![one, many, named]
    });
    prop::collection::vec(schema, 4).prop_map(|parts| {
        format!(
            r#"{{"allOf": [{}], "$defs": {{"0": {}, "1": {}, "2": {}}}}}"#,
            parts[3], parts[0], parts[1], parts[2]
        )
    })
}

fn nested_answer() -> impl Strategy<Value = String> {
    (0..100_usize, any::<bool>()).prop_map(|(depth, list)| {
        (0..depth).fold("1".to_owned(), |inner, _| match list {
            true => format!("[{inner}, 1]"),
            false => format!(r#"{{"a": {inner}, "b": 1}}"#),
        })
    })
}
