//! The state of the list of traces, as its address holds it.
//!
//! `range=1h` or `from=…&to=…`, `q=` free text, `f=column:operator:value` per condition,
//! `error=yes|no`, `min_ms=`, `live=1`, `cursor=`, `tz=`, `cols=` names of columns, `facets=` facets that
//! are open, `view=` the saved view that it began with.

use domain::filter::{Column, Condition, Filter, MAX_CONDITIONS, Operator};
use domain::page::Cursor;
use domain::search::{self, Search, SearchError};
use domain::{Fault, Nanos, Timestamp};

use super::bounds::{least_ms, range};
use super::columns::{COLUMNS, column_name, condition, operator_name};
use super::table::ListColumn;
use crate::extract::Pairs;
use crate::i18n::text;
use crate::zone::Zone;

/// A length of time up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preset {
    /// Its name in addresses.
    pub(crate) name: &'static str,
    /// Its words; a key of the translations.
    pub(crate) label: &'static str,
    /// How long.
    pub(crate) length: Nanos,
}

/// Every preset, shortest first.
pub(crate) const PRESETS: [Preset; 7] = [
    Preset {
        name: "15m",
        label: text!("Last 15 minutes"),
        length: Nanos::from_seconds(900),
    },
    Preset {
        name: "1h",
        label: text!("Last 1 hour"),
        length: Nanos::from_seconds(3600),
    },
    Preset {
        name: "6h",
        label: text!("Last 6 hours"),
        length: Nanos::from_seconds(21_600),
    },
    Preset {
        name: "24h",
        label: text!("Last 24 hours"),
        length: Nanos::from_seconds(86_400),
    },
    Preset {
        name: "7d",
        label: text!("Last 7 days"),
        length: Nanos::from_seconds(604_800),
    },
    Preset {
        name: "30d",
        label: text!("Last 30 days"),
        length: Nanos::from_seconds(2_592_000),
    },
    Preset {
        name: "365d",
        label: text!("Last 365 days"),
        length: Nanos::from_seconds(31_536_000),
    },
];

/// Whose cursors these are.
const LIST: &str = "traces";

/// The range where nobody says another.
pub(super) const DEFAULT_PRESET: Preset = PRESETS[3];

/// Which stretch of time is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// Up to now.
    Last(Preset),
    /// Between two instants.
    Between(Timestamp, Timestamp),
}

/// The state of the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListQuery {
    /// Stretch of time.
    pub(crate) range: Range,
    /// What is searched for, as it was typed.
    pub(crate) text: Option<String>,
    /// Comparisons, one value each; equal columns and operators are joined for the filter.
    pub(crate) conditions: Vec<(Column, Operator, String)>,
    /// With or without errors.
    pub(crate) has_error: Option<bool>,
    /// Least latency.
    pub(crate) min_ms: Option<f64>,
    /// Whether new traces appear by themselves.
    pub(crate) live: bool,
    /// Where this page of the list begins.
    pub(crate) cursor: Option<Cursor>,
    /// Time zone, where the address names one.
    pub(crate) zone: Option<String>,
    /// Columns, where they were chosen.
    pub(crate) columns: Option<Vec<ListColumn>>,
    /// Facets that are open, where the panel is.
    pub(crate) facets: Option<Vec<String>>,
    /// Id of the saved view that the state began with; [`NO_VIEW`] for none although there is a default.
    pub(crate) view: Option<String>,
}

/// In place of the id of a view: the whole list.
pub(crate) const NO_VIEW: &str = "all";

impl Default for ListQuery {
    fn default() -> Self {
        ListQuery {
            range: Range::Last(DEFAULT_PRESET),
            text: None,
            conditions: Vec::new(),
            has_error: None,
            min_ms: None,
            live: false,
            cursor: None,
            zone: None,
            columns: None,
            facets: None,
            view: None,
        }
    }
}

/// A query as read, and whether its address has a shorter form that should be shown instead.
pub(crate) struct Read {
    /// The state.
    pub(crate) query: ListQuery,
    /// Whether parts of forms were in it, which have become conditions or a range.
    pub(crate) from_form: bool,
    /// What was wrong with the value of the filter menu, on the field `fv`.
    pub(crate) refused: Option<Fault>,
    /// What was wrong with the search.
    pub(crate) search_error: Option<SearchError>,
    /// Words of the search that look like fields and are none.
    pub(crate) unknown_fields: Vec<String>,
}

