//! How long the server takes for pages, over a long history and of a large trace.

use anyhow::ensure;
use domain::{ProjectId, TraceId};
use serde_json::{Value, json};

use crate::history::{self, PROMPTS, SPANS_PER_TRACE, VERSIONS};
use crate::ingest::{Quantiles, quantiles};
use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};
use crate::visitor::Visitor;

/// What a page should take at most, in ms.
pub(crate) const AIM_MS: f64 = 100.0;
/// Spans of the large trace.
pub(crate) const LARGE: u64 = 100_000;
/// How often each page is opened.
const TIMES: u64 = 40;
/// Before, for connections and memory to be there.
const WARM_UP: u64 = 3;
/// Times that a large trace is read for the first time.
const LARGE_TIMES: u64 = 5;
/// Rows of its tree that the server draws at once.
const WINDOW: u64 = 400;

/// What pages took, in ms.
pub(crate) struct Pages {
    /// Spans of the history.
    pub(crate) spans: u64,
    /// Seconds that it took to put it into the store.
    pub(crate) filled_s: f64,
    /// Each page with the time of the very first look at it, and with those of later ones.
    pub(crate) pages: Vec<(&'static str, f64, Quantiles)>,
    /// Pages of the large trace, likewise.
    pub(crate) large: Vec<(&'static str, Quantiles)>,
}

/// Fills a history and opens pages.
pub(crate) async fn measure(server: &Server, spans: u64) -> anyhow::Result<Pages> {
    let visitor = Visitor::sign_in(server).await?;
    prompts(server).await?;
    let begun = std::time::Instant::now();
    history::fill(server, visitor.project, spans, history::now()?).await?;
    let filled_s = begun.elapsed().as_secs_f64();
    let traces = (spans / SPANS_PER_TRACE).max(1);
    let mut pages = Vec::new();
    for (name, path) in PAGES {
        let (mut first, mut times) = (0.0, Vec::new());
        for turn in 0..WARM_UP + TIMES {
            // The latest of the history, a day of it at most: that is what people look at.
            let trace = traces - 1 - (turn * 37) % (traces / 8).max(1);
            let took = visitor.open(&path(trace, turn)?).await?.as_secs_f64() * 1e3;
            match turn {
                0 => first = took,
                turn if turn >= WARM_UP => times.push(took),
                _ => {}
            }
        }
        pages.push((name, first, quantiles(times)));
    }
    Ok(Pages {
        spans,
        filled_s,
        pages,
        large: large(server, &visitor).await?,
    })
}

/// Address of a page, given a trace of the history and the number of the turn.
type Path = fn(u64, u64) -> anyhow::Result<String>;

const PAGES: [(&str, Path); 12] = [
    ("traces", |_, _| Ok("/traces".to_owned())),
    ("traces of a tenant that failed", |_, turn| {
        let tenant = turn % 20;
        Ok(format!("/traces?f=tenant:is:tenant+{tenant}&error=yes"))
    }),
    ("traces that hold a text", |_, _| {
        Ok("/traces?q=refund".to_owned())
    }),
    ("trace", |trace, _| {
        Ok(format!("/traces/{}", history::trace_id(trace)?))
    }),
    ("sessions", |_, _| Ok("/sessions".to_owned())),
    ("session", |trace, _| {
        Ok(format!("/sessions/{}", history::session(trace)))
    }),
    ("users", |_, _| Ok("/users".to_owned())),
    ("costs", |_, _| Ok("/costs".to_owned())),
    ("overview", |_, _| Ok("/overview".to_owned())),
    ("prompts", |_, _| Ok("/prompts".to_owned())),
    ("prompt", |_, turn| {
        Ok(format!("/prompts/{}", history::prompt(turn % PROMPTS)))
    }),
    ("traces of seven days", |_, _| {
        Ok("/traces?range=7d".to_owned())
    }),
];

/// The large trace: opened for the first time, and moved in.
async fn large(
    server: &Server,
    visitor: &Visitor,
) -> anyhow::Result<Vec<(&'static str, Quantiles)>> {
    let (mut first, mut later, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..LARGE_TIMES {
        let trace_id = large_trace(server, visitor.project, number).await?;
        let page = format!("/traces/{trace_id}");
        first.push(visitor.open(&page).await?.as_secs_f64() * 1e3);
        for window in 0..TIMES / LARGE_TIMES {
            let from = (window * 7_919 + 1) * WINDOW % LARGE;
            let rows = visitor.open(&format!("{page}/rows?from={from}")).await?;
            later.push(rows.as_secs_f64() * 1e3);
            let rows = format!("{page}/rows?in=plan+{window}");
            found.push(visitor.open(&rows).await?.as_secs_f64() * 1e3);
        }
    }
    Ok(vec![
        ("first page, nothing in memory", quantiles(first)),
        ("later window", quantiles(later)),
        ("search in it", quantiles(found)),
    ])
}

async fn large_trace(server: &Server, project: ProjectId, number: u64) -> anyhow::Result<TraceId> {
    let trace_id = history::trace_id(1 << 50 | number)?;
    let size = (LARGE, history::now()?);
    history::fill_trace(server, project, &trace_id, size).await?;
    Ok(trace_id)
}

/// Prompts that the calls of the history name.
async fn prompts(server: &Server) -> anyhow::Result<()> {
    let client = reqwest::Client::new();
    for number in 0..PROMPTS * VERSIONS {
        let (name, version) = (history::prompt(number / VERSIONS), number % VERSIONS);
        let text = format!("Answer in the words of version {version}. ").repeat(20);
        let body: Value = json!({ "name": name, "prompt": text, "labels": ["production"] });
        let request = client.post(format!("{}/api/public/v2/prompts", server.url));
        let request = request.basic_auth(PUBLIC_KEY, Some(SECRET_KEY));
        let status = request.json(&body).send().await?.status();
        ensure!(status.is_success(), "a prompt was answered {status}");
    }
    Ok(())
}
