//! `make bench`: what the product does, beside what this machine can do, in the same run.
//!
//! Absolute figures of a shared machine say little; the ratios printed at the end are the result.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

/// Looking at many alert rules.
mod alerts;
/// How often attributions are right, and how long one takes.
mod attribution;
/// Requests with the state of their GPUs.
mod axes;
/// What this machine can do at most: decoding alone, inserting alone.
mod ceiling;
/// A history of traces in the store.
mod history;
/// The whole path: send, and see.
mod ingest;
/// How long pages take.
mod pages;
/// Export requests like those of real applications.
mod payload;
/// Reading prompts at a steady rate.
mod prompts;
/// A server process on a folder of its own.
mod server;
/// CPU and memory of processes, from the system's own books.
mod usage;
/// Somebody who is signed in and opens pages.
mod visitor;

use clap::Parser;

/// The product's own allocator: what is measured in this process is then what costs the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What to measure with.
#[derive(Parser)]
struct Settings {
    /// Spans to send.
    #[arg(long, env = "BENCH_SPANS", default_value_t = 200_000)]
    spans: usize,
    /// Spans in one export request.
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// Only read requests on one thread: for a profiler.
    #[arg(long)]
    decode_only: bool,
    /// Connections that send at once.
    #[arg(long, default_value_t = 4)]
    connections: usize,
    /// Measure the reading of prompts alone.
    #[arg(long)]
    prompts_only: bool,
    /// Measure looking at rules alone.
    #[arg(long)]
    alerts_only: bool,
    /// Measure questions about the axes alone.
    #[arg(long)]
    axes_only: bool,
    /// Measure attributions alone.
    #[arg(long)]
    attribution_only: bool,
    /// Measure pages alone.
    #[arg(long)]
    pages_only: bool,
    /// Spans of the history that pages are opened over.
    #[arg(long, env = "BENCH_PAGES_SPANS", default_value_t = 300_000)]
    pages_spans: u64,
    /// Simulated windows of each cause that attributions are measured on.
    #[arg(long, default_value_t = 40)]
    windows: u64,
}

fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    if settings.attribution_only {
        attribution::report(&attribution::measure(settings.windows));
        return Ok(());
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        if settings.prompts_only {
            let server = server::Server::start().await?;
            report_prompts(&prompts::measure(&server).await?);
            report_alerts(&alerts::measure(&server).await?);
            return Ok(());
        }
        if settings.alerts_only {
            let server = server::Server::start().await?;
            report_alerts(&alerts::measure(&server).await?);
            return Ok(());
        }
        if settings.axes_only {
            let server = server::Server::start().await?;
            report_axes(&axes::measure(&server).await?);
            return Ok(());
        }
        if settings.pages_only {
            let server = server::Server::start().await?;
            report_pages(&pages::measure(&server, settings.pages_spans).await?);
            return Ok(());
        }
        let template = payload::Template::new(settings.batch);
        println!(
            "payload: {} spans a request, {:.1} kB a span",
            settings.batch,
            template.bytes_per_span() / 1000.0
        );
        let decode = ceiling::decode(&template).await?;
        if settings.decode_only {
            report_decode(&decode);
            return Ok(());
        }
        let server = server::Server::start().await?;
        let insert = ceiling::insert(&server, &template).await?;
        let path =
            ingest::measure(&server, &template, settings.spans, settings.connections).await?;
        report(&decode, &insert, &path);
        report_prompts(&prompts::measure(&server).await?);
        report_alerts(&alerts::measure(&server).await?);
        drop(server);
        // On a server of its own: what was sent before is no part of the question.
        let server = server::Server::start().await?;
        report_axes(&axes::measure(&server).await?);
        drop(server);
        let server = server::Server::start().await?;
        report_pages(&pages::measure(&server, settings.pages_spans).await?);
        attribution::report(&attribution::measure(settings.windows));
        Ok(())
    })
}

fn report_axes(axes: &axes::Axes) {
    println!(
        "\naxes, five minutes of an hour with {} requests each and 16 GPUs",
        axes::REQUESTS
    );
    for (question, times) in &axes.questions {
        println!(
            "  {question:<38} {:>7.0} ms p50, {:.0} ms p99 ({} reads)",
            times.p50, times.p99, times.count
        );
    }
}

fn report_pages(pages: &pages::Pages) {
    println!(
        "\npages on the server, over {} spans of seven days ({:.0} s to store them)",
        pages.spans, pages.filled_s
    );
    for (name, first, times) in &pages.pages {
        println!(
            "  {name:<38} {:>7.0} ms p50, {:.0} ms p95 ({} times; aim: p95 {:.0} ms), the first {first:.0} ms",
            times.p50,
            times.p95,
            times.count,
            pages::AIM_MS
        );
    }
    println!("\na trace of {} spans", pages::LARGE);
    for (name, times) in &pages.large {
        println!(
            "  {name:<38} {:>7.0} ms p50, {:.0} ms p95 ({} times)",
            times.p50, times.p95, times.count
        );
    }
}

