//! Bars of spans on one clock, in percent of the trace.

use domain::span::SpanKind;
use domain::trace::TreeSpan;
use domain::{Nanos, Timestamp};

use super::number;

/// The clock of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    from: Timestamp,
    whole: f64,
}

/// A rectangle of a bar, in percent of the width and pixels of the height.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Class of the style sheet.
    pub(crate) class: &'static str,
    /// Left edge, percent.
    pub(crate) x: String,
    /// Width, percent.
    pub(crate) width: String,
    /// Top edge, pixels.
    pub(crate) y: u32,
    /// Height, pixels.
    pub(crate) height: u32,
}

/// A line of the grid with the time that it stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GridLine {
    /// Place, percent.
    pub(crate) x: String,
    /// The time, as text.
    pub(crate) text: String,
}

/// Bars narrower than that cannot be seen.
const LEAST_PERCENT: f64 = 0.4;

impl Clock {
    /// From one instant to another.
    pub(crate) fn between(from: Timestamp, to: Timestamp) -> Self {
        Clock {
            from,
            whole: ((to - from).0 as f64).max(1.0),
        }
    }

    /// Lines at round times: two to five.
    pub(crate) fn grid(&self) -> Vec<GridLine> {
        let target = self.whole / 5.0;
        let magnitude = 10f64.powf(target.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * magnitude)
            .find(|step| *step >= target)
            .unwrap_or(target)
            .max(1.0);
        let lines = (self.whole / step).floor() as u32;
        let unit = unit_of(f64::from(lines) * step / 1e6);
        (0..=lines)
            .map(|line| f64::from(line) * step)
            .map(|at| {
                let x = at / self.whole * 100.0;
                // At the very edge a text would be cut.
                let text = if x < 96.0 {
                    tick(at / 1e6, unit)
                } else {
                    String::new()
                };
                GridLine { x: number(x), text }
            })
            .collect()
    }

    /// The bar of a span: of a model call its known phases, else one piece; nothing beside the clock.
    pub(crate) fn bar(&self, span: &TreeSpan) -> Vec<Piece> {
        let Some((left, width)) = self.edges(span) else {
            return Vec::new();
        };
        let class = class_of(span);
        let is_whole = self.place(span.start) >= 0.0 && left + width < 100.0 + LEAST_PERCENT;
        if class == "model" && width > LEAST_PERCENT * 2.0 && is_whole {
            let phases = phases(span, span.latency().unwrap_or(Nanos(0)));
            if phases.len() > 1 {
                return pieces(&phases, left, width);
            }
        }
        vec![piece(class, (left, width))]
    }

    /// One bar of many spans, given by start: those close to one another are one piece, failed ones stand out.
    pub(crate) fn bar_of_many<'a>(&self, spans: impl Iterator<Item = &'a TreeSpan>) -> Vec<Piece> {
        let mut merged: Vec<(&'static str, f64, f64)> = Vec::new();
        let mut failed: Vec<(f64, f64)> = Vec::new();
        for span in spans {
            let Some((left, width)) = self.edges(span) else {
                continue;
            };
            let right = left + width;
            if span.failed() {
                match failed.last_mut() {
                    Some(last) if left - last.1 < LEAST_PERCENT => last.1 = last.1.max(right),
                    _ => failed.push((left, right)),
                }
            }
            match merged.last_mut() {
                Some(last) if left - last.2 < LEAST_PERCENT => last.2 = last.2.max(right),
                _ => merged.push((kind_class(span.kind), left, right)),
            }
        }
        let failed = failed
            .into_iter()
            .map(|(left, right)| ("error", left, right));
        let all = merged.into_iter().chain(failed);
        all.map(|(class, left, right)| piece(class, (left, right - left)))
            .collect()
    }

    /// Left edge and width of what of a span is on the clock.
    fn edges(&self, span: &TreeSpan) -> Option<(f64, f64)> {
        let left = self.place(span.start);
        let right = left + self.percent(span.latency().unwrap_or(Nanos(0)));
        if right < 0.0 || left > 100.0 {
            return None;
        }
        let (left, right) = (left.max(0.0), right.min(100.0));
        let width = (right - left).max(LEAST_PERCENT);
        Some((left.min(100.0 - width), width))
    }

    /// Where an instant stands, in percent: below 0 before the clock begins.
    pub(crate) fn place(&self, instant: Timestamp) -> f64 {
        let after = self.percent(instant - self.from);
        after - self.percent(self.from - instant)
    }

    fn percent(&self, length: Nanos) -> f64 {
        length.0 as f64 / self.whole * 100.0
    }
}

