//! Series and samples in the store by themselves: what comes back is what came, once, in whatever order.

use std::sync::Arc;

use domain::axes::query::{Condition, Selection, Steps};
use domain::axes::range::Cell;
use domain::axes::{Kind, Labels, Measured, Part, Sample, Seen, Series, SeriesId};
use domain::{Nanos, ProjectId, Timestamp};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store_clickhouse::series::After;
use store_clickhouse::{ClickHouse, samples, series, writer};
use uuid::Uuid;

use super::{fresh_database, fresh_store, project};

/// The beginning of what is measured here.
const BEGIN_S: u64 = 1_790_000_000;

fn at(seconds: f64) -> Timestamp {
    Timestamp::EPOCH.plus(Nanos::from_millis(BEGIN_S * 1_000 + (seconds * 1e3) as u64))
}

fn measured(series: u64, seconds: f64, value: f64) -> Measured {
    Measured {
        series: SeriesId(series),
        sample: Sample {
            time: at(seconds),
            value,
        },
    }
}

pub(super) async fn insert_samples(store: &ClickHouse, project: ProjectId, all: &[Measured]) {
    let block = samples::encode(project, all).unwrap();
    put(store, block).await;
}

pub(super) async fn insert_series(store: &ClickHouse, project: ProjectId, all: &[Seen]) {
    put(store, series::encode(project, all).unwrap()).await;
}

async fn put(store: &ClickHouse, block: Vec<u8>) {
    let token = Uuid::now_v7().to_string();
    writer::insert_unspooled(store, vec![block.into()], &token)
        .await
        .unwrap();
}

/// A series with one sample, for the test that explains queries.
pub(super) fn some() -> (Seen, Measured) {
    (seen("a", &[], 0), measured(1, 0.0, 1.0))
}

fn seen(name: &str, labels: &[(&str, &str)], hour: u64) -> Seen {
    let pairs = labels
        .iter()
        .map(|(name, value)| (Arc::from(*name), Arc::from(*value)));
    let labels = Labels::new(pairs);
    let kinds = (Kind::Gauge, Part::Whole);
    Seen {
        id: SeriesId::of(project(1), name, &labels),
        series: Series::new(name.into(), labels, kinds, "s".into()),
        hour: at(0.0).plus(Nanos::from_seconds(hour * 3_600)),
    }
}

fn steps(seconds: u64, step: f64) -> Steps {
    let range = (at(0.0), at(0.0).plus(Nanos::from_seconds(seconds)));
    Steps::new(range, Some(step)).unwrap()
}

