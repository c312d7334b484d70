//! JSON is changed in place: what is not masked keeps its bytes, so that no number loses digits and no key its order.

use std::borrow::Cow;

use memchr::memchr2;

use super::counts::Counts;
use super::detect::{self};
use super::fold::Folded;
use super::masker::{Kind, Masker};
use super::settings::Action;
use super::text::{Within, merged};

/// Keys under which one message has its parts.
const PARTS: [&str; 3] = ["text", "content", "value"];
/// Of a longer part its two ends are looked at together with the parts beside it.
const END_BYTES: usize = 128;
/// Shorter numbers are none that a detector looks for.
const SHORT_NUMBER: usize = 11;

/// A text that was valid JSON, while it is walked through.
struct Walk<'a> {
    masker: &'a Masker,
    counts: &'a mut Counts,
    kind: Kind,
    depth: usize,
    raw: &'a str,
    /// Keys of the objects around the current value.
    place: Vec<Option<String>>,
    frames: Vec<Frame>,
    edits: Vec<(usize, usize, String)>,
    parts: Vec<Part>,
    lists: usize,
}

/// An object or a list that is open.
struct Frame {
    is_object: bool,
    /// Whether a key comes next.
    wants_key: bool,
    /// The list that this is, or is in.
    list: usize,
}

/// A text of a message, which others may continue.
struct Part {
    list: usize,
    start: usize,
    end: usize,
    text: String,
    is_changed: bool,
}

impl Masker {
    /// A text that is JSON as it may be stored, which is JSON, too; `None` where nothing was found.
    pub(super) fn json(
        &self,
        raw: &str,
        within: &Within<'_>,
        counts: &mut Counts,
    ) -> Option<String> {
        let mut walk = Walk {
            masker: self,
            counts,
            kind: within.kind,
            depth: within.depth,
            raw,
            place: within.place.to_vec(),
            frames: Vec::new(),
            edits: Vec::new(),
            parts: Vec::new(),
            lists: 0,
        };
        walk.run();
        walk.join_parts();
        walk.finish()
    }
}

