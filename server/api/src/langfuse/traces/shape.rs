//! A trace: its own fields, and with what belongs to it.

use std::collections::BTreeMap;

use domain::portrait::Portrait;
use domain::{ProjectId, SpanId};
use serde::Serialize;

use crate::langfuse::content::{decoded, dollars, seconds, some};
use crate::langfuse::groups::Groups;
use crate::langfuse::time::Millis;
use crate::shape::TextOrJson;

/// Stands where a number was not asked for.
const NOT_ASKED: f64 = -1.0;

/// A trace without what belongs to it, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceShape<'a> {
    id: &'a str,
    project_id: String,
    name: Option<&'a str>,
    timestamp: Millis,
    environment: &'a str,
    tags: &'a [String],
    bookmarked: bool,
    public: bool,
    release: Option<&'a str>,
    version: Option<&'a str>,
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
    external_id: Option<()>,
    created_at: Millis,
    updated_at: Millis,
    #[serde(flatten)]
    io: Option<IoShape<'a>>,
}

#[derive(Serialize)]
struct IoShape<'a> {
    input: Option<TextOrJson<'a>>,
    output: Option<TextOrJson<'a>>,
    metadata: BTreeMap<&'a str, TextOrJson<'a>>,
}

/// A trace with the ids of what belongs to it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RowShape<'a> {
    #[serde(flatten)]
    trace: TraceShape<'a>,
    #[serde(flatten)]
    facts: FactsShape,
    observations: Vec<&'a str>,
    scores: Vec<&'a str>,
}

/// What is computed of a trace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactsShape {
    html_path: String,
    latency: f64,
    total_cost: f64,
}

impl<'a> TraceShape<'a> {
    /// With its contents, where they are asked for.
    pub(crate) fn new(project: ProjectId, portrait: &'a Portrait, groups: &Groups) -> Self {
        let summary = &portrait.summary;
        let io = || IoShape {
            input: decoded(portrait.input()),
            output: decoded(portrait.output()),
            metadata: portrait
                .metadata()
                .into_iter()
                .map(|(key, text)| (key, TextOrJson::for_any_reader(text)))
                .collect(),
        };
        TraceShape {
            id: summary.trace_id.as_str(),
            project_id: project.to_string(),
            name: some(&summary.name),
            timestamp: Millis(summary.start),
            environment: &summary.environment,
            tags: &summary.tags,
            bookmarked: false,
            public: portrait.summary.is_public,
            release: summary.release.as_deref(),
            version: summary.version.as_deref(),
            user_id: summary.user_id.as_deref(),
            session_id: summary.session_id.as_deref(),
            external_id: None,
            created_at: Millis(summary.start),
            updated_at: Millis(summary.end.unwrap_or(summary.start)),
            io: groups.usually("io").then(io),
        }
    }
}

impl FactsShape {
    /// Of a trace. The path leads to its page.
    pub(crate) fn new(project: ProjectId, portrait: &Portrait, groups: &Groups) -> Self {
        let summary = &portrait.summary;
        let id = form_urlencoded::byte_serialize(summary.trace_id.as_str().as_bytes());
        // A space in a path is no plus.
        let id = id.collect::<String>().replace('+', "%20");
        let asked = groups.usually("metrics");
        // Older clients read no null here: what is unknown is 0, as it is there.
        let or_not = |number: Option<f64>| {
            if asked {
                number.unwrap_or(0.0)
            } else {
                NOT_ASKED
            }
        };
        FactsShape {
            html_path: format!("/project/{project}/traces/{id}"),
            latency: or_not(summary.latency().map(seconds)),
            total_cost: or_not(summary.cost.and_then(dollars)),
        }
    }
}

impl<'a> RowShape<'a> {
    /// A row of the list.
    pub(crate) fn new(project: ProjectId, portrait: &'a Portrait, groups: &Groups) -> Self {
        let observations = portrait.spans.iter().map(SpanId::as_str);
        let observations = observations.filter(|_| groups.usually("observations"));
        let scores = portrait.scores.iter().map(|score| score.id.as_str());
        RowShape {
            trace: TraceShape::new(project, portrait, groups),
            facts: FactsShape::new(project, portrait, groups),
            observations: observations.collect(),
            scores: scores.filter(|_| groups.usually("scores")).collect(),
        }
    }
}
