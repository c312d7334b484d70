//! Pages of the graph of a trace.

use domain::agents::{Detail, Details};
use domain::trace::{TraceView, TreeSpan};
use domain::tree::build_tree;

use super::{HOSTILE, Load, Reader, Sample, data, sample};
use crate::extract::Pairs;
use crate::pages::traces::{Chosen, GraphPage, Told};

pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    [
        ("graph", Load::Typical, "node=support.turn"),
        ("graph-steps", Load::Typical, "form=steps&by=latency"),
        ("graph-expanded", Load::Typical, "form=expanded&by=cost"),
        ("graph-none", Load::Empty, ""),
        ("graph-overfull", Load::Overfull, "by=calls"),
        ("graph-overfull-steps", Load::Overfull, "form=expanded"),
        ("graph-10000", Load::Huge, "form=steps"),
    ]
    .map(|(name, load, address)| sample(name, &page(reader, load, address)))
    .into()
}

fn page(reader: &Reader, load: Load, address: &str) -> GraphPage {
    let spans = match load {
        Load::Empty => vec![data::bare_span()],
        Load::Typical => data::spans(),
        Load::Overfull => data::hostile_spans(),
        Load::Huge => data::many_spans(10_000),
    };
    let details: Details = spans
        .iter()
        .map(|span| {
            let detail = Detail {
                error_kind: span.error.as_ref().and_then(|error| error.kind.clone()),
                input_digest: Some(7),
                input_head: match load {
                    Load::Overfull => HOSTILE.to_owned(),
                    _ => r#"{"order": "LA472-5590"}"#.to_owned(),
                },
                plan: (span.name == "plan" || load == Load::Overfull).then(|| {
                    serde_json::json!(["lookup_order", HOSTILE, "refund_quote"]).to_string()
                }),
            };
            (span.span_id.clone(), detail)
        })
        .collect();
    let tree = build_tree(spans.iter().map(TreeSpan::from).collect());
    let trace = TraceView::new(data::summary_of(&spans), tree);
    let judgements = data::judgements(None);
    let told = Told::new(&trace, &details, &judgements);
    let chosen = Chosen::read(&Pairs::parse(address.as_bytes()));
    GraphPage::new(reader, &told, &chosen, data::now())
}
