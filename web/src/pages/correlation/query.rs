//! The state of the page, as its address holds it: that of the list of traces, and
//!
//! `s=token.ttft_ms:p99` per series, `by=` a dimension, `instance=`, `wf=…&wt=…` the window that is asked about,
//! `symptom=` a value and `worse=up|down`, `x=…&y=…` and `x2=…&y2=…` the values of the joint plots.

use domain::attribution::request::Direction;
use domain::axes::ask::MAX_SERIES;
use domain::axes::{AxisSeries, AxisValue, Dimension};
use domain::filter::Filter;
use domain::{Fault, Timestamp};
use service::axes::Only;

use crate::extract::Pairs;
use crate::pages::traces::query::ListQuery;
use crate::zone::Zone;

/// Series that the page has unless told otherwise.
pub(super) const USUAL: [&str; 8] = [
    "token.ttft_ms:p99",
    "token.ttft_ms:p50",
    "gpu.sm_active:avg",
    "gpu.memory_used_ratio:avg",
    "token.prefix_cache_hit_rate:avg",
    "token.kv_cache_usage:avg",
    "quality.format_valid:rate",
    "quality.refused:rate",
];
/// Values of the joint plots unless told otherwise: names in the address, and what stands against what.
const JOINTS: [[(&str, &str); 2]; 2] = [
    [("x", "gpu.sm_active"), ("y", "quality.format_valid")],
    [
        ("x2", "token.prefix_cache_hit_rate"),
        ("y2", "token.ttft_ms"),
    ],
];
/// What is asked about unless told otherwise.
const SYMPTOM: &str = "token.ttft_ms";

/// The state of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CorrelationQuery {
    /// Range, conditions, zone.
    pub(crate) list: ListQuery,
    /// Series; none: the usual ones.
    series: Vec<AxisSeries>,
    /// What lines are grouped by.
    pub(crate) by: Option<Dimension>,
    /// Instances that requests are narrowed to.
    pub(crate) instances: Vec<String>,
    /// The window that is asked about.
    pub(crate) window: Option<(Timestamp, Timestamp)>,
    /// The value that went wrong, and which way is bad.
    pub(crate) symptom: (AxisValue, Direction),
    /// What stands against what.
    pub(crate) joints: [(AxisValue, AxisValue); 2],
}

/// A query as read, and whether its address has a shorter form that should be shown instead.
pub(crate) struct Read {
    /// The state.
    pub(crate) query: CorrelationQuery,
    /// Whether parts of forms were in it.
    pub(super) from_form: bool,
}

impl Default for CorrelationQuery {
    fn default() -> Self {
        let value = |name: &str| AxisValue::parse(name).unwrap_or(AxisValue::Requests);
        CorrelationQuery {
            list: ListQuery::default(),
            series: Vec::new(),
            by: None,
            instances: Vec::new(),
            window: None,
            symptom: (value(SYMPTOM), Direction::Up),
            joints: JOINTS.map(|[(_, x), (_, y)]| (value(x), value(y))),
        }
    }
}

impl CorrelationQuery {
    /// From the address.
    ///
    /// # Errors
    /// `invalid`, naming the part that makes no sense.
    pub(crate) fn read(pairs: &Pairs, zone: &Zone) -> Result<Read, Fault> {
        let of_instance = pairs.get("fc") == Some("instance");
        let mut rest = pairs.clone();
        if of_instance {
            rest.0
                .retain(|(name, _)| !matches!(name.as_str(), "fc" | "fo" | "fv"));
        }
        let read = ListQuery::read(&rest, zone)?;
        let mut query = CorrelationQuery {
            list: read.query,
            ..CorrelationQuery::default()
        };
        for text in pairs.all("s").filter(|text| !text.is_empty()) {
            query.add(AxisSeries::parse(text)?)?;
        }
        query.by = match pairs.filled("by") {
            Some(name) => Dimension::parse_list(name)?.first().copied(),
            None => None,
        };
        query.instances = pairs.all("instance").map(str::to_owned).collect();
        query.window = window(pairs)?;
        if let Some(name) = pairs.filled("symptom") {
            query.symptom = (value("symptom", name)?, Direction::Up);
            if is_good(name) {
                query.symptom.1 = Direction::Down;
            }
        }
        if let Some(way) = pairs.filled("worse").and_then(Direction::parse) {
            query.symptom.1 = way;
        }
        for ([(x, _), (y, _)], joint) in JOINTS.iter().zip(&mut query.joints) {
            for (name, place) in [(x, &mut joint.0), (y, &mut joint.1)] {
                if let Some(text) = pairs.filled(name) {
                    *place = value(name, text)?;
                }
            }
        }
        let from_form = query.read_forms(pairs, (zone, of_instance))? || read.from_form;
        Ok(Read { query, from_form })
    }

