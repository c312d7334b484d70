//! Pages of datasets with made-up data.

use std::collections::BTreeMap;

use domain::dataset::{
    Challenge, Dataset, DatasetItem, DatasetItemId, DatasetKind, DatasetName, ItemStatus, Mapping,
    SheetForm, Shelf, Table,
};
use domain::experiment::{Experiment, ExperimentItem, Identity};
use domain::page::{Cursor, Page};
use domain::run_comparison::{Outcome, Verdict, Yardstick, aggregates};
use domain::score::Score;
use domain::span::Level;
use domain::{DatasetId, DatasetUploadId, Fault, Nanos, Span, SpanId, TraceId, Usd};
use rust_decimal::Decimal;
use serde_json::Value;
use service::datasets::{ItemHead, Overview, Sheet};
use service::experiments::{Cell, Compared, Comparison, ItemResult, Place, Results};
use uuid::Uuid;

use super::data::{judgements, now};
use super::{HOSTILE, Sample, sample};
use crate::extract::Reader;
use crate::pages::datasets::{
    AddPage, ComparePage, CompareQuery, DatasetPage, DatasetsPage, EditPage, FillPage, ImportPage,
    ItemPage, Part, PreviewPage, RunPage, Shown,
};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    made(reader).unwrap_or_default()
}

fn made(reader: &Reader) -> Result<Vec<Sample>, Fault> {
    let dataset = dataset(reader, "refunds")?;
    let cursor = || Cursor {
        start: now(),
        id: "last".to_owned(),
    };
    let overviews = ["refunds", "greetings"].map(overview);
    let overviews = overviews.into_iter().collect::<Result<Vec<_>, _>>()?;
    let list = |data, next_cursor| {
        let page = Page { data, next_cursor };
        DatasetsPage::new(reader, (Shelf::InUse, None, page), true, now())
    };
    let of = |part, is_first| DatasetPage::new(reader, (&dataset, part), is_first, now());
    let results: Vec<ItemResult> = [result("r-1")?, result("r-2")?].into();
    let runs = Page {
        data: vec![
            (run("baseline"), Results::of(&results)),
            (run(HOSTILE), Results::default()),
        ],
        next_cursor: Some(cursor()),
    };
    let items = Page {
        data: vec![item(ItemStatus::Active)?, item(ItemStatus::Archived)?],
        next_cursor: None,
    };
    let shown = Shown {
        run: run("baseline"),
        scores: judged(),
        results,
        next: Some(Place::Links(None)),
    };
    let nothing = Shown {
        run: run("baseline"),
        scores: Vec::new(),
        results: Vec::new(),
        next: None,
    };
    let run_page = |shown: &Shown| RunPage::new(reader, (&dataset, shown), true, now());
    Ok(vec![
        sample("datasets", &list(overviews, Some(cursor()))),
        sample("datasets-none", &list(Vec::new(), None)),
        sample("dataset-runs", &of(Part::Runs(runs), false)),
        sample("dataset-no-runs", &of(Part::Runs(nothing_of()), true)),
        sample("dataset-items", &of(Part::Items(items), true)),
        sample("dataset-no-items", &of(Part::Items(nothing_of()), true)),
        sample("run", &run_page(&shown)),
        sample("run-empty", &run_page(&nothing)),
        sample("dataset-new", &EditPage::new(reader, None)),
        sample("dataset-settings", &EditPage::new(reader, Some(&dataset))),
        sample("dataset-item", &item_page(reader, &dataset)?),
        sample(
            "dataset-add",
            &AddPage::new(reader, &[(dataset.id, HOSTILE.to_owned())], None),
        ),
        sample("dataset-fill", &FillPage::new(reader, &dataset, None)),
        sample("dataset-import", &ImportPage::new(reader, &dataset)),
        sample("dataset-preview", &preview(reader, &dataset)?),
        sample("dataset-compare", &compared(reader, &dataset)?),
    ])
}

fn item_page(reader: &Reader, dataset: &Dataset) -> Result<ItemPage, Fault> {
    let place = (dataset.id, dataset.name.clone());
    let mut item = DatasetItem::empty(
        DatasetItemId::parse("<img src=x onerror=alert(1)>")?,
        place,
        now(),
    );
    item.input = Value::String(HOSTILE.to_owned());
    item.source_trace_id = TraceId::from_text("a1").ok();
    let mut before = item.clone();
    before.updated_at = now().minus(Nanos::from_seconds(60));
    before.metadata = Value::Bool(true);
    item.changed_by = Some("API".to_owned());
    item.reason = Some(HOSTILE.to_owned());
    Ok(ItemPage::new(
        reader,
        dataset,
        (&before, &[item, before.clone()], &BTreeMap::new()),
        now(),
    ))
}

