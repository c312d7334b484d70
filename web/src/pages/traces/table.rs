//! Columns of the list of traces, and its rows.

use domain::trace::TraceSummary;
use domain::{Fault, Timestamp};

use crate::content;
use crate::extract::Reader;
use crate::format::{self, Figure};
use crate::i18n::{Lang, text};
use crate::urls;

/// A column that can be chosen; time, name and input are always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListColumn {
    Model,
    Prompt,
    Latency,
    Ttft,
    InputTokens,
    OutputTokens,
    Cost,
    User,
    Tenant,
    Session,
    Environment,
    Release,
    Version,
    Tags,
    Spans,
    Output,
    Id,
}

/// How a column is called and looks.
struct Look {
    column: ListColumn,
    /// In addresses.
    name: &'static str,
    /// A key of the translations.
    label: &'static str,
    /// Of its `<col>`.
    width: &'static str,
    /// Of its head and its cells; `c2` and `c3` go first where there is little room.
    class: &'static str,
}

/// Every column in the order in which they stand.
const LOOKS: [Look; 17] = [
    look(
        ListColumn::Model,
        "model",
        text!("Model"),
        ("t-m", "dim c3"),
    ),
    look(
        ListColumn::Prompt,
        "prompt",
        text!("Prompt"),
        ("t-p", "dim c3"),
    ),
    look(
        ListColumn::Output,
        "output",
        text!("Output"),
        ("", "soft c3"),
    ),
    look(
        ListColumn::Latency,
        "latency",
        text!("Latency"),
        ("t-n", "num"),
    ),
    look(ListColumn::Ttft, "ttft", text!("TTFT"), ("t-n", "num c2")),
    look(
        ListColumn::InputTokens,
        "in",
        text!("In"),
        ("t-s", "num c2"),
    ),
    look(
        ListColumn::OutputTokens,
        "out",
        text!("Out"),
        ("t-s", "num c2"),
    ),
    look(
        ListColumn::Cost,
        "cost",
        text!("Cost"),
        ("t-cost", "num c2"),
    ),
    look(
        ListColumn::Spans,
        "spans",
        text!("Spans"),
        ("t-s", "num c2"),
    ),
    look(ListColumn::User, "user", text!("User"), ("t-u", "mono c3")),
    look(
        ListColumn::Session,
        "session",
        text!("Session"),
        ("t-u", "mono c3"),
    ),
    look(
        ListColumn::Tenant,
        "tenant",
        text!("Tenant"),
        ("t-t", "dim c3"),
    ),
    look(
        ListColumn::Environment,
        "environment",
        text!("Environment"),
        ("t-t", "dim c3"),
    ),
    look(
        ListColumn::Release,
        "release",
        text!("Release"),
        ("t-u", "mono c3"),
    ),
    look(
        ListColumn::Version,
        "version",
        text!("Version"),
        ("t-u", "mono c3"),
    ),
    look(ListColumn::Tags, "tags", text!("Tags"), ("t-t", "dim c3")),
    look(ListColumn::Id, "id", text!("Trace id"), ("t-u", "mono c3")),
];

/// Columns that the list shows by itself where a row has something in them.
const USUAL: [ListColumn; 9] = [
    ListColumn::Model,
    ListColumn::Prompt,
    ListColumn::Latency,
    ListColumn::Ttft,
    ListColumn::InputTokens,
    ListColumn::OutputTokens,
    ListColumn::Cost,
    ListColumn::User,
    ListColumn::Tenant,
];

const fn look(
    column: ListColumn,
    name: &'static str,
    label: &'static str,
    (width, class): (&'static str, &'static str),
) -> Look {
    Look {
        column,
        name,
        label,
        width,
        class,
    }
}

impl ListColumn {
    fn look(self) -> &'static Look {
        let mut looks = LOOKS.iter();
        looks.find(|look| look.column == self).unwrap_or(&LOOKS[0])
    }

    /// Its name in addresses.
    pub(crate) fn name(self) -> &'static str {
        self.look().name
    }

    /// Every column with its words, in the order in which they stand.
    pub(crate) fn all(lang: Lang) -> impl Iterator<Item = (ListColumn, &'static str)> {
        LOOKS
            .iter()
            .map(move |look| (look.column, lang.t(look.label)))
    }

    /// From `model,cost`; in the order of the list, each once.
    ///
    /// # Errors
    /// `invalid`, with what is known.
    pub(crate) fn parse_list<'t>(
        names: impl Iterator<Item = &'t str>,
    ) -> Result<Vec<ListColumn>, Fault> {
        let mut wanted = Vec::new();
        for name in names.filter(|name| !name.is_empty()) {
            let known = LOOKS.iter().find(|look| look.name == name);
            wanted.push(known.map(|look| look.column).ok_or_else(|| {
                let known: Vec<&str> = LOOKS.iter().map(|look| look.name).collect();
                Fault::invalid(format!("cols are any of {}, got {name}", known.join(", ")))
            })?);
        }
        let all = LOOKS.iter().map(|look| look.column);
        Ok(all.filter(|column| wanted.contains(column)).collect())
    }
}

/// The head of a column.
pub(crate) struct Head {
    pub(crate) label: &'static str,
    /// What a short label stands for; empty where it says all.
    pub(crate) title: &'static str,
    pub(crate) width: &'static str,
    pub(crate) class: &'static str,
}

/// What a row has in a column.
pub(crate) struct Cell {
    pub(crate) class: &'static str,
    pub(crate) figure: Figure,
}

