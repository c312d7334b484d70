//! All items of a dataset as a file, as they are at one moment, however many they are.

use domain::dataset::{DatasetItem, DatasetItemId, SheetForm};
use domain::{DatasetId, Fault, ProjectId, Timestamp};
use futures_util::{Stream, stream};
use store_postgres::datasets;

use super::find_by_id;
use crate::app::App;
use crate::scope::ProjectScope;

/// Items that are read at once.
const AT_ONCE: u32 = 200;

/// A file that is being written.
struct Export {
    app: App,
    place: (ProjectId, DatasetId),
    form: SheetForm,
    version: Timestamp,
    after: Option<(Timestamp, DatasetItemId)>,
    is_begun: bool,
    is_over: bool,
}

/// The name of the dataset and the file, piece by piece: archived items, too, in the order in which they were made. No
/// connection is kept while somebody reads it.
///
/// # Errors
/// `not_found`; `unavailable` without Postgres, within the file as well.
pub async fn export(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
    form: SheetForm,
) -> Result<
    (
        String,
        impl Stream<Item = Result<Vec<u8>, Fault>> + Send + 'static,
    ),
    Fault,
> {
    let dataset = find_by_id(app, scope, dataset).await?;
    let begun = Export {
        app: app.clone(),
        place: (scope.project_id(), dataset.id),
        form,
        version: app.clock().now(),
        after: None,
        is_begun: false,
        is_over: false,
    };
    let pieces = stream::try_unfold(begun, |mut export| async move {
        let piece = export.next().await?;
        Ok::<_, Fault>(piece.map(|piece| (piece, export)))
    });
    Ok((dataset.name.to_string(), pieces))
}

impl Export {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        if self.is_over {
            return Ok(None);
        }
        let mut piece = Vec::new();
        if !self.is_begun {
            self.is_begun = true;
            piece = self.form.head()?;
        }
        let after = self.after.as_ref().map(|(made, id)| (*made, id));
        let (db, from) = (self.app.postgres(), (self.version, after));
        let items = datasets::items_then(db, self.place, from, AT_ONCE).await?;
        self.is_over = (items.len() as u64) < u64::from(AT_ONCE);
        self.after = items
            .last()
            .map(|item: &DatasetItem| (item.created_at, item.id.clone()));
        for item in &items {
            piece.extend(self.form.row(item)?);
        }
        Ok(Some(piece))
    }
}
