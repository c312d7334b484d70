//! The one place where conditions on scores become SQL.
//!
//! Every value travels as a typed parameter; the SQL has only column names and parameter names that are
//! made here.

use domain::Timestamp;
use domain::score::wanted::{Compare, Condition, Field, Test, Within};

use crate::client::Read;

/// Conditions as SQL, with their parameters.
pub(super) struct Compiled {
    /// All of them in one expression on a row of `scores`.
    pub(super) sql: String,
    params: Vec<(String, Param)>,
    /// No score that matches is older.
    from: Timestamp,
}

enum Param {
    Text(String),
    Texts(Vec<String>),
    Number(f64),
    Numbers(Vec<f64>),
    Nanos(i64),
}

/// Compiles conditions.
pub(super) fn compile(wanted: &[Condition]) -> Compiled {
    let mut compiled = Compiled {
        sql: String::new(),
        params: Vec::new(),
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
        self.params
            .iter()
            .fold(query, |query, (name, param)| match param {
                Param::Text(text) => query.param(name, text),
                Param::Texts(texts) => query.param(name, texts),
                Param::Number(number) => query.param(name, number),
                Param::Numbers(numbers) => query.param(name, numbers),
                Param::Nanos(nanos) => query.param(name, nanos),
            })
    }

    fn term(&mut self, Condition { field, test }: &Condition) -> String {
        match field {
            Field::TraceName => self.of_trace("trace_name", test),
            Field::TraceUser => self.of_trace("user_id", test),
            Field::TraceTags => self.of_tags(test),
            _ => {
                let column = self.column(field);
                self.holds(&column, test)
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
                let key = self.param("String", Param::Text(key.clone()));
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

    fn holds(&mut self, column: &str, test: &Test) -> String {
        match test {
            Test::AnyOf(values) => format!("has({}, {column})", self.texts(values)),
            Test::NoneOf(values) => format!("NOT has({}, {column})", self.texts(values)),
            Test::AllOf(values) => {
                let values = self.texts(values);
                format!("arrayAll(wanted -> wanted = {column}, {values})")
            }
            Test::Text(within, text) => {
                let text = self.param("String", Param::Text(text.clone()));
                match within {
                    Within::Contains => format!("position({column}, {text}) > 0"),
                    Within::DoesNotContain => format!("position({column}, {text}) = 0"),
                    Within::StartsWith => format!("startsWith({column}, {text})"),
                    Within::EndsWith => format!("endsWith({column}, {text})"),
                }
            }
            Test::Number(compare, number) => {
                let number = self.param("Float64", Param::Number(*number));
                format!("{column} {} {number}", compare.sign())
            }
            Test::NumberIn(numbers) => {
                let numbers = self.param("Array(Float64)", Param::Numbers(numbers.clone()));
                format!("has({numbers}, {column})")
            }
            Test::Time(compare, time) => {
                let nanos = self.param("Int64", Param::Nanos(time.unix_nanos()));
                let sign = compare.sign();
                format!("{column} {sign} fromUnixTimestamp64Nano({nanos}, 'UTC')")
            }
            Test::Present => format!("{column} != ''"),
            Test::Missing => format!("{column} = ''"),
        }
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
        let holds = self.holds(&format!("toString({column})"), &test);
        self.in_traces(&format!("countIf({holds}) > 0"), denied)
    }

    fn of_tags(&mut self, test: &Test) -> String {
        let tags = "groupUniqArrayArray(tags)";
        let (sql, denied) = match test {
            Test::AnyOf(values) => (format!("hasAny({tags}, {})", self.texts(values)), false),
            Test::NoneOf(values) => (format!("hasAny({tags}, {})", self.texts(values)), true),
            Test::AllOf(values) => (format!("hasAll({tags}, {})", self.texts(values)), false),
            Test::Present => (format!("notEmpty({tags})"), false),
            Test::Missing => (format!("notEmpty({tags})"), true),
            // A list is neither a text, a number nor an instant.
            Test::Text(..) | Test::Number(..) | Test::NumberIn(_) | Test::Time(..) => {
                ("0".to_owned(), false)
            }
        };
        self.in_traces(&sql, denied)
    }

    fn in_traces(&self, having: &str, denied: bool) -> String {
        let not = if denied { "NOT " } else { "" };
        format!(
            "trace_id != '' AND trace_id {not}IN (SELECT trace_id FROM spans FINAL \
             WHERE project_id = {{project_id:UUID}} GROUP BY trace_id HAVING {having})"
        )
    }

    fn texts(&mut self, values: &[String]) -> String {
        self.param("Array(String)", Param::Texts(values.to_vec()))
    }

    /// A parameter; its placeholder.
    fn param(&mut self, kind: &str, param: Param) -> String {
        let name = format!("p{}", self.params.len());
        let placeholder = format!("{{{name}:{kind}}}");
        self.params.push((name, param));
        placeholder
    }
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
