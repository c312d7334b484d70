//! Whether the items of a dataset follow its schemas.

use std::sync::Arc;

use domain::dataset::{Dataset, DatasetItem, DatasetItemId, Schemas};
use domain::{Fault, Nanos, Timestamp};
use store_postgres::{Transaction, datasets};

use crate::app::App;

/// Items that are looked at one after the other.
const AT_ONCE: u32 = 50;
/// Most items that are named.
const NAMED: usize = 10;
/// How long a version may be on its way after its time was told, by whatever server's clock.
const ON_THE_WAY: Nanos = Nanos::from_seconds(60);

/// Looks at all active items, while others may write them: no connection is kept meanwhile.
///
/// # Errors
/// `invalid` with the ids of those that do not follow; on a field when a schema is none; `unavailable`
/// without Postgres.
pub(super) async fn check_all(app: &App, dataset: &Dataset) -> Result<(), Fault> {
    let mut check = Check::of(dataset)?;
    while !check.is_over {
        let mut tx = app.postgres().begin_reading().await?;
        let items = check.next(&mut tx, Timestamp::EPOCH).await?;
        drop(tx);
        check.look_at(items).await?;
    }
    check.verdict()
}

/// Looks at the active items that may have been written since a time, while nobody can write them.
///
/// # Errors
/// As [`check_all`].
pub(super) async fn check_since(
    tx: &mut Transaction,
    dataset: &Dataset,
    since: Timestamp,
) -> Result<(), Fault> {
    let mut check = Check::of(dataset)?;
    while !check.is_over {
        let items = check.next(tx, since.minus(ON_THE_WAY)).await?;
        check.look_at(items).await?;
    }
    check.verdict()
}

/// A look through the items of a dataset.
struct Check<'d> {
    dataset: &'d Dataset,
    schemas: Arc<Schemas>,
    after: Option<DatasetItemId>,
    wrong: Vec<String>,
    is_over: bool,
}

impl<'d> Check<'d> {
    fn of(dataset: &'d Dataset) -> Result<Self, Fault> {
        let schemas = Arc::new(dataset.schemas()?);
        Ok(Check {
            dataset,
            is_over: schemas.is_empty(),
            schemas,
            after: None,
            wrong: Vec::new(),
        })
    }

    async fn next(
        &self,
        tx: &mut Transaction,
        since: Timestamp,
    ) -> Result<Vec<DatasetItem>, Fault> {
        let place = (self.dataset.project_id, self.dataset.id);
        let after = (since, self.after.as_ref());
        Ok(datasets::items_after(tx, place, after, AT_ONCE).await?)
    }

    async fn look_at(&mut self, items: Vec<DatasetItem>) -> Result<(), Fault> {
        self.after = items.last().map(|item| item.id.clone());
        self.is_over = (items.len() as u64) < u64::from(AT_ONCE);
        let schemas = Arc::clone(&self.schemas);
        // A schema may be slow on purpose.
        let work = tokio::task::spawn_blocking(move || wrong(&schemas, &items));
        self.wrong.extend(work.await.map_err(Fault::internal)?);
        self.is_over |= self.wrong.len() >= NAMED;
        Ok(())
    }

    fn verdict(mut self) -> Result<(), Fault> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        self.wrong.truncate(NAMED);
        let message = format!(
            "items of the dataset do not follow the schema; nothing is changed. {}",
            self.wrong.join("; ")
        );
        Err(Fault::invalid(message))
    }
}

fn wrong(schemas: &Schemas, items: &[DatasetItem]) -> Vec<String> {
    let violations = |item: &DatasetItem| {
        let id = item.id.clone();
        let violations = schemas.violations(item).into_iter();
        violations.map(move |violation| format!("{id}: {} {}", violation.field, violation.why))
    };
    items.iter().flat_map(violations).collect()
}
