//! A question, read: whatever is wrong with it is named by its path.

use domain::Timestamp;
use domain::metrics::{
    Aggregation, Cut, Draft, Granularity, MAX_BINS, Metric, Order, OrderBy, Query as Checked,
};
use serde_json::{Map, Value};

use super::conditions;
use super::names::{NOT_YET, NamedView, Version};
use crate::langfuse::error::{Failure, Issue, Result};
use crate::langfuse::query::Query;

/// Bars of a histogram where the question does not say.
const USUAL_BINS: u8 = 10;
/// Most rows that can be asked for.
const MAX_ROWS: u64 = 1_000;
/// Rows of the second version where the question does not say.
const USUAL_ROWS: u32 = 100;

/// A question, with the names that it used.
pub(super) struct Asked {
    pub(super) query: Checked,
    /// Names of the dimensions.
    pub(super) dimensions: Vec<String>,
    /// Names of the metrics, `sum_totalCost`.
    pub(super) metrics: Vec<String>,
}

/// Reads the parameter `query`.
///
/// # Errors
/// When it is missing, no JSON object, or asks for what there is not.
pub(super) fn read(query: &Query, version: Version) -> Result<Asked> {
    let text = query.text("query")?;
    let text = text.ok_or_else(|| Issue::of_type("query", "string, received undefined"))?;
    let question: Value =
        serde_json::from_str(text).map_err(|_| wrong("", "must be a JSON object"))?;
    let fields = question.as_object();
    let fields = fields.ok_or_else(|| wrong("", "must be a JSON object"))?;
    Question { fields, version }.asked()
}

struct Question<'q> {
    fields: &'q Map<String, Value>,
    version: Version,
}