fn report_prompts(prompts: &prompts::Prompts) {
    println!("\nprompts, {} reads a second", prompts::RATE);
    for (when, times) in [
        ("nothing changes", &prompts.quiet),
        ("a label moves each second", &prompts.changing),
    ] {
        println!(
            "  {when:<34} {:>7.2} ms p50, {:.2} ms p99 ({} reads)",
            times.p50, times.p99, times.count
        );
    }
}

fn report_alerts(alerts: &alerts::Alerts) {
    println!(
        "\nalerts, {} rules with {} filters looked at every 5 s, {} requests a second and 16 GPUs",
        alerts::RULES,
        alerts::FILTERS,
        alerts::REQUESTS_PER_S
    );
    let sum = |shares: &[(&str, f64)]| shares.iter().map(|(_, share)| share).sum::<f64>();
    for ((name, idle), (_, looking)) in alerts.idle.iter().zip(&alerts.looking) {
        println!(
            "  {name:<12} {:>6.1} % of a core, {:.1} % without rules",
            100.0 * looking,
            100.0 * idle
        );
    }
    println!(
        "  {:<12} {:>6.1} % of a core more than without rules (aim: less than 20 %)",
        "all",
        100.0 * (sum(&alerts.looking) - sum(&alerts.idle))
    );
}

fn report_decode(decode: &ceiling::Decode) {
    println!(
        "  decode only, one thread            {:>10.0} spans/s",
        decode.spans_per_s
    );
    println!(
        "  decode, normalise, enrich          {:>10.0} spans/s",
        decode.normalised_per_s
    );
    println!(
        "  decode by OpenTelemetry's library  {:>10.0} spans/s",
        decode.library_per_s
    );
    let further_s = 1.0 / decode.normalised_per_s - 1.0 / decode.spans_per_s;
    println!(
        "  (normalise + enrich) / decode      {:>10.2}, by that library {:.2}",
        further_s * decode.spans_per_s,
        further_s * decode.library_per_s
    );
    let masking_s = (1.0 / decode.masked_per_s - 1.0 / decode.normalised_per_s).max(0.0);
    println!(
        "  masking, every detector            {:>10.1} µs/span, {:.2} of decode",
        masking_s * 1e6,
        masking_s * decode.spans_per_s
    );
    for (name, per_s) in &decode.packed_per_s {
        println!("  decode of bodies in {name}            {per_s:>10.0} spans/s");
        println!(
            "  (normalise + enrich) / decode      {:>10.2}",
            further_s * per_s
        );
    }
}

fn report(decode: &ceiling::Decode, insert: &ceiling::Insert, path: &ingest::Path) {
    println!("\nceilings");
    report_decode(decode);
    println!(
        "  ClickHouse insert only             {:>10.0} rows/s",
        insert.rows_per_s
    );
    let ceiling = |insert_cpu_s: f64| {
        let cpu_per_span = 1.0 / decode.spans_per_s + insert_cpu_s + path.sender_cpu_s_per_span;
        f64::from(usage::cores()) / cpu_per_span
    };
    let whole = ceiling(insert.merged_cpu_s_per_row);
    println!(
        "  whole path (cores / CPU of decode, insert, sender) {:>10.0} spans/s",
        ceiling(insert.cpu_s_per_row)
    );
    println!("  the same with the merges that follow an insert     {whole:>10.0} spans/s");
    println!("\nwhole path, {} spans", path.spans);
    println!(
        "  accepted                           {:>10.0} spans/s",
        path.accepted_per_s
    );
    println!(
        "  accepted and visible               {:>10.0} spans/s",
        path.visible_per_s
    );
    println!(
        "  visible after                      {:>7.0} ms p50, {:.0} ms p99 ({} probes)",
        path.visible_after_ms.p50, path.visible_after_ms.p99, path.visible_after_ms.count
    );
    for process in &path.processes {
        println!(
            "  {:<12} CPU {:>6.1} s per million spans, peak memory {:>5.0} MB",
            process.name, process.cpu_s_per_million, process.peak_mb
        );
    }
    println!(
        "  on disk                            {:>10.0} B per span",
        path.bytes_per_span
    );
    println!("\nratios");
    println!(
        "  visible / whole-path ceiling, merges counted {:>9.0} %",
        100.0 * path.visible_per_s / whole
    );
    println!(
        "  visible / whole-path ceiling without merges  {:>9.0} %",
        100.0 * path.visible_per_s / ceiling(insert.cpu_s_per_row)
    );
    println!(
        "  visible / ClickHouse insert only   {:>9.0} %",
        100.0 * path.visible_per_s / insert.rows_per_s
    );
    println!(
        "  visible / decode only              {:>9.0} %",
        100.0 * path.visible_per_s / decode.spans_per_s
    );
}
