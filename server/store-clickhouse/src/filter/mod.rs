//! The one place where a [`Filter`] becomes SQL.
//!
//! Every value travels as a typed parameter, so that `%`, `_`, `\` and quotes mean themselves; the SQL
//! has only column names and parameter names that are made here.
//!
//! To add a column: a line in `expression`.

/// Numbers of spans.
mod numbers;
/// What was typed into a search field.
mod search;
#[cfg(test)]
mod tests;
/// Scores, and places within traces.
mod verdicts;
/// Numbers of traces as wholes.
mod wholes;

use std::fmt::Write as _;

use domain::attr::langfuse as attr;
use domain::filter::{Column, Condition, Filter, Operator};

use crate::client::Read;

/// Most words that are looked for at once.
const MAX_WORDS: usize = 20;
/// Most steps of a way into an object of the metadata.
const MAX_STEPS: usize = 8;
/// Most values of one column that are taken of one trace.
const MAX_VALUES: usize = 100;

/// Something that holds for a span or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Predicate {
    /// SQL of what is looked for.
    pub(crate) sql: String,
    /// The same of all spans of a trace together, where it is not that one of them is so.
    pub(crate) of_whole: Option<String>,
    /// Whether it is denied: it must hold for no span.
    pub(crate) is_negative: bool,
}

/// What must hold: predicates put together. Denials stand in the predicates alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    One(Predicate),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Param {
    Text(String),
    Texts(Vec<String>),
    Number(f64),
    Count(u32),
}

/// A filter's conditions on single spans, compiled. Times and latency are not among them: lists bind
/// these to the trace or the span as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compiled {
    pub(crate) formulas: Vec<Formula>,
    pub(crate) params: Vec<(String, Param)>,
}

/// A span that failed.
pub(crate) const FAILED: &str = "(status = 'error' OR level = 'ERROR')";

/// A span that took so long.
pub(crate) const LATENCY: &str = "(toUnixTimestamp64Nano(end_time) - toUnixTimestamp64Nano(start_time)) / 1e6 \
     >= {min_latency_ms:Float64}";

/// Compiles the conditions of a filter.
pub(crate) fn compile(filter: &Filter) -> Compiled {
    let mut compiled = Compiled::default();
    compiled.add(filter);
    compiled
}

/// Compiles several filters that are asked about in one query: the condition of each on single spans, latency among
/// them, and the parameters of all.
pub(crate) fn compile_each<'f>(
    filters: impl IntoIterator<Item = &'f Filter>,
) -> (Vec<String>, Compiled) {
    let mut compiled = Compiled::default();
    let conditions = filters.into_iter().map(|filter| {
        compiled.formulas.clear();
        compiled.add(filter);
        if let Some(least) = filter.min_latency_ms {
            let least = compiled.number(least);
            let latency = LATENCY.replace("{min_latency_ms:Float64}", &least);
            compiled.push(latency, false);
        }
        compiled.on_span()
    });
    let conditions = conditions.collect();
    (conditions, compiled)
}

/// Puts conditions in the place that a `.sql` file leaves for them. The file runs without them too.
pub(crate) fn with_conditions(sql: &str, conditions: &str) -> String {
    sql.replace("/* conditions */ 1", &format!("({conditions})"))
}

/// Gives a query the parameters of a filter.
pub(crate) fn with_params(query: Read, compiled: &Compiled) -> Read {
    compiled
        .params
        .iter()
        .fold(query, |query, (name, param)| match param {
            Param::Text(text) => query.param(name, text),
            Param::Texts(texts) => query.param(name, texts),
            Param::Number(number) => query.param(name, number),
            Param::Count(count) => query.param(name, count),
        })
}

impl Predicate {
    fn on_trace(&self) -> String {
        match (&self.of_whole, self.is_negative) {
            (Some(whole), true) => format!("NOT {whole}"),
            (Some(whole), false) => whole.clone(),
            (None, true) => format!("countIf({}) = 0", self.sql),
            (None, false) => format!("countIf({}) > 0", self.sql),
        }
    }
}

impl Formula {
    fn written(&self, predicate: &dyn Fn(&Predicate) -> String) -> String {
        match self {
            Formula::One(one) => predicate(one),
            Formula::All(those) => format!("({})", joined(those, " AND ", predicate)),
            Formula::Any(those) => format!("({})", joined(those, " OR ", predicate)),
        }
    }
}

