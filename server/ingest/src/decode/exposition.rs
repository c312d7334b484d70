//! Prometheus' text format 0.0.4 and OpenMetrics 1.0, as exporters answer when they are asked for their metrics.
//!
//! Facts: <https://prometheus.io/docs/instrumenting/exposition_formats/> and
//! <https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md>. What exporters really write is
//! taken, too: CRLF, blanks between labels, a last line without an end, names in quotes, parts of a family in any order.
//! A line that is none costs only itself.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use domain::scrape::MAX_SAMPLES;
use domain::{Code, Fault};

use super::Rejected;
use super::allowance::Allowance;

/// Labels of one line that are read; what has more is no line of metrics.
const MAX_LABELS: usize = 256;
/// Lines that declare a type or a unit.
const MAX_DECLARED: usize = 20_000;

/// Which of the two formats it is: they differ in their timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Prometheus' own: milliseconds.
    Text,
    /// `OpenMetrics`: seconds.
    OpenMetrics,
}

/// Names and values of labels.
pub type RawLabels = Vec<(Arc<str>, Arc<str>)>;

/// A sample as it stood there.
#[derive(Clone, Debug, PartialEq)]
pub struct RawSample {
    /// Its name.
    pub name: Arc<str>,
    /// Its labels in the order written.
    pub labels: RawLabels,
    /// Number of its family's type, as in remote write's `MetricType`; 0: not told.
    pub sort: u64,
    /// Its unit; empty: not told.
    pub unit: Arc<str>,
    /// Its value.
    pub value: f64,
    /// Milliseconds since 1970, where it has a time of its own.
    pub time_ms: Option<i64>,
}

/// All samples of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawExposition {
    /// Samples in the order written.
    pub samples: Vec<RawSample>,
    /// Lines that cannot be used; the reason names the first.
    pub rejected: Rejected,
}

/// Reads an answer of that content type.
///
/// # Errors
/// `invalid` for another content type, or when no line can be used; `too_large` for more than [`MAX_SAMPLES`].
pub fn exposition(content_type: &str, body: &[u8]) -> Result<RawExposition, Fault> {
    let format = format_of(content_type)?;
    let mut allowance = Allowance::new();
    let (mut found, mut families) = (RawExposition::default(), Families::default());
    for (number, line) in body.split(|byte| *byte == b'\n').enumerate() {
        let read = std::str::from_utf8(line).map_err(|_| "it is no UTF-8");
        let read = read.and_then(|line| read_line(line, format, &mut allowance));
        match read {
            Ok(Line::Nothing) => {}
            Ok(Line::Declared(family, what)) => families.declare(family, what),
            Ok(Line::End) => break,
            Ok(Line::Sample(sample)) if found.samples.len() < MAX_SAMPLES => {
                found.samples.push(sample);
            }
            Ok(Line::Sample(_)) => {
                let message = format!("it has more than {MAX_SAMPLES} samples");
                return Err(Fault::new(Code::TooLarge, message));
            }
            Err(why) => found
                .rejected
                .add(format_args!("line {}: {why}", number + 1)),
        }
    }
    if found.samples.is_empty() && found.rejected.count > 0 {
        return Err(Fault::invalid("no line of it is a sample of a metric"));
    }
    for sample in &mut found.samples {
        (sample.sort, sample.unit) = families.of(&sample.name);
    }
    Ok(found)
}

/// By the content type, as far as it says something: some exporters say nothing, or something odd.
fn format_of(content_type: &str) -> Result<Format, Fault> {
    let media = content_type.split(';').next().unwrap_or_default();
    match media.trim().to_ascii_lowercase().as_str() {
        "application/openmetrics-text" => Ok(Format::OpenMetrics),
        "text/html" | "application/json" | "application/xml" | "text/xml" => {
            let message = "it answered with a page or a document, not with metrics";
            Err(Fault::invalid(message))
        }
        "application/vnd.google.protobuf" => {
            let message = "it answered in protobuf, which was not asked for";
            Err(Fault::invalid(message))
        }
        _ => Ok(Format::Text),
    }
}

/// What a line says.
enum Line<'l> {
    Nothing,
    Declared(&'l str, Declared<'l>),
    End,
    Sample(RawSample),
}

/// What is said of a family.
#[derive(Clone, Copy)]
enum Declared<'l> {
    Sort(u64),
    Unit(&'l str),
}

/// Types and units of families.
#[derive(Default)]
struct Families(HashMap<String, (u64, Arc<str>)>);

impl Families {
    fn declare(&mut self, family: &str, what: Declared<'_>) {
        if self.0.len() >= MAX_DECLARED {
            return;
        }
        let known = self.0.entry(family.to_owned());
        let known = known.or_insert_with(|| (0, Arc::from("")));
        match what {
            Declared::Sort(sort) => known.0 = sort,
            Declared::Unit(unit) => known.1 = unit.into(),
        }
    }

    /// Of the family that a name belongs to.
    fn of(&self, name: &str) -> (u64, Arc<str>) {
        const SUFFIXES: [&str; 6] = ["", "_total", "_bucket", "_sum", "_count", "_info"];
        let mut known = SUFFIXES
            .into_iter()
            .filter_map(|suffix| self.0.get(name.strip_suffix(suffix)?));
        known.next().cloned().unwrap_or_else(|| (0, Arc::from("")))
    }
}

