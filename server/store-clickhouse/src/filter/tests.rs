use super::*;

#[test]
fn text_beyond_ascii_is_looked_for_as_json_may_hold_it_too() {
    assert_eq!(escaped("plain \"text\""), None);
    assert_eq!(escaped("a 你😀").unwrap(), r"a \u4f60\ud83d\ude00");
}

fn condition(column: Column, operator: Operator, values: &[&str]) -> Condition {
    Condition {
        column,
        operator,
        values: values.iter().map(|&value| value.to_owned()).collect(),
    }
}

#[test]
fn values_travel_as_parameters_only() {
    let nasty = "'; DROP TABLE spans; -- {x} \\ % _ \"";
    let columns = [
        Column::Name,
        Column::Tag,
        Column::Metadata(nasty.to_owned()),
        Column::Attribute(nasty.to_owned()),
    ];
    let operators = [
        Operator::AnyOf,
        Operator::NoneOf,
        Operator::Contains,
        Operator::DoesNotContain,
        Operator::StartsWith,
        Operator::EndsWith,
    ];
    for column in columns {
        for operator in operators {
            let filter = Filter {
                text: Some(nasty.to_owned()),
                conditions: vec![condition(column.clone(), operator, &[nasty])],
                ..Filter::default()
            };
            let compiled = compile(&filter);
            assert!(
                !compiled.on_span().contains("DROP"),
                "{column:?} {operator:?}"
            );
            let holds_it = compiled.params.iter().any(|(_, param)| match param {
                Param::Text(text) => text == nasty,
                Param::Texts(texts) => texts.iter().any(|text| text == nasty),
                Param::Number(_) | Param::Count(_) => false,
            });
            assert!(holds_it);
        }
    }
}

#[test]
fn a_key_with_dots_is_a_way_into_an_object() {
    let on_span = |key: &str| {
        let column = Column::Metadata(key.to_owned());
        let conditions = vec![condition(column, Operator::AnyOf, &["v"])];
        compile(&Filter {
            conditions,
            ..Filter::default()
        })
    };
    assert!(!on_span("plain").on_span().contains("JSONExtractRaw"));
    let nested = on_span("config.retry.max");
    let way = "JSONExtractRaw(metadata[{f1:String}], {f2:String}, {f3:String})";
    assert!(nested.on_span().contains(way), "{}", nested.on_span());
    // The key, its first part, so many more, and the value.
    assert_eq!(on_span(&"a.".repeat(1_000)).params.len(), 3 + MAX_STEPS);
}

#[test]
fn a_filter_compiles_to_this() {
    let filter = Filter {
        text: Some("refund".to_owned()),
        has_error: Some(false),
        conditions: vec![
            condition(Column::Environment, Operator::AnyOf, &["prod", "staging"]),
            condition(Column::Tag, Operator::NoneOf, &["a"]),
            condition(Column::Tag, Operator::Contains, &["b"]),
            condition(
                Column::Metadata("k".to_owned()),
                Operator::DoesNotContain,
                &["v"],
            ),
            condition(
                Column::Attribute("k".to_owned()),
                Operator::StartsWith,
                &["v"],
            ),
        ],
        ..Filter::default()
    };
    let compiled = compile(&filter);
    let shown = compiled.formulas.iter().map(|formula| {
        let Formula::One(predicate) = formula else {
            panic!("{formula:?}")
        };
        let sign = if predicate.is_negative {
            "never"
        } else {
            "ever"
        };
        format!("{sign} {}", predicate.sql)
    });
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_search_denies_within_its_predicates_and_sums_up_over_the_trace() {
    let search = domain::search::parse("(late OR cost>0.5) NOT (bag name:refund)").unwrap();
    let filter = Filter {
        search: search.search,
        ..Filter::default()
    };
    let compiled = compile(&filter);
    let shape = |written: String| {
        let names = written.replace(wholes::COST, "COST");
        names.replace("positionCaseInsensitiveUTF8", "position")
    };
    insta::assert_snapshot!("a_search_on_a_trace", shape(compiled.on_trace()));
    insta::assert_snapshot!("a_search_on_a_span", shape(compiled.on_span()));
    let on_versions = compiled.on_versions_of_trace();
    assert_eq!(on_versions.matches("uniqExact(span_id)").count(), 3);
}