/// Formulas in one expression; none of them holds for everything.
fn joined(
    formulas: &[Formula],
    operator: &str,
    predicate: &dyn Fn(&Predicate) -> String,
) -> String {
    let written: Vec<String> = formulas
        .iter()
        .map(|formula| formula.written(predicate))
        .collect();
    if written.is_empty() {
        "1".to_owned()
    } else {
        written.join(operator)
    }
}

impl Compiled {
    /// Everything in one expression on a single span.
    pub(crate) fn on_span(&self) -> String {
        self.written(&|predicate| match predicate.is_negative {
            true => format!("NOT {}", predicate.sql),
            false => predicate.sql.clone(),
        })
    }

    /// Everything in one expression on the group of all live spans of a trace.
    pub(crate) fn on_trace(&self) -> String {
        self.written(&Predicate::on_trace)
    }

    /// An expression on a group of row versions of a trace that holds for every trace for which
    /// [`Compiled::on_trace`] holds, and for few others: replaced versions may be among the rows.
    pub(crate) fn on_versions_of_trace(&self) -> String {
        self.written(&|predicate| {
            let exactly = predicate.on_trace();
            // What is denied may stand in a replaced version only, if there is any, and what is summed
            // up may be summed up twice.
            match predicate.is_negative || predicate.of_whole.is_some() {
                true => format!("({exactly} OR count() > uniqExact(span_id))"),
                false => exactly,
            }
        })
    }

    fn add(&mut self, filter: &Filter) {
        if let Some(text) = filter.text.as_deref().filter(|text| !text.is_empty()) {
            let found = self.anywhere(text);
            self.push(found, false);
        }
        if let Some(search) = &filter.search {
            let formula = self.search(search, false);
            self.formulas.push(formula);
        }
        match filter.has_error {
            Some(true) => self.push(FAILED.to_owned(), false),
            Some(false) => self.push(FAILED.to_owned(), true),
            None => {}
        }
        for condition in &filter.conditions {
            self.condition(condition);
        }
        for measured in &filter.measured {
            let number = self.number(measured.number);
            self.push(numbers::holds(measured, &number), false);
        }
        for verdicts in &filter.verdicts {
            self.verdicts(verdicts);
        }
        if let Some(place) = filter.place {
            self.place(place);
        }
    }

    fn written(&self, predicate: &dyn Fn(&Predicate) -> String) -> String {
        joined(&self.formulas, " AND ", predicate)
    }

    fn push(&mut self, sql: String, is_negative: bool) {
        self.formulas.push(Formula::One(Predicate {
            sql,
            of_whole: None,
            is_negative,
        }));
    }

    /// Whether a text stands in name, input, output or error.
    fn anywhere(&mut self, text: &str) -> String {
        let needle = self.text(text.to_owned());
        let places = [
            "name",
            "ifNull(input, '')",
            "ifNull(output, '')",
            "ifNull(error_message, '')",
            "error_kind",
        ];
        let mut found: Vec<String> = places
            .iter()
            .map(|place| contains(place, &needle))
            .collect();
        if let Some(escaped) = escaped(text) {
            let needle = self.text(escaped);
            let contents = ["ifNull(input, '')", "ifNull(output, '')"];
            found.extend(contents.iter().map(|place| contains(place, &needle)));
        }
        format!("({})", found.join(" OR "))
    }

    fn condition(&mut self, condition: &Condition) {
        let (sql, is_negative) = self.compared(condition);
        self.push(sql, is_negative);
    }

    /// A comparison, and whether it is denied.
    fn compared(&mut self, condition: &Condition) -> (String, bool) {
        let value = self.expression(&condition.column);
        let first = condition.values.first().cloned().unwrap_or_default();
        let (sql, is_negative) = match condition.operator {
            Operator::AnyOf => (self.is_any_of(&value, condition), false),
            Operator::NoneOf => (self.is_any_of(&value, condition), true),
            Operator::Contains => (self.found(&value, first), false),
            Operator::DoesNotContain => (self.found(&value, first), true),
            Operator::Matches => (self.matches(&value, &first), false),
            Operator::StartsWith => (self.with_text(&value, first, starts_with), false),
            Operator::EndsWith => (self.with_text(&value, first, ends_with), false),
        };
        let sql = match condition.column {
            Column::OfTrace(_) => of_trace(&sql),
            _ => sql,
        };
        (sql, is_negative)
    }

