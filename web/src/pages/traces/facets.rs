//! Facets: values of a column among the traces of the list, each of which adds a filter or takes it away.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::facet::FacetValue;
use domain::filter::{Column, Operator};
use domain::{Fault, Nanos, ProjectId, Timestamp};
use service::{App, facets};

use super::columns::{COLUMNS, column_of};
use super::query::ListQuery;
use super::segment;
use crate::extract::{InProject, Pairs};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Frame, Shell};
use crate::pages::{Answer, no_such_page, render};
use crate::urls;

/// Values that are shown at first.
const FEW: u32 = 10;
/// A range that ends now moves in steps of so many seconds, so that two readers ask the same.
const STEP_SECONDS: u64 = 30;

/// A facet of the panel, which loads when it is opened.
pub(crate) struct FacetHead {
    /// Name of its column.
    pub(crate) name: &'static str,
    /// In words.
    pub(crate) label: &'static str,
    /// Where its values are.
    pub(crate) url: String,
    /// Whether it is open.
    pub(crate) is_open: bool,
    /// How many filters of it are in force; empty for none.
    pub(crate) chosen: String,
}

/// The facets of the panel; none where it is closed.
pub(super) fn heads(project: ProjectId, query: &ListQuery, lang: Lang) -> Vec<FacetHead> {
    let Some(open) = &query.facets else {
        return Vec::new();
    };
    let head = |(name, label): (&'static str, &'static str)| {
        let column = column_of(name);
        let mine = query
            .conditions
            .iter()
            .filter(|(of, operator, _)| Some(of) == column.as_ref() && is_toggle(*operator))
            .count();
        FacetHead {
            name,
            label: lang.t(label),
            url: urls::facet(project, name, query),
            is_open: open.iter().any(|open| open == name),
            chosen: match mine {
                0 => String::new(),
                many => many.to_string(),
            },
        }
    };
    COLUMNS.into_iter().map(head).collect()
}

fn is_toggle(operator: Operator) -> bool {
    matches!(operator, Operator::AnyOf | Operator::NoneOf)
}

/// Values of a column.
#[derive(Template)]
#[template(path = "traces/facet.html")]
pub(crate) struct FacetPage {
    pub(crate) shell: Shell,
    /// Values, those that are chosen first.
    pub(crate) values: Vec<ValueRow>,
    /// Shows more of them; empty where these are all.
    pub(crate) more_url: String,
    /// There are more than can be shown.
    pub(crate) too_many: bool,
}

/// A value.
pub(crate) struct ValueRow {
    pub(crate) value: String,
    /// How many traces have it.
    pub(crate) count: String,
    /// Length of its bar in hundredths of the longest.
    pub(crate) bar: String,
    pub(crate) is_included: bool,
    pub(crate) is_excluded: bool,
    /// Only traces with it, or again all.
    pub(crate) include_url: String,
    /// Only traces without it, or again all.
    pub(crate) exclude_url: String,
}

/// Gives the values of the column of the path.
pub(crate) async fn show_facet(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let name = segment(&params, "column").unwrap_or_default();
    let known = COLUMNS.iter().find(|(known, _)| *known == name);
    let (name, column) = known
        .and_then(|(name, _)| Some((*name, column_of(name)?)))
        .ok_or_else(no_such_page)?;
    let read = ListQuery::read(&pairs, entered.reader.zone())?;
    if let Some(error) = &read.search_error {
        return Err(Fault::invalid(error.to_string()).on_field("q").into());
    }
    let wants_all = pairs.get("all") == Some("1");
    let most = if wants_all { facets::MOST } else { FEW };
    let filter = read.query.filter(coarse(app.clock().now()));
    let asked = (&filter, &column);
    let facet = facets::show(&app, &entered.scope, asked, most).await?;
    let mut query = read.query;
    let open = query.facets.get_or_insert_default();
    if !open.iter().any(|open| open == name) {
        open.push(name.to_owned());
    }
    Ok(render(&FacetPage {
        shell: Frame::shell(&entered.reader),
        values: rows(entered.id(), (&query, &column), &facet.values),
        more_url: match facet.has_more && !wants_all {
            true => urls::whole_facet(entered.id(), name, &query),
            false => String::new(),
        },
        too_many: facet.has_more && wants_all,
    }))
}

