//! What things are and mean: spans, traces, projects, people, money, time.
//!
//! **Invariant:** no I/O, no `async`, no clock, no randomness in this crate; every function is a
//! function of its arguments.
//!
//! To add a field to a span: [`span::Span`], then its rule in `ingest::normalise`, its column in
//! `migrations/clickhouse` and its place in `store_clickhouse::spans`.

/// Agents and tools of a trace, and what went between them.
pub mod agents;
/// Alerts: rules over series, baselines, incidents.
pub mod alert;
/// Work for people who judge.
pub mod annotation;
/// Attribute keys of the telemetry conventions, as constants.
pub mod attr;
/// What moved when something went wrong, and what it is likely to be because of.
pub mod attribution;
/// Who did what and when: a chain of entries, and whether it holds.
pub mod audit;
/// What serving engines and GPUs measure.
pub mod axes;
/// Which calls count towards totals.
pub mod billing;
/// Exports to object stores.
pub mod blob_storage;
/// What is done to many traces at once.
pub mod bulk;
/// What happened in the business: tickets, conversions, broken promises.
pub mod business_event;
/// Observations and traces that come piece by piece.
pub mod change;
/// What people and programs remark on things.
pub mod comment;
/// Comparisons of a value with what a reader gives.
pub mod comparison;
/// Which traces keep their contents.
pub mod content_sampling;
/// What a generation was made with, in a few bytes.
pub mod context;
/// What a model call costs: prices, matching, the sum.
pub mod cost;
/// Dashboards: charts over numbers, on a grid.
pub mod dashboard;
/// Datasets, their items, and runs over them.
pub mod dataset;
/// Users of the application who are forgotten.
pub mod deletion;
/// Documents that a search found.
pub mod document;
/// What scores spans by itself: models that judge, and rules.
pub mod evaluator;
/// Experiments: what an application made of the items of a dataset.
pub mod experiment;
/// Values that a column has among what a list shows.
pub mod facet;
/// What went wrong, in words for the user and a code for each protocol.
pub mod fault;
/// Filters that fill queues and datasets.
pub mod fill;
/// Which spans and traces a reader asked for.
pub mod filter;
/// Newtypes for every id.
pub mod ids;
/// What semantic events and incidents do to the business.
pub mod impact;
/// Users whose data must not be deleted.
pub mod legal_hold;
/// How to reach providers of models.
pub mod llm_connection;
/// Log records, and how they join their spans.
pub mod log;
/// How a span was read.
pub mod mapping;
/// What must not be stored: found, and replaced.
pub mod masking;
/// Attachments: pictures, sounds, films, files.
pub mod media;
/// Chat messages in one normal form, whatever dialect wrote them.
pub mod message;
/// Numbers over many traces, observations or scores.
pub mod metrics;
/// Exact amounts of money.
pub mod money;
/// Networks, as operators write them.
pub mod network;
/// How soon answers should come, and the share that do.
pub mod objective;
/// Slices of long lists.
pub mod page;
/// Patterns for names, as people write them in settings.
pub mod pattern;
/// A trace with what it says of itself.
pub mod portrait;
/// Prompts with their versions and labels.
pub mod prompt;
/// Hard checks of one generation's answer, and digests of its input.
pub mod quality;
/// How long what is kept.
pub mod retention;
/// Labels of prompts that go back to an earlier version.
pub mod rollback;
/// Traces summed up by session or by user.
pub mod rollup;
/// Runs over the same items, one beside the other.
pub mod run_comparison;
/// States of lists that people named.
pub mod saved_view;
/// Judgements of traces, observations and sessions.
pub mod score;
/// Targets that metrics are fetched from.
pub mod scrape;
/// What people type into a search field.
pub mod search;
/// What went wrong in the meaning of answers.
pub mod semantic;
/// JSON as clients send it.
pub mod sent_json;
/// Conversations.
pub mod session;
/// One recorded operation.
pub mod span;
/// Texts in files that are opened in spreadsheets.
pub mod spreadsheet;
/// Statistics: ranks, tails, clusters, components.
pub mod stats;
/// Organisations, projects, people, roles, keys.
pub mod tenancy;
/// Instants and durations with their unit in the type.
pub mod time;
/// Tools of one call of a model, by name.
pub mod tool_use;
/// Spans of one request, summed up.
pub mod trace;
/// Parents and children, drawn from a flat set of spans.
pub mod tree;
/// Tokens and money of one call.
pub mod usage;
/// Usage and costs in Langfuse's own form.
pub mod usage_record;
/// Values of telemetry attributes.
pub mod value;

pub use fault::{Code, Fault};
pub use ids::{
    AlertChannelId, AlertRuleId, AnnotationItemId, AnnotationQueueId, ApiKeyId, BulkJobId,
    CommentId, DashboardId, DatasetId, DatasetUploadId, DeletionId, EvaluatorId, GpuPriceId,
    IncidentId, LegalHoldId, LlmConnectionId, ObjectiveId, OrganisationId, PersonId, PriceId,
    ProjectId, PromptId, QualityRuleId, RepriceId, RollbackId, SavedViewId, ScoreConfigId,
    ScrapeTargetId, SignInId, SpanId, TraceId,
};
pub use money::Usd;
pub use span::Span;
pub use time::{Nanos, Timestamp};
pub use value::{Attributes, Value};
