use domain::axes::{Kind, Part, Track};
use domain::{Code, Nanos, Timestamp};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::exponential_histogram_data_point::Buckets;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::summary_data_point::ValueAtQuantile;
use opentelemetry_proto::tonic::metrics::v1::{
    ExponentialHistogram, ExponentialHistogramDataPoint, Gauge, Histogram, HistogramDataPoint,
    Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum, Summary, SummaryDataPoint,
    number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message;

use crate::decode::Encoding;
use crate::decode::remote_write::Version;
use crate::pipeline::{Taken, remote_tracks_of, tracks_of};

const NOW: u64 = 1_790_000_000_000_000_000;
const SECOND: u64 = 1_000_000_000;

fn arrival() -> Timestamp {
    Timestamp::EPOCH.plus(Nanos(NOW + SECOND))
}

fn pair(key: &str, value: &str) -> KeyValue {
    KeyValue {
        key: key.into(),
        value: Some(AnyValue {
            value: Some(any_value::Value::StringValue(value.into())),
        }),
        ..KeyValue::default()
    }
}

fn number(value: number_data_point::Value) -> NumberDataPoint {
    NumberDataPoint {
        attributes: vec![pair("model_name", "m")],
        start_time_unix_nano: NOW - 60 * SECOND,
        time_unix_nano: NOW,
        value: Some(value),
        ..NumberDataPoint::default()
    }
}

fn metric(name: &str, data: Data) -> Metric {
    Metric {
        name: name.into(),
        unit: "1".into(),
        data: Some(data),
        ..Metric::default()
    }
}

fn request(metrics: Vec<Metric>) -> Vec<u8> {
    let scope_metrics = vec![ScopeMetrics {
        metrics,
        ..ScopeMetrics::default()
    }];
    let resource = Resource {
        attributes: vec![pair("service.name", "engine"), pair("process.pid", "7")],
        ..Resource::default()
    };
    let request = ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(resource),
            scope_metrics,
            ..ResourceMetrics::default()
        }],
    };
    request.encode_to_vec()
}

fn histogram() -> HistogramDataPoint {
    HistogramDataPoint {
        time_unix_nano: NOW,
        count: 10,
        sum: Some(2.5),
        bucket_counts: vec![5, 4, 1],
        explicit_bounds: vec![0.1, 0.5],
        ..HistogramDataPoint::default()
    }
}

fn of_every_kind() -> Vec<Metric> {
    let sum = |name, temporality, is_monotonic| {
        let data_points = vec![number(number_data_point::Value::AsInt(-3))];
        let sum = Sum {
            data_points,
            aggregation_temporality: temporality,
            is_monotonic,
        };
        metric(name, Data::Sum(sum))
    };
    let gauge = Gauge {
        data_points: vec![number(number_data_point::Value::AsDouble(0.5))],
    };
    let exponential = ExponentialHistogramDataPoint {
        time_unix_nano: NOW,
        count: 4,
        sum: Some(9.0),
        scale: 0,
        zero_count: 1,
        zero_threshold: 0.25,
        positive: Some(Buckets {
            offset: 1,
            bucket_counts: vec![2, 0, 1],
        }),
        ..ExponentialHistogramDataPoint::default()
    };
    let summary = SummaryDataPoint {
        time_unix_nano: NOW,
        count: 3,
        sum: 6.0,
        quantile_values: vec![ValueAtQuantile {
            quantile: 0.5,
            value: 2.0,
        }],
        ..SummaryDataPoint::default()
    };
    vec![
        metric("vllm:num_requests_running", Data::Gauge(gauge)),
        sum("grown", 2, true),
        sum("added", 1, true),
        sum("up_and_down", 2, false),
        metric(
            "gen_ai.server.time_to_first_token",
            Data::Histogram(Histogram {
                data_points: vec![histogram()],
                aggregation_temporality: 2,
            }),
        ),
        metric(
            "spread",
            Data::ExponentialHistogram(ExponentialHistogram {
                data_points: vec![exponential],
                aggregation_temporality: 2,
            }),
        ),
        metric(
            "told",
            Data::Summary(Summary {
                data_points: vec![summary],
            }),
        ),
    ]
}

const JSON: &str = r#"{"resourceMetrics":[{"resource":{"attributes":[
 {"key":"service.name","value":{"stringValue":"engine"}},{"key":"process.pid","value":{"stringValue":"7"}}]},
