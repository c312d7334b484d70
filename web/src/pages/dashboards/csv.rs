//! Answers as a table for other programs: comma-separated values by RFC 4180. Texts that a spreadsheet would take for a
//! formula are made harmless; numbers stay numbers.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::Timestamp;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::App;
use service::dashboards::{self, Answer};

use super::drawn::Cutting;
use super::show::only_range;
use super::{dashboard_id, no_widget, widget_id};
use crate::extract::{InProject, Pairs};
use crate::pages::Answer as Page;
use crate::pages::traces::query::ListQuery;

/// Beginnings by which spreadsheets take a text for something to work out.
const FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Sends what a widget shows.
pub(crate) async fn show_csv(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Page {
    let (id, widget) = (dashboard_id(&params)?, widget_id(&params)?);
    let reader = &entered.reader;
    let query = only_range(ListQuery::read(&pairs, reader.zone())?.query)?;
    let dashboard = dashboards::show(&app, &entered.scope, id).await?;
    let widget = dashboard.document.widget(widget).ok_or_else(no_widget)?;
    let cutting = Cutting::new(reader.zone(), widget, query.bounds(app.clock().now()));
    let answer = dashboards::answer(&app, &entered.scope, widget, &cutting.window).await?;
    let group = widget.question.by.as_ref().map(ToString::to_string);
    let measure = widget.question.measure.as_str();
    let text = table(&answer, (group.as_deref(), measure), &cutting.window.edges);
    let name = format!("attachment; filename=\"widget-{}.csv\"", widget.id);
    Ok((
        [
            (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
            (CONTENT_DISPOSITION, name),
        ],
        text,
    )
        .into_response())
}

/// An answer as rows: of time in UTC, groups, numbers.
fn table(answer: &Answer, (group, measure): (Option<&str>, &str), edges: &[Timestamp]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let named = |name: &Option<String>| text(name.as_deref().unwrap_or_default());
    let group_name = text(group.unwrap_or("group"));
    match answer {
        Answer::Number(value) => {
            rows.push(vec![text(measure)]);
            rows.push(vec![number(*value)]);
        }
        Answer::Groups(groups, _) => {
            rows.push(vec![group_name, text(measure)]);
            rows.extend(
                groups
                    .iter()
                    .map(|(name, value)| vec![named(name), number(*value)]),
            );
        }
        Answer::OverTime(groups, _) => {
            rows.push(vec![text("time"), group_name, text(measure)]);
            for (name, values) in groups {
                let cells = edges.iter().zip(values);
                rows.extend(
                    cells.map(|(edge, value)| vec![edge.to_string(), named(name), number(*value)]),
                );
            }
        }
        Answer::Bars(bars) => {
            rows.push(["from", "to", "count"].map(text).to_vec());
            rows.extend(bars.iter().map(|bar| {
                let cells = [bar.lower, bar.upper, bar.height];
                cells.map(|cell| cell.to_string()).to_vec()
            }));
        }
    }
    let lines: Vec<String> = rows.into_iter().map(|row| row.join(",") + "\r\n").collect();
    lines.concat()
}

/// A text as a cell.
fn text(text: &str) -> String {
    let harmless = match text.starts_with(FORMULAS) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match harmless.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", harmless.replace('"', "\"\"")),
        false => harmless,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_harmless_and_numbers_are_numbers() {
        let names = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "a,\"b\"", "plain"];
        let groups = names
            .iter()
            .map(|name| (Some((*name).to_owned()), Some(-0.5)));
        let answer = Answer::Groups(groups.chain([(None, None)]).collect(), false);
        assert_eq!(
            table(&answer, (Some("user_id"), "value"), &[]),
            "user_id,value\r\n'=1+1,-0.5\r\n'+1,-0.5\r\n'-1+2,-0.5\r\n'@SUM(A1),-0.5\r\n'\t=1,-0.5\r\n\
             \"a,\"\"b\"\"\",-0.5\r\nplain,-0.5\r\n,\r\n"
        );
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let edges = [at("2026-06-28T00:00:00Z"), at("2026-06-29T00:00:00Z")];
        let groups = vec![(Some("a".to_owned()), vec![Some(1.0), None])];
        let text = table(
            &Answer::OverTime(groups, true),
            (Some("model"), "count"),
            &edges,
        );
        assert_eq!(
            text,
            "time,model,count\r\n2026-06-28T00:00:00.000000Z,a,1\r\n2026-06-29T00:00:00.000000Z,a,\r\n"
        );
        assert_eq!(
            table(&Answer::Number(None), (None, "value"), &[]),
            "value\r\n\r\n"
        );
    }
}