/// The end of the step in which an instant lies.
fn coarse(now: Timestamp) -> Timestamp {
    let step = STEP_SECONDS * 1_000_000_000;
    let over = now.unix_nanos().unsigned_abs() % step;
    now.plus(Nanos(step - over))
}

/// Values with their addresses. What is chosen and has become rare is there all the same.
pub(crate) fn rows(
    project: ProjectId,
    (query, column): (&ListQuery, &Column),
    values: &[FacetValue],
) -> Vec<ValueRow> {
    let is = |operator, value: &str| {
        let mut conditions = query.conditions.iter();
        conditions.any(|(of, by, with)| of == column && *by == operator && with == value)
    };
    let longest = values.iter().map(|value| value.traces).max().unwrap_or(0);
    let row = |value: &str, traces: Option<u64>| ValueRow {
        value: value.to_owned(),
        count: traces.map_or_else(|| format::NOTHING.to_owned(), format::count),
        bar: format::trimmed(
            traces.unwrap_or(0) as f64 / longest.max(1) as f64 * 100.0,
            1,
        ),
        is_included: is(Operator::AnyOf, value),
        is_excluded: is(Operator::NoneOf, value),
        include_url: toggled(project, (query, column), Operator::AnyOf, value),
        exclude_url: toggled(project, (query, column), Operator::NoneOf, value),
    };
    let rare = query.conditions.iter().filter(|(of, operator, value)| {
        let is_shown = values.iter().any(|shown| shown.value == *value);
        of == column && is_toggle(*operator) && !is_shown
    });
    let mut rows: Vec<ValueRow> = values
        .iter()
        .map(|value| row(&value.value, Some(value.traces)))
        .collect();
    rows.extend(rare.map(|(.., value)| row(value, None)));
    rows
}

/// The list with the condition, or without it where it is in force; never with its contrary.
fn toggled(
    project: ProjectId,
    (query, column): (&ListQuery, &Column),
    operator: Operator,
    value: &str,
) -> String {
    let condition = (column.clone(), operator, value.to_owned());
    let changed = query.changed(|query| {
        let was_there = query.conditions.contains(&condition);
        query
            .conditions
            .retain(|(of, by, with)| !(of == column && is_toggle(*by) && with == value));
        if !was_there {
            query.conditions.push(condition);
        }
    });
    urls::traces(project, &changed)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::zone::Zone;

    #[test]
    fn a_value_is_included_excluded_and_let_go() {
        let pairs = Pairs::parse(b"f=model:is:a&f=model:not:b&f=user_id:is:c");
        let query = ListQuery::read(&pairs, &Zone::utc()).unwrap().query;
        let values = [("a", 9), ("d", 3)].map(|(value, traces)| FacetValue {
            value: value.to_owned(),
            traces,
        });
        let project = ProjectId(Uuid::nil());
        let rows = rows(project, (&query, &Column::Model), &values);
        let of = |value: &str| rows.iter().find(|row| row.value == value).unwrap();
        assert!(of("a").is_included && !of("a").include_url.contains("model%3Ais%3Aa"));
        assert!(of("a").exclude_url.contains("model%3Anot%3Aa"));
        assert!(!of("a").exclude_url.contains("model%3Ais%3Aa"));
        assert!(of("b").is_excluded && of("b").count == format::NOTHING);
        assert!(of("d").include_url.contains("model%3Ais%3Ad"));
        assert_eq!(
            (of("a").bar.as_str(), of("d").bar.as_str()),
            ("100", "33.3")
        );
    }
}