"scopeMetrics":[{"metrics":[
{"name":"vllm:num_requests_running","unit":"1","gauge":{"dataPoints":[{"attributes":[{"key":"model_name","value":{"stringValue":"m"}}],
 "startTimeUnixNano":"1789999940000000000","timeUnixNano":"1790000000000000000","asDouble":0.5}]}},
{"name":"grown","unit":"1","sum":{"dataPoints":[{"attributes":[{"key":"model_name","value":{"stringValue":"m"}}],
 "startTimeUnixNano":"1789999940000000000","timeUnixNano":"1790000000000000000","asInt":"-3"}],"aggregationTemporality":2,"isMonotonic":true}},
{"name":"added","unit":"1","sum":{"isMonotonic":true,"aggregationTemporality":"AGGREGATION_TEMPORALITY_DELTA","dataPoints":[{"attributes":[{"key":"model_name","value":{"stringValue":"m"}}],
 "startTimeUnixNano":"1789999940000000000","timeUnixNano":"1790000000000000000","asInt":-3}]}},
{"name":"up_and_down","unit":"1","sum":{"dataPoints":[{"attributes":[{"key":"model_name","value":{"stringValue":"m"}}],
 "startTimeUnixNano":"1789999940000000000","timeUnixNano":"1790000000000000000","asInt":"-3"}],"aggregationTemporality":2}},
{"name":"gen_ai.server.time_to_first_token","unit":"1","histogram":{"dataPoints":[{"timeUnixNano":"1790000000000000000","count":"10","sum":2.5,
 "bucketCounts":["5","4","1"],"explicitBounds":[0.1,0.5]}],"aggregationTemporality":2}},
{"name":"spread","unit":"1","exponentialHistogram":{"dataPoints":[{"timeUnixNano":"1790000000000000000","count":"4","sum":9,"scale":0,
 "zeroCount":"1","zeroThreshold":0.25,"positive":{"offset":1,"bucketCounts":["2","0","1"]}}],"aggregationTemporality":2}},
{"name":"told","unit":"1","summary":{"dataPoints":[{"timeUnixNano":"1790000000000000000","count":"3","sum":6,
 "quantileValues":[{"quantile":0.5,"value":2}]}]}}]}]}]}"#;

fn read(body: &[u8]) -> (Vec<Track>, Taken) {
    tracks_of(Encoding::Protobuf, body, arrival()).unwrap()
}

fn find<'t>(tracks: &'t [Track], name: &str, label: Option<(&str, &str)>) -> &'t Track {
    let fits = |track: &&Track| {
        &*track.series.name == name
            && label.is_none_or(|(label, value)| track.series.labels.get(label) == Some(value))
    };
    tracks
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("{name} {label:?} among {tracks:#?}"))
}

#[test]
fn both_encodings_say_the_same_of_every_kind() {
    let (tracks, taken) = read(&request(of_every_kind()));
    let json = tracks_of(Encoding::Json, JSON.as_bytes(), arrival()).unwrap();
    assert_eq!(json.0, tracks);
    assert_eq!(
        (taken.records, taken.rejected.count),
        (tracks.len() as u64, 0)
    );
    for (name, kind) in [
        ("vllm:num_requests_running", Kind::Gauge),
        ("grown", Kind::Counter),
        ("added", Kind::Increase),
        ("up_and_down", Kind::Gauge),
    ] {
        let track = find(&tracks, name, Some(("model_name", "m")));
        assert_eq!(track.series.kind, kind, "{name}");
        assert_eq!(track.series.labels.get("job"), Some("engine"));
        assert_eq!(track.series.labels.get("process.pid"), None);
        assert_eq!(track.began.is_some(), kind == Kind::Counter, "{name}");
    }
    let base = "gen_ai.server.time_to_first_token";
    let bucket = find(&tracks, &format!("{base}_bucket"), Some(("le", "0.5")));
    assert_eq!(
        (bucket.series.part, bucket.samples[0].value),
        (Part::Bucket, 9.0)
    );
    let all = find(&tracks, &format!("{base}_bucket"), Some(("le", "+Inf")));
    assert_eq!(all.samples[0].value, 10.0);
    assert_eq!(all.series.reading.as_ref().unwrap().axis, "token.ttft_ms");
    // (2, 4] twice, (4, 8] never, (8, 16] once, and one near zero.
    let alone = find(&tracks, "spread_bucket", Some(("le", "4")));
    assert_eq!(
        (alone.series.labels.get("gt"), alone.samples[0].value),
        (Some("2"), 2.0)
    );
    assert_eq!(
        find(&tracks, "spread_bucket", Some(("gt", "8"))).samples[0].value,
        1.0
    );
    assert_eq!(
        find(&tracks, "spread_bucket", Some(("gt", "-0.25"))).samples[0].value,
        1.0
    );
    let buckets = tracks
        .iter()
        .filter(|track| &*track.series.name == "spread_bucket");
    assert_eq!(buckets.count(), 3);
    assert_eq!(
        find(&tracks, "told", Some(("quantile", "0.5"))).series.part,
        Part::Quantile
    );
}

