//! One condition in our words.

use domain::Timestamp;
use domain::comparison::Compare;
use domain::filter::{
    Column, Condition, Filter, Judged, Measured, Operator, Place, Quantity, Verdict, Verdicts,
};
use serde_json::{Value, json};

use super::{Columns, Meaning, wrong};
use crate::extract::parse_conditions;
use crate::langfuse::error::{Failure, Result};

/// A condition as it was written, and where it stands in the list.
struct Written<'w> {
    at: &'w str,
    fields: &'w Value,
}

/// Reads one condition.
pub(super) fn one(at: &str, fields: &Value, columns: Columns) -> Result<Filter> {
    let column = fields["column"].as_str();
    let column = column.ok_or_else(|| wrong(&format!("{at}.column"), "expected string"))?;
    let written = Written { at, fields };
    let known = columns.iter().find(|(name, _)| *name == column);
    let (_, meaning) = known
        .ok_or_else(|| written.wrong("column", &format!("Invalid filter column: {column}")))?;
    let measured = |quantity, compare, number| Filter {
        measured: vec![Measured {
            quantity,
            compare,
            number,
        }],
        ..Filter::default()
    };
    match *meaning {
        Meaning::NotYet => {
            let message = format!("{column} cannot be filtered on yet; see docs/langfuse.md");
            Err(written.wrong("column", &message))
        }
        Meaning::Ours(name) => written.text(name, written.fields["value"].clone()),
        Meaning::Attribute(key) => {
            let value = written.fields["value"].clone();
            written.text_at("attribute", &json!(key), value)
        }
        Meaning::OfTrace(name) => {
            let mut filter = written.text(name, written.fields["value"].clone())?;
            for condition in &mut filter.conditions {
                condition.column = Column::OfTrace(Box::new(condition.column.clone()));
            }
            Ok(filter)
        }
        Meaning::Kind => {
            let kinds_of = |value: &Value| kinds(value.as_str().unwrap_or_default());
            let kinds = match &fields["value"] {
                Value::Array(values) => values.iter().flat_map(kinds_of).collect(),
                value => kinds_of(value).into(),
            };
            written.text("kind", kinds)
        }
        Meaning::IsRoot => written.presence("parent_span_id", !written.flag()?),
        Meaning::HasParent => written.presence("parent_span_id", written.flag()?),
        Meaning::Model => written.model(),
        Meaning::IsItemRoot => Ok(Filter {
            conditions: vec![Condition {
                column: Column::IsItemRoot,
                operator: Operator::AnyOf,
                values: vec![written.flag()?.to_string()],
            }],
            ..Filter::default()
        }),
        Meaning::Has(name) => written.presence(name, written.flag()?),
        Meaning::Number(quantity, unit) => {
            let number = written.number()? * unit;
            Ok(measured(quantity, written.compare()?, number))
        }
        Meaning::EndTime => written.end(measured),
        Meaning::Average(of) => {
            let verdict = Verdict::Average(written.compare()?, written.number()?);
            written.verdicts(of, verdict)
        }
        Meaning::Labels(of) => written.verdicts(of, written.labels()?),
        Meaning::Says(of) => written.verdicts(of, Verdict::Says(written.flag()?)),
        Meaning::Position => written.position(),
    }
}

/// Both must hold.
pub(super) fn add(filter: &mut Filter, more: Filter) -> Result<()> {
    filter.from = filter.from.max(more.from);
    filter.to = match (filter.to, more.to) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    filter.conditions.extend(more.conditions);
    filter.measured.extend(more.measured);
    filter.verdicts.extend(more.verdicts);
    if filter.place.is_some() && more.place.is_some() {
        return Err(wrong("", "give one position only"));
    }
    filter.place = filter.place.or(more.place);
    Ok(())
}

/// Our kinds of the observations of a type.
pub(super) fn kinds(name: &str) -> Vec<String> {
    match name {
        "RETRIEVER" => vec!["retriever".to_owned(), "reranker".to_owned()],
        _ => vec![name.to_lowercase()],
    }
}

