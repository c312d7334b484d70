//! The one place where a comparison becomes SQL. Every value travels as a typed parameter; the SQL has
//! only names of parameters that are made here.

use domain::comparison::{Test, Within};

use crate::client::Read;

/// Parameters of a query that is put together.
#[derive(Default)]
pub(crate) struct Params(Vec<(String, Param)>);

enum Param {
    Text(String),
    Texts(Vec<String>),
    Number(f64),
    Numbers(Vec<f64>),
    Nanos(i64),
    WholeNumbers(Vec<i64>),
}

impl Params {
    /// Gives them to a query.
    pub(crate) fn bind(&self, query: Read) -> Read {
        let bind = |query: Read, (name, param): &(String, Param)| match param {
            Param::Text(text) => query.param(name, text),
            Param::Texts(texts) => query.param(name, texts),
            Param::Number(number) => query.param(name, number),
            Param::Numbers(numbers) => query.param(name, numbers),
            Param::Nanos(nanos) => query.param(name, nanos),
            Param::WholeNumbers(numbers) => query.param(name, numbers),
        };
        self.0.iter().fold(query, bind)
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a test holds for a column: a text, but for tests of numbers and instants.
    pub(crate) fn holds(&mut self, column: &str, test: &Test) -> String {
        match test {
            Test::AnyOf(values) => format!("has({}, {column})", self.texts(values)),
            Test::NoneOf(values) => format!("NOT has({}, {column})", self.texts(values)),
            Test::AllOf(values) => {
                let values = self.texts(values);
                format!("arrayAll(wanted -> wanted = {column}, {values})")
            }
            Test::Text(within, text) => {
                let text = self.text(text);
                match within {
                    Within::Contains => {
                        format!("positionCaseInsensitiveUTF8({column}, {text}) > 0")
                    }
                    Within::DoesNotContain => {
                        format!("positionCaseInsensitiveUTF8({column}, {text}) = 0")
                    }
                    Within::StartsWith => format!("startsWith({column}, {text})"),
                    Within::EndsWith => format!("endsWith({column}, {text})"),
                }
            }
            Test::Number(compare, number) => {
                let number = self.add("Float64", Param::Number(*number));
                format!("{column} {} {number}", compare.sign())
            }
            Test::NumberIn(numbers) => {
                let numbers = self.add("Array(Float64)", Param::Numbers(numbers.clone()));
                format!("has({numbers}, {column})")
            }
            Test::Time(compare, time) => {
                let nanos = self.add("Int64", Param::Nanos(time.unix_nanos()));
                let sign = compare.sign();
                format!("{column} {sign} fromUnixTimestamp64Nano({nanos}, 'UTC')")
            }
            Test::Present => format!("{column} != ''"),
            Test::Missing => format!("{column} = ''"),
        }
    }

    /// Whether a test holds for a list of texts. No list is a text, a number or an instant.
    pub(crate) fn holds_of_list(&mut self, list: &str, test: &Test) -> String {
        match test {
            Test::AnyOf(values) => format!("hasAny({list}, {})", self.texts(values)),
            Test::NoneOf(values) => format!("NOT hasAny({list}, {})", self.texts(values)),
            Test::AllOf(values) => format!("hasAll({list}, {})", self.texts(values)),
            Test::Present => format!("notEmpty({list})"),
            Test::Missing => format!("empty({list})"),
            Test::Text(..) | Test::Number(..) | Test::NumberIn(_) | Test::Time(..) => {
                "0".to_owned()
            }
        }
    }

    /// A text as a parameter; its placeholder.
    pub(crate) fn text(&mut self, text: &str) -> String {
        self.add("String", Param::Text(text.to_owned()))
    }

    /// Whole numbers as a parameter; its placeholder.
    pub(crate) fn whole_numbers(&mut self, numbers: Vec<i64>) -> String {
        self.add("Array(Int64)", Param::WholeNumbers(numbers))
    }

    fn texts(&mut self, values: &[String]) -> String {
        self.add("Array(String)", Param::Texts(values.to_vec()))
    }

    fn add(&mut self, kind: &str, param: Param) -> String {
        let name = format!("p{}", self.0.len());
        let placeholder = format!("{{{name}:{kind}}}");
        self.0.push((name, param));
        placeholder
    }
}
