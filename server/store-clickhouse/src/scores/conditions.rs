//! The one place where conditions on scores become SQL.
//!
//! Every value travels as a typed parameter; the SQL has only column names and parameter names that are
//! made here.

use domain::Timestamp;
use domain::score::wanted::{Compare, Condition, Field, Test, Within};

use crate::client::Read;
use crate::comparison::Params;

/// Conditions as SQL, with their parameters.
pub(super) struct Compiled {
    /// All of them in one expression on a row of `scores`.
    pub(super) sql: String,
    params: Params,
    /// No score that matches is older.
    from: Timestamp,
}

/// Compiles conditions.
pub(super) fn compile(wanted: &[Condition]) -> Compiled {
    let mut compiled = Compiled {
        sql: String::new(),
        params: Params::default(),
        from: Timestamp::EPOCH,
    };
    let mut terms = Vec::with_capacity(wanted.len());
    for condition in wanted {
        if let (Field::Time, Test::Time(Compare::GreaterOrEqual, from)) =
            (&condition.field, &condition.test)
        {
            compiled.from = compiled.from.max(*from);
        }
        terms.push(compiled.term(condition));
    }
    compiled.sql = if terms.is_empty() {
        "1".to_owned()
    } else {
        terms.join(" AND ")
    };
    compiled
}

impl Compiled {
    /// Gives a query the parameters.
    pub(super) fn bind(&self, query: Read) -> Read {
        let query = query.param("from_ns", self.from.unix_nanos());
        self.params.bind(query)
    }

    fn term(&mut self, Condition { field, test }: &Condition) -> String {
        match field {
            Field::TraceName => self.of_trace("trace_name", test),
            Field::TraceUser => self.of_trace("user_id", test),
            Field::TraceTags => self.of_tags(test),
            _ => {
                let column = self.column(field);
                self.params.holds(&column, test)
            }
        }
    }

    /// A column of `scores`, as text but for the time and the value.
    fn column(&mut self, field: &Field) -> String {
        let column = match field {
            Field::Id => "score_id",
            Field::Name => "toString(name)",
            Field::Source => "toString(source)",
            Field::DataType => "toString(data_type)",
            Field::Environment => "toString(environment)",
            Field::ConfigId => "config_id",
            Field::QueueId => "queue_id",
            Field::AuthorId => "author_id",
            Field::TraceId => "trace_id",
            Field::ObservationId => "observation_id",
            Field::SessionId => "session_id",
            Field::DatasetRunId => "dataset_run_id",
            Field::Words => "words",
            Field::Comment => "comment",
            Field::Time => "time",
            Field::Value => "value",
            Field::Metadata(key) => {
                let key = self.params.text(key);
                let raw = format!("JSONExtractRaw(metadata, {key})");
                return format!(
                    "if(startsWith({raw}, '\"'), JSONExtractString(metadata, {key}), {raw})"
                );
            }
            // Columns of spans, which `term` looks for there.
            Field::TraceName | Field::TraceUser | Field::TraceTags => "''",
        };
        column.to_owned()
    }

    /// A test of what some span says of its trace, where any does.
    fn of_trace(&mut self, column: &str, test: &Test) -> String {
        let (test, denied) = match test {
            Test::NoneOf(values) => (Test::AnyOf(values.clone()), true),
            Test::Text(Within::DoesNotContain, text) => {
                (Test::Text(Within::Contains, text.clone()), true)
            }
            Test::Missing => (Test::Present, true),
            other => (other.clone(), false),
        };
        let holds = self.params.holds(&format!("toString({column})"), &test);
        in_traces(&format!("countIf({holds}) > 0"), denied)
    }

    fn of_tags(&mut self, test: &Test) -> String {
        let tags = "groupUniqArrayArray(tags)";
        let (test, denied) = match test {
            Test::NoneOf(values) => (Test::AnyOf(values.clone()), true),
            Test::Missing => (Test::Present, true),
            other => (other.clone(), false),
        };
        let holds = self.params.holds_of_list(tags, &test);
        in_traces(&holds, denied)
    }
}

fn in_traces(having: &str, denied: bool) -> String {
    let not = if denied { "NOT " } else { "" };
    format!(
        "trace_id != '' AND trace_id {not}IN (SELECT trace_id FROM spans FINAL \
         WHERE project_id = {{project_id:UUID}} GROUP BY trace_id HAVING {having})"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_travel_as_parameters_and_conditions_are_joined() {
        let hostile = "'; DROP TABLE scores --";
        let wanted = [
            Condition::any_of(Field::Name, [hostile]),
            Condition::value(Compare::LessOrEqual, 0.5),
            Condition::any_of(Field::Metadata(hostile.to_owned()), ["x"]),
            Condition {
                field: Field::TraceTags,
                test: Test::AllOf(vec![hostile.to_owned()]),
            },
        ];
        let compiled = compile(&wanted);
        assert!(!compiled.sql.contains("DROP"), "{}", compiled.sql);
        let begin = "has({p0:Array(String)}, toString(name)) AND value <= {p1:Float64} AND ";
        assert!(compiled.sql.starts_with(begin), "{}", compiled.sql);
        assert_eq!(compiled.params.len(), 5);
        assert_eq!(compile(&[]).sql, "1");
    }

    #[test]
    fn the_latest_beginning_bounds_what_is_read() {
        let at = |nanos| Timestamp::from_unix_nanos(nanos).unwrap();
        let wanted = [Condition::from(at(5)), Condition::from(at(3))];
        assert_eq!(compile(&wanted).from, at(5));
        assert_eq!(compile(&[Condition::before(at(9))]).from, Timestamp::EPOCH);
    }
}
