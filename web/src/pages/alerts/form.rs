//! The form of a rule: what was entered becomes a rule, and a rule what was entered.

use std::collections::BTreeMap;

use domain::alert::{Rule, RuleFilter, Severity};
use domain::filter::{Column, Condition, Filter, Operator};
use domain::{AlertChannelId, Fault};
use serde_json::{Map, Value, json};
use service::alerts::rules::Given;

use super::spec::{self, Shape, Spec};
use crate::extract::Pairs;
use crate::form::Field;
use crate::i18n::Lang;

/// Columns that the form narrows requests by.
const FILTERS: [(&str, Column); 4] = [
    ("environment", Column::Environment),
    ("model", Column::Model),
    ("prompt", Column::Prompt),
    ("tenant", Column::Tenant),
];

/// A rule as it is entered.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleForm {
    /// Name of its kind.
    pub(super) kind: String,
    values: BTreeMap<String, String>,
    /// Ids of channels.
    pub(super) channels: Vec<String>,
    /// Ids of rules that are watched.
    pub(super) watched: Vec<String>,
    /// A filter that the form cannot show: it stays.
    pub(super) kept_filter: Option<RuleFilter>,
    wrong: Option<(String, String)>,
}

/// A field as its template shows it.
pub(crate) struct Input {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) usual: &'static str,
    pub(crate) field: Field,
    /// Values to choose from, with words; none: a text is entered.
    pub(crate) options: Vec<(&'static str, &'static str, bool)>,
    pub(crate) is_area: bool,
    pub(crate) is_flag: bool,
}

impl RuleForm {
    /// An empty one.
    pub(crate) fn of_kind(kind: &str) -> Self {
        let mut form = RuleForm {
            kind: kind.to_owned(),
            ..RuleForm::default()
        };
        form.set("suppress", "true");
        let severity = if kind == "composite" { "P1" } else { "P2" };
        form.set("severity", severity);
        form
    }

    /// What a rule says.
    pub(crate) fn of_rule(rule: &Rule) -> Self {
        let draft = &rule.draft;
        let mut form = RuleForm {
            kind: draft.kind.name().to_owned(),
            channels: draft.channels.iter().map(ToString::to_string).collect(),
            ..RuleForm::default()
        };
        form.set("name", &draft.name);
        form.set("severity", draft.severity.as_str());
        if let Some(series) = &draft.series {
            form.set("series", &series.to_string());
        }
        if draft.for_s > 0 {
            form.set("for_s", &draft.for_s.to_string());
        }
        for (name, value) in draft.kind.params().as_object().into_iter().flatten() {
            match (name.as_str(), value) {
                ("rules", Value::Array(ids)) => {
                    let ids = ids.iter().filter_map(Value::as_str);
                    form.watched = ids.map(str::to_owned).collect();
                }
                _ => form.set(name, &shown(value)),
            }
        }
        let given = draft.filter.given.as_object();
        let is_known = |(name, value): (&String, &Value)| {
            value.is_string() && FILTERS.iter().any(|(known, _)| known == name)
        };
        match given {
            _ if draft.filter.filter == Filter::default() => {}
            Some(given) if given.iter().all(is_known) => {
                for (name, value) in given {
                    form.set(&format!("filter.{name}"), &shown(value));
                }
            }
            _ => form.kept_filter = Some(draft.filter.clone()),
        }
        form
    }

    /// What was entered.
    pub(crate) fn posted(pairs: &Pairs) -> Self {
        let mut form = RuleForm {
            kind: pairs.get("kind").unwrap_or("threshold").to_owned(),
            channels: pairs.all("channel").map(str::to_owned).collect(),
            watched: pairs.all("watched").map(str::to_owned).collect(),
            ..RuleForm::default()
        };
        for (name, value) in &pairs.0 {
            if !["channel", "watched", "_csrf", "kind"].contains(&name.as_str()) {
                form.set(name, value.trim());
            }
        }
        form
    }

    fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// With why it was refused; whether one of the fields says so.
    pub(super) fn with_fault(&mut self, fault: &Fault) -> bool {
        let Some(field) = &fault.field else {
            return false;
        };
        let name = field.strip_prefix("params.").unwrap_or(field);
        let name = name.split(['.', '[']).next().unwrap_or(name);
        self.wrong = Some((name.to_owned(), fault.message.clone()));
        let specs = spec::of(&self.kind, Lang::En);
        let known = ["name", "series", "for_s"];
        known.contains(&name) || specs.iter().any(|spec| spec.name == name)
    }

    /// What stands in a field.
    pub(crate) fn field(&self, name: &str) -> Field {
        let mut field = Field::holding(self.values.get(name).map_or("", String::as_str));
        if let Some((_, words)) = self.wrong.as_ref().filter(|(wrong, _)| wrong == name) {
            field.error.clone_from(words);
        }
        field
    }

    /// Fields of the kind.
    pub(super) fn inputs(&self, lang: Lang) -> Vec<Input> {
        let specs = spec::of(&self.kind, lang).into_iter();
        specs.map(|spec| self.input(&spec, lang)).collect()
    }

    fn input(&self, spec: &Spec, lang: Lang) -> Input {
        let field = self.field(spec.name);
        let is = |value: &str| field.value == value;
        Input {
            id: format!("rule-{}", spec.name.replace('_', "-")),
            name: spec.name.to_owned(),
            label: spec.label,
            hint: spec.hint,
            usual: spec.usual,
            options: match spec.shape {
                Shape::Direction => vec![
                    ("up", lang.t("above"), !is("down")),
                    ("down", lang.t("below"), is("down")),
                ],
                _ => Vec::new(),
            },
            is_area: spec.shape == Shape::Burns,
            is_flag: spec.shape == Shape::Flag,
            field,
        }
    }

    /// Fields that narrow requests.
    pub(super) fn filters(&self, lang: Lang) -> Vec<Input> {
        let filter = |(name, _): &(&str, Column)| Input {
            id: format!("rule-filter-{name}"),
            name: format!("filter.{name}"),
            label: match *name {
                "environment" => lang.t("Environment"),
                "model" => lang.t("Model"),
                "prompt" => lang.t("Prompt"),
                _ => lang.t("Tenant"),
            },
            hint: "",
            usual: "",
            field: self.field(&format!("filter.{name}")),
            options: Vec::new(),
            is_area: false,
            is_flag: false,
        };
        FILTERS.iter().map(filter).collect()
    }

    /// The rule that it says.
    ///
    /// # Errors
    /// `invalid` on the field.
    pub(super) fn given(&self) -> Result<Given, Fault> {
        let text = |name: &str| {
            let value = self.values.get(name).map(String::as_str);
            value.filter(|value| !value.is_empty())
        };
        let mut params = Map::new();
        for spec in spec::of(&self.kind, Lang::En) {
            match (spec.shape, text(spec.name)) {
                (Shape::Flag, value) => {
                    params.insert(spec.name.to_owned(), json!(value.is_some()));
                }
                (_, None) => {}
                (shape, Some(value)) => {
                    let value = parameter(spec.name, shape, value)?;
                    params.insert(spec.name.to_owned(), value);
                }
            }
        }
        if self.kind == "composite" {
            params.insert("rules".to_owned(), json!(self.watched));
        }
        let for_s = match text("for_s") {
            None => 0,
            Some(text) => text.parse().map_err(|_| {
                Fault::invalid("for_s: give a whole number of seconds").on_field("for_s")
            })?,
        };
        let channel = |id: &String| {
            id.parse::<AlertChannelId>()
                .map_err(|_| Fault::invalid("channels: give ids of channels").on_field("channels"))
        };
        Ok(Given {
            name: Some(text("name").unwrap_or_default().to_owned()),
            kind: Some(self.kind.clone()),
            series: Some(text("series").map(str::to_owned)),
            params: Some(params),
            filter: Some(self.filter()),
            for_s: Some(for_s),
            severity: text("severity").and_then(Severity::from_name),
            channels: Some(
                self.channels
                    .iter()
                    .map(channel)
                    .collect::<Result<_, _>>()?,
            ),
            enabled: None,
        })
    }

