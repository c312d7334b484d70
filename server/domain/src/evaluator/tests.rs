use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::attr::langfuse as attr;
use crate::ids::LlmConnectionId;
use crate::span::{Content, Span};
use crate::value::Value;

fn scale(data_type: DataType) -> Scale {
    Scale {
        name: "helpful".to_owned(),
        data_type,
        labels: match data_type {
            DataType::Categorical => vec!["good".to_owned(), "bad".to_owned()],
            _ => Vec::new(),
        },
        min: (data_type == DataType::Numeric).then_some(0.0),
        max: (data_type == DataType::Numeric).then_some(1.0),
    }
}

fn draft() -> EvaluatorDraft {
    EvaluatorDraft {
        name: " Helpfulness ".to_owned(),
        method: Method::Judge(Judge {
            connection: LlmConnectionId(Uuid::nil()),
            model: "m".to_owned(),
            prompt: "Is {{output}} an answer to {{ input }}?".to_owned(),
        }),
        looks_at: LooksAt::RootSpans,
        filter: "environment:production".to_owned(),
        sample_rate: 0.5,
        score: scale(DataType::Numeric),
        max_cost_per_day: Some("1.5".parse().unwrap()),
        is_enabled: true,
    }
}

fn rule(kind: RuleKind, value: &str, bounds: (Option<f64>, Option<f64>)) -> Rule {
    Rule {
        kind,
        on: On::Output,
        value: value.to_owned(),
        min: bounds.0,
        max: bounds.1,
    }
}

#[test]
fn what_is_wrong_is_named_by_its_field() {
    let refused = |change: fn(&mut EvaluatorDraft)| {
        let mut draft = draft();
        change(&mut draft);
        let fault = draft.checked().unwrap_err();
        fault.field.unwrap()
    };
    fn judge(draft: &mut EvaluatorDraft) -> &mut Judge {
        match &mut draft.method {
            Method::Judge(judge) => judge,
            Method::Rule(_) => unreachable!(),
        }
    }
    assert_eq!(draft().checked().unwrap().name, "Helpfulness");
    assert_eq!(refused(|draft| draft.name = " ".to_owned()), "name");
    assert_eq!(refused(|draft| draft.score.name.clear()), "score.name");
    assert_eq!(refused(|draft| draft.filter = "(a".to_owned()), "filter");
    assert_eq!(refused(|draft| draft.sample_rate = 0.0), "sample_rate");
    assert_eq!(refused(|draft| draft.sample_rate = f64::NAN), "sample_rate");
    assert_eq!(
        refused(|draft| draft.max_cost_per_day = Some(Usd::default())),
        "max_cost_per_day"
    );
    assert_eq!(refused(|draft| draft.score.max = Some(-1.0)), "score.max");
    assert_eq!(
        refused(|draft| draft.score.data_type = DataType::Categorical),
        "score.labels"
    );
    assert_eq!(
        refused(|draft| draft.score.data_type = DataType::Text),
        "score.data_type"
    );
    assert_eq!(refused(|draft| judge(draft).model.clear()), "judge.model");
    for prompt in ["", "no variable", "{{output}} {{other}}"] {
        let mut draft = draft();
        judge(&mut draft).prompt = prompt.to_owned();
        let fault = draft.checked().unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("judge.prompt"), "{prompt}");
    }
    assert_eq!(
        refused(|draft| {
            draft.method = Method::Rule(rule(RuleKind::IsJson, "", (None, None)));
            draft.max_cost_per_day = None;
        }),
        "score.data_type"
    );
}

#[test]
fn a_draft_is_kept_as_it_was_set() {
    let json = serde_json::to_string(&draft()).unwrap();
    assert_eq!(
        serde_json::from_str::<EvaluatorDraft>(&json).unwrap(),
        draft()
    );
}

#[test]
fn what_it_looks_at_is_a_filter() {
    let roots = draft().spans().unwrap();
    assert_eq!(roots.conditions[0].column, Column::ParentId);
    assert!(roots.search.is_some());
    let generations = EvaluatorDraft {
        looks_at: LooksAt::Generations,
        filter: String::new(),
        ..draft()
    };
    let generations = generations.spans().unwrap();
    assert_eq!(generations.conditions[0].values, ["generation"]);
    assert_eq!(generations.search, None);
}

