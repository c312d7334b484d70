use proptest::prelude::*;

use super::*;
use crate::comparison::Compare;
use crate::filter::{Column, Operator, Quantity, Verdict};

fn search(text: &str) -> Search {
    parse(text).unwrap().search.unwrap()
}

fn text(text: &str) -> Search {
    Search::text(text)
}

fn compared(text: &str) -> (Column, Operator, String) {
    match search(text) {
        Search::Term(Term::Condition(mut condition)) => {
            let value = condition.values.remove(0);
            (condition.column, condition.operator, value)
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn words_phrases_and_operators_bind_as_people_expect() {
    let all = |those: &[Search]| Search::All(those.to_vec());
    let any = |those: &[Search]| Search::Any(those.to_vec());
    let not = |that: Search| Search::Not(Box::new(that));
    assert_eq!(search("late bag"), all(&[text("late"), text("bag")]));
    assert_eq!(search("\"late bag\""), text("late bag"));
    assert_eq!(search(r#""a \"b\" \\ \n""#), text(r#"a "b" \ \n"#));
    let expected = any(&[
        all(&[text("a"), text("b")]),
        all(&[text("c"), not(text("d"))]),
    ]);
    assert_eq!(search("a AND b OR c NOT d"), expected);
    let expected = all(&[text("a"), any(&[text("b"), text("c")])]);
    assert_eq!(search("a (b OR c)"), expected);
    assert_eq!(search("NOT(a OR b)"), not(any(&[text("a"), text("b")])));
    assert_eq!(
        search("and or not ORDER"),
        all(&["and", "or", "not", "ORDER"].map(text))
    );
    assert_eq!(parse("   ").unwrap().search, None);
}

#[test]
fn what_only_looks_like_syntax_is_text() {
    for plain in [
        "100%",
        "a_b",
        r"c:\temp",
        "it's",
        "{x}",
        "x;",
        "1=1",
        "http://host:80/p?q=1",
        "f(x)",
        "[a](javascript:1)",
        "say\"so",
        "error:",
        "-1",
        "a:b",
        "*",
    ] {
        assert_eq!(search(plain), text(plain), "{plain}");
    }
    assert_eq!(parse("modle:gpt").unwrap().unknown_fields, ["modle"]);
    assert!(
        parse(r"c:\temp http://h a::b")
            .unwrap()
            .unknown_fields
            .is_empty()
    );
}

#[test]
fn fields_are_compared_in_their_own_way() {
    assert_eq!(
        compared("name:refund"),
        (Column::Name, Operator::Contains, "refund".into())
    );
    assert_eq!(
        compared("name=refund"),
        (Column::Name, Operator::AnyOf, "refund".into())
    );
    assert_eq!(
        compared("user:\"a b\""),
        (Column::UserId, Operator::AnyOf, "a b".into())
    );
    assert_eq!(
        compared("model:gpt-*"),
        (Column::Model, Operator::StartsWith, "gpt-".into())
    );
    assert_eq!(
        compared("model:*mini"),
        (Column::Model, Operator::EndsWith, "mini".into())
    );
    assert_eq!(
        compared("model:\"*\""),
        (Column::Model, Operator::AnyOf, "*".into())
    );
    assert_eq!(
        compared("kind:TOOL"),
        (Column::Kind, Operator::AnyOf, "tool".into())
    );
    let key = Column::Metadata("a.b".into());
    assert_eq!(
        compared("metadata.a.b:x:y"),
        (key, Operator::AnyOf, "x:y".into())
    );
    assert!(matches!(search("tag!=x"), Search::Not(_)));
    assert_eq!(search("error:no"), Search::Term(Term::Failed(false)));
    for (text, quantity, compare, number) in [
        (
            "latency>1.5s",
            Quantity::LatencyMs,
            Compare::Greater,
            1500.0,
        ),
        (
            "latency:>=200ms",
            Quantity::LatencyMs,
            Compare::GreaterOrEqual,
            200.0,
        ),
        ("ttft<2", Quantity::TtftMs, Compare::Less, 2000.0),
        (
            "tokens>=12k",
            Quantity::TotalTokens,
            Compare::GreaterOrEqual,
            12_000.0,
        ),
        ("cost>$0.01", Quantity::TotalCost, Compare::Greater, 0.01),
    ] {
        let Search::Term(Term::Measured(measured)) = search(text) else {
            panic!("{text}")
        };
        assert_eq!(
            (measured.quantity, measured.compare, measured.number),
            (quantity, compare, number),
            "{text}"
        );
    }
    for (text, verdict) in [
        ("score.tone>0.5", Verdict::Average(Compare::Greater, 0.5)),
        ("score.tone:warm", Verdict::AnyLabel(vec!["warm".into()])),
        ("score.ok:yes", Verdict::Says(true)),
    ] {
        let Search::Term(Term::Verdicts(verdicts)) = search(text) else {
            panic!("{text}")
        };
        assert_eq!(verdicts.verdict, verdict, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let deep = "(".repeat(MAX_DEPTH + 1);
    let many = "a ".repeat(MAX_TERMS + 1);
    let long = "a".repeat(MAX_CHARS + 1);
    for (text, at, problem) in [
        ("say \"so", 4, Problem::OpenQuote),
        ("a (b OR c", 2, Problem::OpenParenthesis),
        ("a (", 2, Problem::OpenParenthesis),
        ("a) b", 1, Problem::StrayParenthesis),
        (")", 0, Problem::StrayParenthesis),
        ("a ()", 3, Problem::Empty),
        ("\"\"", 0, Problem::Empty),
        ("a AND ", 2, Problem::Alone("AND")),
        ("a OR", 2, Problem::Alone("OR")),
        ("OR a", 0, Problem::Alone("OR")),
        ("a NOT", 2, Problem::Alone("NOT")),
        ("é latency>slow", 2, Problem::NotANumber("latency".into())),
        ("cost>inf", 0, Problem::NotANumber("cost".into())),
        ("error:maybe", 0, Problem::NotYesOrNo("error".into())),
        ("a\0", 1, Problem::Nul),
        (&deep, MAX_DEPTH, Problem::TooDeep),
        (&many, 2 * MAX_TERMS, Problem::TooMany),
        (&long, MAX_CHARS, Problem::TooLong),
    ] {
        assert_eq!(parse(text), Err(SearchError { at, problem }), "{text}");
    }
    let wrong = parse("model>x").unwrap_err();
    assert!(matches!(
        wrong.problem,
        Problem::Comparison { sign: ">", .. }
    ));
    assert_eq!(
        parse("a (b").unwrap_err().to_string(),
        "a parenthesis is opened and not closed, at character 3"
    );
}

#[test]
fn every_field_of_the_help_is_understood() {
    for (name, _) in FIELDS {
        let name = if name.ends_with('.') {
            format!("{name}k")
        } else {
            name.to_owned()
        };
        let value = if name == "error" { "yes" } else { "1" };
        assert_ne!(
            search(&format!("{name}:{value}")),
            text(&format!("{name}:{value}")),
            "{name}"
        );
    }
}

/// A search written out with all its parentheses, and the truth of it where `t0`, `t1`, … are so.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn written(&self) -> String {
        match self {
            Tree::Leaf(n) => format!("t{n}"),
            Tree::Not(a) => format!("NOT ({})", a.written()),
            Tree::And(a, b) => format!("({}) ({})", a.written(), b.written()),
            Tree::Or(a, b) => format!("({}) OR ({})", a.written(), b.written()),
        }
    }

    fn holds(&self, of: &[bool]) -> bool {
        match self {
            Tree::Leaf(n) => of[*n],
            Tree::Not(a) => !a.holds(of),
            Tree::And(a, b) => a.holds(of) && b.holds(of),
            Tree::Or(a, b) => a.holds(of) || b.holds(of),
        }
    }
}

fn holds(search: &Search, of: &[bool]) -> bool {
    match search {
        Search::All(those) => those.iter().all(|one| holds(one, of)),
        Search::Any(those) => those.iter().any(|one| holds(one, of)),
        Search::Not(that) => !holds(that, of),
        Search::Term(Term::Text(text)) => of[text[1..].parse::<usize>().unwrap()],
        Search::Term(_) => false,
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (0..4usize).prop_map(Tree::Leaf);
    leaf.prop_recursive(4, 16, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| Tree::Not(Box::new(a))),
            two.clone()
                .prop_map(|(a, b)| Tree::And(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| Tree::Or(Box::new(a), Box::new(b))),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_a_search_or_a_problem_with_its_place(text in "(?s).{0,80}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.at <= text.chars().count());
        }
    }

    #[test]
    fn pieces_of_the_grammar_in_any_order_are_a_search_or_a_problem(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "a", "\"", "(", ")", "AND", "OR", "NOT", " ", "name:", "latency>", "5s", "\\", "score.x", ":", "é", "*",
            ]),
            0..40,
        )
    ) {
        let text = pieces.concat();
        if let Err(error) = parse(&text) {
            prop_assert!(error.at <= text.chars().count());
        }
    }

    #[test]
    fn a_phrase_is_its_text_whatever_stands_in_it(phrase in "[^\0]{1,60}") {
        let quoted = format!("\"{}\"", phrase.replace('\\', "\\\\").replace('"', "\\\""));
        prop_assert_eq!(search(&quoted), text(&phrase));
    }

    #[test]
    fn a_search_means_what_its_parentheses_say(tree in trees(), of in prop::array::uniform4(any::<bool>())) {
        let written = tree.written();
        prop_assert_eq!(holds(&search(&written), &of), tree.holds(&of), "{}", written);
    }
}
