//! Comma-separated values as RFC 4180 has them, harmless to spreadsheets.

use std::fmt::Write as _;

/// A value of a row.
pub(crate) enum Value {
    /// Text of whatever kind: one that a spreadsheet would take for a formula gets an apostrophe.
    Text(String),
    /// A number, as it is.
    Number(String),
    /// Nothing.
    Nothing,
}

impl Value {
    /// A text that may be missing.
    pub(crate) fn text(text: Option<&str>) -> Self {
        text.map_or(Value::Nothing, |text| Value::Text(text.to_owned()))
    }

    /// A number that may be missing.
    pub(crate) fn number(number: Option<impl ToString>) -> Self {
        number.map_or(Value::Nothing, |number| Value::Number(number.to_string()))
    }
}

/// Adds a row. Every value is quoted where it has to be, so that rows have equally many fields.
pub(crate) fn write_row(out: &mut String, values: &[Value]) {
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        match value {
            Value::Text(text) => write_text(out, text),
            Value::Number(number) => out.push_str(number),
            Value::Nothing => {}
        }
    }
    out.push_str("\r\n");
}

fn write_text(out: &mut String, text: &str) {
    // What programs for tables take for the beginning of a formula, also behind blanks.
    let begins = text.trim_start_matches(' ').chars().next();
    let is_formula = begins.is_some_and(|c| {
        matches!(
            c,
            '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
        )
    });
    let guard = if is_formula { "'" } else { "" };
    if text.contains(['"', ',', '\r', '\n']) {
        // Writing to a string cannot fail.
        let _ = write!(out, "\"{guard}{}\"", text.replace('"', "\"\""));
    } else {
        out.push_str(guard);
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[Value]) -> String {
        let mut out = String::new();
        write_row(&mut out, values);
        out
    }

    #[test]
    fn text_that_would_be_a_formula_is_not_and_numbers_stay_numbers() {
        for formula in [
            "=1+1",
            "+1",
            "-1+2",
            "@SUM(A1)",
            "\t=1",
            " =1",
            "=HYPERLINK(1)",
        ] {
            let written = row(&[Value::text(Some(formula))]);
            assert!(written.starts_with('\''), "{written}");
        }
        let quoted = row(&[Value::text(Some("=HYPERLINK(\"http://x.invalid\")"))]);
        assert_eq!(quoted, "\"'=HYPERLINK(\"\"http://x.invalid\"\")\"\r\n");
        assert_eq!(row(&[Value::number(Some(-0.5))]), "-0.5\r\n");
    }

    #[test]
    fn rows_have_equally_many_fields_whatever_stands_in_them() {
        let text = |text| Value::text(Some(text));
        let written = row(&[text("a,b"), Value::Nothing, text("two\nlines"), text("c")]);
        assert_eq!(written, "\"a,b\",,\"two\nlines\",c\r\n");
    }
}
