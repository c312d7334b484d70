//! Finished items as items of a dataset: what went in, what should have come out, what people said.

use domain::annotation::{Answer, ItemStatus, ObjectKind, Placed};
use domain::dataset::{DatasetDraft, DatasetItemId, DatasetName, ItemDraft};
use domain::tenancy::Permission;
use domain::{DatasetId, Fault};
use serde_json::{Map, Value, json};
use store_postgres::annotation::{labels, placed};

use super::agreement::{self, Report};
use super::queues::Queue;
use super::subject::{self, Subject};
use crate::app::App;
use crate::datasets;
use crate::scope::ProjectScope;

/// Items of one export.
const MOST: u32 = 1_000;

/// What came of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The dataset.
    pub dataset: DatasetId,
    /// Items that were written.
    pub written: u64,
    /// Finished items of which nothing can be told: sessions, and what was deleted.
    pub left_out: u64,
}

/// Writes finished items into a dataset, which is made where there is none; needs `ChangeDatasets`. An item that was
/// exported before gets its next version.
///
/// # Errors
/// `forbidden`; `invalid` on `dataset`, or where an item does not follow the schemas of the dataset; `unavailable` or
/// `timeout` without the stores.
pub async fn to_dataset(
    app: &App,
    scope: &ProjectScope,
    queue: &Queue,
    name: &str,
) -> Result<Exported, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let name = DatasetName::parse(name.trim())
        .map_err(|fault| Fault::invalid(fault.message).on_field("dataset"))?;
    let draft = DatasetDraft {
        name: name.clone(),
        description: None,
        metadata: None,
        input_schema: None,
        expected_output_schema: None,
    };
    let dataset = datasets::write(app, scope, draft).await?;
    let report = agreement::report(app, scope, queue).await?;
    let wanted = (queue.queue.id, Some(ItemStatus::Completed));
    let (db, project) = (app.postgres(), scope.project_id());
    let items = placed::list(db, project, wanted, (0, MOST)).await?;
    let mut exported = Exported {
        dataset: dataset.id,
        written: 0,
        left_out: 0,
    };
    for item in items {
        let what = (item.item.kind, item.item.object_id.as_str());
        let Subject::Said { span, .. } = subject::read(app, scope, what).await? else {
            exported.left_out += 1;
            continue;
        };
        let said = labels::of_item(db, project, item.item.id).await?;
        let correction = said
            .iter()
            .rev()
            .find_map(|label| label.answers.correction.clone());
        let draft = ItemDraft {
            status: None,
            input: Some(content(span.input.as_ref().map(|sent| &*sent.text))),
            expected_output: Some(match &correction {
                Some(corrected) => content(Some(corrected)),
                None => content(span.output.as_ref().map(|sent| &*sent.text)),
            }),
            metadata: Some(metadata(queue, &report, &item)),
            source_trace_id: Some(span.trace_id.clone()),
            source_observation_id: (item.item.kind == ObjectKind::Observation)
                .then(|| span.span_id.clone()),
            reason: Some(format!("judged in the queue {}", queue.queue.draft.name)),
            ..ItemDraft::default()
        };
        let id = DatasetItemId::parse(&format!("annotation-{}-{}", dataset.id, item.item.id))?;
        datasets::write_item(app, scope, (&name, Some(id)), draft).await?;
        exported.written += 1;
    }
    Ok(exported)
}

/// JSON as it is, anything else as a text; without the characters that Postgres cannot keep.
fn content(text: Option<&str>) -> Value {
    let Some(text) = text else {
        return Value::Null;
    };
    let text = text.replace('\0', "");
    match serde_json::from_str::<Value>(&text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => value,
        _ => Value::String(text),
    }
}

fn metadata(queue: &Queue, report: &Report, item: &Placed) -> Value {
    let mut scores = Map::new();
    for (asked, _) in &report.questions {
        let name = match &asked.config {
            Some(config) => config.draft.name.clone(),
            None => "preference".to_owned(),
        };
        if let Some(answer) = report.verdict(item.item.id, &asked.question) {
            scores.insert(name, value(&answer));
        }
    }
    json!({
        "annotation": {
            "queue": queue.queue.draft.name,
            "item": item.item.id.to_string(),
            "scores": scores,
        }
    })
}

fn value(answer: &Answer) -> Value {
    match answer {
        Answer::Number(number) => json!(number),
        Answer::Flag(yes) => json!(yes),
        Answer::Label(words) | Answer::Text(words) => json!(words),
        Answer::Choice(choice) => json!(choice.as_str()),
    }
}
