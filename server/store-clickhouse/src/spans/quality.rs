//! Judgements as numbers with two letters each, so that they can be averaged where they are stored.

use domain::quality::{Judged, Quality, Source, Verdict};

/// The judgement as a number; yes is 1.
pub(crate) fn number(judged: Judged) -> f64 {
    match judged.value {
        Verdict::Bool(yes) => f64::from(u8::from(yes)),
        Verdict::Number(number) => number,
    }
}

/// Two letters for each judgement: its type and its source.
pub(crate) fn marks(quality: &Quality) -> String {
    let letters = quality.iter().flat_map(|(_, judged)| {
        let kind = match judged.value {
            Verdict::Bool(_) => 'b',
            Verdict::Number(_) => 'n',
        };
        let source = match judged.source {
            Source::Client => 'c',
            Source::Check => 'k',
            Source::Score => 's',
        };
        [kind, source]
    });
    letters.collect()
}

/// What [`number`] and [`marks`] made.
pub(crate) fn read(numbers: &[(String, f64)], marks: &str) -> Quality {
    let mut quality = Quality::default();
    let (marks, _) = marks.as_bytes().as_chunks::<2>();
    for ((name, number), [kind, source]) in numbers.iter().zip(marks) {
        let value = match kind {
            b'b' => Verdict::Bool(*number != 0.0),
            _ => Verdict::Number(*number),
        };
        let source = match source {
            b'c' => Source::Client,
            b's' => Source::Score,
            _ => Source::Check,
        };
        quality.record(name.clone(), value, source);
    }
    quality
}
