//! What is asked of an attribution, checked.

use domain::attribution::request::{Direction, GUARD, Moments, Symptom, Window, Windows};
use domain::axes::AxisValue;
use domain::filter::Filter;
use domain::{Fault, Nanos, Timestamp};

/// Longest alert window.
const LONGEST_ALERT: Nanos = Nanos::from_seconds(86_400);
/// Longest baseline.
const LONGEST_BASELINE: Nanos = Nanos::from_seconds(7 * 86_400);

/// A question as somebody gives it.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// When the alert window begins; needed.
    pub from: Option<Timestamp>,
    /// When it ends, not within it; needed.
    pub to: Option<Timestamp>,
    /// When the baseline begins; an hour before its end.
    pub baseline_from: Option<Timestamp>,
    /// When the baseline ends; when the alert window begins.
    pub baseline_to: Option<Timestamp>,
    /// The symptom's series, a value of the axes without a statistic: `token.ttft_ms`; needed.
    pub series: Option<String>,
    /// `up`, as usual: larger is worse; or `down`.
    pub direction: Option<String>,
    /// From where on a value is bad.
    pub threshold: Option<f64>,
    /// Which requests.
    pub filter: Filter,
}

/// What is asked of an attribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Which times are compared.
    pub windows: Windows,
    /// What went wrong.
    pub value: AxisValue,
    /// Which way is bad.
    pub direction: Direction,
    /// From where on a value is bad; `None`: values are ranked among those of the baseline.
    pub threshold: Option<f64>,
    /// Which requests. Its times play no part.
    pub filter: Filter,
    /// What is known of the incident besides.
    pub moments: Moments,
}

impl Question {
    /// From what is given.
    ///
    /// # Errors
    /// `invalid` on the field that makes no sense.
    pub fn new(given: Given) -> Result<Self, Fault> {
        let series = given.series.as_deref();
        let series = series.ok_or_else(|| wrong("symptom.series", "is needed"))?;
        let value = AxisValue::parse(series).filter(|value| *value != AxisValue::Requests);
        let value = value.ok_or_else(|| {
            let why = "name a value of requests without a statistic, such as token.ttft_ms, \
                       quality.format_valid, gpu.power_w, score.NAME, errors or cost";
            wrong("symptom.series", why)
        })?;
        let direction = given.direction.as_deref().unwrap_or("up");
        let direction = Direction::parse(direction)
            .ok_or_else(|| wrong("symptom.direction", "give up or down"))?;
        if given
            .threshold
            .is_some_and(|threshold| !threshold.is_finite())
        {
            return Err(wrong("symptom.threshold", "give a number"));
        }
        if given.filter.from.is_some() || given.filter.to.is_some() {
            return Err(wrong("filter", "give times as from and to"));
        }
        Ok(Question {
            windows: windows(&given)?,
            value,
            direction,
            threshold: given.threshold,
            filter: given.filter,
            moments: Moments::default(),
        })
    }

    /// The symptom by the name of its series.
    pub fn symptom(&self) -> Symptom {
        Symptom {
            series: self.value.to_string(),
            direction: self.direction,
            threshold: self.threshold,
        }
    }
}

fn windows(given: &Given) -> Result<Windows, Fault> {
    let from = given.from.ok_or_else(|| wrong("from", "is needed"))?;
    let to = given.to.ok_or_else(|| wrong("to", "is needed"))?;
    if from >= to {
        return Err(wrong("to", "must be later than from"));
    }
    if to - from > LONGEST_ALERT {
        return Err(wrong("to", "must be at most a day after from"));
    }
    let baseline_to = given.baseline_to.unwrap_or(from);
    if baseline_to > from {
        return Err(wrong("baseline_to", "must not be later than from"));
    }
    let usual = || baseline_to.minus(Windows::DEFAULT_BASELINE);
    let baseline_from = given.baseline_from.unwrap_or_else(usual);
    let windows = Windows {
        baseline: Window {
            from: baseline_from,
            to: baseline_to,
        },
        alert: Window { from, to },
    };
    let used = windows.used_baseline();
    if used.from >= used.to {
        let seconds = GUARD.0 / 1_000_000_000;
        let why = format!("must be earlier than baseline_to, and than {seconds} s before from");
        return Err(wrong("baseline_from", &why));
    }
    if baseline_to - baseline_from > LONGEST_BASELINE {
        return Err(wrong(
            "baseline_from",
            "must be at most a week before baseline_to",
        ));
    }
    Ok(windows)
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(1_767_574_800_000 + seconds * 1_000).unwrap()
    }

    fn given() -> Given {
        Given {
            from: Some(at(0)),
            to: Some(at(300)),
            series: Some("token.ttft_ms".to_owned()),
            ..Given::default()
        }
    }

    fn blamed(change: impl FnOnce(&mut Given)) -> Option<String> {
        let mut given = given();
        change(&mut given);
        Question::new(given).unwrap_err().field
    }

    #[test]
    fn the_baseline_is_the_hour_before_unless_told_otherwise() {
        let question = Question::new(given()).unwrap();
        assert_eq!(question.windows.baseline.from, at(-3_600));
        assert_eq!(question.windows.used_baseline().to, at(-60));
        assert_eq!(question.direction, Direction::Up);
        let yesterday = Given {
            baseline_to: Some(at(-86_400)),
            ..given()
        };
        let question = Question::new(yesterday).unwrap();
        assert_eq!(question.windows.baseline.from, at(-90_000));
        assert_eq!(question.windows.used_baseline().to, at(-86_400));
    }

    #[test]
    fn what_makes_no_sense_is_named_by_its_field() {
        let field = |name: &str| Some(name.to_owned());
        assert_eq!(blamed(|g| g.from = None), field("from"));
        assert_eq!(blamed(|g| g.to = None), field("to"));
        assert_eq!(blamed(|g| g.to = Some(at(0))), field("to"));
        assert_eq!(blamed(|g| g.to = Some(at(90_000))), field("to"));
        assert_eq!(
            blamed(|g| g.baseline_to = Some(at(1))),
            field("baseline_to")
        );
        assert_eq!(
            blamed(|g| g.baseline_from = Some(at(-60))),
            field("baseline_from")
        );
        assert_eq!(
            blamed(|g| g.baseline_from = Some(at(-700_000))),
            field("baseline_from")
        );
        for series in [
            None,
            Some("token.ttft_ms:p99"),
            Some("requests"),
            Some("tempo"),
        ] {
            let series = series.map(str::to_owned);
            assert_eq!(blamed(|g| g.series = series), field("symptom.series"));
        }
        assert_eq!(
            blamed(|g| g.direction = field("left")),
            field("symptom.direction")
        );
        assert_eq!(
            blamed(|g| g.threshold = Some(f64::NAN)),
            field("symptom.threshold")
        );
        assert_eq!(blamed(|g| g.filter.from = Some(at(0))), field("filter"));
    }
}