    fn is_any_of(&mut self, value: &Expression, condition: &Condition) -> String {
        let values = self.texts(condition.values.clone());
        match value {
            Expression::Text(sql) | Expression::Content(sql) => format!("has({values}, {sql})"),
            Expression::Texts(sql) => format!("hasAny({values}, {sql})"),
        }
    }

    /// Whether a text stands in a value; in content, also as JSON may hold it.
    fn found(&mut self, value: &Expression, text: String) -> String {
        let in_json = match value {
            Expression::Content(_) => escaped(&text),
            Expression::Text(_) | Expression::Texts(_) => None,
        };
        let as_it_is = self.with_text(value, text, contains);
        match in_json {
            Some(text) => {
                let in_json = self.with_text(value, text, contains);
                format!("({as_it_is} OR {in_json})")
            }
            None => as_it_is,
        }
    }

    /// Whether each word stands in a value.
    fn matches(&mut self, value: &Expression, text: &str) -> String {
        let words = text.split_whitespace().take(MAX_WORDS);
        let found: Vec<String> = words
            .map(|word| self.found(value, word.to_owned()))
            .collect();
        match found.is_empty() {
            true => "1".to_owned(),
            false => format!("({})", found.join(" AND ")),
        }
    }

    fn with_text(
        &mut self,
        value: &Expression,
        text: String,
        test: fn(&str, &str) -> String,
    ) -> String {
        let needle = self.text(text);
        match value {
            Expression::Text(sql) | Expression::Content(sql) => test(sql, &needle),
            Expression::Texts(sql) => {
                format!("arrayExists(item -> {}, {sql})", test("item", &needle))
            }
        }
    }

    /// A text as a parameter; its placeholder.
    fn text(&mut self, text: String) -> String {
        let name = self.name();
        self.params.push((name.clone(), Param::Text(text)));
        format!("{{{name}:String}}")
    }

    /// Texts as a parameter; its placeholder.
    fn texts(&mut self, texts: Vec<String>) -> String {
        let name = self.name();
        self.params.push((name.clone(), Param::Texts(texts)));
        format!("{{{name}:Array(String)}}")
    }

    /// A number as a parameter; its placeholder.
    fn number(&mut self, number: f64) -> String {
        let name = self.name();
        self.params.push((name.clone(), Param::Number(number)));
        format!("{{{name}:Float64}}")
    }

    /// The values that a group of spans has in a column, as a list; some of them where there are many.
    pub(crate) fn values_of(&mut self, column: &Column) -> String {
        match self.expression(column) {
            Expression::Text(sql) | Expression::Content(sql) => {
                format!("groupUniqArray({MAX_VALUES})({sql})")
            }
            Expression::Texts(sql) => format!("groupUniqArrayArray({MAX_VALUES})({sql})"),
        }
    }

    /// The value of a metadata key as text: JSON text without its quotes. A key with dots that is no key itself is the
    /// way into the object that stands at its first part.
    fn metadata(&mut self, key: &str) -> String {
        let name = self.text(key.to_owned());
        let mut value = format!("metadata[{name}]");
        if let Some((first, below)) = key.split_once('.') {
            let first = self.text(first.to_owned());
            let below = below.splitn(MAX_STEPS, '.');
            let below: Vec<String> = below.map(|step| self.text(step.to_owned())).collect();
            value = format!(
                "if(mapContains(metadata, {name}), {value}, JSONExtractRaw(metadata[{first}], {}))",
                below.join(", ")
            );
        }
        format!("if(startsWith({value}, '\"'), JSONExtractString({value}), {value})")
    }

    fn name(&self) -> String {
        format!("f{}", self.params.len())
    }

