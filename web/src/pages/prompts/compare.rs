//! What two versions differ in: messages, variables and configuration line by line, and how far a cache of prefixes serves
//! both.

use std::sync::Arc;

use askama::Template;
use domain::Timestamp;
use domain::axes::Requests;
use service::prompts::{Diff, Shown};

use super::content::frame;
use super::head::{Head, Standing, pair};
use super::lines::{DiffPart, parts};
use super::outcomes::{self, OutcomeGroup};
use super::prefix::PrefixBar;
use super::query::PromptQuery;
use crate::extract::Reader;
use crate::format;
use crate::layout::{Choice, Frame, Shell};

/// What was read of two versions.
pub(crate) struct Compared {
    pub(crate) old: Arc<Shown>,
    pub(crate) new: Arc<Shown>,
    /// What the two differ in, or why it cannot be told.
    pub(crate) diff: Result<Diff, String>,
    /// Requests of both; `None`: the store of telemetry is away.
    pub(crate) requests: Option<Requests>,
}

/// The comparison.
#[derive(Template)]
#[template(path = "prompts/compare.html")]
pub(crate) struct ComparePage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) from_choices: Vec<Choice>,
    pub(crate) to_choices: Vec<Choice>,
    pub(crate) swap_url: String,
    pub(crate) is_unified: bool,
    pub(crate) side_url: String,
    pub(crate) unified_url: String,
    pub(crate) space_url: String,
    pub(crate) shows_space: bool,
    pub(crate) parts: Vec<DiffPart>,
    pub(crate) is_same: bool,
    pub(crate) prefix: Option<PrefixBar>,
    /// Why the prefix cannot be told; empty where it can.
    pub(crate) unresolved: String,
    pub(crate) outcomes: Vec<OutcomeGroup>,
    pub(crate) old_requests: String,
    pub(crate) new_requests: String,
    pub(crate) is_sample: bool,
    pub(crate) method: &'static str,
    pub(crate) days: Vec<Choice>,
}

impl ComparePage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        compared: &Compared,
        now: Timestamp,
    ) -> Self {
        let lang = reader.lang();
        let (from, to) = pair(standing, query);
        let name = &standing.shown.name;
        let url = |change: &dyn Fn(&mut PromptQuery)| query.changed(change).url(reader, name);
        let choices = |current: u32, set: fn(&mut PromptQuery, u32)| -> Vec<Choice> {
            let all = standing.versions.iter();
            all.map(|head| Choice {
                label: head.version.to_string(),
                url: url(&|query| set(query, head.version)),
                current: head.version == current,
            })
            .collect()
        };
        let all_url = url(&|query| query.shows_all = true);
        let parts = parts(reader, compared, (query, &all_url));
        let count = |version: u32| {
            let requests = compared.requests.as_ref();
            let count = requests.map(|requests| outcomes::requests_of(requests, version));
            count.map_or_else(
                || format::NOTHING.to_owned(),
                |count| format::count(count as u64),
            )
        };
        ComparePage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            head: Head::new(reader, standing, query, now),
            from_choices: choices(from, |query, version| query.from = Some(version)),
            to_choices: choices(to, |query, version| query.to = Some(version)),
            swap_url: url(&|query| (query.from, query.to) = (Some(to), Some(from))),
            is_unified: query.is_unified,
            side_url: url(&|query| query.is_unified = false),
            unified_url: url(&|query| query.is_unified = true),
            space_url: url(&|query| query.shows_space = !query.shows_space),
            shows_space: query.shows_space,
            is_same: parts.iter().all(|part| part.counts.is_empty()),
            parts,
            prefix: compared
                .diff
                .as_ref()
                .ok()
                .map(|diff| PrefixBar::new(lang, diff, compared)),
            unresolved: compared.diff.as_ref().err().cloned().unwrap_or_default(),
            outcomes: compared
                .requests
                .as_ref()
                .map(|requests| outcomes::groups(requests, (from, to), lang))
                .unwrap_or_default(),
            old_requests: count(from),
            new_requests: count(to),
            is_sample: compared.requests.as_ref().is_some_and(|it| it.is_sample),
            method: outcomes::method(lang),
            days: super::metrics::days(reader, standing, query),
            from,
            to,
        }
    }
}