async fn cells(store: &ClickHouse, project: ProjectId, ids: &[u64], steps: &Steps) -> Vec<Cell> {
    let ids: Vec<SeriesId> = ids.iter().map(|id| SeriesId(*id)).collect();
    samples::steps(store, project, &ids, steps).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn order_and_repetition_of_samples_change_nothing() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    let value = prop_oneof![
        Just(f64::NAN),
        Just(0.0),
        Just(-0.0),
        (0u8..20).prop_map(f64::from)
    ];
    let sample = (0u64..3, 0u8..30, value);
    let several = proptest::collection::vec(sample, 0..25).prop_shuffle();
    for number in 0..20u128 {
        let all: Vec<Measured> = several
            .new_tree(&mut runner)
            .unwrap()
            .current()
            .into_iter()
            .map(|(series, second, value)| measured(series, f64::from(second), value))
            .collect();
        let (whole, pieces) = (project(2 * number + 1), project(2 * number + 2));
        insert_samples(&store, whole, &all).await;
        for sample in all.iter().rev() {
            insert_samples(&store, pieces, &[*sample]).await;
        }
        insert_samples(&store, pieces, &all).await;
        let range = steps(30, 7.0);
        let one = cells(&store, whole, &[0, 1, 2], &range).await;
        let other = cells(&store, pieces, &[0, 1, 2], &range).await;
        // Debug text, because NaN differs from itself.
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{all:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counter_grows_over_restarts_gaps_and_the_edge_of_the_range() {
    let store = fresh_store().await;
    let owner = project(1);
    let before = Measured {
        series: SeriesId(1),
        sample: Sample {
            time: at(0.0).minus(Nanos::from_seconds(15)),
            value: 90.0,
        },
    };
    let values = [
        (0.0, 100.0),
        (15.0, 130.0),
        (30.0, 10.0),
        (45.0, f64::NAN),
        (60.0, 25.0),
    ];
    let mut all = vec![before];
    all.extend(values.map(|(second, value)| measured(1, second, value)));
    insert_samples(&store, owner, &all).await;
    let found = cells(&store, owner, &[1], &steps(75, 30.0)).await;
    let growth: Vec<f64> = found.iter().map(|cell| cell.growth).collect();
    // 90 → 100 → 130; a restart that has grown to 10; 15 more, over the end that was told in between.
    assert_eq!(growth, [40.0, 10.0, 15.0]);
    assert!(found[1].last.is_nan());
    assert_eq!((found[1].count, found[1].max), (1, 10.0));
    // Nobody else's.
    assert_eq!(cells(&store, project(2), &[1], &steps(75, 30.0)).await, []);
    let first = cells(&store, owner, &[1], &steps(1, 1.0)).await;
    assert_eq!((first[0].growth, first[0].grown), (10.0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn series_are_found_by_name_axis_and_labels_each_once() {
    let store = fresh_store().await;
    let owner = project(1);
    let all = [
        seen(
            "DCGM_FI_DEV_POWER_USAGE",
            &[("pod", "a-1"), ("gpu", "0")],
            0,
        ),
        seen("DCGM_FI_DEV_POWER_USAGE", &[("pod", "b-1")], 0),
        seen("nv_gpu_power_usage", &[("gpu_uuid", "x")], 0),
        seen("mine", &[], 0),
    ];
    insert_series(&store, owner, &all).await;
    let again = seen("mine", &[], 3);
    insert_series(&store, owner, std::slice::from_ref(&again)).await;
    insert_series(&store, owner, &[seen("mine", &[], 1)]).await;
    let list = async |metric: Option<&str>, conditions: &[&str], since: Timestamp, limit: u32| {
        let selection = Selection {
            metric: metric.map(str::to_owned),
            conditions: conditions
                .iter()
                .map(|text| Condition::parse(text).unwrap())
                .collect(),
        };
        let page = (&After::default(), limit);
        series::list(&store, owner, (&selection, since), page)
            .await
            .unwrap()
    };
    let found = list(None, &[], at(0.0), 100).await;
    assert_eq!(found.len(), 4);
    let mine = found
        .iter()
        .find(|known| &*known.series.name == "mine")
        .unwrap();
    assert_eq!((mine.id, mine.seen), (again.id, again.hour));
    let power = list(Some("gpu.power_w"), &[], at(0.0), 100).await;
    assert_eq!(power.len(), 3);
    assert!(all.iter().any(|seen| seen.series == power[0].series));
    for (conditions, count) in [
        (&["pod=a-1"][..], 1),
        (&["pod=~a.*"], 1),
        (&["pod=~a"], 0),
        (&["pod!=a-1"], 3),
        (&["pod="], 2),
        (&["pod!~a.*", "gpu_uuid="], 2),
        (&["pod=a-1", "gpu=1"], 0),
    ] {
        assert_eq!(
            list(None, conditions, at(0.0), 100).await.len(),
            count,
            "{conditions:?}"
        );
    }
    assert_eq!(list(None, &[], at(3_700.0), 100).await.len(), 1);
    let first = list(None, &[], at(0.0), 1).await;
    let after = After {
        name: first[0].series.name.to_string(),
        id: first[0].id.0,
    };
    let rest = (&Selection::default(), at(0.0));
    let rest = series::list(&store, owner, rest, (&after, 100))
        .await
        .unwrap();
    assert_eq!(rest.len(), 3);
}

/// A day of scrapes every 15 s of what engines and GPUs export: gauges that hold still or wander, counters, histograms.
#[tokio::test(flavor = "multi_thread")]
async fn a_steady_series_takes_two_bytes_a_sample_at_most() {
    let address = fresh_database().await;
    let store = ClickHouse::connect(&address).unwrap();
    store.migrate().await.unwrap();
    let mut noise = 7_u64;
    let mut random = || {
        noise = noise
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        noise >> 33
    };
    let mut all = Vec::new();
    for series in 0..40 {
        let mut value = 1_000.0;
        for scrape in 0..5_760_u64 {
            value = match series % 8 {
                // Held: sizes, limits, clocks. Buckets that no longer count.
                0..=2 => value,
                // Whole numbers that wander: requests, degrees, watts.
                3 => 60.0 + (random() % 4) as f64,
                // Counters of events, some idle for a while.
                4 | 5 => {
                    value
                        + if scrape % 40 < 20 {
                            (random() % 3) as f64
                        } else {
                            0.0
                        }
                }
                // Tokens.
                6 => value + (random() % 200) as f64,
                // A ratio in hundredths.
                _ => (random() % 20) as f64 / 100.0,
            };
            // Scrapes are some milliseconds off, as real ones.
            let jitter = (random() % 3) as f64 / 1e3;
            all.push(measured(series, scrape as f64 * 15.0 + jitter, value));
        }
    }
    insert_samples(&store, project(1), &all).await;
    let mut url = reqwest::Url::parse(&address).unwrap();
    let database = url.path().trim_start_matches('/').to_owned();
    url.set_path("/");
    let ask = async |sql: &'static str| {
        let request = reqwest::Client::new().post(url.clone());
        let request = request.query(&[("database", &database)]).body(sql);
        request.send().await.unwrap().text().await.unwrap()
    };
    assert_eq!(ask("OPTIMIZE TABLE samples FINAL").await, "");
    let sql = "SELECT sum(data_compressed_bytes), sum(rows) FROM system.parts
               WHERE database = currentDatabase() AND table = 'samples' AND active FORMAT TSV";
    let answer = ask(sql).await;
    let (bytes, rows) = answer.trim().split_once('\t').unwrap();
    assert_eq!(rows.parse::<usize>().unwrap(), all.len());
    let each = bytes.parse::<f64>().unwrap() / all.len() as f64;
    println!("{each:.2} bytes a sample");
    assert!(each <= 2.0, "{each:.2} bytes a sample");
}