    /// What forms send in parts; whether one of them was sent.
    fn read_forms(
        &mut self,
        pairs: &Pairs,
        (zone, of_instance): (&Zone, bool),
    ) -> Result<bool, Fault> {
        let mut found = ["add", "by", "wfl"]
            .into_iter()
            .any(|name| pairs.get(name) == Some(""));
        if let Some(text) = pairs.filled("add") {
            if self.series.is_empty() {
                self.series = self.series();
            }
            self.add(AxisSeries::parse(text)?)?;
            found = true;
        }
        if let Some(value) = pairs.filled("fv").filter(|_| of_instance) {
            if !self.instances.iter().any(|known| known == value) {
                self.instances.push(value.to_owned());
            }
            found = true;
        }
        if let (Some(from), Some(to)) = (pairs.filled("wfl"), pairs.filled("wtl")) {
            let (Some(from), Some(to)) = (zone.read_input(from), zone.read_input(to)) else {
                return Err(Fault::invalid("the window needs two times"));
            };
            self.window = Some((from.min(to), from.max(to)));
            found = true;
        }
        Ok(found)
    }

    fn add(&mut self, series: AxisSeries) -> Result<(), Fault> {
        if self.series.len() >= MAX_SERIES {
            return Err(Fault::invalid(format!("s: give at most {MAX_SERIES}")));
        }
        if !self.series.contains(&series) {
            self.series.push(series);
        }
        Ok(())
    }

    /// The series of the page.
    pub(crate) fn series(&self) -> Vec<AxisSeries> {
        if self.series.is_empty() {
            let usual = USUAL.iter().filter_map(|text| AxisSeries::parse(text).ok());
            return usual.collect();
        }
        self.series.clone()
    }

    /// Without one of its series; the usual ones where it is the last.
    #[must_use]
    pub(crate) fn without(&self, series: &AxisSeries) -> Self {
        let mut left = self.series();
        left.retain(|known| known != series);
        CorrelationQuery {
            series: left,
            ..self.clone()
        }
    }

    /// After a change.
    #[must_use]
    pub(crate) fn changed(&self, change: impl FnOnce(&mut CorrelationQuery)) -> Self {
        let mut query = self.clone();
        query.list.cursor = None;
        change(&mut query);
        query
    }

    /// Which requests, by what the store tells apart.
    pub(crate) fn filter(&self, now: Timestamp) -> Filter {
        self.list.filter(now)
    }

    /// Which requests, by what the join tells apart.
    pub(crate) fn only(&self) -> Only {
        match self.instances.is_empty() {
            true => Vec::new(),
            false => vec![(Dimension::Instance, self.instances.clone())],
        }
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.to_pairs());
        query.finish()
    }

    /// The same as names and values, for hidden fields.
    pub(crate) fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let usual = CorrelationQuery::default();
        let mut pairs = self.list.to_pairs();
        pairs.extend(self.series.iter().map(|series| ("s", series.to_string())));
        pairs.extend(self.by.map(|by| ("by", by.to_string())));
        pairs.extend(self.instances.iter().map(|name| ("instance", name.clone())));
        if let Some((from, to)) = self.window {
            pairs.push(("wf", from.to_string()));
            pairs.push(("wt", to.to_string()));
        }
        let (symptom, worse) = &self.symptom;
        if self.symptom != usual.symptom {
            pairs.push(("symptom", symptom.to_string()));
            pairs.push(("worse", worse.as_str().to_owned()));
        }
        let joints = JOINTS.iter().zip(&self.joints).zip(&usual.joints);
        for (([(x, _), (y, _)], joint), usual) in joints {
            if joint != usual {
                pairs.push((x, joint.0.to_string()));
                pairs.push((y, joint.1.to_string()));
            }
        }
        pairs
    }

    /// The same without some names: what a form keeps that sends these.
    pub(crate) fn keep(&self, but: &[&str]) -> Vec<(&'static str, String)> {
        let mut pairs = self.to_pairs();
        pairs.retain(|(name, _)| !but.contains(name));
        pairs
    }

    /// Names of the values of a joint plot in the address.
    pub(super) fn joint_names(at: usize) -> (&'static str, &'static str) {
        let [(x, _), (y, _)] = JOINTS[at.min(JOINTS.len() - 1)];
        (x, y)
    }
}