#[test]
fn a_sample_is_the_same_each_time_and_another_for_each_evaluator() {
    let (one, other) = (
        EvaluatorId(Uuid::from_u128(1)),
        EvaluatorId(Uuid::from_u128(2)),
    );
    let traces: Vec<TraceId> = (0..2_000)
        .map(|number| TraceId::from_text(&format!("trace-{number}")).unwrap())
        .collect();
    let chosen = |evaluator, rate| -> Vec<&TraceId> {
        let all = traces.iter();
        all.filter(|trace| is_sampled(evaluator, trace, rate))
            .collect()
    };
    assert_eq!(chosen(one, 0.2), chosen(one, 0.2));
    assert_ne!(chosen(one, 0.2), chosen(other, 0.2));
    assert!((300..500).contains(&chosen(one, 0.2).len()));
    assert_eq!(chosen(one, 1.0).len(), 2_000);
}

#[test]
fn ids_of_scores_follow_from_what_is_scored() {
    let (one, other) = (
        EvaluatorId(Uuid::from_u128(1)),
        EvaluatorId(Uuid::from_u128(2)),
    );
    let trace = TraceId::from_text("t").unwrap();
    let (a, b) = (
        SpanId::from_text("a").unwrap(),
        SpanId::from_text("b").unwrap(),
    );
    let id = score_id(one, &trace, &a);
    assert_eq!(id, score_id(one, &trace, &a));
    assert!(id.starts_with(&score_prefix(one)) && !id.starts_with(&score_prefix(other)));
    assert_ne!(id, score_id(one, &trace, &b));
    assert_ne!(id, score_id(other, &trace, &a));
}

fn material(output: &str) -> Material {
    Material {
        input: Some("in".to_owned()),
        output: Some(output.to_owned()),
        metadata: "{}".to_owned(),
        latency_ms: Some(250.0),
        cost: Some(0.01),
        output_tokens: Some(7),
        ..Material::default()
    }
}

#[test]
fn rules_say_yes_or_no_and_why() {
    let none = (None, None);
    let ask = |rule: Rule, output: &str| rule.compiled().unwrap().ask(&material(output)).unwrap();
    let passes = |rule: Rule, output: &str| ask(rule, output).0;
    use RuleKind as Kind;
    assert!(passes(rule(Kind::Matches, r"^\d+$", none), "12"));
    assert!(!passes(rule(Kind::Matches, r"^\d+$", none), "1a"));
    assert!(passes(rule(Kind::DoesNotMatch, "a", none), "b"));
    assert!(passes(rule(Kind::Contains, "SORRY", none), "I am sorry."));
    assert!(!passes(
        rule(Kind::DoesNotContain, "sorry", none),
        "I am Sorry."
    ));
    assert!(passes(rule(Kind::IsJson, "", none), " {\"a\": 1}\n"));
    assert!(!passes(rule(Kind::IsJson, "", none), "{a}"));
    assert!(passes(
        rule(Kind::HasJsonPath, "$.a[1]", none),
        r#"{"a": [1, 2]}"#
    ));
    assert!(!passes(
        rule(Kind::HasJsonPath, "$.b", none),
        r#"{"a": [1, 2]}"#
    ));
    assert!(passes(
        rule(Kind::Length, "", (Some(2.0), Some(2.0))),
        "中é"
    ));
    assert!(!passes(rule(Kind::Latency, "", (None, Some(249.0))), ""));
    assert!(passes(rule(Kind::Cost, "", (None, Some(0.01))), ""));
    assert!(passes(rule(Kind::OutputTokens, "", (Some(7.0), None)), ""));
    let (_, why) = ask(rule(Kind::Length, "", (Some(20.0), None)), "twelve chars");
    assert_eq!(why, "12 characters, wanted are at least 20");
}

#[test]
fn of_what_is_not_there_a_rule_says_nothing() {
    let lacking = |kind, bounds| {
        let rule = rule(kind, "", bounds).compiled().unwrap();
        rule.ask(&Material::default()).unwrap_err()
    };
    assert_eq!(
        lacking(RuleKind::IsJson, (None, None)),
        "the span has no output"
    );
    assert_eq!(
        lacking(RuleKind::Cost, (None, Some(1.0))),
        "the span has no US dollars"
    );
}