impl Written<'_> {
    fn wrong(&self, field: &str, message: &str) -> Failure {
        wrong(&format!("{}.{field}", self.at), message)
    }

    fn operator(&self) -> &str {
        self.fields["operator"].as_str().unwrap_or_default()
    }

    /// A comparison of texts with a column of ours.
    fn text(&self, name: &str, value: Value) -> Result<Filter> {
        self.text_at(name, &self.fields["key"], value)
    }

    /// A comparison with ids of models, which are looked up before the filter is used.
    fn model(&self) -> Result<Filter> {
        let mut filter = self.text("model", self.fields["value"].clone())?;
        for condition in &mut filter.conditions {
            if !matches!(condition.operator, Operator::AnyOf | Operator::NoneOf) {
                return Err(self.wrong("operator", "ids are compared as wholes only"));
            }
            condition.column = Column::PriceKey;
        }
        Ok(filter)
    }

    /// The same of what stands under a key.
    fn text_at(&self, name: &str, key: &Value, value: Value) -> Result<Filter> {
        let nothing = json!([""]);
        let (operator, value) = match self.operator() {
            "is null" | "is not null" if value != "" => {
                return Err(self.wrong("value", "expected an empty string"));
            }
            "is null" => ("any of", nothing),
            "is not null" => ("none of", nothing),
            // All of nothing are there, whatever is.
            "all of" if value == json!([]) => return Ok(Filter::default()),
            other => (other, value),
        };
        let ours = json!([{
            "column": name,
            "operator": operator,
            "value": value,
            "key": key,
        }]);
        parse_conditions(&ours.to_string()).map_err(|fault| wrong(self.at, &fault.message))
    }

    /// That there is something in a column of ours, or nothing.
    fn presence(&self, name: &str, is_there: bool) -> Result<Filter> {
        let operator = if is_there { "none of" } else { "any of" };
        let ours = json!([{ "column": name, "operator": operator, "value": [""] }]);
        parse_conditions(&ours.to_string()).map_err(|fault| wrong(self.at, &fault.message))
    }

    /// Yes or no, after `<>` the other one.
    fn flag(&self) -> Result<bool> {
        let flag = self.fields["value"].as_bool();
        let flag = flag.ok_or_else(|| self.wrong("value", "expected boolean"))?;
        match self.operator() {
            "=" => Ok(flag),
            "<>" => Ok(!flag),
            _ => Err(self.wrong("operator", "expected = or <>")),
        }
    }

    fn number(&self) -> Result<f64> {
        let number = self.fields["value"].as_f64();
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.wrong("value", "expected number"))
    }

    fn compare(&self) -> Result<Compare> {
        let compare = Compare::from_sign(self.operator());
        compare
            .filter(|compare| *compare != Compare::NotEqual)
            .ok_or_else(|| self.wrong("operator", "expected =, >, <, >= or <="))
    }

    fn end(&self, measured: impl Fn(Quantity, Compare, f64) -> Filter) -> Result<Filter> {
        let text = self.fields["value"].as_str().unwrap_or_default();
        let time = Timestamp::parse_bound(text)
            .map_err(|error| self.wrong("value", &error.to_string()))?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "milliseconds of every year that fits are whole as a float"
        )]
        let millis = time.unix_millis() as f64;
        Ok(measured(Quantity::EndMs, self.compare()?, millis))
    }

    fn labels(&self) -> Result<Verdict> {
        let expected = || self.wrong("value", "expected array of strings");
        let items = self.fields["value"].as_array().ok_or_else(expected)?;
        let labels = items.iter().map(|item| item.as_str().map(str::to_owned));
        let labels: Vec<String> = labels.collect::<Option<_>>().ok_or_else(expected)?;
        match self.operator() {
            "any of" => Ok(Verdict::AnyLabel(labels)),
            "none of" => Ok(Verdict::NoLabel(labels)),
            _ => Err(self.wrong("operator", "expected any of or none of")),
        }
    }

    fn verdicts(&self, of: Judged, verdict: Verdict) -> Result<Filter> {
        let name = self.fields["key"].as_str().filter(|key| !key.is_empty());
        let name = name.ok_or_else(|| self.wrong("key", "expected the name of a score"))?;
        Ok(Filter {
            verdicts: vec![Verdicts {
                of,
                name: name.to_owned(),
                verdict,
            }],
            ..Filter::default()
        })
    }

    fn position(&self) -> Result<Filter> {
        let number = || {
            let number = self.fields["value"].as_u64().filter(|number| *number > 0);
            let number = number.and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| self.wrong("value", "expected a whole number from 1 on"))
        };
        let (number, is_from_end) = match self.fields["key"].as_str().unwrap_or_default() {
            "root" => return self.presence("parent_span_id", false),
            "first" => (1, false),
            "last" => (1, true),
            "nthFromStart" => (number()?, false),
            "nthFromEnd" => (number()?, true),
            _ => {
                let known = "expected root, first, last, nthFromStart or nthFromEnd";
                return Err(self.wrong("key", known));
            }
        };
        Ok(Filter {
            place: Some(Place {
                number,
                is_from_end,
            }),
            ..Filter::default()
        })
    }
}