/// A trace.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) time: String,
    pub(crate) time_exact: String,
    pub(crate) name: String,
    pub(crate) said: String,
    pub(crate) failed: bool,
    pub(crate) cells: Vec<Cell>,
}

/// The list as a table.
pub(crate) struct Table {
    /// Columns that are shown beside time, name and input.
    pub(crate) heads: Vec<Head>,
    /// Rows.
    pub(crate) rows: Vec<Row>,
}

impl Table {
    /// Of some traces: the columns that were chosen, or those that have something to show.
    pub(crate) fn new(
        reader: &Reader,
        traces: &[TraceSummary],
        chosen: Option<&[ListColumn]>,
        now: Timestamp,
    ) -> Self {
        let columns: Vec<ListColumn> = match chosen {
            Some(chosen) => chosen.to_vec(),
            None => ListColumn::all(reader.lang())
                .map(|(column, _)| column)
                .filter(|column| USUAL.contains(column) && is_told(*column, traces))
                .collect(),
        };
        let head = |column: &ListColumn| {
            let look = column.look();
            Head {
                label: reader.lang().t(look.label),
                title: match column {
                    ListColumn::InputTokens => reader.lang().t("Input tokens"),
                    ListColumn::OutputTokens => reader.lang().t("Output tokens"),
                    _ => "",
                },
                width: look.width,
                class: ["mono ", "dim ", "soft "]
                    .iter()
                    .find_map(|face| look.class.strip_prefix(face))
                    .unwrap_or(look.class),
            }
        };
        Table {
            heads: columns.iter().map(head).collect(),
            rows: traces
                .iter()
                .map(|trace| row(reader, trace, &columns, now))
                .collect(),
        }
    }
}

/// What no row has takes no room; latency is there all the same.
fn is_told(column: ListColumn, traces: &[TraceSummary]) -> bool {
    let is_told = |trace| {
        let figure = figure(column, trace);
        !figure.none && !figure.text.is_empty()
    };
    column == ListColumn::Latency || traces.iter().any(is_told)
}

fn row(reader: &Reader, trace: &TraceSummary, columns: &[ListColumn], now: Timestamp) -> Row {
    let zone = reader.zone();
    let said = match (&trace.first_error, &trace.input_preview) {
        (Some(error), _) => error.clone(),
        (None, Some(input)) => content::preview(input),
        (None, None) => String::new(),
    };
    let cell = |column: &ListColumn| Cell {
        class: column.look().class,
        figure: figure(*column, trace),
    };
    Row {
        id: trace.trace_id.to_string(),
        url: urls::trace(reader.id(), &trace.trace_id),
        time: zone.row_time(trace.start, now),
        time_exact: zone.exact(trace.start),
        name: trace.name.clone(),
        said,
        failed: trace.error_count > 0,
        cells: columns.iter().map(cell).collect(),
    }
}

fn figure(column: ListColumn, trace: &TraceSummary) -> Figure {
    let text = |text: &Option<String>| words(text.clone().unwrap_or_default());
    match column {
        ListColumn::Model => models(&trace.models),
        ListColumn::Prompt => prompt(trace),
        ListColumn::Latency => format::nanos(trace.latency()),
        ListColumn::Ttft => format::latency_or_nothing(trace.ttft_ms),
        ListColumn::InputTokens => format::tokens(trace.input_tokens),
        ListColumn::OutputTokens => format::tokens(trace.output_tokens),
        ListColumn::Cost => format::dollars(trace.cost),
        ListColumn::User => text(&trace.user_id),
        ListColumn::Tenant => words(place(trace)),
        ListColumn::Session => text(&trace.session_id),
        ListColumn::Environment => words(trace.environment.clone()),
        ListColumn::Release => text(&trace.release),
        ListColumn::Version => text(&trace.version),
        ListColumn::Tags => words(trace.tags.join(", ")),
        ListColumn::Spans => format::tokens(Some(trace.span_count)),
        ListColumn::Output => {
            let output = trace.output_preview.as_deref();
            words(output.map(content::preview).unwrap_or_default())
        }
        ListColumn::Id => words(trace.trace_id.to_string()),
    }
}

/// A text that may be cut, with the whole of it beside.
fn words(text: String) -> Figure {
    Figure {
        exact: text.clone(),
        none: false,
        text,
    }
}

fn models(models: &[String]) -> Figure {
    let first = models.first().cloned().unwrap_or_default();
    Figure {
        text: match models.len() {
            0 | 1 => first,
            many => format!("{first} +{}", many - 1),
        },
        exact: models.join(", "),
        none: false,
    }
}

/// The last part of a dotted name tells prompts apart.
fn prompt(trace: &TraceSummary) -> Figure {
    let Some((name, version)) = &trace.prompt else {
        return words(String::new());
    };
    let short = name.rsplit('.').next().unwrap_or(name);
    Figure {
        text: format!("{short} {version}"),
        exact: format!("{name} {version}"),
        none: false,
    }
}

/// The tenant, or the environment where it is not the usual one.
fn place(trace: &TraceSummary) -> String {
    match &trace.tenant {
        Some(tenant) => tenant.clone(),
        None if trace.environment == domain::span::DEFAULT_ENVIRONMENT => String::new(),
        None => trace.environment.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_the_order_of_the_list_each_once() {
        let parsed = ListColumn::parse_list("cost,model,,cost".split(',')).unwrap();
        assert_eq!(parsed, [ListColumn::Model, ListColumn::Cost]);
        assert!(ListColumn::parse_list(["colour"].into_iter()).is_err());
        for look in &LOOKS {
            assert_eq!(look.column.name(), look.name);
        }
    }
}