fn read_line<'l>(
    line: &'l str,
    format: Format,
    allowance: &mut Allowance,
) -> Result<Line<'l>, &'static str> {
    let line = line.trim_matches([' ', '\t', '\r']);
    if line.is_empty() {
        return Ok(Line::Nothing);
    }
    if let Some(comment) = line.strip_prefix('#') {
        return Ok(declared(comment));
    }
    let mut rest = Rest(line);
    let (mut name, mut labels) = (rest.bare(is_name_byte), Vec::new());
    if rest.take('{') {
        labels = rest.labels(&mut name, allowance)?;
    }
    let name = name
        .filter(|name| !name.is_empty())
        .ok_or("it has no name")?;
    let mut words = rest.0.split_ascii_whitespace();
    let value = words.next().ok_or("it has no value")?;
    let value = value.parse().map_err(|_| "its value is no number")?;
    let time = words.next().filter(|word| !word.starts_with('#'));
    let time_ms = time.map(|word| millis(word, format)).transpose()?;
    // What else may follow is an example, behind a #.
    if time.is_some() && words.next().is_some_and(|word| !word.starts_with('#')) {
        return Err("something follows its time");
    }
    allowance.begin_record().map_err(|_| "it is one too many")?;
    Ok(Line::Sample(RawSample {
        name: allowance.key(name.as_bytes()),
        labels,
        sort: 0,
        unit: Arc::from(""),
        value,
        time_ms,
    }))
}

/// What a comment declares; most are for people.
fn declared(comment: &str) -> Line<'_> {
    let mut words = comment.split_ascii_whitespace();
    let (what, family, said) = (words.next(), words.next(), words.next());
    match (what, family, said) {
        (Some("EOF"), None, None) => Line::End,
        (Some("TYPE"), Some(family), Some(sort)) => {
            let sort = match sort {
                "counter" => 1,
                "gauge" => 2,
                "histogram" => 3,
                "gaugehistogram" => 4,
                "summary" => 5,
                "info" => 6,
                "stateset" => 7,
                _ => 0,
            };
            Line::Declared(family.trim_matches('"'), Declared::Sort(sort))
        }
        (Some("UNIT"), Some(family), Some(unit)) => {
            Line::Declared(family.trim_matches('"'), Declared::Unit(unit))
        }
        _ => Line::Nothing,
    }
}

fn millis(word: &str, format: Format) -> Result<i64, &'static str> {
    let wrong = "its time is none";
    match format {
        Format::Text => word.parse().map_err(|_| wrong),
        Format::OpenMetrics => {
            let seconds: f64 = word.parse().map_err(|_| wrong)?;
            // As far as 64 bits reach: what no clock says is refused later.
            #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
            let millis = (seconds * 1e3).round() as i64;
            seconds.is_finite().then_some(millis).ok_or(wrong)
        }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':'
}

fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What is left of a line.
struct Rest<'l>(&'l str);

impl<'l> Rest<'l> {
    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    /// A mark, if it stands there.
    fn take(&mut self, mark: char) -> bool {
        self.skip_blanks();
        let rest = self.0.strip_prefix(mark);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// A word of such bytes, which begins with no digit.
    fn bare(&mut self, fits: fn(u8) -> bool) -> Option<Cow<'l, str>> {
        self.skip_blanks();
        let bytes = self.0.as_bytes();
        let length = bytes.iter().take_while(|byte| fits(**byte)).count();
        let is_word = bytes.first().is_some_and(|byte| !byte.is_ascii_digit()) && length > 0;
        let (word, rest) = self.0.split_at_checked(if is_word { length } else { 0 })?;
        self.0 = rest;
        is_word.then_some(Cow::Borrowed(word))
    }

    /// A text in quotes, if one stands there.
    fn quoted(&mut self) -> Result<Option<Cow<'l, str>>, &'static str> {
        if !self.take('"') {
            return Ok(None);
        }
        let text = self.0;
        let mut unescaped: Option<String> = None;
        let mut begin = 0;
        while let Some(length) = text[begin..].find(['"', '\\']) {
            let at = begin + length;
            let piece = &text[begin..at];
            if text.as_bytes()[at] == b'"' {
                self.0 = &text[at + 1..];
                return Ok(Some(match unescaped {
                    None => Cow::Borrowed(piece),
                    Some(before) => Cow::Owned(before + piece),
                }));
            }
            let escaped = text[at + 1..].chars().next();
            let escaped = escaped.ok_or("a text has no end")?;
            let all = unescaped.get_or_insert_default();
            all.push_str(piece);
            match escaped {
                'n' => all.push('\n'),
                '"' | '\\' => all.push(escaped),
                // What stands for nothing stands for itself, as Prometheus has it.
                other => all.extend(['\\', other]),
            }
            begin = at + 1 + escaped.len_utf8();
        }
        Err("a text has no end")
    }

    /// Labels up to the brace that ends them. A text alone is the name.
    fn labels(
        &mut self,
        name: &mut Option<Cow<'l, str>>,
        allowance: &mut Allowance,
    ) -> Result<RawLabels, &'static str> {
        let mut labels = Vec::new();
        loop {
            if self.take('}') {
                return Ok(labels);
            }
            let (quoted, bare) = match self.quoted()? {
                Some(text) => (Some(text), None),
                None => (None, self.bare(is_label_byte)),
            };
            let is_quoted = quoted.is_some();
            let label = quoted.or(bare).ok_or("a label has no name")?;
            if self.take('=') {
                let value = self.quoted()?.ok_or("a label has no value in quotes")?;
                if labels.len() >= MAX_LABELS || allowance.value().is_err() {
                    return Err("it has too many labels");
                }
                let value = allowance.key(value.as_bytes());
                labels.push((allowance.key(label.as_bytes()), value));
            } else if is_quoted && name.is_none() {
                *name = Some(label);
            } else {
                return Err("a label has no value");
            }
            if !self.take(',') && !self.0.starts_with('}') {
                return Err("its labels do not end");
            }
        }
    }
}

#[cfg(test)]
#[path = "exposition_tests.rs"]
mod tests;
