use std::cmp::Reverse;

use super::counts::Counts;
use super::detect::{self, Found};
use super::fold::Folded;
use super::masker::{Kind, Masker};
use super::path::Place;

/// Texts within texts that are looked into as JSON.
const MAX_NESTED: usize = 3;
/// Found by one pattern in one text; of more, the rest of the text goes as a whole.
const MAX_FOUND: usize = 1_000;
/// The same of the longest texts.
const LEAST_FOUND: usize = 16;
/// Bytes that the matches of one pattern may read of one text.
const MAX_READ: usize = 128 << 20;
/// What one replacement brings together, another finds.
const MAX_PASSES: usize = 4;

/// Where a text stands within others.
pub(super) struct Within<'p> {
    pub(super) kind: Kind,
    /// Its place in the JSON around it.
    pub(super) place: &'p Place,
    /// Texts around it.
    pub(super) depth: usize,
}

impl<'p> Within<'p> {
    pub(super) fn top(kind: Kind) -> Self {
        Within {
            kind,
            place: &[],
            depth: 0,
        }
    }

    pub(super) fn at(kind: Kind, place: &'p Place) -> Self {
        Within {
            kind,
            place,
            depth: 0,
        }
    }
}

impl Masker {
    /// A text as it may be stored; `None` where nothing was found.
    pub fn text(&self, raw: &str, counts: &mut Counts) -> Option<String> {
        self.within(raw, &Within::top(Kind::Content), counts)
    }

    /// The same for one that may be JSON somewhere.
    pub(super) fn within(
        &self,
        raw: &str,
        within: &Within<'_>,
        counts: &mut Counts,
    ) -> Option<String> {
        let first = raw.trim_start().bytes().next();
        let structured = matches!(first, Some(b'{' | b'[' | b'"'));
        if structured && within.depth < MAX_NESTED && is_json(raw) {
            return self.json(raw, within, counts);
        }
        self.plain(raw, within.kind, counts)
    }

    /// The same for one that is looked at as it stands.
    pub(super) fn plain(&self, raw: &str, kind: Kind, counts: &mut Counts) -> Option<String> {
        let mut masked = self.pass(raw, kind, true, counts)?;
        for _ in 1..MAX_PASSES {
            match self.pass(&masked, kind, false, counts) {
                Some(more) => masked = more,
                None => break,
            }
        }
        Some(masked)
    }

    fn pass(
        &self,
        raw: &str,
        kind: Kind,
        with_patterns: bool,
        counts: &mut Counts,
    ) -> Option<String> {
        let looks = with_patterns && !self.patterns.is_empty();
        if !looks && !raw.bytes().any(may_tell) {
            return None;
        }
        let folded = Folded::of(raw);
        let mut found = Vec::new();
        detect::find(&folded.text, self.wanted(kind), &mut found);
        if with_patterns {
            self.match_patterns(&folded.text, &mut found);
        }
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(raw.len());
        let mut from = 0;
        for found in merged(found) {
            let (start, end) = folded.raw_range(found.start, found.end);
            out.push_str(&raw[from..start]);
            let what = folded.text.get(found.start..found.end).unwrap_or_default();
            out.push_str(&self.mark(found.rule, kind, what));
            counts.add(&self.rules[found.rule].0);
            from = end;
        }
        out.push_str(&raw[from..]);
        Some(out)
    }

    fn match_patterns(&self, text: &str, found: &mut Vec<Found>) {
        let first = self.rules.len() - self.patterns.len();
        // Each match may read all of the rest: of long texts fewer are looked for.
        let most = (MAX_READ / text.len().max(1)).clamp(LEAST_FOUND, MAX_FOUND);
        for (at, pattern) in self.patterns.iter().enumerate() {
            let rule = first + at;
            for (count, place) in pattern.find_iter(text).enumerate() {
                if count == most {
                    found.push(Found {
                        start: place.start(),
                        end: text.len(),
                        rule,
                    });
                    break;
                }
                if !place.is_empty() {
                    found.push(Found {
                        start: place.start(),
                        end: place.end(),
                        rule,
                    });
                }
            }
        }
    }

    /// What stands in place of what a rule found.
    pub(super) fn mark(&self, rule: usize, kind: Kind, found: &str) -> String {
        let mark = &self.rules[rule].1;
        match (kind, mark.strip_suffix(']')) {
            (Kind::Id, Some(open)) => {
                format!("{open}:{}]", self.letters(&found.to_lowercase(), 12))
            }
            _ => mark.clone(),
        }
    }
}

/// Without overlaps: what overlaps becomes one, of the rule that found its beginning.
pub(super) fn merged(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_unstable_by_key(|it| (it.start, Reverse(it.end), it.rule));
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        match merged.last_mut() {
            Some(last) if next.start < last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
    merged
}

/// Whether a byte occurs in what detectors find: plain words have none of these.
fn may_tell(byte: u8) -> bool {
    !(byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_' | b'.' | b',' | b'\n'))
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