#[test]
fn rules_that_could_not_be_asked_are_refused() {
    let field = |mut rule: Rule| rule.check().unwrap_err().field.unwrap();
    let none = (None, None);
    assert_eq!(field(rule(RuleKind::Matches, "(", none)), "rule.value");
    assert_eq!(
        field(rule(RuleKind::Matches, r"(\w{500}){500}", none)),
        "rule.value"
    );
    assert_eq!(field(rule(RuleKind::Contains, " ", none)), "rule.value");
    assert_eq!(
        field(rule(RuleKind::HasJsonPath, "a..b", none)),
        "rule.value"
    );
    assert_eq!(field(rule(RuleKind::IsJson, "x", none)), "rule.value");
    assert_eq!(field(rule(RuleKind::Length, "", none)), "rule.max");
    let reversed = (Some(2.0), Some(1.0));
    assert_eq!(field(rule(RuleKind::Length, "", reversed)), "rule.max");
    assert_eq!(
        field(rule(RuleKind::IsJson, "", (Some(1.0), None))),
        "rule.min"
    );
}

#[test]
fn a_prompt_is_filled_and_lacks_nothing_that_it_names() {
    let Method::Judge(judge) = draft().method else {
        unreachable!()
    };
    let filled = judge.filled(&material("{{input}} out"), &scale(DataType::Numeric));
    let filled = filled.unwrap();
    assert!(
        filled.starts_with("Is {{input}} out an answer to in?"),
        "{filled}"
    );
    assert!(filled.contains("a number from 0 to 1"), "{filled}");
    let expecting = Judge {
        prompt: "{{expected_output}} {{metadata}}".to_owned(),
        ..judge
    };
    let missing = expecting.filled(&material("x"), &scale(DataType::Boolean));
    assert_eq!(missing.unwrap_err(), "the span has no expected_output");
}

#[test]
fn answers_are_read_and_what_is_none_is_told() {
    let numeric = scale(DataType::Numeric);
    let answer = json!({"score": 0.5, "reasoning": "so\0 so"}).to_string();
    let read = numeric.read(&answer).unwrap();
    assert_eq!(read, (ScoreValue::Numeric(0.5), "so so".to_owned()));
    let fenced = format!("```json\n{answer}\n```");
    assert_eq!(numeric.read(&fenced).unwrap(), read);
    let labels = scale(DataType::Categorical);
    let good = labels
        .read(r#"{"score": "good", "reasoning": ""}"#)
        .unwrap();
    assert_eq!(good.0.words(), Some("good"));
    for wrong in [
        "I think it is good.",
        "{}",
        r#"{"score": 2, "reasoning": ""}"#,
        r#"{"score": "0.5", "reasoning": ""}"#,
        r#"{"score": 0.5}"#,
        r#"{"score": null, "reasoning": ""}"#,
        "[0.5]",
    ] {
        assert!(numeric.read(wrong).is_err(), "{wrong}");
    }
    assert!(
        labels
            .read(r#"{"score": "fine", "reasoning": ""}"#)
            .is_err()
    );
    let strict = labels.schema();
    assert_eq!(
        strict["properties"]["score"]["enum"],
        json!(["good", "bad"])
    );
    assert_eq!(strict["additionalProperties"], json!(false));
}

#[test]
fn what_a_root_says_of_its_trace_goes_before_its_own() {
    let (trace, id) = (
        TraceId::from_text("t").unwrap(),
        SpanId::from_text("s").unwrap(),
    );
    let mut span = Span::bare(trace, id, Timestamp::EPOCH);
    let content = |text: &str| {
        Some(Content {
            text: text.into(),
            attribute: None,
        })
    };
    (span.input, span.output) = (content("own in"), content("own out"));
    span.attributes
        .push((attr::TRACE_INPUT.into(), Value::from("in")));
    let expected = attr::EXPERIMENT_ITEM_EXPECTED_OUTPUT;
    span.attributes
        .push((expected.into(), Value::from("Paris")));
    span.metadata = [("team".to_owned(), "\"search\"".to_owned())].into();
    let material = Material::of(&span);
    assert_eq!(material.input.as_deref(), Some("in"));
    assert_eq!(material.output.as_deref(), Some("own out"));
    assert_eq!(material.expected_output.as_deref(), Some("Paris"));
    assert_eq!(material.metadata, r#"{"team":"search"}"#);
    let long = Material {
        output: Some("é".repeat(MAX_CHARS + 5)),
        ..material
    };
    let cut = long.variable("output").unwrap();
    assert_eq!(cut.chars().count(), MAX_CHARS + 2);
}
