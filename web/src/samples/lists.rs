//! Parts of lists.

use domain::bulk::{BulkAction, BulkJob, BulkState};
use domain::facet::FacetValue;
use domain::filter::{Column, Filter};
use domain::{BulkJobId, PersonId, Timestamp};
use uuid::Uuid;

use super::{HOSTILE, Sample, sample};
use crate::extract::{Pairs, Reader};
use crate::layout::{Frame, Section};
use crate::pages::jobs::{JobPage, JobRow, JobsPage};
use crate::pages::traces::query::ListQuery;
use crate::pages::traces::{FacetPage, facet_rows};

/// Every part in its states.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let usual = ["gpt-5-mini", "qwen3-32b", "llama-4-scout"];
    vec![
        sample("facet", &facet(reader, &usual)),
        sample("facet-none", &facet(reader, &[])),
        sample(
            "facet-overfull",
            &facet(reader, &[HOSTILE, &"long ".repeat(40)]),
        ),
        sample("job", &job(reader, BulkState::Running, "refunds")),
        sample("job-overfull", &job(reader, BulkState::Failed, HOSTILE)),
        sample("jobs", &jobs(reader, &["refunds", "golden"])),
        sample("jobs-none", &jobs(reader, &[])),
        sample("jobs-overfull", &jobs(reader, &[HOSTILE])),
    ]
}

fn some_job(state: BulkState, dataset: &str) -> BulkJob {
    BulkJob {
        id: BulkJobId(Uuid::from_u128(7)),
        person: PersonId(Uuid::nil()),
        action: BulkAction::AddToDataset(dataset.to_owned()),
        filter: Filter::default(),
        state,
        done: 12_400,
        total: Some(19_310),
        skipped: 3,
        fault: (state == BulkState::Failed).then(|| dataset.to_owned()),
        created_at: Timestamp::EPOCH,
        updated_at: Timestamp::EPOCH,
    }
}

fn job(reader: &Reader, state: BulkState, dataset: &str) -> JobPage {
    JobPage {
        shell: Frame::shell(reader),
        frame: Frame::new(reader, Section::Traces),
        job: JobRow::new(reader, &some_job(state, dataset)),
        jobs_url: crate::urls::jobs(reader.id()),
    }
}

fn jobs(reader: &Reader, datasets: &[&str]) -> JobsPage {
    let row = |dataset: &&str| JobRow::new(reader, &some_job(BulkState::Done, dataset));
    JobsPage {
        shell: Frame::shell(reader),
        frame: Frame::new(reader, Section::Traces),
        jobs: datasets.iter().map(row).collect(),
    }
}

fn facet(reader: &Reader, values: &[&str]) -> FacetPage {
    let pairs = Pairs::parse(b"facets=model&f=model:is:gpt-5-mini&f=model:not:gone");
    let query = ListQuery::read(&pairs, reader.zone());
    let query = query.map(|read| read.query).unwrap_or_default();
    let found: Vec<FacetValue> = (1..)
        .zip(values)
        .map(|(place, value)| FacetValue {
            value: (*value).to_owned(),
            traces: 12_000 / place,
        })
        .collect();
    FacetPage {
        shell: Frame::shell(reader),
        values: facet_rows(reader.id(), (&query, &Column::Model), &found),
        more_url: crate::urls::whole_facet(reader.id(), "model", &query),
        too_many: values.is_empty(),
    }
}
