//! What every use case needs.

use std::path::PathBuf;
use std::sync::Arc;

use domain::change::Folded;
use domain::mapping::Catalogue;
use domain::quality::Expected;
use domain::{Attributes, ProjectId, Span, Timestamp};
use secrecy::SecretString;
use spool::Spool;
use store_clickhouse::ClickHouse;
use store_postgres::Postgres;
use tokio::sync::{Notify, broadcast, watch};

use crate::answers::Answers;
use crate::attributions::Turns;
use crate::audit::Views;
use crate::auth::Gate;
use crate::auth::oidc::Oidc;
use crate::blob_storage::Records;
use crate::clock::Clock;
use crate::completions::Places;
use crate::counters::Counters;
use crate::facets::Kept;
use crate::live::Hub;
use crate::media::Storage;
use crate::opened::Opened;
use crate::outbound::{Allowed, Outbound};
use crate::prompts::Prompts;
use crate::reads::Reads;
use crate::scrape_targets::ReadExposition;
use crate::series::KnownSeries;
use crate::vault::Vault;
use crate::{deletions, masking, prices, quality_rules, retention, topology};

/// Handles to everything; cheap to clone.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

/// What an [`App`] is put together from.
pub struct Parts {
    /// Accounts, keys, sessions.
    pub postgres: Postgres,
    /// Telemetry.
    pub clickhouse: ClickHouse,
    /// The durable queue in front of ClickHouse.
    pub spool: Arc<Spool>,
    /// Attachments.
    pub media: Storage,
    /// Where the writer tells that spans of a project have become readable, and the newest start
    /// among them.
    pub live: broadcast::Sender<(ProjectId, Timestamp)>,
    /// What is looked for in spans.
    pub catalogue: Catalogue,
    /// Makes a clean span of what changes came to; the time stands in for a start that cannot be
    /// believed.
    pub settle: fn(Folded, Timestamp, &Expected) -> Option<Span>,
    /// Fills what a span does not say of its call from what a log record told of the whole call.
    pub complete_call: fn(&mut Span, &Attributes),
    /// How things are exported.
    pub records: Records,
    /// Makes series of what a target answered.
    pub read_exposition: ReadExposition,
    /// What the operator chose.
    pub settings: Settings,
}

/// What the operator chose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address under which browsers reach the server, without a slash at the end.
    pub public_url: String,
    /// Most bytes of a request body, after decompression.
    pub max_body_bytes: u64,
    /// Folder for what does not fit in memory for a moment.
    pub scratch_dir: PathBuf,
    /// Port of OTLP/gRPC, where it is on.
    pub otlp_grpc_port: Option<u16>,
    /// The operator's key; `None`: nobody operates from outside.
    pub admin_key: Option<SecretString>,
    /// What credentials are sealed with before they are stored.
    pub vault: Vault,
    /// Addresses that may be reached beside the public internet.
    pub allowed_addresses: Allowed,
    /// The provider of sign-ins, where there is one.
    pub oidc: Option<Oidc>,
    /// This program, as it is called in a shell of the server's machine.
    pub program: String,
}

