//! Names and values in the order in which a reader looks for them.

use domain::mapping::Mapping;
use domain::span::Span;
use domain::{Timestamp, Value};

use crate::content::{self, Readable};
use crate::i18n::Lang;
use crate::zone::Zone;

/// A name with its value.
pub(crate) struct Pair {
    /// Name.
    pub(crate) key: String,
    /// Value, or its head.
    pub(crate) value: String,
    /// The longer text; empty where the value is all.
    pub(crate) long: String,
}

/// Names and values under one title.
pub(crate) struct Group {
    /// Title.
    pub(crate) title: &'static str,
    /// Pairs.
    pub(crate) pairs: Vec<Pair>,
}

/// A longer value folds.
const SHORT_BYTES: usize = 240;

impl Pair {
    fn new(key: &str, value: &str) -> Self {
        if value.len() <= SHORT_BYTES {
            let (key, value) = (key.to_owned(), value.to_owned());
            return Pair {
                key,
                value,
                long: String::new(),
            };
        }
        let head = format!("{}…", content::head(value, SHORT_BYTES));
        Pair {
            key: key.to_owned(),
            value: head,
            long: content::head(value, content::HEAD_BYTES).to_owned(),
        }
    }

    fn of(key: &str, value: &Value) -> Self {
        let text = value.to_text();
        let readable = match value {
            Value::Str(text) => text.to_string(),
            _ => match content::line(&text).readable {
                Readable::Json(tokens) => tokens.into_iter().map(|token| token.text).collect(),
                _ => text,
            },
        };
        Pair::new(key, &readable)
    }
}

/// Pairs of attributes.
pub(crate) fn of_attributes(attributes: &[(std::sync::Arc<str>, Value)]) -> Vec<Pair> {
    attributes
        .iter()
        .map(|(key, value)| Pair::of(key, value))
        .collect()
}

/// Pairs of an object.
pub(crate) fn of_json(object: &serde_json::Map<String, serde_json::Value>) -> Vec<Pair> {
    let text = |value: &serde_json::Value| match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    };
    object
        .iter()
        .map(|(key, value)| Pair::new(key, &text(value)))
        .collect()
}

/// Everything about a span that is not content: what it is, what came with it, who sent it.
pub(crate) fn groups(span: &Span, lang: Lang, (zone, now): (&Zone, Timestamp)) -> Vec<Group> {
    let mut identity = vec![
        Pair::new(lang.t("Span id"), span.span_id.as_str()),
        Pair::new(lang.t("Trace id"), span.trace_id.as_str()),
    ];
    let mut add = |key: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            identity.push(Pair::new(key, value));
        }
    };
    add(
        lang.t("Parent id"),
        span.parent_span_id.as_ref().map(domain::SpanId::as_str),
    );
    add(lang.t("Start"), Some(&zone.date_time(span.start, now)));
    add(
        lang.t("End"),
        span.end.map(|end| zone.date_time(end, now)).as_deref(),
    );
    add(lang.t("Status"), Some(span.status.as_str()));
    add(lang.t("Level"), Some(span.level.as_str()));
    add(lang.t("Service"), Some(&span.service));
    add(lang.t("Instance"), span.instance.as_deref());
    add(lang.t("Environment"), Some(&span.environment));
    add(lang.t("Release"), span.release.as_deref());
    add(lang.t("Version"), span.version.as_deref());
    add(lang.t("Tenant"), span.tenant.as_deref());
    add(lang.t("Route"), span.route.as_deref());
    add(lang.t("User"), span.user_id.as_deref());
    add(lang.t("Session"), span.session_id.as_deref());
    add(lang.t("Tags"), Some(&span.tags.join(", ")));
    add(lang.t("Provider"), span.provider.as_deref());
    add(lang.t("Model asked for"), span.request_model.as_deref());
    add(
        lang.t("Model that answered"),
        span.response_model.as_deref(),
    );
    add(
        lang.t("Finish reason"),
        Some(&span.finish_reasons.join(", ")),
    );
    let json = |(key, value): (&String, &String)| Pair::new(key, value);
    let scope = [("name", &span.scope.name), ("version", &span.scope.version)];
    let groups = [
        (lang.t("Span"), identity),
        (
            lang.t("Model parameters"),
            span.parameters.iter().map(json).collect(),
        ),
        (lang.t("Metadata"), span.metadata.iter().map(json).collect()),
        (lang.t("Attributes"), of_attributes(&span.attributes)),
        (lang.t("Resource"), of_attributes(&span.resource)),
        (
            lang.t("Instrumentation scope"),
            scope
                .into_iter()
                .filter(|(_, value)| !value.is_empty())
                .map(|(key, value)| Pair::new(key, value))
                .collect(),
        ),
    ];
    with_something(groups)
}

/// How the span was read: from where each field comes, what was looked for in vain, what gave nothing.
pub(crate) fn of_mapping(mapping: &Mapping, lang: Lang) -> Vec<Group> {
    let found = mapping.fields.iter().filter_map(|field| {
        let key = field.key.as_ref()?;
        let text = match &field.value {
            Some(serde_json::Value::String(text)) => format!("{key} = {text}"),
            Some(value) => format!("{key} = {value}"),
            None => key.clone(),
        };
        Some(Pair::new(&field.field, &text))
    });
    let rule = mapping.usage_rule.map(|rule| Pair::new("usage.rule", rule));
    let missing = mapping
        .fields
        .iter()
        .filter(|field| field.key.is_none())
        .map(|field| Pair::new(&field.field, &field.looked_for.join(", ")));
    let unused = mapping.unused.iter().map(|key| Pair::new(key, ""));
    with_something([
        (lang.t("Found"), found.chain(rule).collect()),
        (lang.t("Looked for in vain"), missing.collect()),
        (lang.t("Kept, but not used"), unused.collect()),
    ])
}

fn with_something<const N: usize>(groups: [(&'static str, Vec<Pair>); N]) -> Vec<Group> {
    groups
        .into_iter()
        .filter(|(_, pairs)| !pairs.is_empty())
        .map(|(title, pairs)| Group { title, pairs })
        .collect()
}
