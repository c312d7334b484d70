//! From a bin of a joint plot to its traces: the list, narrowed to them.

use axum::extract::State;
use domain::axes::AxisValue;
use domain::filter::{Column, Operator};
use domain::{Fault, TraceId};
use service::{App, axes};

use super::query::CorrelationQuery;
use crate::extract::{InProject, Pairs};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, see_other};
use crate::urls;

/// Traces that an address names at most: one page of the list.
const MOST: usize = 50;

/// Goes on to the list.
pub(crate) async fn list_bin(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let query = CorrelationQuery::read(&pairs, entered.reader.zone())?.query;
    if pairs.get("value").is_none() {
        return Ok(see_other(&urls::correlation(entered.id(), &query)));
    }
    let (value, least, most) = bin(&pairs)?;
    let (filter, only) = (query.filter(app.clock().now()), query.only());
    let within = (&value, least, most);
    let found = axes::traces_within(&app, &entered.scope, (&filter, &only), within, MOST).await?;
    let list = narrowed(&query.list, &found);
    Ok(see_other(&urls::traces(entered.id(), &list)))
}

/// The list narrowed to some traces; to none where there are none.
fn narrowed(list: &ListQuery, traces: &[TraceId]) -> ListQuery {
    list.changed(|list| {
        list.live = false;
        list.conditions = traces
            .iter()
            .map(|trace| (Column::TraceId, Operator::AnyOf, trace.to_string()))
            .collect();
        if traces.is_empty() {
            let nothing = (Column::TraceId, Operator::AnyOf, "-".to_owned());
            list.conditions.push(nothing);
        }
    })
}

fn bin(pairs: &Pairs) -> Result<(AxisValue, f64, f64), Fault> {
    let number = |name: &str| {
        let number = pairs.filled(name).and_then(|text| text.parse::<f64>().ok());
        let number = number.filter(|number| number.is_finite());
        number.ok_or_else(|| Fault::invalid(format!("{name}: give a number")))
    };
    let value = pairs.filled("value").and_then(AxisValue::parse);
    let value = value.ok_or_else(|| Fault::invalid("value: name a value such as gpu.sm_active"))?;
    Ok((value, number("least")?, number("most")?))
}
