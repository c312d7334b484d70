//! Real expositions of engines and exporters, as Prometheus would send them on: each says what is known of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::axes::{Kind, Labels, Part, Track};
use domain::{Nanos, Timestamp};
use service::scrape_targets::Scraped;

use crate::decode::remote_write::Version;
use crate::pipeline;

/// When all of them were scraped.
const SCRAPED_MS: u64 = 1_790_000_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/metrics")
}

fn text_of(file: &str) -> String {
    std::fs::read_to_string(folder().join(file)).unwrap()
}

/// Labels, the name among them, and a value.
type Row = (Vec<(String, String)>, f64);

/// The samples of an exposition, read as plainly as these files allow.
fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(row)
        .collect()
}

fn row(line: &str) -> Row {
    let name_end = line.find(['{', ' ']).unwrap();
    let (name, mut rest) = line.split_at(name_end);
    let mut labels = vec![("__name__".to_owned(), name.to_owned())];
    if let Some(mut inner) = rest.strip_prefix('{') {
        loop {
            inner = inner.trim_start_matches([',', ' ']);
            if let Some(after) = inner.strip_prefix('}') {
                rest = after;
                break;
            }
            let (label, after) = inner.split_once("=\"").unwrap();
            let mut value = String::new();
            let mut letters = after.char_indices();
            let end = loop {
                match letters.next().unwrap() {
                    (_, '\\') => value.push(letters.next().unwrap().1),
                    (at, '"') => break at,
                    (_, letter) => value.push(letter),
                }
            };
            labels.push((label.to_owned(), value));
            inner = &after[end + 1..];
        }
    }
    let value = rest.split_whitespace().next().unwrap();
    (labels, value.parse().unwrap())
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    varint(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

fn sample(value: f64) -> Vec<u8> {
    let mut bytes = vec![0x09];
    bytes.extend_from_slice(&value.to_le_bytes());
    bytes.push(0x10);
    varint(SCRAPED_MS, &mut bytes);
    bytes
}

/// `prometheus.WriteRequest`.
fn one(rows: &[Row]) -> Vec<u8> {
    let series = rows.iter().map(|(labels, value)| {
        let labels = labels.iter().map(|(name, value)| {
            field(
                1,
                &[field(1, name.as_bytes()), field(2, value.as_bytes())].concat(),
            )
        });
        let labels: Vec<u8> = labels.flatten().collect();
        field(1, &[labels, field(2, &sample(*value))].concat())
    });
    series.flatten().collect()
}

/// `io.prometheus.write.v2.Request`.
fn two(rows: &[Row]) -> Vec<u8> {
    let mut symbols = vec![String::new()];
    let mut series = Vec::new();
    for (labels, value) in rows {
        let mut references = Vec::new();
        for text in labels.iter().flat_map(|(name, value)| [name, value]) {
            let known = symbols.iter().position(|symbol| symbol == text);
            let at = known.unwrap_or_else(|| {
                symbols.push(text.clone());
                symbols.len() - 1
            });
            varint(at as u64, &mut references);
        }
        series.extend(field(
            5,
            &[field(1, &references), field(2, &sample(*value))].concat(),
        ));
    }
    let symbols: Vec<u8> = symbols
        .iter()
        .flat_map(|symbol| field(4, symbol.as_bytes()))
        .collect();
    [symbols, series].concat()
}

fn tracks(file: &str) -> Vec<Track> {
    let rows = rows(&text_of(file));
    let arrival = Timestamp::EPOCH.plus(Nanos::from_millis(SCRAPED_MS));
    let read = |version, body: &[u8]| pipeline::remote_tracks_of(version, body, arrival).unwrap();
    let (old, outcome) = read(Version::One, &one(&rows));
    assert_eq!(outcome.rejected.count, 0, "{file}: {:?}", outcome.rejected);
    assert_eq!(outcome.written.samples, rows.len() as u64, "{file}");
    let (new, _) = read(Version::Two, &two(&rows));
    assert!(same(&old, &new), "{file}: both versions say the same");
    old
}

/// Not a number is not itself.
fn same(one: &[Track], other: &[Track]) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

/// What the series of the lowest rank say of each axis value; of histograms their number of observations.
fn said(tracks: &[Track]) -> BTreeMap<&'static str, f64> {
    let mut best: BTreeMap<&str, (u8, f64)> = BTreeMap::new();
    for track in tracks {
        let Some(reading) = &track.series.reading else {
            continue;
        };
        if matches!(track.series.part, Part::Whole | Part::Count) {
            let value = track.samples[0].value * reading.factor;
            let entry = best.entry(reading.axis).or_insert((u8::MAX, 0.0));
            if reading.rank < entry.0 {
                *entry = (reading.rank, value);
            }
        }
    }
    best.into_iter()
        .map(|(axis, (_, value))| (axis, value))
        .collect()
}

/// File, exporter, and what it says of each axis value.
type Expected = (&'static str, &'static str, &'static [(&'static str, f64)]);