impl ListQuery {
    /// From the address.
    ///
    /// # Errors
    /// `invalid`, naming the part that makes no sense.
    pub(crate) fn read(pairs: &Pairs, zone: &Zone) -> Result<Read, Fault> {
        let mut query = ListQuery {
            range: range(pairs)?,
            ..ListQuery::default()
        };
        query.text = pairs.filled("q").map(str::to_owned);
        for text in pairs.all("f") {
            query.conditions.push(condition(text)?);
        }
        query.has_error = match pairs.filled("error") {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            Some(_) => return Err(Fault::invalid("error is yes or no").on_field("error")),
            None => None,
        };
        query.min_ms = match pairs.filled("min_ms") {
            Some(text) => least_ms(text)?,
            None => None,
        };
        query.live = pairs.get("live") == Some("1");
        query.cursor = pairs
            .filled("cursor")
            .map(|text| Cursor::read(LIST, text))
            .transpose()?;
        query.zone = pairs.filled("tz").map(str::to_owned);
        query.columns = match pairs.get("cols") {
            Some(_) => Some(ListColumn::parse_list(listed(pairs, "cols"))?),
            None => None,
        };
        query.facets = pairs.get("facets").map(|_| {
            let known = |name: &&str| COLUMNS.iter().any(|(known, _)| known == name);
            listed(pairs, "facets")
                .filter(known)
                .map(str::to_owned)
                .collect()
        });
        query.view = pairs.filled("view").map(str::to_owned);
        let searched = query
            .text
            .as_deref()
            .map_or(Ok(None), |text| search::parse(text).map(Some));
        let (search_error, unknown_fields) = match searched {
            Ok(parsed) => (
                None,
                parsed.map_or(Vec::new(), |parsed| parsed.unknown_fields),
            ),
            Err(error) => (Some(error), Vec::new()),
        };
        let refused = query.read_filter(pairs)?;
        if query.conditions.len() > MAX_CONDITIONS {
            let message = format!("a filter has at most {MAX_CONDITIONS} conditions");
            return Err(Fault::invalid(message).on_field("f"));
        }
        let from_form = query.read_forms(pairs, zone)?;
        Ok(Read {
            query,
            from_form,
            refused,
            search_error,
            unknown_fields,
        })
    }

    /// The filter menu sends the parts of a condition; what is wrong with the value is given back.
    fn read_filter(&mut self, pairs: &Pairs) -> Result<Option<Fault>, Fault> {
        let parts = (pairs.filled("fc"), pairs.filled("fo"), pairs.filled("fv"));
        let (Some(column), Some(operator), Some(value)) = parts else {
            return Ok(None);
        };
        if column != "min_ms" {
            let added = condition(&format!("{column}:{operator}:{value}"))?;
            if !self.conditions.contains(&added) {
                self.conditions.push(added);
            }
            return Ok(None);
        }
        let seconds: Option<f64> = value.trim_end_matches('s').trim().parse().ok();
        match seconds.filter(|s| s.is_finite() && *s >= 0.0) {
            Some(seconds) => self.min_ms = Some(seconds * 1000.0),
            None => {
                let message =
                    format!("latency must be a number of seconds, such as 1.5, got {value}");
                return Ok(Some(Fault::invalid(message).on_field("fv")));
            }
        }
        Ok(None)
    }