fn preview(reader: &Reader, dataset: &Dataset) -> Result<PreviewPage, Fault> {
    let line = serde_json::json!({ "input": HOSTILE, HOSTILE: [HOSTILE] }).to_string();
    let sheet = Sheet {
        name: HOSTILE.to_owned(),
        table: Table::read(SheetForm::Jsonl, line.as_bytes())?,
    };
    let mapping = Mapping::guess(&sheet.table.columns);
    let of = (dataset, DatasetUploadId(Uuid::from_u128(31)));
    Ok(PreviewPage::new(reader, of, &sheet, &mapping))
}

fn compared(reader: &Reader, dataset: &Dataset) -> Result<ComparePage, Fault> {
    let cell = |id: &str, score: f64| {
        let outcome = Outcome {
            failed: score < 0.5,
            scores: [(HOSTILE.to_owned(), score)].into(),
        };
        Ok::<_, Fault>(Some(Cell {
            result: result(id)?,
            times: 2,
            outcome,
        }))
    };
    let cells = vec![cell("r-1", 0.9)?, cell("r-2", 0.2)?];
    let outcomes: Vec<_> = cells
        .iter()
        .flatten()
        .map(|cell| Some(&cell.outcome))
        .collect();
    let comparison = Comparison {
        runs: vec![run("baseline"), run(HOSTILE)],
        is_partial: true,
        aggregates: aggregates(&[outcomes], 2),
        items: vec![Compared {
            item_id: "item-1".to_owned(),
            verdict: Verdict::Worse,
            cells,
        }],
    };
    let query = CompareQuery {
        runs: Vec::new(),
        yardstick: Yardstick::default(),
        show: None,
        page: 0,
    };
    Ok(ComparePage::new(
        reader,
        (dataset, &comparison),
        &query,
        now(),
    ))
}

fn nothing_of<T>() -> Page<T> {
    Page {
        data: Vec::new(),
        next_cursor: None,
    }
}

/// As a hostile span is judged.
fn judged() -> Vec<Score> {
    let Ok(trace_id) = TraceId::from_text("a1") else {
        return Vec::new();
    };
    let Ok(span_id) = SpanId::from_text("hostile") else {
        return Vec::new();
    };
    let span = Span::bare(trace_id.clone(), span_id, now());
    judgements(Some(&span)).of_trace(&trace_id).to_vec()
}

fn dataset(reader: &Reader, name: &str) -> Result<Dataset, Fault> {
    Ok(Dataset {
        id: DatasetId(Uuid::from_u128(30)),
        project_id: reader.id(),
        name: DatasetName::parse(name)?,
        kind: DatasetKind::Adversarial,
        description: Some(HOSTILE.to_owned()),
        metadata: Value::Null,
        input_schema: None,
        expected_output_schema: None,
        archived_at: None,
        created_at: now(),
        updated_at: now(),
    })
}

fn overview(name: &str) -> Result<Overview, Fault> {
    Ok(Overview {
        id: DatasetId(Uuid::from_u128(30)),
        name: DatasetName::parse(name)?,
        kind: DatasetKind::Golden,
        description: Some(HOSTILE.to_owned()),
        items: 1_240,
        runs: 7,
        created_at: now(),
        updated_at: now(),
    })
}

fn item(status: ItemStatus) -> Result<ItemHead, Fault> {
    Ok(ItemHead {
        id: DatasetItemId::parse("item-1")?,
        status,
        input: serde_json::json!({ "question": HOSTILE }).to_string(),
        expected_output: "\"a refund\"".to_owned(),
        source_trace_id: TraceId::from_text("a1").ok(),
        challenge: Some(Challenge::PromptInjection),
        versions: 3,
        created_at: now(),
        updated_at: now(),
    })
}

fn run(name: &str) -> Experiment {
    Experiment {
        id: "130dab20c6c4c0f0".to_owned(),
        name: name.to_owned(),
        description: Some("with the new prompt".to_owned()),
        start: now().minus(Nanos::from_seconds(600)),
        end: now(),
        items: 240,
        dataset_id: None,
        metadata: None,
    }
}

fn result(id: &str) -> Result<ItemResult, Fault> {
    let start = now().minus(Nanos::from_seconds(30));
    let trace_id = TraceId::from_text("a1").map_err(Fault::internal)?;
    Ok(ItemResult {
        item: ExperimentItem {
            id: id.to_owned(),
            trace_id,
            start,
            end: Some(now()),
            level: Level::Error,
            environment: "sdk-experiment".to_owned(),
            of: Identity {
                id: "130dab20c6c4c0f0".to_owned(),
                name: "baseline".to_owned(),
                description: None,
                dataset_id: None,
                metadata: None,
            },
            item_id: "item-1".to_owned(),
            item_version: None,
            input: Some(HOSTILE.to_owned()),
            output: Some("\"退款已完成\"".to_owned()),
            expected_output: Some(HOSTILE.to_owned()),
            metadata: BTreeMap::new(),
            item_metadata: None,
        },
        scores: judged(),
        cost: Some(Usd(Decimal::new(125, 5))),
    })
}