fn piece(class: &'static str, (left, width): (f64, f64)) -> Piece {
    let (y, height) = if class == "flow" { (10, 4) } else { (8, 8) };
    Piece {
        class,
        x: number(left),
        width: number(width),
        y,
        height,
    }
}

/// Shares of a bar of phases that are known, over the whole width.
pub(crate) fn phase_pieces(phases: &[(&'static str, f64)]) -> Vec<Piece> {
    let mut all = pieces(phases, 0.0, 100.0);
    for piece in &mut all {
        piece.y = 0;
    }
    all
}

/// The phases of a model call that are known, with their share of it.
pub(crate) fn phases(span: &TreeSpan, length: Nanos) -> Vec<(&'static str, f64)> {
    let whole = length.as_millis_f64();
    let timings = &span.timings;
    if whole <= 0.0 {
        return Vec::new();
    }
    let known = [("queue", timings.queue_ms), ("prefill", timings.prefill_ms)];
    let mut phases: Vec<(&'static str, f64)> = known
        .into_iter()
        .filter_map(|(class, ms)| Some((class, ms.filter(|ms| *ms > 0.0)? / whole)))
        .collect();
    if phases.is_empty() {
        // Without phases of the engine the first token still parts waiting from writing.
        phases.extend(
            timings
                .ttft_ms
                .filter(|ms| *ms > 0.0)
                .map(|ms| ("prefill", ms / whole)),
        );
    }
    let before: f64 = phases.iter().map(|(_, share)| share).sum();
    if phases.is_empty() || before > 1.0 {
        return Vec::new();
    }
    phases.push(("model", 1.0 - before));
    phases
}

fn pieces(phases: &[(&'static str, f64)], left: f64, width: f64) -> Vec<Piece> {
    let mut x = left;
    phases
        .iter()
        .map(|(class, share)| {
            let piece_width = share * width;
            let piece = Piece {
                class,
                x: number(x),
                width: number(piece_width),
                y: 8,
                height: 8,
            };
            x += piece_width;
            piece
        })
        .collect()
}

fn class_of(span: &TreeSpan) -> &'static str {
    if span.failed() {
        return "error";
    }
    kind_class(span.kind)
}

fn kind_class(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Generation | SpanKind::Embedding => "model",
        SpanKind::Retriever | SpanKind::Reranker => "search",
        SpanKind::Tool => "tool",
        SpanKind::Guardrail | SpanKind::Evaluator => "check",
        SpanKind::Agent | SpanKind::Chain | SpanKind::Event | SpanKind::Trace | SpanKind::Span => {
            "flow"
        }
    }
}

/// The unit of all times of a clock, by the longest: its name, and how many of it are in a
/// millisecond.
fn unit_of(longest_ms: f64) -> (&'static str, f64) {
    match longest_ms {
        ms if ms < 0.01 => ("ns", 1e6),
        ms if ms < 1.0 => ("µs", 1e3),
        ms if ms < 1000.0 => ("ms", 1.0),
        ms if ms < 120_000.0 => ("s", 1e-3),
        ms if ms < 7_200_000.0 => ("m", 1.0 / 6e4),
        _ => ("h", 1.0 / 3.6e6),
    }
}

fn tick(ms: f64, (unit, per_ms): (&str, f64)) -> String {
    if ms == 0.0 {
        "0".to_owned()
    } else {
        format!("{} {unit}", crate::format::trimmed(ms * per_ms, 2))
    }
}

#[cfg(test)]
mod tests {
    use domain::span::Status;
    use domain::{Span, SpanId, TraceId};

    use super::*;

    fn span(kind: SpanKind, from_ms: u64, to_ms: u64) -> TreeSpan {
        let at = |ms: u64| Timestamp::from_unix_nanos(ms * 1_000_000).unwrap();
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), at(from_ms));
        span.kind = kind;
        span.end = Some(at(to_ms));
        TreeSpan::from(&span)
    }

    fn clock_of<'a>(spans: impl IntoIterator<Item = &'a TreeSpan>) -> Clock {
        let spans: Vec<&TreeSpan> = spans.into_iter().collect();
        let from = spans.iter().map(|span| span.start).min();
        let to = spans.iter().filter_map(|span| span.end).max();
        let from = from.unwrap_or(Timestamp::EPOCH);
        Clock::between(from, to.unwrap_or(from))
    }

    fn edges(pieces: &[Piece]) -> (f64, f64) {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let last = pieces.last().unwrap();
        (number(&pieces[0].x), number(&last.x) + number(&last.width))
    }

    #[test]
    fn bars_stand_where_their_times_are_and_stay_inside() {
        let root = span(SpanKind::Agent, 0, 8420);
        let late = span(SpanKind::Guardrail, 8420, 8420);
        let clock = clock_of([&root, &late]);
        assert_eq!(edges(&clock.bar(&root)), (0.0, 100.0));
        let (left, right) = edges(&clock.bar(&late));
        assert!(left >= 99.0 && right <= 100.0 + 1e-9);
        let half = clock.bar(&span(SpanKind::Tool, 2105, 4210));
        assert_eq!(edges(&half), (25.0, 50.0));
    }

    #[test]
    fn phases_fill_the_bar_exactly_or_are_left_out() {
        let mut call = span(SpanKind::Generation, 0, 1000);
        let clock = clock_of([&call]);
        call.timings.queue_ms = Some(200.0);
        call.timings.prefill_ms = Some(300.0);
        let bar = clock.bar(&call);
        assert_eq!(
            bar.iter().map(|p| p.class).collect::<Vec<_>>(),
            ["queue", "prefill", "model"]
        );
        assert_eq!(edges(&bar), (0.0, 100.0));
        call.timings.prefill_ms = Some(3000.0);
        assert_eq!(
            clock.bar(&call).len(),
            1,
            "parts longer than the whole are not believed"
        );
        call.status = Status::Error;
        assert_eq!(clock.bar(&call)[0].class, "error");
    }

    #[test]
    fn the_grid_stands_at_round_times() {
        let clock = clock_of([&span(SpanKind::Agent, 0, 8420)]);
        let texts: Vec<_> = clock.grid().into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["0", "2 s", "4 s", "6 s", "8 s"]);
        let whole = clock_of([&span(SpanKind::Agent, 0, 8000)]).grid();
        assert_eq!(whole.last().map(|line| line.text.as_str()), Some(""));
        assert_eq!(clock_of([]).grid().len(), 2);
    }

    #[test]
    fn an_open_span_and_a_point_in_time_can_be_seen() {
        let mut open = span(SpanKind::Span, 500, 500);
        open.end = None;
        let clock = clock_of([&span(SpanKind::Agent, 0, 1000), &open]);
        let (left, right) = edges(&clock.bar(&open));
        assert!((right - left - LEAST_PERCENT).abs() < 0.011 && left > 49.0);
    }

    #[test]
    fn all_times_of_a_clock_have_one_unit() {
        let unit = unit_of(1500.0);
        assert_eq!(
            [0.0, 500.0, 1500.0].map(|ms| tick(ms, unit)),
            ["0", "0.5 s", "1.5 s"]
        );
        assert_eq!(tick(0.02, unit_of(0.1)), "20 µs");
    }

    #[test]
    fn what_reaches_beyond_the_clock_is_cut_at_its_edges() {
        let at = |ms: u64| Timestamp::from_unix_nanos(ms * 1_000_000).unwrap();
        let clock = Clock::between(at(1000), at(2000));
        assert_eq!(
            edges(&clock.bar(&span(SpanKind::Agent, 0, 9000))),
            (0.0, 100.0)
        );
        assert_eq!(
            edges(&clock.bar(&span(SpanKind::Tool, 500, 1250))),
            (0.0, 25.0)
        );
        assert_eq!(
            edges(&clock.bar(&span(SpanKind::Tool, 1750, 3000))),
            (75.0, 100.0)
        );
        for beside in [(0, 900), (2100, 2200)] {
            assert!(
                clock
                    .bar(&span(SpanKind::Tool, beside.0, beside.1))
                    .is_empty()
            );
        }
        let mut call = span(SpanKind::Generation, 500, 1500);
        call.timings.queue_ms = Some(300.0);
        assert_eq!(
            clock.bar(&call).len(),
            1,
            "phases of half a bar would be wrong"
        );
    }

    #[test]
    fn many_bars_are_as_few_pieces_as_can_be_seen() {
        let many: Vec<TreeSpan> = (0..10_000)
            .map(|n| span(SpanKind::Tool, n, n + 1))
            .collect();
        let clock = clock_of(&many);
        assert_eq!(clock.bar_of_many(many.iter()).len(), 1);
        let mut apart = [
            span(SpanKind::Tool, 0, 1000),
            span(SpanKind::Tool, 5000, 6000),
        ];
        assert_eq!(clock.bar_of_many(apart.iter()).len(), 2);
        apart[1].status = Status::Error;
        let drawn = clock.bar_of_many(apart.iter());
        let classes: Vec<_> = drawn.iter().map(|piece| piece.class).collect();
        assert_eq!(classes, ["tool", "tool", "error"]);
    }
}