    /// The forms of the page send the parts of a range; whether one of them was sent.
    fn read_forms(&mut self, pairs: &Pairs, zone: &Zone) -> Result<bool, Fault> {
        // Boxes of a form send a name each, addresses a list.
        let boxes = pairs.all("cols").count() > 1;
        let mut found =
            pairs.get("q").is_some_and(str::is_empty) || pairs.get("fc").is_some() || boxes;
        if let (Some(from), Some(to)) = (pairs.filled("rf"), pairs.filled("rt")) {
            let (from, to) = (zone.read_input(from), zone.read_input(to));
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Fault::invalid("the range needs two times"));
            };
            self.range = Range::Between(from.min(to), from.max(to));
            self.live = false;
            found = true;
        }
        if found {
            self.cursor = None;
        }
        Ok(found)
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.to_pairs());
        query.finish()
    }

    /// The same as names and values, for hidden fields.
    pub(crate) fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        match self.range {
            Range::Last(preset) if preset == DEFAULT_PRESET => {}
            Range::Last(preset) => pairs.push(("range", preset.name.to_owned())),
            Range::Between(from, to) => {
                pairs.push(("from", from.to_string()));
                pairs.push(("to", to.to_string()));
            }
        }
        pairs.extend(self.text.iter().map(|text| ("q", text.clone())));
        for (column, operator, value) in &self.conditions {
            let (column, operator) = (column_name(column), operator_name(*operator));
            pairs.push(("f", format!("{column}:{operator}:{value}")));
        }
        if let Some(has_error) = self.has_error {
            pairs.push(("error", if has_error { "yes" } else { "no" }.to_owned()));
        }
        pairs.extend(
            self.min_ms
                .map(|ms| ("min_ms", crate::format::trimmed(ms, 3))),
        );
        if self.live {
            pairs.push(("live", "1".to_owned()));
        }
        pairs.extend(
            self.cursor
                .iter()
                .map(|cursor| ("cursor", cursor.written(LIST))),
        );
        pairs.extend(self.zone.iter().map(|zone| ("tz", zone.clone())));
        pairs.extend(self.columns.iter().map(|columns| {
            let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
            ("cols", names.join(","))
        }));
        pairs.extend(self.facets.iter().map(|open| ("facets", open.join(","))));
        pairs.extend(self.view.iter().map(|view| ("view", view.clone())));
        pairs
    }

    /// The first and last instant shown, on every page. What is up to now begins on a whole second, so that those who
    /// look at the same time ask the same.
    pub(crate) fn bounds(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let now = now.whole_seconds();
        match self.range {
            // Clocks of clients run ahead a little; their traces are shown all the same.
            Range::Last(preset) => (now.minus(preset.length), now.plus(Nanos::from_seconds(5))),
            Range::Between(from, to) => (from, to),
        }
    }

    /// What the store is asked for.
    pub(crate) fn filter(&self, now: Timestamp) -> Filter {
        let (from, to) = self.bounds(now);
        let mut conditions: Vec<Condition> = Vec::new();
        for (column, operator, value) in &self.conditions {
            // Two values of one column mean either of them; denials add up by themselves.
            let joins = matches!(operator, Operator::AnyOf | Operator::NoneOf);
            let same = conditions
                .iter_mut()
                .find(|known| joins && known.column == *column && known.operator == *operator);
            match same {
                Some(known) => known.values.push(value.clone()),
                None => conditions.push(Condition {
                    column: column.clone(),
                    operator: *operator,
                    values: vec![value.clone()],
                }),
            }
        }
        Filter {
            from: Some(from),
            to: Some(to),
            search: self.text.as_deref().and_then(searched),
            min_latency_ms: self.min_ms,
            has_error: self.has_error,
            conditions,
            ..Filter::default()
        }
    }

    /// Whether anything but the range narrows the list.
    pub(crate) fn is_narrowed(&self) -> bool {
        self.text.is_some()
            || !self.conditions.is_empty()
            || self.has_error.is_some()
            || self.min_ms.is_some()
    }

    /// Whether it began with a saved view.
    pub(crate) fn is_of_view(&self) -> bool {
        self.view.as_deref().is_some_and(|view| view != NO_VIEW)
    }

    /// The list from its start, after a change.
    #[must_use]
    pub(crate) fn changed(&self, change: impl FnOnce(&mut ListQuery)) -> Self {
        let mut query = self.clone();
        query.cursor = None;
        change(&mut query);
        query
    }

    /// The stretch just before (`-1`) or after (`+1`) this one, as long as it.
    #[must_use]
    pub(crate) fn moved(&self, direction: i32, now: Timestamp) -> Self {
        let (from, to) = match self.range {
            Range::Last(preset) => (now.minus(preset.length), now),
            Range::Between(from, to) => (from, to),
        };
        let length = to - from;
        let (from, to) = if direction < 0 {
            (from.minus(length), from)
        } else {
            (to, to.plus(length))
        };
        self.changed(|query| {
            query.range = Range::Between(from, to);
            query.live = false;
        })
    }
}

