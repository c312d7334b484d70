use super::fields::{Field, FieldKind};
use super::{Problem, Term};
use crate::comparison::Compare;
use crate::filter::{Column, Condition, Judged, Measured, Operator, Verdict, Verdicts};

/// How a field and a value stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `:`, which means what is usual for the field.
    Colon,
    Compare(Compare),
}

impl Sign {
    fn written(self) -> &'static str {
        match self {
            Sign::Colon => ":",
            Sign::Compare(compare) => compare.sign(),
        }
    }
}

/// A value as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    /// In quotes a star means itself.
    pub(super) is_quoted: bool,
}

/// A comparison as a term, and whether it is denied.
pub(super) fn term(
    (name, field): (&str, Field),
    sign: Sign,
    value: Value,
) -> Result<(Term, bool), Problem> {
    match field {
        Field::Text(column, kind) => text((name, column, kind), sign, value),
        Field::Number(quantity, kind) => {
            let (compare, rest) = compared(sign, &value.text);
            let number = number(rest, kind).ok_or_else(|| Problem::NotANumber(name.to_owned()))?;
            let measured = Measured {
                quantity,
                compare,
                number,
            };
            Ok((Term::Measured(measured), false))
        }
        Field::Failed => {
            let yes = flag(&value.text).ok_or_else(|| Problem::NotYesOrNo(name.to_owned()))?;
            match sign {
                Sign::Colon | Sign::Compare(Compare::Equal) => Ok((Term::Failed(yes), false)),
                Sign::Compare(Compare::NotEqual) => Ok((Term::Failed(!yes), false)),
                Sign::Compare(_) => Err(wrong_sign(name, sign)),
            }
        }
        Field::Score(of) => score(name, of, (sign, value)),
    }
}

fn text(
    (name, column, kind): (&str, Column, FieldKind),
    sign: Sign,
    value: Value,
) -> Result<(Term, bool), Problem> {
    let is_denied = match sign {
        Sign::Colon | Sign::Compare(Compare::Equal) => false,
        Sign::Compare(Compare::NotEqual) => true,
        Sign::Compare(_) => return Err(wrong_sign(name, sign)),
    };
    let usual = match (sign, kind) {
        (Sign::Colon, FieldKind::Text) => Operator::Contains,
        _ => Operator::AnyOf,
    };
    let (operator, mut text) = match value.is_quoted {
        true => (usual, value.text),
        false => stars(usual, value.text),
    };
    match column {
        Column::Kind => text.make_ascii_lowercase(),
        Column::Level => text.make_ascii_uppercase(),
        _ => {}
    }
    let condition = Condition {
        column,
        operator,
        values: vec![text],
    };
    Ok((Term::Condition(condition), is_denied))
}

/// A star at an end leaves that end open.
fn stars(usual: Operator, text: String) -> (Operator, String) {
    let (head, tail) = (text.starts_with('*'), text.ends_with('*'));
    let bare = text.trim_matches('*');
    if bare.is_empty() {
        return (usual, text);
    }
    let operator = match (head, tail) {
        (true, true) => Operator::Contains,
        (true, false) => Operator::EndsWith,
        (false, true) => Operator::StartsWith,
        (false, false) => usual,
    };
    (operator, bare_of(&text, head, tail))
}

fn bare_of(text: &str, head: bool, tail: bool) -> String {
    let text = if head {
        text.trim_start_matches('*')
    } else {
        text
    };
    let text = if tail {
        text.trim_end_matches('*')
    } else {
        text
    };
    text.to_owned()
}

/// `:>5` is `>5`, as people know it from elsewhere.
fn compared(sign: Sign, text: &str) -> (Compare, &str) {
    let Sign::Compare(compare) = sign else {
        for signs in ["<=", ">=", "<", ">", "="] {
            let rest = text.strip_prefix(signs).zip(Compare::from_sign(signs));
            if let Some((rest, compare)) = rest {
                return (compare, rest);
            }
        }
        return (Compare::Equal, text);
    };
    (compare, text)
}

/// A number in the unit that a field is kept in: milliseconds, tokens, US dollars.
fn number(text: &str, kind: FieldKind) -> Option<f64> {
    let (text, factor) = match kind {
        FieldKind::Time => time(text),
        FieldKind::Money => (text.strip_prefix('$').unwrap_or(text), 1.0),
        FieldKind::Count => match text.strip_suffix(['k', 'K']) {
            Some(text) => (text, 1000.0),
            None => (text, 1.0),
        },
        _ => (text, 1.0),
    };
    // Words such as `inf` and `nan` are numbers to the standard library.
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let number: f64 = text.parse().ok().filter(|_| starts_well)?;
    Some(number * factor).filter(|number| number.is_finite())
}

/// A text without its unit, and how many milliseconds this is.
fn time(text: &str) -> (&str, f64) {
    for (unit, factor) in [
        ("ms", 1.0),
        ("s", 1000.0),
        ("m", 60_000.0),
        ("h", 3_600_000.0),
    ] {
        if let Some(text) = text.strip_suffix(unit) {
            return (text, factor);
        }
    }
    (text, 1000.0)
}

fn score(name: &str, of: String, (sign, value): (Sign, Value)) -> Result<(Term, bool), Problem> {
    let (compare, rest) = compared(sign, &value.text);
    let given = (!value.is_quoted)
        .then(|| number(rest, FieldKind::Score))
        .flatten();
    let (verdict, is_denied) = match (compare, given, flag(&value.text)) {
        (compare, Some(number), _) => (Verdict::Average(compare, number), false),
        (Compare::Equal, None, Some(yes)) if !value.is_quoted => (Verdict::Says(yes), false),
        (Compare::Equal, None, _) => (Verdict::AnyLabel(vec![value.text]), false),
        (Compare::NotEqual, None, _) => (Verdict::AnyLabel(vec![value.text]), true),
        _ => return Err(Problem::NotANumber(name.to_owned())),
    };
    let verdicts = Verdicts {
        of: Judged::Trace,
        name: of,
        verdict,
    };
    Ok((Term::Verdicts(verdicts), is_denied))
}

fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

fn wrong_sign(field: &str, sign: Sign) -> Problem {
    Problem::Comparison {
        field: field.to_owned(),
        sign: sign.written(),
    }
}