impl Settings {
    /// Whether browsers come over TLS, so that cookies may be bound to it.
    pub fn secure_cookies(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

struct Inner {
    parts: Parts,
    clock: Clock,
    gate: Gate,
    reads: Reads,
    opened: Arc<Opened>,
    hub: Hub,
    prices: prices::Cache,
    quality_rules: quality_rules::Cache,
    topologies: topology::Cache,
    tombstones: deletions::tombstones::Cache,
    masking: masking::Cache,
    masked: masking::Tally,
    retention: retention::Cache,
    prompts: Prompts,
    wake_repricing: Notify,
    wake_removal: Notify,
    wake_bulk: Notify,
    wake_deletions: Notify,
    wake_retention: Notify,
    wake_exports: Notify,
    wake_fills: Notify,
    wake_scraping: Notify,
    attributions: Turns,
    impacts: Turns,
    wake_attributions: Notify,
    outbound: Outbound,
    completions: Places,
    known_series: KnownSeries,
    counters: Counters,
    facets: Kept,
    answers: Answers,
    views: Views,
    closing: watch::Sender<bool>,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        let outbound = Outbound::new(parts.settings.allowed_addresses.clone());
        App {
            inner: Arc::new(Inner {
                parts,
                clock: Clock,
                gate: Gate::default(),
                reads: Reads::default(),
                opened: Arc::default(),
                hub: Hub::default(),
                prices: prices::Cache::default(),
                quality_rules: quality_rules::Cache::default(),
                topologies: topology::Cache::default(),
                tombstones: deletions::tombstones::Cache::default(),
                masking: masking::Cache::default(),
                masked: masking::Tally::default(),
                retention: retention::Cache::default(),
                prompts: Prompts::default(),
                wake_repricing: Notify::new(),
                wake_removal: Notify::new(),
                wake_bulk: Notify::new(),
                wake_deletions: Notify::new(),
                wake_retention: Notify::new(),
                wake_exports: Notify::new(),
                wake_fills: Notify::new(),
                wake_scraping: Notify::new(),
                attributions: Turns::default(),
                impacts: Turns::default(),
                wake_attributions: Notify::new(),
                outbound,
                completions: Places::default(),
                known_series: KnownSeries::default(),
                counters: Counters::default(),
                facets: Kept::default(),
                answers: Answers::default(),
                views: Views::default(),
                closing: watch::Sender::new(false),
            }),
        }
    }

    /// Accounts, keys, sessions.
    pub fn postgres(&self) -> &Postgres {
        &self.inner.parts.postgres
    }

    /// What is looked for in spans.
    pub fn catalogue(&self) -> &Catalogue {
        &self.inner.parts.catalogue
    }

    /// A clean span of what changes came to; `None` when its ids cannot be used.
    pub(crate) fn settle(&self, folded: Folded, expected: &Expected) -> Option<Span> {
        (self.inner.parts.settle)(folded, self.clock().now(), expected)
    }

    /// Fills what a span does not say of its call from what a log record told of the whole call.
    pub(crate) fn complete_call(&self, span: &mut Span, details: &Attributes) {
        (self.inner.parts.complete_call)(span, details);
    }

    /// Telemetry.
    pub fn clickhouse(&self) -> &ClickHouse {
        &self.inner.parts.clickhouse
    }

    /// The durable queue in front of ClickHouse.
    pub fn spool(&self) -> &Arc<Spool> {
        &self.inner.parts.spool
    }

    /// Attachments.
    pub(crate) fn media(&self) -> &Storage {
        &self.inner.parts.media
    }

    /// Tells when spans of a project have become readable, and the newest start among them.
    pub fn live(&self) -> &broadcast::Sender<(ProjectId, Timestamp)> {
        &self.inner.parts.live
    }

    /// What the operator chose.
    pub fn settings(&self) -> &Settings {
        &self.inner.parts.settings
    }

    /// The clock.
    pub fn clock(&self) -> Clock {
        self.inner.clock
    }

    /// Values of columns that were asked for lately.
    pub(crate) fn facets(&self) -> &Kept {
        &self.inner.facets
    }

    /// Answers about much telemetry that were given lately.
    pub(crate) fn answers(&self) -> &Answers {
        &self.inner.answers
    }

    /// What was seen and is not yet in the audit log.
    pub(crate) fn views(&self) -> &Views {
        &self.inner.views
    }

    /// Numbers that only grow, for `/metrics`.
    pub fn counters(&self) -> &Counters {
        &self.inner.counters
    }

    /// Ends answers that would go on for ever, so that a stop need not wait for them.
    pub fn end_streams(&self) {
        self.inner.closing.send_replace(true);
    }

    /// Becomes true when answers that would go on for ever must end.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.inner.closing.subscribe()
    }

