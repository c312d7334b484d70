//! Which scores a query asks for.

use domain::score::wanted::{Compare, Condition, Field, Test};
use domain::score::{DataType, ScoreSource};

use super::filter;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::query::Query;

/// Conditions of the first two versions: one value a parameter.
///
/// # Errors
/// When a parameter is of another type, or one of its values is not known.
pub(super) fn read(query: &Query) -> Result<Vec<Condition>> {
    let mut wanted = Vec::new();
    for (name, field) in [
        ("name", Field::Name),
        ("source", Field::Source),
        ("dataType", Field::DataType),
        ("configId", Field::ConfigId),
        ("queueId", Field::QueueId),
        ("traceId", Field::TraceId),
        ("sessionId", Field::SessionId),
        ("datasetRunId", Field::DatasetRunId),
        ("userId", Field::TraceUser),
    ] {
        if let Some(text) = query.text(name)? {
            known(name, &field, text)?;
            wanted.push(Condition::any_of(field, [text]));
        }
    }
    for (name, field) in [
        ("environment", Field::Environment),
        ("scoreIds", Field::Id),
        ("observationId", Field::ObservationId),
    ] {
        several(query, name, field, &mut wanted);
    }
    let tags = query.several("traceTags");
    if !tags.is_empty() {
        let tags = tags.into_iter().map(str::to_owned).collect();
        wanted.push(Condition {
            field: Field::TraceTags,
            test: Test::AllOf(tags),
        });
    }
    times(query, &mut wanted)?;
    wanted.extend(value(query)?);
    if let Some(text) = query.text("filter")? {
        wanted.extend(filter::read(text)?);
    }
    Ok(wanted)
}

/// A comparison of the value: its sign and the number go together.
fn value(query: &Query) -> Result<Option<Condition>> {
    let (sign, number) = (query.text("operator")?, query.float("value")?);
    match (sign, number) {
        (None, None) => Ok(None),
        (Some(sign), Some(number)) => {
            let known = Compare::from_sign(sign);
            let compare = known.ok_or_else(|| {
                let message = "Invalid option: expected one of <, >, <=, >=, !=, =";
                Issue::new("invalid_value", "operator", message)
            })?;
            Ok(Some(Condition::value(compare, number)))
        }
        (Some(_), None) => Err(Issue::new("custom", "value", "goes with operator").into()),
        (None, Some(_)) => Err(Issue::new("custom", "operator", "goes with value").into()),
    }
}

/// A time from which on, and a time before which.
///
/// # Errors
/// When one of them is none.
pub(super) fn times(query: &Query, wanted: &mut Vec<Condition>) -> Result<()> {
    wanted.extend(query.time("fromTimestamp")?.map(Condition::from));
    wanted.extend(query.time("toTimestamp")?.map(Condition::before));
    Ok(())
}

/// One of several values, if any is given.
pub(super) fn several(query: &Query, name: &str, field: Field, wanted: &mut Vec<Condition>) {
    let values = query.several(name);
    if !values.is_empty() {
        wanted.push(Condition::any_of(field, values));
    }
}

/// That a word is one of those that its field may have.
///
/// # Errors
/// When it is not.
pub(super) fn known(name: &str, field: &Field, text: &str) -> Result<()> {
    let is_known = match field {
        Field::Source => ScoreSource::from_name(text).is_some(),
        Field::DataType => DataType::from_name(text).is_some(),
        _ => true,
    };
    if is_known {
        return Ok(());
    }
    let message = format!("Invalid option: {text}");
    Err(Issue::new("invalid_value", name, message).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_words_are_named() {
        for wrong in [
            "source=HEARSAY",
            "dataType=COLOUR",
            "operator=~&value=1",
            "operator=%3E",
            "value=1",
            "operator=%3E&value=x",
            "fromTimestamp=yesterday",
            "filter=%7B",
        ] {
            assert!(read(&Query::parse(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn several_values_come_in_one_parameter_or_in_many() {
        let wanted = read(&Query::parse("environment=a,b&environment=c&scoreIds=")).unwrap();
        assert_eq!(
            wanted,
            [Condition::any_of(Field::Environment, ["a", "b", "c"])]
        );
        let compared = read(&Query::parse("operator=%3C%3D&value=0.5")).unwrap();
        assert_eq!(compared, [Condition::value(Compare::LessOrEqual, 0.5)]);
    }
}
