//! Time of all quality checks, for answers of several sizes: `cargo run --release -p domain --example
//! quality_time`.

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::quality::{
    Answer, Expectation, Format, InputDigest, LengthRange, Rules, Schema, check, system_hash,
};

const SCHEMA: &str = r##"{"type": "object",
    "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
    "$defs": {"item": {"type": "object", "required": ["id", "text"], "additionalProperties": false,
    "properties": {"id": {"type": "integer"}, "text": {"type": "string", "maxLength": 200}}}}}"##;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let began = Instant::now();
    let schema = Arc::new(Schema::compile(SCHEMA)?);
    writeln!(out, "compile a schema: {:?}", began.elapsed())?;
    let expectation = Expectation {
        format: Some(Format::JsonSchema(schema)),
        characters: Some(LengthRange::default()),
        ..Expectation::default()
    };
    for bytes in [4_000, 100_000, 1_000_000, 10_000_000] {
        let texts = [
            ("English", english(bytes)),
            ("Chinese", chinese(bytes)),
            ("JSON", json(bytes)),
        ];
        for (name, text) in texts {
            let checks = checks_time(&text, &expectation);
            let digests = digests_time(&text);
            writeln!(
                out,
                "{bytes:>9} bytes of {name}: checks {checks:?}, digests {digests:?}"
            )?;
        }
    }
    Ok(())
}

fn checks_time(text: &str, expectation: &Expectation) -> Duration {
    let rules = Rules::default();
    let reasons = ["stop".to_owned()];
    let answer = Answer {
        text: Some(text),
        output_tokens: None,
        finish_reasons: &reasons,
    };
    fastest(|| {
        black_box(check(black_box(&answer), expectation, &rules));
    })
}

fn digests_time(text: &str) -> Duration {
    fastest(|| {
        black_box((system_hash(black_box(text)), InputDigest::of(text)));
    })
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let times = (0..20).map(|_| {
        let began = Instant::now();
        run();
        began.elapsed()
    });
    times.min().unwrap_or_default()
}

fn english(bytes: usize) -> String {
    (0..bytes / 32)
        .map(|n| format!("In step {n} we check the value; "))
        .collect()
}

fn chinese(bytes: usize) -> String {
    (0..bytes / 48)
        .map(|n| format!("第{n}步我们检查这个数值是否正确,"))
        .collect()
}

fn json(bytes: usize) -> String {
    let items: Vec<String> = (0..bytes / 40)
        .map(|n| format!(r#"{{"id": {n}, "text": "value of item {n}"}}"#))
        .collect();
    format!(r#"{{"items": [{}]}}"#, items.join(","))
}
