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
    /// From the first start to the last end of the spans.
    pub(crate) fn of<'a>(spans: impl Iterator<Item = &'a TreeSpan>) -> Self {
        let (mut from, mut to) = (Timestamp::MAX, Timestamp::EPOCH);
        for span in spans {
            from = from.min(span.start);
            to = to.max(span.end.unwrap_or(span.start));
        }
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

    /// The bar of a span: of a model call its known phases, else one piece.
    pub(crate) fn bar(&self, span: &TreeSpan) -> Vec<Piece> {
        let left = self.percent(span.start - self.from);
        let length = span.latency().unwrap_or(Nanos(0));
        let width = self.percent(length).clamp(LEAST_PERCENT, 100.0);
        let left = left.min(100.0 - width);
        let class = class_of(span);
        if class == "model" && width > LEAST_PERCENT * 2.0 {
            let phases = phases(span, length);
            if phases.len() > 1 {
                return pieces(&phases, left, width);
            }
        }
        let (y, height) = if class == "flow" { (10, 4) } else { (8, 8) };
        vec![Piece {
            class,
            x: number(left),
            width: number(width),
            y,
            height,
        }]
    }

    fn percent(&self, length: Nanos) -> f64 {
        length.0 as f64 / self.whole * 100.0
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
    match span.kind {
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

    fn edges(pieces: &[Piece]) -> (f64, f64) {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let last = pieces.last().unwrap();
        (number(&pieces[0].x), number(&last.x) + number(&last.width))
    }

    #[test]
    fn bars_stand_where_their_times_are_and_stay_inside() {
        let root = span(SpanKind::Agent, 0, 8420);
        let late = span(SpanKind::Guardrail, 8420, 8420);
        let clock = Clock::of([&root, &late].into_iter());
        assert_eq!(edges(&clock.bar(&root)), (0.0, 100.0));
        let (left, right) = edges(&clock.bar(&late));
        assert!(left >= 99.0 && right <= 100.0 + 1e-9);
        let half = clock.bar(&span(SpanKind::Tool, 2105, 4210));
        assert_eq!(edges(&half), (25.0, 50.0));
    }

    #[test]
    fn phases_fill_the_bar_exactly_or_are_left_out() {
        let mut call = span(SpanKind::Generation, 0, 1000);
        let clock = Clock::of([&call].into_iter());
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
        let clock = Clock::of([&span(SpanKind::Agent, 0, 8420)].into_iter());
        let texts: Vec<_> = clock.grid().into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["0", "2 s", "4 s", "6 s", "8 s"]);
        let whole = Clock::of([&span(SpanKind::Agent, 0, 8000)].into_iter()).grid();
        assert_eq!(whole.last().map(|line| line.text.as_str()), Some(""));
        assert_eq!(Clock::of([].into_iter()).grid().len(), 2);
    }

    #[test]
    fn an_open_span_and_a_point_in_time_can_be_seen() {
        let mut open = span(SpanKind::Span, 500, 500);
        open.end = None;
        let clock = Clock::of([&span(SpanKind::Agent, 0, 1000), &open].into_iter());
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
}
