//! What this machine can do at most: decoding alone, inserting alone.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use domain::ProjectId;
use domain::masking::{Counts, FieldKeys, Masker, MaskingSettings, Preset};
use ingest::receive::body::{self, Compression};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message as _;
use store_clickhouse::ClickHouse;

use crate::payload::Template;
use crate::server::Server;
use crate::usage;

/// Requests that one measurement of decoding reads.
const DECODE_REQUESTS: u32 = 200;

/// Rows of one insert.
const INSERT_ROWS: usize = 16_384;
/// Inserts that are timed: enough of them for parts to be merged.
const INSERTS: usize = 16;
/// Merges are over when ClickHouse has used less than a tenth of a core for so long.
const QUIET: Duration = Duration::from_secs(2);
/// Longest wait for that.
const MERGES_PATIENCE: Duration = Duration::from_secs(30);

/// Numbers of the requests whose rows are inserted here, far from those of the load.
const FIRST_NUMBER: u32 = 1_000_000_000;

/// Reading requests, on one thread.
pub(crate) struct Decode {
    /// Unpacking a body as exporters send it, and walking the protobuf: name of the compression, spans a second.
    pub(crate) packed_per_s: Vec<(&'static str, f64)>,
    /// Decoding with OpenTelemetry's own library, which makes structures of everything.
    pub(crate) library_per_s: f64,
    /// Walking the protobuf.
    pub(crate) spans_per_s: f64,
    /// Walking it and making the clean model of it.
    pub(crate) normalised_per_s: f64,
    /// The same, and looking for all that can be masked.
    pub(crate) masked_per_s: f64,
}

/// Inserting rows that are ready, with two inserters.
pub(crate) struct Insert {
    /// Rows by wall clock.
    pub(crate) rows_per_s: f64,
    /// ClickHouse's CPU for each row until it was inserted.
    pub(crate) cpu_s_per_row: f64,
    /// The same until the parts were merged that the inserts made.
    pub(crate) merged_cpu_s_per_row: f64,
}

/// Measures decoding.
pub(crate) async fn decode(template: &Template) -> anyhow::Result<Decode> {
    let plain = template.request(1, 1_790_000_000_000_000_000);
    let spans = f64::from(DECODE_REQUESTS) * template.spans() as f64;
    let mut packed_per_s = Vec::new();
    for (name, compression, packed) in packed(&plain)? {
        let begun = Instant::now();
        for _ in 0..DECODE_REQUESTS {
            let source = body::source(axum::body::Body::from(packed.clone()));
            let limit = plain.len() as u64;
            let read = body::read(source, compression, limit, ProjectId(uuid::Uuid::max())).await;
            let (unpacked, _held) = read.map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
            std::hint::black_box(ingest::pipeline::decode_only(&unpacked));
        }
        packed_per_s.push((name, spans / begun.elapsed().as_secs_f64()));
    }
    let begun = Instant::now();
    for _ in 0..DECODE_REQUESTS {
        std::hint::black_box(ingest::pipeline::decode_only(std::hint::black_box(&plain)));
    }
    let spans_per_s = spans / begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    for _ in 0..DECODE_REQUESTS {
        std::hint::black_box(ingest::pipeline::decode_and_normalise(
            std::hint::black_box(&plain),
        ));
    }
    let normalised_per_s = spans / begun.elapsed().as_secs_f64();
    let masked_per_s = spans / masked(&plain)?.as_secs_f64();
    let begun = Instant::now();
    for _ in 0..DECODE_REQUESTS {
        let decoded = ExportTraceServiceRequest::decode(std::hint::black_box(&plain[..]));
        std::hint::black_box(decoded.is_ok());
    }
    Ok(Decode {
        packed_per_s,
        library_per_s: spans / begun.elapsed().as_secs_f64(),
        spans_per_s,
        normalised_per_s,
        masked_per_s,
    })
}

/// What the same takes with every detector at work.
fn masked(plain: &[u8]) -> anyhow::Result<Duration> {
    let settings = MaskingSettings::of_preset(Preset::PersonalDataAndSecrets);
    let keys = FieldKeys::new(&ingest::normalise::catalogue());
    let masker = Masker::new(&settings, Arc::new(|_| [0; 16]), keys);
    let masker = masker.ok_or_else(|| anyhow::anyhow!("nothing is masked"))?;
    let (begun, mut counts) = (Instant::now(), Counts::default());
    for _ in 0..DECODE_REQUESTS {
        let mut spans = ingest::pipeline::decode_and_normalise(std::hint::black_box(plain));
        masker.spans(&mut spans, &mut counts);
        std::hint::black_box(spans);
    }
    Ok(begun.elapsed())
}

/// A body as exporters pack it, each at its usual level: gzip is what a stock Collector sends.
fn packed(body: &[u8]) -> anyhow::Result<[(&'static str, Compression, Bytes); 2]> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(body)?;
    Ok([
        ("gzip", Compression::Gzip, gzip.finish()?.into()),
        ("zstd", Compression::Zstd, zstd::encode_all(body, 0)?.into()),
    ])
}

/// Measures inserting, into the product's own table under a project that nobody reads.
pub(crate) async fn insert(server: &Server, template: &Template) -> anyhow::Result<Insert> {
    let clickhouse = ClickHouse::connect(&server.clickhouse_url)?;
    let per_insert = INSERT_ROWS / template.spans();
    let mut first: Vec<Vec<Bytes>> = (0..INSERTS)
        .map(|number| encode(template, number * per_insert, per_insert))
        .collect::<Result<_, _>>()?;
    let second = first.split_off(INSERTS / 2);
    let rows = (INSERTS * per_insert * template.spans()) as f64;
    let pid = server
        .processes()
        .iter()
        .find(|(name, _)| *name == "clickhouse")
        .map_or(0, |p| p.1);
    let (cpu, begun) = (usage::cpu_seconds(pid), Instant::now());
    tokio::try_join!(
        insert_all(&clickhouse, first, "first"),
        insert_all(&clickhouse, second, "second")
    )?;
    let rows_per_s = rows / begun.elapsed().as_secs_f64();
    let inserted = usage::cpu_seconds(pid);
    let merged = when_quiet(pid).await;
    Ok(Insert {
        rows_per_s,
        cpu_s_per_row: (inserted - cpu) / rows,
        merged_cpu_s_per_row: (merged - cpu) / rows,
    })
}

/// CPU that a process has used once it has little left to do.
async fn when_quiet(pid: u32) -> f64 {
    let begun = Instant::now();
    let mut used = usage::cpu_seconds(pid);
    while begun.elapsed() < MERGES_PATIENCE {
        tokio::time::sleep(QUIET).await;
        let now = usage::cpu_seconds(pid);
        if now - used < 0.1 * QUIET.as_secs_f64() {
            return now;
        }
        used = now;
    }
    used
}

/// Requests as the blocks that the spool would hold.
fn encode(template: &Template, first: usize, count: usize) -> anyhow::Result<Vec<Bytes>> {
    let project = ProjectId(uuid::Uuid::max());
    (first..first + count)
        .map(|number| {
            let number = FIRST_NUMBER + u32::try_from(number)?;
            let body = template.request(number, 1_790_000_000_000_000_000);
            let spans = ingest::pipeline::decode_and_normalise(&body);
            Ok(store_clickhouse::spans::encode(project, &spans)?.into())
        })
        .collect()
}

async fn insert_all(
    clickhouse: &ClickHouse,
    batches: Vec<Vec<Bytes>>,
    name: &str,
) -> anyhow::Result<()> {
    for (number, blocks) in batches.into_iter().enumerate() {
        let token = format!("ceiling-{name}-{number}");
        store_clickhouse::writer::insert_unspooled(clickhouse, blocks, &token).await?;
    }
    Ok(())
}