impl Question<'_> {
    fn asked(&self) -> Result<Asked> {
        let view = self.view()?;
        let (dimensions, names) = self.dimensions(view)?;
        let (metrics, metric_names) = self.metrics(view)?;
        let (from, to) = (self.time("fromTimestamp")?, self.time("toTimestamp")?);
        let (limit, bins) = self.config()?;
        let filters = self.list("filters")?;
        let draft = Draft {
            view: view.view,
            conditions: conditions::read(filters, view, self.version)?,
            by_metadata: Vec::new(),
            cut: self.granularity(from, to)?.map(Cut::By),
            order: self.order(&names, &metric_names)?,
            dimensions,
            metrics,
            from,
            to,
            limit,
            bins,
        };
        if self.version == Version::V2 {
            self.check_many_values(&draft)?;
        }
        let query = draft
            .check()
            .map_err(|error| wrong("", &error.to_string()))?;
        Ok(Asked {
            query,
            dimensions: names,
            metrics: metric_names,
        })
    }

    fn view(&self) -> Result<&'static NamedView> {
        let name = self.text("view")?;
        NamedView::find(self.version, name).ok_or_else(|| {
            let known: Vec<&str> = NamedView::all(self.version).map(|view| view.name).collect();
            wrong("view", &format!("expected one of {}", known.join(", ")))
        })
    }

    fn dimensions(
        &self,
        view: &NamedView,
    ) -> Result<(Vec<domain::metrics::Dimension>, Vec<String>)> {
        let mut dimensions = (Vec::new(), Vec::new());
        for (at, item) in self.list("dimensions")?.iter().enumerate() {
            let path = format!("dimensions.{at}.field");
            let name = item["field"].as_str();
            let name = name.ok_or_else(|| wrong(&path, "expected string"))?;
            let dimension = view.dimension(self.version, name);
            dimensions
                .0
                .push(dimension.ok_or_else(|| unknown(&path, "dimension", name, view))?);
            dimensions.1.push(name.to_owned());
        }
        Ok(dimensions)
    }

    fn metrics(&self, view: &NamedView) -> Result<(Vec<Metric>, Vec<String>)> {
        let mut metrics = (Vec::new(), Vec::new());
        for (at, item) in self.list("metrics")?.iter().enumerate() {
            let path = |field: &str| format!("metrics.{at}.{field}");
            let text = |field: &str| {
                let text = item[field].as_str();
                text.ok_or_else(|| wrong(&path(field), "expected string"))
            };
            let (name, word) = (text("measure")?, text("aggregation")?);
            let measure = view.measure(self.version, name);
            let measure =
                measure.ok_or_else(|| unknown(&path("measure"), "measure", name, view))?;
            let aggregation = Aggregation::from_name(word).ok_or_else(|| {
                let known: Vec<&str> = Aggregation::ALL.iter().map(|it| it.as_str()).collect();
                let message = format!("expected one of {}", known.join(", "));
                wrong(&path("aggregation"), &message)
            })?;
            metrics.0.push(Metric {
                measure,
                aggregation,
            });
            metrics.1.push(format!("{word}_{name}"));
        }
        Ok(metrics)
    }

    fn granularity(&self, from: Timestamp, to: Timestamp) -> Result<Option<Granularity>> {
        let given = match self.fields.get("timeDimension") {
            None | Some(Value::Null) => return Ok(None),
            Some(given) => given["granularity"].as_str(),
        };
        let path = "timeDimension.granularity";
        match given.ok_or_else(|| wrong(path, "expected string"))? {
            "auto" => Ok(Some(Granularity::fit(from, to))),
            word => {
                let known = Granularity::from_name(word);
                let message = "expected one of auto, minute, hour, day, week, month";
                Ok(Some(known.ok_or_else(|| wrong(path, message))?))
            }
        }
    }

    fn order(&self, dimensions: &[String], metrics: &[String]) -> Result<Vec<Order>> {
        let mut order = Vec::new();
        for (at, item) in self.list("orderBy")?.iter().enumerate() {
            let path = |field: &str| format!("orderBy.{at}.{field}");
            let field = item["field"].as_str();
            let field = field.ok_or_else(|| wrong(&path("field"), "expected string"))?;
            let place = |names: &[String]| names.iter().position(|name| name == field);
            let is_cut = self
                .fields
                .get("timeDimension")
                .is_some_and(|it| !it.is_null());
            let by = match (place(dimensions), place(metrics)) {
                (Some(at), _) => OrderBy::Dimension(at),
                (None, Some(at)) => OrderBy::Metric(at),
                (None, None) if is_cut && ["time_dimension", "timeDimension"].contains(&field) => {
                    OrderBy::Time
                }
                (None, None) => {
                    let message = "expected a dimension or a metric of this query, such as \
                                   count_count, or time_dimension";
                    return Err(wrong(&path("field"), message));
                }
            };
            let is_ascending = match item["direction"].as_str() {
                Some("asc") => true,
                Some("desc") => false,
                _ => return Err(wrong(&path("direction"), "expected asc or desc")),
            };
            order.push(Order { by, is_ascending });
        }
        Ok(order)
    }

    /// Most rows, and bars of histograms.
    fn config(&self) -> Result<(Option<u32>, u8)> {
        let usual = (self.version == Version::V2).then_some(USUAL_ROWS);
        let config = match self.fields.get("config") {
            None | Some(Value::Null) => return Ok((usual, USUAL_BINS)),
            Some(config) => config,
        };
        let number = |field: &str, most: u64| match &config[field] {
            Value::Null => Ok(None),
            value => {
                let number = value.as_u64().filter(|number| (1..=most).contains(number));
                let message = format!("expected a whole number from 1 to {most}");
                number
                    .map(Some)
                    .ok_or_else(|| wrong(&format!("config.{field}"), &message))
            }
        };
        let rows = number("row_limit", MAX_ROWS)?.and_then(|rows| u32::try_from(rows).ok());
        let bins = number("bins", u64::from(MAX_BINS))?.and_then(|bins| u8::try_from(bins).ok());
        Ok((rows.or(usual), bins.unwrap_or(USUAL_BINS)))
    }

    /// What has many values can be asked for by the best of them only.
    fn check_many_values(&self, draft: &Draft) -> Result<()> {
        let many = draft.dimensions.iter().position(|it| it.has_many_values());
        let Some(at) = many else { return Ok(()) };
        let has_limit = self
            .fields
            .get("config")
            .is_some_and(|it| !it["row_limit"].is_null());
        let descends =
            |order: &Order| matches!(order.by, OrderBy::Metric(_)) && !order.is_ascending;
        let by_best = draft.order.first().is_some_and(descends);
        if has_limit && by_best && draft.cut.is_none() {
            return Ok(());
        }
        let message = "it has many values: give config.row_limit, orderBy a metric with direction \
                       desc, and no timeDimension";
        Err(wrong(&format!("dimensions.{at}.field"), message))
    }

    fn time(&self, field: &str) -> Result<Timestamp> {
        let text = self.text(field)?;
        Timestamp::parse_bound(text).map_err(|error| wrong(field, &error.to_string()))
    }

    fn text(&self, field: &str) -> Result<&str> {
        let text = self.fields.get(field).and_then(Value::as_str);
        text.ok_or_else(|| wrong(field, "expected string"))
    }

    fn list(&self, field: &str) -> Result<&[Value]> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(_) => Err(wrong(field, "expected array")),
        }
    }
}