    fn expression(&mut self, column: &Column) -> Expression {
        let sql = match column {
            Column::Name => "name",
            Column::Kind => "toString(kind)",
            Column::Environment => "toString(environment)",
            Column::Model => "if(response_model != '', response_model, request_model)",
            Column::Provider => "toString(provider)",
            Column::UserId => "user_id",
            Column::SessionId => "session_id",
            Column::Prompt => "toString(prompt_name)",
            Column::PromptVersion => "toString(prompt_version)",
            Column::Tenant => "toString(tenant)",
            Column::Route => "toString(route)",
            Column::Release => "toString(release)",
            Column::Service => "toString(service)",
            Column::Level => "toString(level)",
            Column::Version => "toString(version_label)",
            Column::TraceId => "trace_id",
            Column::SpanId => "span_id",
            Column::ParentId => "parent_span_id",
            Column::PriceKey => return Expression::Text(price_key()),
            Column::IsItemRoot => {
                "if(attributes['langfuse.experiment.id'] != '' AND attributes['langfuse.experiment.item.root_observation_id'] = \
                 span_id, 'true', 'false')"
            }
            Column::TraceName => "toString(trace_name)",
            Column::OfTrace(column) => return self.expression(column),
            Column::StatusMessage => {
                let key = self.text(attr::OBSERVATION_STATUS_MESSAGE.to_owned());
                let said = attribute(&key);
                let message = "ifNull(error_message, '')";
                return Expression::Text(format!("if({message} != '', {message}, {said})"));
            }
            Column::Input => return Expression::Content("ifNull(input, '')".to_owned()),
            Column::Output => return Expression::Content("ifNull(output, '')".to_owned()),
            Column::Tag => return Expression::Texts("tags"),
            Column::ToolName => return Expression::Texts("tool_names"),
            Column::CalledTool => return Expression::Texts("called_tool_names"),
            Column::SemanticEvent => return Expression::Texts("mapKeys(semantic_events)"),
            Column::Metadata(key) => return Expression::Text(self.metadata(key)),
            Column::Attribute(key) => return Expression::Text(attribute(&self.text(key.clone()))),
        };
        Expression::Text(sql.to_owned())
    }
}

enum Expression {
    Text(String),
    /// Text that may be JSON, whose writer may escape whatever is not ASCII.
    Content(String),
    Texts(&'static str),
}

/// As `domain::cost` writes it, out of the terms as they are stored.
fn price_key() -> String {
    let field = |name: &str| format!("JSONExtractString(price, '{name}')");
    let (origin, provider, model) = (field("origin"), field("provider"), field("model"));
    let since = "JSONExtractRaw(price, 'valid_from')";
    format!(
        "if(price = '', '', concat({origin}, '/', {provider}, '/', {model}, \
         if({origin} = 'project', concat('/', {since}), '')))"
    )
}

/// Whether something holds for any span of the trace.
fn of_trace(sql: &str) -> String {
    format!(
        "trace_id IN (SELECT trace_id FROM spans WHERE project_id = {{project_id:UUID}} AND {sql})"
    )
}

/// The text of an attribute, also where it is stored as a place in the input or output only (see
/// `spans::sharing`).
fn attribute(key: &str) -> String {
    let letter = format!("substring(attribute_types, indexOf(mapKeys(attributes), {key}), 1)");
    let stored = format!("attributes[{key}]");
    let content = format!("ifNull(if({letter} IN ('<', '(', '['), input, output), '')");
    let number = |part: u8| format!("toUInt64OrZero(splitByChar(',', {stored})[{part}])");
    let part = format!("substring({content}, {} + 1, {})", number(1), number(2));
    format!(
        "multiIf(NOT mapContains(attributes, {key}), '', {letter} IN ('<', '>'), {content}, \
         {letter} IN ('(', ')'), {part}, \
         {letter} IN ('[', ']'), JSONExtractString(concat('\"', {part}, '\"')), {stored})"
    )
}

/// The text as it stands within JSON whose writer escapes whatever is not ASCII; `None` where that is
/// the text itself.
fn escaped(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut escaped = String::with_capacity(text.len() * 3);
    let mut units = [0; 2];
    for character in text.chars() {
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut units) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    Some(escaped)
}

/// Whatever the case of letters; an empty needle is in everything.
fn contains(sql: &str, needle: &str) -> String {
    format!("positionCaseInsensitiveUTF8({sql}, {needle}) > 0")
}

fn starts_with(sql: &str, needle: &str) -> String {
    format!("startsWith({sql}, {needle})")
}

fn ends_with(sql: &str, needle: &str) -> String {
    format!("endsWith({sql}, {needle})")
}