/// Whether more of it is better.
fn is_good(name: &str) -> bool {
    matches!(
        name,
        "quality.format_valid" | "quality.length_in_range" | "quality.stop_reason_valid"
    )
}

fn value(name: &str, text: &str) -> Result<AxisValue, Fault> {
    AxisValue::parse(text).ok_or_else(|| {
        Fault::invalid(format!(
            "{name}: name a value such as gpu.sm_active, token.ttft_ms, quality.format_valid or score.NAME"
        ))
    })
}

fn window(pairs: &Pairs) -> Result<Option<(Timestamp, Timestamp)>, Fault> {
    let (Some(from), Some(to)) = (pairs.filled("wf"), pairs.filled("wt")) else {
        return Ok(None);
    };
    let wrong = |name| move |error| Fault::invalid(format!("{name}: {error}"));
    let from = Timestamp::parse(from).map_err(wrong("wf"))?;
    let to = Timestamp::parse(to).map_err(wrong("wt"))?;
    Ok((from != to).then_some((from.min(to), from.max(to))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Read {
        CorrelationQuery::read(&Pairs::parse(query.as_bytes()), &Zone::utc()).unwrap()
    }

    #[test]
    fn the_address_and_the_state_are_the_same() {
        for address in [
            "",
            "range=1h&f=model%3Ais%3Aqwen3&s=gpu.power_w%3Amax&by=instance&instance=a%3A8000",
            "wf=2026-03-12T02%3A14%3A00.000000Z&wt=2026-03-12T02%3A58%3A00.000000Z&symptom=quality.format_valid&worse=down",
            "x=gpu.sm_active&y=score.helpfulness",
        ] {
            let read = read(address);
            assert_eq!(read.query.to_query(), address);
            assert!(!read.from_form);
        }
    }

    #[test]
    fn forms_add_series_instances_and_windows() {
        let added = read("range=1h&add=gpu.power_w%3Amax");
        assert!(added.from_form);
        assert_eq!(added.query.series().len(), USUAL.len() + 1);
        let narrowed = read("fc=instance&fo=is&fv=vllm-0&instance=vllm-1");
        assert!(narrowed.from_form);
        assert_eq!(narrowed.query.to_query(), "instance=vllm-1&instance=vllm-0");
        let asked = read("wfl=2026-03-12T02:58&wtl=2026-03-12T02:14&symptom=quality.refused");
        assert!(asked.from_form);
        assert_eq!(
            asked.query.to_query(),
            "wf=2026-03-12T02%3A14%3A00.000000Z&wt=2026-03-12T02%3A58%3A00.000000Z&symptom=quality.refused&worse=up"
        );
        assert_eq!(
            read("symptom=quality.format_valid").query.symptom.1,
            Direction::Down
        );
    }

    #[test]
    fn nonsense_is_named() {
        for address in [
            "s=colour:avg",
            "by=colour",
            "x=colour",
            "wf=x&wt=y",
            "symptom=colour",
        ] {
            let pairs = Pairs::parse(address.as_bytes());
            assert!(
                CorrelationQuery::read(&pairs, &Zone::utc()).is_err(),
                "{address}"
            );
        }
    }
}