#[test]
fn a_point_without_a_value_ends_its_series_and_bad_ones_cost_only_themselves() {
    let mut over = number(number_data_point::Value::AsInt(1));
    (over.value, over.flags) = (None, 1);
    let nothing = NumberDataPoint {
        time_unix_nano: NOW,
        ..NumberDataPoint::default()
    };
    let mut ancient = number(number_data_point::Value::AsInt(1));
    ancient.time_unix_nano = SECOND;
    let good = number(number_data_point::Value::AsInt(1));
    let data_points = vec![over, nothing, ancient, good];
    let mut odd = histogram();
    odd.bucket_counts.pop();
    let odd = Histogram {
        data_points: vec![odd],
        aggregation_temporality: 2,
    };
    let gauge = Data::Gauge(Gauge { data_points });
    let metrics = vec![metric("g", gauge), metric("h", Data::Histogram(odd))];
    let (tracks, taken) = read(&request(metrics));
    assert!(tracks[0].samples[0].value.is_nan());
    assert_eq!((tracks.len(), taken.rejected.count), (2, 3));
    assert!(taken.rejected.reason.unwrap().contains("has no value"));
}

#[test]
fn a_small_body_cannot_make_endless_series() {
    let mut wide = histogram();
    wide.explicit_bounds = (0..2_000).map(f64::from).collect();
    wide.bucket_counts = vec![1; 2_001];
    let wide = Histogram {
        data_points: vec![wide; 101],
        aggregation_temporality: 2,
    };
    let body = request(vec![metric("h", Data::Histogram(wide))]);
    let fault = tracks_of(Encoding::Protobuf, &body, arrival()).unwrap_err();
    assert_eq!(fault.code, Code::TooLarge);
}

#[test]
fn native_histograms_are_read_with_their_spans() {
    // Schema 0; spans: bucket 1 and 2, a gap of two, bucket 5. Deltas 2, -1, 3: counts 2, 1, 4.
    let histogram: &[u8] = &[
        0x08, 8, 0x19, 0, 0, 0, 0, 0, 0, 0x24, 0x40, 0x20, 0, 0x30,
        1, // count, sum, schema, zero count
        0x5a, 4, 0x08, 2, 0x10, 2, 0x5a, 4, 0x08, 4, 0x10, 1, // spans
        0x62, 3, 4, 1, 6, // deltas in zigzag
        0x78, 0x80, 0x80, 0xca, 0xe0, 0x8c, 0x34, // time
    ];
    let mut time = vec![0x78];
    prost::encoding::encode_varint(NOW / 1_000_000, &mut time);
    let histogram = [&histogram[..histogram.len() - 7], &time].concat();
    let field =
        |number: u8, content: &[u8]| [&[number << 3 | 2, content.len() as u8], content].concat();
    let label = field(1, &[field(1, b"__name__"), field(2, b"h")].concat());
    let body = field(1, &[label, field(4, &histogram)].concat());
    let (tracks, outcome) = remote_tracks_of(Version::One, &body, arrival()).unwrap();
    assert_eq!((outcome.written.histograms, outcome.rejected.count), (1, 0));
    for (above, up_to, count) in [("1", "2", 2.0), ("2", "4", 1.0), ("16", "32", 4.0)] {
        let bucket = find(&tracks, "h_bucket", Some(("gt", above)));
        assert_eq!(bucket.series.labels.get("le"), Some(up_to));
        assert_eq!(bucket.samples[0].value, count);
    }
    assert_eq!(find(&tracks, "h_sum", None).samples[0].value, 10.0);
}

proptest! {
    #[test]
    fn anything_is_read_or_refused(bytes in vec(any::<u8>(), 0..300)) {
        for encoding in [Encoding::Protobuf, Encoding::Json] {
            let _ = tracks_of(encoding, &bytes, arrival());
        }
        for version in [Version::One, Version::Two] {
            let _ = remote_tracks_of(version, &bytes, arrival());
        }
    }

    /// Good requests with some bytes changed come further in.
    #[test]
    fn what_is_nearly_right_is_read_or_refused(changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bodies = [request(of_every_kind()), JSON.as_bytes().to_vec()];
        for body in &mut bodies {
            for (at, byte) in &changes {
                let at = at.index(body.len());
                body[at] = *byte;
            }
        }
        let _ = tracks_of(Encoding::Protobuf, &bodies[0], arrival());
        let _ = tracks_of(Encoding::Json, &bodies[1], arrival());
    }
}