fn unknown(path: &str, what: &str, name: &str, view: &NamedView) -> Failure {
    let message = match NOT_YET.contains(&name) {
        true => format!("{name} is not there yet; see docs/langfuse.md"),
        false => format!("{} has no {what} {name}", view.name),
    };
    wrong(path, &message)
}

pub(super) fn wrong(path: &str, message: &str) -> Failure {
    let path = format!("query.{path}");
    Issue::new("custom", path.trim_end_matches('.'), message).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn question() -> Value {
        json!({
            "view": "observations",
            "dimensions": [{"field": "name"}],
            "metrics": [{"measure": "count", "aggregation": "count"}],
            "fromTimestamp": "2026-11-01T00:00:00Z",
            "toTimestamp": "2026-11-02T00:00:00Z",
        })
    }

    fn parsed(question: &Value, version: Version) -> Result<Asked> {
        let fields = question.as_object().unwrap();
        Question { fields, version }.asked()
    }

    /// Where the question is wrong.
    fn place(change: impl FnOnce(&mut Value), version: Version) -> String {
        let mut question = question();
        change(&mut question);
        match parsed(&question, version).err() {
            Some(Failure::Shape(issues)) => {
                serde_json::to_value(&issues[0]).unwrap()["path"].to_string()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let at = |change: fn(&mut Value)| place(change, Version::V1);
        assert_eq!(at(|it| it["view"] = json!("dreams")), r#"["query","view"]"#);
        assert_eq!(
            at(|it| it["dimensions"][0]["field"] = json!("colour")),
            r#"["query","dimensions",0,"field"]"#
        );
        assert_eq!(
            at(|it| it["metrics"][0]["measure"] = json!("joy")),
            r#"["query","metrics",0,"measure"]"#
        );
        assert_eq!(
            at(|it| it["metrics"][0]["aggregation"] = json!("mode")),
            r#"["query","metrics",0,"aggregation"]"#
        );
        assert_eq!(at(|it| it["metrics"] = json!([])), r#"["query"]"#);
        assert_eq!(
            at(|it| it["toTimestamp"] = json!("today")),
            r#"["query","toTimestamp"]"#
        );
        assert_eq!(
            at(|it| it["config"] = json!({"row_limit": 1001})),
            r#"["query","config","row_limit"]"#
        );
        assert_eq!(
            at(|it| it["timeDimension"] = json!({"granularity": "age"})),
            r#"["query","timeDimension","granularity"]"#
        );
        assert_eq!(
            at(|it| it["orderBy"] = json!([{"field": "time_dimension", "direction": "asc"}])),
            r#"["query","orderBy",0,"field"]"#
        );
        assert_eq!(
            at(|it| it["filters"] = json!([{"column": "name"}])),
            r#"["query","filters",0]"#
        );
    }

    #[test]
    fn the_second_version_gives_the_best_of_many_values_only() {
        let many = |it: &mut Value| it["dimensions"][0]["field"] = json!("userId");
        assert_eq!(
            place(many, Version::V2),
            r#"["query","dimensions",0,"field"]"#
        );
        let mut right = question();
        many(&mut right);
        assert!(parsed(&right, Version::V1).is_ok());
        right["config"] = json!({"row_limit": 10});
        right["orderBy"] = json!([{"field": "count_count", "direction": "desc"}]);
        assert!(parsed(&right, Version::V2).is_ok());
        right["orderBy"][0]["direction"] = json!("asc");
        assert!(parsed(&right, Version::V2).is_err());
    }

    #[test]
    fn what_is_left_out_is_as_usual() {
        let first = parsed(&question(), Version::V1).unwrap();
        assert_eq!(first.query.asked().limit, None);
        let second = parsed(&question(), Version::V2).unwrap();
        let asked = second.query.asked();
        assert_eq!((asked.limit, asked.bins), (Some(100), 10));
        assert_eq!(second.metrics, ["count_count"]);
    }
}
