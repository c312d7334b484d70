//! Series by Prometheus' remote write 1.0.

use reqwest::{Method, StatusCode};

use crate::ProjectClient;

/// A series with its samples.
#[derive(Clone, Debug)]
pub struct SentSeries {
    labels: Vec<(String, String)>,
    samples: Vec<(u64, f64)>,
}

impl SentSeries {
    /// With its name and labels.
    pub fn new(name: &str, labels: &[(&str, &str)]) -> Self {
        let name = [("__name__", name)];
        let mut labels: Vec<(String, String)> = name
            .iter()
            .chain(labels)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        labels.sort();
        SentSeries {
            labels,
            samples: Vec::new(),
        }
    }

    /// With one more sample, at milliseconds since 1970.
    #[must_use]
    pub fn at(mut self, millis: u64, value: f64) -> Self {
        self.samples.push((millis, value));
        self
    }

    fn encoded(&self) -> Vec<u8> {
        let mut series = Vec::new();
        for (name, value) in &self.labels {
            let label = [field(1, name.as_bytes()), field(2, value.as_bytes())].concat();
            series.extend(field(1, &label));
        }
        for (millis, value) in &self.samples {
            let sample = [&[0x09][..], &value.to_le_bytes(), &[0x10], &varint(*millis)].concat();
            series.extend(field(2, &sample));
        }
        field(1, &series)
    }
}

/// Sends series that must be accepted whole.
pub async fn accept(client: &ProjectClient, series: &[SentSeries]) {
    let body: Vec<u8> = series.iter().flat_map(SentSeries::encoded).collect();
    let request = client.request(Method::POST, "/api/v1/metrics/write");
    let request = request
        .header("content-type", "application/x-protobuf")
        .header("content-encoding", "snappy")
        .body(snappy(&body));
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert_eq!(status, StatusCode::NO_CONTENT, "{text}");
}

/// A field of protobuf that has a length.
fn field(number: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    bytes.extend(varint(value.len() as u64));
    bytes.extend_from_slice(value);
    bytes
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Snappy's block format without compression: the length, then literals.
fn snappy(body: &[u8]) -> Vec<u8> {
    let mut packed = varint(body.len() as u64);
    for piece in body.chunks(60) {
        packed.push((piece.len() as u8 - 1) << 2);
        packed.extend_from_slice(piece);
    }
    packed
}
