//! Two versions line by line: messages, variables, configuration.

use domain::prompt::{Beside, Content, Line, Message, Prompt, Row, beside, rows};

use super::compare::Compared;
use super::content::{config, names};
use super::marked::{Marked, line};
use super::query::PromptQuery;
use crate::content;
use crate::extract::Reader;
use crate::i18n::Lang;

/// Unchanged lines that stand around a change.
const CONTEXT: usize = 3;
/// Bytes of each text that are compared line by line.
const MOST_BYTES: usize = 400_000;
/// Rows of one part that are drawn.
const MOST_ROWS: usize = 4_000;

/// A message, the variables or the configuration of both.
pub(crate) struct DiffPart {
    pub(crate) title: String,
    pub(crate) about: String,
    /// How many lines changed, came and went.
    pub(crate) counts: String,
    pub(crate) rows: Vec<DiffRow>,
    /// Where all of its lines are shown.
    pub(crate) all_url: String,
}

/// A row of a comparison.
pub(crate) struct DiffRow {
    pub(crate) old: Option<Side>,
    pub(crate) new: Option<Side>,
    pub(crate) is_same: bool,
    /// Unchanged lines that are left out here; then there is nothing else.
    pub(crate) gap: String,
}

/// A line of one version.
pub(crate) struct Side {
    pub(crate) number: usize,
    pub(crate) text: Vec<Marked>,
}

/// The parts of a comparison, in the order in which they are read.
pub(super) fn parts(
    reader: &Reader,
    compared: &Compared,
    (query, all_url): (&PromptQuery, &str),
) -> Vec<DiffPart> {
    let lang = reader.lang();
    let (old, new) = (&compared.old.prompt, &compared.new.prompt);
    let mut all = Vec::new();
    let mut add = |title: String, about: String, (before, after): (&str, &str)| {
        let cut = |text| content::head(text, MOST_BYTES).to_owned();
        let found = rows(&cut(before), &cut(after));
        let counts = counts(&found, lang);
        all.push(DiffPart {
            title,
            about,
            counts,
            rows: drawn(reader, &found, query),
            all_url: all_url.to_owned(),
        });
    };
    match (&old.content, &new.content) {
        (Content::Text(before), Content::Text(after)) => {
            add(
                lang.t("Text").to_owned(),
                String::new(),
                (before.as_str(), after.as_str()),
            );
        }
        _ => {
            for pair in beside(&old.content, &new.content) {
                let (title, about) = heading(&pair, lang);
                let of = |side: Option<(usize, &Message)>| {
                    side.map(|(_, it)| said(it)).unwrap_or_default()
                };
                let (before, after) = (of(pair.old), of(pair.new));
                add(title, about, (before.as_str(), after.as_str()));
            }
        }
    }
    let variables = |prompt: &Prompt| names(&prompt.content).join(", ");
    let (before, after) = (variables(old), variables(new));
    if before != after {
        let title = lang.t("Variables").to_owned();
        add(title, String::new(), (before.as_str(), after.as_str()));
    }
    let (before, after) = (config(&old.config), config(&new.config));
    if !(before.is_empty() && after.is_empty()) {
        let title = lang.t("Config").to_owned();
        add(title, String::new(), (before.as_str(), after.as_str()));
    }
    all
}

fn said(message: &Message) -> String {
    match message {
        Message::Said { content, .. } => content.clone(),
        Message::Placeholder { name } => format!("{{{{{name}}}}}"),
    }
}

/// Number and role of a message of both.
fn heading(pair: &Beside<'_>, lang: Lang) -> (String, String) {
    let role = |message: &Message| match message {
        Message::Said { role, .. } => role.clone(),
        Message::Placeholder { .. } => lang.t("placeholder").to_owned(),
    };
    let number = |at: usize| (at + 1).to_string();
    let (numbers, roles) = match (pair.old, pair.new) {
        (Some((one, before)), Some((other, after))) => {
            let numbers = match one == other {
                true => number(one),
                false => format!("{} → {}", number(one), number(other)),
            };
            let (before, after) = (role(before), role(after));
            let roles = if before == after {
                after
            } else {
                format!("{before} → {after}")
            };
            (numbers, roles)
        }
        (Some((at, message)), None) | (None, Some((at, message))) => (number(at), role(message)),
        (None, None) => (String::new(), String::new()),
    };
    (lang.fill("Message {}", &[&numbers]), roles)
}

fn counts(rows: &[Row], lang: Lang) -> String {
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let changed = count(|row| row.old.is_some() && row.new.is_some() && !row.is_same());
    let added = count(|row| row.old.is_none());
    let removed = count(|row| row.new.is_none());
    let mut said = Vec::new();
    let mut tell = |count: usize, words: String| said.extend((count > 0).then_some(words));
    tell(changed, lang.fill("{} changed", &[&changed.to_string()]));
    tell(added, lang.fill("{} added", &[&added.to_string()]));
    tell(removed, lang.fill("{} removed", &[&removed.to_string()]));
    said.join(", ")
}

/// Rows as they are drawn: changes with a few lines around them, all where that is asked for.
fn drawn(reader: &Reader, all: &[Row], query: &PromptQuery) -> Vec<DiffRow> {
    let lang = reader.lang();
    let changed: Vec<usize> = (0..all.len()).filter(|at| !all[*at].is_same()).collect();
    let mut near = vec![query.shows_all; all.len()];
    for at in changed {
        let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(all.len());
        near[around].fill(true);
    }
    let mut drawn = Vec::new();
    let mut left_out = 0;
    let gap = |lines: usize| DiffRow {
        old: None,
        new: None,
        is_same: true,
        gap: lang.fill("{} unchanged lines", &[&lines.to_string()]),
    };
    for (row, is_near) in all.iter().zip(near) {
        if !is_near || drawn.len() >= MOST_ROWS {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            drawn.push(gap(left_out));
            left_out = 0;
        }
        let side = |line_of: &Option<Line>| {
            line_of.as_ref().map(|it| Side {
                number: it.number,
                text: line(reader.id(), &it.stretches, query.shows_space),
            })
        };
        drawn.push(DiffRow {
            old: side(&row.old),
            new: side(&row.new),
            is_same: row.is_same(),
            gap: String::new(),
        });
    }
    if left_out > 0 {
        drawn.push(gap(left_out));
    }
    drawn
}