/// What a text means; one that is no search is refused before anything is asked for.
fn searched(text: &str) -> Option<Search> {
    match search::parse(text) {
        Ok(parsed) => parsed.search,
        Err(_) => Some(Search::text(text)),
    }
}

/// Names from `a,b`, and from several pairs of one name.
fn listed<'p>(pairs: &'p Pairs, name: &'p str) -> impl Iterator<Item = &'p str> {
    pairs.all(name).flat_map(|list| list.split(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Read {
        ListQuery::read(&Pairs::parse(query.as_bytes()), &Zone::utc()).unwrap()
    }

    #[test]
    fn the_address_and_the_state_are_the_same() {
        for address in [
            "",
            "range=15m&q=bag&live=1",
            "from=2026-03-12T02%3A14%3A00.000000Z&to=2026-03-12T02%3A58%3A00.000000Z",
            "f=environment%3Ais%3Aproduction&f=tag%3Anot%3Aa%3Ab&error=yes&min_ms=1500",
            "f=metadata.k%3Ahas%3Ax&cursor=traces%7E1849a2b3.t-1&tz=Asia%2FShanghai",
            "q=a+OR+b&cols=model%2Ccost&facets=model%2Ctag&view=all",
            "cols=&facets=",
        ] {
            let read = read(address);
            assert_eq!(read.query.to_query(), address);
            assert!(!read.from_form);
        }
    }

    #[test]
    fn parts_of_forms_become_conditions_and_ranges() {
        let filter = read("range=1h&cursor=traces~1.a&fc=model&fo=is&fv=qwen3");
        assert!(filter.from_form && filter.query.cursor.is_none());
        assert_eq!(filter.query.to_query(), "range=1h&f=model%3Ais%3Aqwen3");
        let latency = read("fc=min_ms&fo=is&fv=1.5+s");
        assert_eq!(latency.query.min_ms, Some(1500.0));
        let wrong = read("q=a&fc=min_ms&fo=is&fv=slow");
        assert_eq!(wrong.refused.unwrap().field.as_deref(), Some("fv"));
        assert_eq!(wrong.query.to_query(), "q=a");
        let range = read("range=1h&rf=2026-03-12T02:58&rt=2026-03-12T02:14&live=1");
        assert_eq!(
            range.query.to_query(),
            "from=2026-03-12T02%3A14%3A00.000000Z&to=2026-03-12T02%3A58%3A00.000000Z"
        );
    }

    #[test]
    fn values_of_one_column_mean_either() {
        let now = Timestamp::parse("2026-03-12T02:58:00Z").unwrap();
        let filter = read("f=model:is:a&f=model:is:b&f=tag:has:x&f=tag:has:y")
            .query
            .filter(now);
        let values: Vec<_> = filter.conditions.iter().map(|c| c.values.len()).collect();
        assert_eq!(values, [2, 1, 1]);
    }

    #[test]
    fn nonsense_is_named() {
        for address in [
            "range=9y",
            "f=model",
            "f=model:is:",
            "f=colour:is:red",
            "from=x&to=y",
            "cursor=x",
            "cursor=spans~1849a2b3.t-1",
            "error=maybe",
            "min_ms=fast",
            "from=2026-03-12T02:14:00Z",
            "cols=colour",
        ] {
            let pairs = Pairs::parse(address.as_bytes());
            assert!(ListQuery::read(&pairs, &Zone::utc()).is_err(), "{address}");
        }
    }

    #[test]
    fn a_search_is_read_once_and_its_fault_has_a_place() {
        let read = read("q=late+(bag&cols=cost&cols=model");
        assert_eq!(read.search_error.unwrap().at, 5);
        assert!(read.from_form);
        assert_eq!(read.query.columns.unwrap().len(), 2);
        let note = self::read("q=modle:x");
        assert_eq!(note.unknown_fields, ["modle"]);
    }

    #[test]
    fn earlier_is_as_long_as_now() {
        let now = Timestamp::parse("2026-03-12T02:00:00Z").unwrap();
        let earlier = read("range=1h").query.moved(-1, now);
        let hour = Nanos::from_seconds(3600);
        assert_eq!(
            earlier.range,
            Range::Between(now.minus(hour).minus(hour), now.minus(hour))
        );
    }
}
