//! What a version says: texts, placeholders, configuration, variables, other prompts in it and those that it is in.

use std::collections::BTreeSet;

use askama::Template;
use domain::Timestamp;
use domain::prompt::{Content, Message, Prompt, variables};
use serde_json::Value;
use service::prompts::{Dependent, Shown};

use super::head::{Head, Standing, Tag, author, traces_of};
use super::marked::{Piece, pieces, url_of};
use super::query::PromptQuery;
use crate::content;
use crate::extract::Reader;
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::urls;

/// Bytes of a text that are shown at once.
const MOST_BYTES: usize = 200_000;

/// What a version says.
#[derive(Template)]
#[template(path = "prompts/content.html")]
pub(crate) struct ContentPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) messages: Vec<Said>,
    /// Whether other prompts stand in their place.
    pub(crate) is_resolved: bool,
    /// Switches that; empty where no other prompt is in it.
    pub(crate) resolve_url: String,
    /// Why other prompts could not be put in their place; empty where they could.
    pub(crate) unresolved: String,
    pub(crate) made: String,
    pub(crate) author: String,
    pub(crate) message: String,
    pub(crate) labels: Vec<Tag>,
    pub(crate) variables: Vec<String>,
    pub(crate) config: String,
    pub(crate) model: String,
    /// Prompts that stand in it, with where each leads.
    pub(crate) includes: Vec<(String, String)>,
    /// Versions of others that it stands in.
    pub(crate) included_in: Vec<(String, String)>,
    pub(crate) traces_url: String,
    pub(crate) traces: String,
    pub(crate) compare_url: String,
}

/// A message, or the one text.
pub(crate) struct Said {
    /// Who says it; empty of a text.
    pub(crate) role: String,
    /// Whether it is a place for messages that are known later.
    pub(crate) is_placeholder: bool,
    pub(crate) pieces: Vec<Piece>,
    /// How much of it is not shown; empty where all is.
    pub(crate) cut: String,
}

impl ContentPage {
    /// Prepares everything for the template. `resolved` is the version with other prompts in their place, or why it
    /// has none.
    pub(crate) fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        (resolved, dependents): (Option<&Result<std::sync::Arc<Shown>, String>>, &[Dependent]),
        now: Timestamp,
    ) -> Self {
        let (shown, lang) = (&standing.shown, reader.lang());
        let put_together = resolved.and_then(|resolved| resolved.as_ref().ok());
        let told = put_together.map_or(shown, |resolved| &resolved.prompt);
        let references = shown.content.references();
        let version = shown.version.to_string();
        let uses = standing.uses.as_ref().and_then(|uses| {
            let measured = uses.get(&version)?;
            measured.get(&domain::alert::measure::RequestMeasure::Requests)
        });
        ContentPage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            head: Head::new(reader, standing, query, now),
            messages: said(reader, told),
            is_resolved: put_together.is_some(),
            resolve_url: match references.is_empty() {
                true => String::new(),
                false => query
                    .changed(|query| query.is_resolved = !query.is_resolved)
                    .url(reader, &shown.name),
            },
            unresolved: match resolved {
                Some(Err(why)) => why.clone(),
                _ => String::new(),
            },
            made: reader.zone().exact(shown.created_at),
            author: author(&standing.authors, &shown.created_by, lang),
            message: shown.commit_message.clone().unwrap_or_default(),
            labels: Tag::all(&shown.labels, &standing.protected),
            variables: names(&told.content),
            config: config(&shown.config),
            model: match shown.config.get("model") {
                Some(Value::String(model)) => model.clone(),
                _ => String::new(),
            },
            includes: references
                .iter()
                .map(|reference| (reference.to_string(), url_of(reader.id(), reference)))
                .collect(),
            included_in: dependents
                .iter()
                .map(|it| {
                    let words = format!("{} {}", it.name, it.version);
                    let number = it.version.to_string();
                    let pairs = [("version", number.as_str())];
                    (words, urls::prompt_with(reader.id(), &it.name, &pairs))
                })
                .collect(),
            traces_url: traces_of(reader, &shown.name, Some(shown.version)),
            traces: uses
                .map(|cell| format::count(cell.known))
                .unwrap_or_default(),
            compare_url: query
                .changed(|query| {
                    query.tab = super::query::Tab::Compare;
                    query.to = Some(shown.version);
                })
                .url(reader, &shown.name),
        }
    }
}

/// The frame of every view of a prompt.
pub(super) fn frame(reader: &Reader) -> Frame {
    Frame {
        rail: true,
        ..Frame::new(reader, Section::Prompts)
    }
}

fn said(reader: &Reader, prompt: &Prompt) -> Vec<Said> {
    match &prompt.content {
        Content::Text(text) => vec![words(reader, String::new(), text)],
        Content::Chat(messages) => {
            let each = messages.iter().map(|message| match message {
                Message::Said { role, content } => words(reader, role.clone(), content),
                Message::Placeholder { name } => Said {
                    role: reader.lang().t("placeholder").to_owned(),
                    is_placeholder: true,
                    pieces: vec![Piece {
                        text: name.clone(),
                        class: "var",
                        url: String::new(),
                    }],
                    cut: String::new(),
                },
            });
            each.collect()
        }
    }
}

fn words(reader: &Reader, role: String, text: &str) -> Said {
    let head = content::head(text, MOST_BYTES);
    Said {
        role,
        is_placeholder: false,
        pieces: pieces(reader.id(), head),
        cut: match text.len() - head.len() {
            0 => String::new(),
            more => format::bytes(more),
        },
    }
}

/// Names of variables, in alphabetical order.
pub(super) fn names(content: &Content) -> Vec<String> {
    let names: BTreeSet<&str> = content.texts().flat_map(variables).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Configuration as it is read; nothing where there is none.
pub(super) fn config(config: &Value) -> String {
    match config {
        Value::Null => String::new(),
        Value::Object(fields) if fields.is_empty() => String::new(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}