    fn filter(&self) -> RuleFilter {
        if let Some(kept) = &self.kept_filter {
            return kept.clone();
        }
        let (mut given, mut filter) = (Map::new(), Filter::default());
        for (name, column) in &FILTERS {
            let value = self.values.get(&format!("filter.{name}"));
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                given.insert((*name).to_owned(), json!(value));
                filter.conditions.push(Condition {
                    column: column.clone(),
                    operator: Operator::AnyOf,
                    values: vec![value.clone()],
                });
            }
        }
        match given.is_empty() {
            true => RuleFilter::default(),
            false => RuleFilter {
                given: Value::Object(given),
                filter,
            },
        }
    }
}

/// A parameter as a kind reads it.
fn parameter(name: &str, shape: Shape, text: &str) -> Result<Value, Fault> {
    let wrong = |why: &str| {
        let field = format!("params.{name}");
        Fault::invalid(format!("{name}: {why}")).on_field(field)
    };
    match shape {
        Shape::Number => number(text).ok_or_else(|| wrong("give a number")),
        Shape::Texts => {
            let texts = text.split(',').map(str::trim);
            Ok(json!(
                texts.filter(|text| !text.is_empty()).collect::<Vec<_>>()
            ))
        }
        Shape::Burns => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let burn = |line: &str| {
                let numbers: Option<Vec<Value>> = line.split_whitespace().map(number).collect();
                match numbers.as_deref() {
                    Some([long, short, rate]) => {
                        Ok(json!({ "long_s": long, "short_s": short, "rate": rate }))
                    }
                    _ => Err(wrong("give three numbers a line")),
                }
            };
            Ok(Value::Array(lines.map(burn).collect::<Result<_, _>>()?))
        }
        Shape::Direction | Shape::Flag => Ok(json!(text)),
    }
}

fn number(text: &str) -> Option<Value> {
    let whole = text.parse::<u64>().ok().map(Value::from);
    whole.or_else(|| {
        let number = text.parse::<f64>().ok()?;
        serde_json::Number::from_f64(number).map(Value::Number)
    })
}

/// A parameter as it is entered.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(false) => String::new(),
        Value::Array(items) => {
            let is_burn = items.iter().any(Value::is_object);
            let item = |item: &Value| match item.as_object() {
                Some(burn) => ["long_s", "short_s", "rate"]
                    .map(|name| burn.get(name).map_or_else(String::new, shown))
                    .join(" "),
                None => shown(item),
            };
            let items: Vec<String> = items.iter().map(item).collect();
            items.join(if is_burn { "\n" } else { ", " })
        }
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(body: &str) -> Result<Given, Fault> {
        RuleForm::posted(&Pairs::parse(body.as_bytes())).given()
    }

    #[test]
    fn what_is_entered_becomes_parameters_and_what_is_left_out_is_as_usual() {
        let rule = given(
            "kind=threshold&name=errors&series=request.errors&value=0.05&window_s=10&group_by=model%2C+tenant&filter.model=m&for_s=",
        )
        .unwrap();
        let params = Value::Object(rule.params.unwrap());
        let expected = json!({"value": 0.05, "window_s": 10, "group_by": ["model", "tenant"]});
        assert_eq!(params, expected);
        assert_eq!(rule.filter.unwrap().given, json!({"model": "m"}));
        assert_eq!(rule.for_s, Some(0));
        let burns = given("kind=slo_burn&name=b&burns=3600+300+14.4%0D%0A").unwrap();
        let expected = json!([{"long_s": 3600, "short_s": 300, "rate": 14.4}]);
        assert_eq!(burns.params.unwrap()["burns"], expected);
        let field = given("kind=threshold&value=much")
            .err()
            .and_then(|fault| fault.field);
        assert_eq!(field.as_deref(), Some("params.value"));
    }

    #[test]
    fn a_box_that_is_not_ticked_is_a_no() {
        let suppress = |body| given(body).unwrap().params.unwrap()["suppress"].clone();
        assert_eq!(suppress("kind=composite&name=c"), json!(false));
        assert_eq!(suppress("kind=composite&name=c&suppress=true"), json!(true));
    }
}