    /// Prices in memory.
    pub(crate) fn prices(&self) -> &prices::Cache {
        &self.inner.prices
    }

    /// Quality rules in memory.
    pub(crate) fn quality_rules(&self) -> &quality_rules::Cache {
        &self.inner.quality_rules
    }

    /// Rules of topology in memory.
    pub(crate) fn topologies(&self) -> &topology::Cache {
        &self.inner.topologies
    }

    /// What is dropped when it arrives, in memory.
    pub(crate) fn tombstones(&self) -> &deletions::tombstones::Cache {
        &self.inner.tombstones
    }

    /// What is masked when it arrives, in memory.
    pub(crate) fn masking(&self) -> &masking::Cache {
        &self.inner.masking
    }

    /// What was masked and is not written down yet.
    pub(crate) fn masked(&self) -> &masking::Tally {
        &self.inner.masked
    }

    /// How long what arrives is kept, in memory.
    pub(crate) fn retention(&self) -> &retention::Cache {
        &self.inner.retention
    }

    /// Tells that a project is to be looked at for what is past its time.
    pub(crate) fn wake_retention(&self) -> &Notify {
        &self.inner.wake_retention
    }

    /// Tells that users are to be forgotten.
    pub(crate) fn wake_deletions(&self) -> &Notify {
        &self.inner.wake_deletions
    }

    /// Prompts in memory.
    pub(crate) fn prompts(&self) -> &Prompts {
        &self.inner.prompts
    }

    /// Tells that history is to be priced anew.
    pub(crate) fn wake_repricing(&self) -> &Notify {
        &self.inner.wake_repricing
    }

    /// Tells that something is to be done to many traces.
    pub(crate) fn wake_bulk(&self) -> &Notify {
        &self.inner.wake_bulk
    }

    /// Tells that a project was removed, and its telemetry must follow.
    pub(crate) fn wake_removal(&self) -> &Notify {
        &self.inner.wake_removal
    }

    /// Tells that an export was set.
    pub(crate) fn wake_exports(&self) -> &Notify {
        &self.inner.wake_exports
    }

    /// Tells that a queue or a dataset is to be filled.
    pub(crate) fn wake_fills(&self) -> &Notify {
        &self.inner.wake_fills
    }

    /// Tells that a target of scrapes was set.
    pub(crate) fn wake_scraping(&self) -> &Notify {
        &self.inner.wake_scraping
    }

    /// Makes series of what a target answered.
    pub(crate) fn read_exposition(&self) -> ReadExposition {
        self.inner.parts.read_exposition
    }

    /// Turns of impacts.
    pub(crate) fn impacts(&self) -> &Turns {
        &self.inner.impacts
    }

    /// Turns of attributions.
    pub(crate) fn attributions(&self) -> &Turns {
        &self.inner.attributions
    }

    /// Tells that an incident wants its attribution.
    pub(crate) fn wake_attributions(&self) -> &Notify {
        &self.inner.wake_attributions
    }

    /// The only way out.
    pub(crate) fn outbound(&self) -> &Outbound {
        &self.inner.outbound
    }

    /// Runs of models that are under way.
    pub(crate) fn completions(&self) -> &Places {
        &self.inner.completions
    }

    /// How things are exported.
    pub(crate) fn records(&self) -> Records {
        self.inner.parts.records
    }

    /// Series that are stored already.
    pub(crate) fn known_series(&self) -> &KnownSeries {
        &self.inner.known_series
    }

    /// Everybody who listens to new traces.
    pub(crate) fn hub(&self) -> &Hub {
        &self.inner.hub
    }

    /// Traces that were opened lately.
    pub(crate) fn opened(&self) -> &Arc<Opened> {
        &self.inner.opened
    }

    /// Turns of reads that hold much in memory.
    pub(crate) fn reads(&self) -> &Reads {
        &self.inner.reads
    }

    /// Caches and limits of sign-in and keys.
    pub(crate) fn gate(&self) -> &Gate {
        &self.inner.gate
    }
}