impl Walk<'_> {
    fn run(&mut self) {
        let bytes = self.raw.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            at = match bytes[at] {
                b'"' if self
                    .frames
                    .last()
                    .is_some_and(|it| it.is_object && it.wants_key) =>
                {
                    self.key(at)
                }
                b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.value(at),
                b':' => at + 1,
                b',' => {
                    if let Some(frame) = self.frames.last_mut().filter(|it| it.is_object) {
                        frame.wants_key = true;
                        self.place.pop();
                    }
                    at + 1
                }
                b'}' | b']' => {
                    self.close();
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop()
            // An object without members has named none.
            && !(frame.is_object && frame.wants_key)
        {
            self.place.pop();
        }
    }

    fn key(&mut self, at: usize) -> usize {
        let end = string_end(self.raw.as_bytes(), at);
        let key = decoded(&self.raw[at..end]).unwrap_or(Cow::Borrowed(&self.raw[at + 1..end - 1]));
        if let Some(masked) = self.masker.plain(&key, self.kind, self.counts) {
            self.edits.push((at, end, quoted(&masked)));
        }
        self.place.push(Some(key.into_owned()));
        if let Some(frame) = self.frames.last_mut() {
            frame.wants_key = false;
        }
        end
    }

    fn value(&mut self, at: usize) -> usize {
        let bytes = self.raw.as_bytes();
        if self.masker.has_paths()
            && let Some((action, rule)) = self.masker.at(&self.place)
        {
            let end = value_end(bytes, at);
            self.by_path((at, end), action, rule);
            return end;
        }
        match bytes[at] {
            open @ (b'{' | b'[') => {
                let is_object = open == b'{';
                let around = self.frames.last().map_or(0, |frame| frame.list);
                if !is_object {
                    self.lists += 1;
                    self.place.push(None);
                }
                self.frames.push(Frame {
                    is_object,
                    wants_key: is_object,
                    list: if is_object { around } else { self.lists },
                });
                at + 1
            }
            b'"' => self.string(at),
            b't' | b'f' | b'n' => scalar_end(bytes, at),
            _ => self.number(at),
        }
    }

    fn by_path(&mut self, (at, end): (usize, usize), action: Action, rule: &str) {
        let json = &self.raw[at..end];
        if action == Action::Keep || json == "null" {
            return;
        }
        let text = decoded(json).unwrap_or(Cow::Borrowed(json));
        let new = match action {
            Action::Drop => Some("null".to_owned()),
            _ => self.masker.whole(action, &text).map(|new| quoted(&new)),
        };
        if let Some(new) = new {
            self.counts.add(rule);
            self.edits.push((at, end, new));
        }
    }

    fn string(&mut self, at: usize) -> usize {
        let end = string_end(self.raw.as_bytes(), at);
        let Some(text) = decoded(&self.raw[at..end]) else {
            // Half a character: its escapes stay, which the view of the text reads, too.
            if let Some(new) = self
                .masker
                .plain(&self.raw[at + 1..end - 1], self.kind, self.counts)
            {
                self.edits.push((at, end, format!("\"{new}\"")));
            }
            return end;
        };
        let within = Within {
            kind: self.kind,
            place: &self.place,
            depth: self.depth + 1,
        };
        let masked = self.masker.within(&text, &within, self.counts);
        let list = self.frames.last().map_or(0, |frame| frame.list);
        let key = self.place.last().and_then(Option::as_deref);
        if list > 0 && key.is_none_or(|key| PARTS.contains(&key)) {
            self.parts.push(Part {
                list,
                start: at,
                end,
                is_changed: masked.is_some(),
                text: masked.unwrap_or_else(|| text.into_owned()),
            });
        } else if let Some(masked) = masked {
            self.edits.push((at, end, quoted(&masked)));
        }
        end
    }

    fn number(&mut self, at: usize) -> usize {
        let end = scalar_end(self.raw.as_bytes(), at);
        let number = &self.raw[at..end];
        let whole = number.trim_start_matches('-');
        let whole = whole.split_once('.').map_or(whole, |(whole, rest)| {
            if rest.bytes().all(|digit| digit == b'0') {
                whole
            } else {
                number
            }
        });
        if (whole.len() >= SHORT_NUMBER || !self.masker.patterns.is_empty())
            && let Some(masked) = self.masker.plain(whole, self.kind, self.counts)
        {
            self.edits.push((at, end, quoted(&masked)));
        }
        end
    }

    /// What one part begins and the next one ends.
    fn join_parts(&mut self) {
        self.parts.sort_by_key(|part| (part.list, part.start));
        for parts in self.parts.chunk_by_mut(|one, next| one.list == next.list) {
            if parts.len() > 1 {
                join(self.masker, self.kind, parts, self.counts);
            }
        }
        for part in self.parts.drain(..).filter(|part| part.is_changed) {
            self.edits.push((part.start, part.end, quoted(&part.text)));
        }
    }

    fn finish(mut self) -> Option<String> {
        if self.edits.is_empty() {
            return None;
        }
        self.edits.sort_unstable_by_key(|edit| edit.0);
        let mut out = String::with_capacity(self.raw.len());
        let mut from = 0;
        for (start, end, new) in &self.edits {
            out.push_str(&self.raw[from..*start]);
            out.push_str(new);
            from = *end;
        }
        out.push_str(&self.raw[from..]);
        Some(out)
    }
}

/// A piece of a part within the text that is put together of all.
struct Clip {
    part: usize,
    /// Where it begins in its part, and in the whole.
    offset: usize,
    start: usize,
    len: usize,
}

fn join(masker: &Masker, kind: Kind, parts: &mut [Part], counts: &mut Counts) {
    let (mut whole, mut clips) = (String::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let mut clip = |whole: &mut String, from: usize, to: usize| {
            clips.push(Clip {
                part: at,
                offset: from,
                start: whole.len(),
                len: to - from,
            });
            whole.push_str(&part.text[from..to]);
        };
        if part.text.len() <= 2 * END_BYTES {
            clip(&mut whole, 0, part.text.len());
            continue;
        }
        let head = part.text.floor_char_boundary(END_BYTES);
        let tail = part.text.ceil_char_boundary(part.text.len() - END_BYTES);
        clip(&mut whole, 0, head);
        whole.push('\u{0}');
        clip(&mut whole, tail, part.text.len());
    }
    let folded = Folded::of(&whole);
    let mut found = Vec::new();
    detect::find(&folded.text, masker.wanted(kind), &mut found);
    for found in merged(found).iter().rev() {
        let (start, end) = folded.raw_range(found.start, found.end);
        let hit = |clip: &&Clip| clip.start < end && start < clip.start + clip.len;
        let first = clips.iter().find(hit).map_or(0, |clip| clip.start);
        let several = clips.iter().filter(hit).map(|clip| clip.part);
        if several.clone().min() == several.max() {
            continue;
        }
        counts.add(&masker.rules[found.rule].0);
        for clip in clips.iter().filter(hit) {
            let from = clip.offset + start.max(clip.start) - clip.start;
            let to = clip.offset + end.min(clip.start + clip.len) - clip.start;
            let what = &folded.text[found.start..found.end];
            let mark = match clip.start == first {
                true => masker.mark(found.rule, kind, what),
                false => String::new(),
            };
            parts[clip.part].text.replace_range(from..to, &mark);
            parts[clip.part].is_changed = true;
        }
    }
}

/// What a JSON string says; `None` for what is none, or holds half a character.
fn decoded(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    match inner.contains('\\') {
        false => Some(Cow::Borrowed(inner)),
        true => serde_json::from_str(json).ok().map(Cow::Owned),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Behind the string that begins there.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
    bytes[at..]
        .iter()
        .position(ends)
        .map_or(bytes.len(), |len| at + len)
}

/// Behind the value that begins there.
fn value_end(bytes: &[u8], at: usize) -> usize {
    let (mut at, mut depth) = (at, 0_usize);
    loop {
        at = match bytes.get(at) {
            Some(b'"') => string_end(bytes, at),
            Some(b'{' | b'[') => {
                depth += 1;
                at + 1
            }
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            Some(b',' | b':') => at + 1,
            Some(byte) if byte.is_ascii_whitespace() => at + 1,
            Some(_) => scalar_end(bytes, at).max(at + 1),
            None => return bytes.len(),
        };
        if depth == 0 {
            return at;
        }
    }
}
