//! Which experiments, or items of them, a query asks for.

use domain::attr::langfuse as attr;
use domain::filter::Column;
use service::experiments::Wanted;

use crate::langfuse::error::{Issue, Result};
use crate::langfuse::filter::{self, Columns, Compared, Meaning};
use crate::langfuse::query::Query;

/// Columns of the parameter `filter` of experiments.
pub(super) const OF_EXPERIMENTS: Columns = &[
    ("id", Meaning::Attribute(attr::EXPERIMENT_ID)),
    ("name", Meaning::Attribute(attr::EXPERIMENT_NAME)),
    ("datasetId", Meaning::Attribute(attr::EXPERIMENT_DATASET_ID)),
];

/// Columns of the parameter `filter` of items.
pub(super) const OF_ITEMS: Columns = &[
    ("experimentId", Meaning::Attribute(attr::EXPERIMENT_ID)),
    ("experimentName", Meaning::Attribute(attr::EXPERIMENT_NAME)),
    (
        "experimentItemId",
        Meaning::Attribute(attr::EXPERIMENT_ITEM_ID),
    ),
    ("datasetId", Meaning::Attribute(attr::EXPERIMENT_DATASET_ID)),
    (
        "experimentDatasetId",
        Meaning::Attribute(attr::EXPERIMENT_DATASET_ID),
    ),
];

/// Reads times, the filter, and one parameter for each of the columns that is not asked for otherwise.
///
/// # Errors
/// When something is not understood, or no time is given from which on.
pub(super) fn read(query: &Query, columns: Columns) -> Result<Wanted> {
    let from = query.time("fromStartTime")?;
    let missing = || Issue::of_type("fromStartTime", "string, received undefined");
    let from = from.ok_or_else(missing)?;
    let compared: Vec<Compared<'_>> = columns
        .iter()
        .filter_map(|(name, meaning)| match meaning {
            Meaning::Attribute(key) => {
                Some(Compared::any(name, Column::Attribute((*key).to_owned())))
            }
            _ => None,
        })
        .collect();
    let filter = filter::read(query, columns, &compared)?;
    Ok(Wanted {
        from,
        to: query.time("toStartTime")?,
        conditions: filter.conditions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: &str = "fromStartTime=2026-01-05T01:00:00Z";

    #[test]
    fn a_time_is_needed_and_values_come_in_lists() {
        assert!(read(&Query::parse(""), OF_EXPERIMENTS).is_err());
        let wanted = format!("{FROM}&id=a,b&name=n&unknown=x");
        let wanted = read(&Query::parse(&wanted), OF_EXPERIMENTS).unwrap();
        assert_eq!(wanted.to, None);
        let shown: Vec<_> = wanted.conditions.iter().map(|it| it.values.len()).collect();
        assert_eq!(shown, [2, 1]);
        let of_items = format!("{FROM}&experimentItemId=i&datasetId=d");
        let of_items = read(&Query::parse(&of_items), OF_ITEMS).unwrap();
        assert_eq!(of_items.conditions.len(), 2);
    }

    #[test]
    fn a_filter_knows_these_columns_only() {
        let with = |filter: &str| {
            let query = format!("{FROM}&filter={filter}");
            read(&Query::parse(&query), OF_EXPERIMENTS)
        };
        let good = r#"[{"type":"string","column":"name","operator":"contains","value":"n"}]"#;
        assert_eq!(with(good).unwrap().conditions.len(), 1);
        assert!(with(&good.replace("name", "itemCount")).is_err());
        assert!(with("{").is_err());
    }
}