const EXPECTED: &[Expected] = include!("expositions_expected.rs");

#[test]
fn every_exposition_says_what_is_known_of_it() {
    let mut known: Vec<&str> = EXPECTED.iter().map(|(file, _, _)| *file).collect();
    for (file, exporter, expected) in EXPECTED {
        let tracks = tracks(file);
        let said = said(&tracks);
        for (axis, value) in *expected {
            let found = said
                .get(axis)
                .unwrap_or_else(|| panic!("{file}: no {axis} in {said:?}"));
            assert!(
                (found - value).abs() <= value.abs() * 1e-9,
                "{file}: {axis} is {found}, not {value}"
            );
        }
        assert_eq!(said.len(), expected.len(), "{file}: {said:?}");
        let by = tracks
            .iter()
            .filter_map(|track| track.series.reading.as_ref());
        assert!(
            by.clone().all(|reading| reading.exporter == *exporter),
            "{file}"
        );
    }
    known.sort_unstable();
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|file| file.ends_with(".prom"))
        .collect();
    files.sort();
    assert_eq!(files, known);
}

#[test]
fn a_scrape_says_what_remote_write_says() {
    for (file, _, _) in EXPECTED {
        let scraped = Scraped {
            content_type: "text/plain; version=0.0.4".to_owned(),
            body: text_of(file).into(),
            labels: Labels::default(),
            at: Timestamp::EPOCH.plus(Nanos::from_millis(SCRAPED_MS)),
        };
        let found = pipeline::scraped_tracks_of(&scraped).unwrap();
        assert_eq!(found.refused, None, "{file}");
        let written = tracks(file);
        assert_eq!(said(&found.tracks), said(&written), "{file}");
        assert_eq!(found.tracks.len(), written.len(), "{file}");
        for (one, other) in found.tracks.iter().zip(&written) {
            let of = |track: &Track| (track.series.name.clone(), track.series.labels.clone());
            assert_eq!(of(one), of(other), "{file}");
            let value = |track: &Track| track.samples[0].value;
            let is_same = value(one) == value(other) || value(one).is_nan();
            assert!(is_same, "{file}: {}", one.series.name);
        }
    }
}

#[test]
fn names_of_live_servers_are_those_of_their_exporter() {
    for (file, exporter, least) in [
        ("series-names-vllm.txt", "vllm", 25),
        ("series-names-sglang.txt", "sglang", 15),
        ("series-names-llamacpp.txt", "llama_cpp", 5),
    ] {
        let text = text_of(file);
        let known = text.lines().filter_map(domain::axes::names::exporter_of);
        let known: Vec<&str> = known.collect();
        assert!(known.len() >= least, "{file}: {}", known.len());
        assert!(known.iter().all(|found| *found == exporter), "{file}");
    }
}

#[test]
fn kinds_are_those_of_the_tables_and_blanks_are_left_out() {
    let kind_of = |tracks: &[Track], name: &str| {
        let found = tracks.iter().find(|track| &*track.series.name == name);
        found.map(|track| (track.series.kind, track.series.part))
    };
    let dcgm = tracks("dcgm-exporter-tesla-t4.prom");
    let gauge = Some((Kind::Gauge, Part::Whole));
    assert_eq!(kind_of(&dcgm, "DCGM_FI_PROF_PCIE_TX_BYTES"), gauge);
    let k8s = tracks("dcgm-exporter-readme-k8s.prom");
    assert_eq!(kind_of(&k8s, "DCGM_FI_DEV_MEMORY_TEMP"), None);
    let triton = tracks("triton-docs-summaries.prom");
    let name = "nv_inference_first_response_histogram_ms";
    assert_eq!(kind_of(&triton, name), Some((Kind::Counter, Part::Bucket)));
    let quantile = Some((Kind::Gauge, Part::Quantile));
    assert_eq!(kind_of(&triton, "nv_inference_queue_summary_us"), quantile);
    let vllm = tracks("vllm-v0-v1-union.prom");
    let bucket = Some((Kind::Counter, Part::Bucket));
    assert_eq!(kind_of(&vllm, "vllm:iteration_tokens_total_bucket"), bucket);
    // Nothing of an unknown name is lost.
    assert!(kind_of(&vllm, "process_open_fds").is_some());
}
