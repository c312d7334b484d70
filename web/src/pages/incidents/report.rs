//! The report's numbers, chart and course.

use domain::alert::incident::{Happening, Incident, Moment};
use domain::alert::kind::Direction;
use domain::alert::state::{Reading, Resolution};
use domain::alert::{AlertSeries, Group, Rule};
use domain::{Nanos, Timestamp};
use service::alerts::course::Course;
use service::incidents::Whole;

use super::samples::SampleRow;
use super::words as said;
use crate::chart::course::{BEGAN, CourseChart, Marked, draw};
use crate::extract::Reader;
use crate::format;
use crate::i18n::Lang;
use crate::measure;
use crate::pages::alerts::words;

/// Everything that a report is written of.
pub(crate) struct Told {
    /// The incident with what belongs to it.
    pub(crate) whole: Whole,
    /// The rule and group whose series is drawn; `None`: the rule is deleted.
    pub(crate) drawn: Option<(Rule, Group)>,
    /// Their course.
    pub(crate) course: Course,
    /// What it covers.
    pub(crate) range: (Timestamp, Timestamp),
    /// Requests of the incident.
    pub(crate) samples: Vec<SampleRow>,
    /// Its whole address.
    pub(crate) link: String,
}

/// A number of the report.
pub(crate) struct FigureBox {
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) note: String,
}

/// A moment of the course.
pub(crate) struct MomentRow {
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) is_solid: bool,
    /// The axis in the style sheet; empty for what is of none.
    pub(crate) axis: &'static str,
    /// What, in a word or two.
    pub(crate) what: String,
    /// More of it.
    pub(crate) detail: String,
}

/// A length of time of the report.
pub(crate) struct TimeRow {
    pub(crate) label: &'static str,
    pub(crate) value: String,
}

impl Told {
    /// What was seen at its worst while it went on.
    pub(super) fn worst(&self, now: Timestamp) -> Option<Reading> {
        let (rule, _) = self.drawn.as_ref()?;
        let incident = &self.whole.incident;
        let end = incident.resolved_at.unwrap_or(now);
        let during = self.course.points.iter();
        let during = during.filter(|point| incident.onset <= point.at && point.at <= end);
        let with_value = during.filter_map(|point| Some((point.reading.value?, point.reading)));
        let by_value = |one: &(f64, Reading), other: &(f64, Reading)| one.0.total_cmp(&other.0);
        let worst = match rule.draft.kind.side() {
            Direction::Up => with_value.max_by(by_value),
            Direction::Down => with_value.min_by(by_value),
        };
        let worst = worst.map(|(_, reading)| reading);
        // What made it fire was seen in any case.
        let seen = incident.subject.reading;
        match (worst, seen.value, incident.subject.series.is_some()) {
            (Some(worst), Some(value), true) if is_beyond(value, worst, rule) => Some(seen),
            (worst, ..) => worst,
        }
    }

    /// The series that is drawn.
    pub(super) fn series(&self) -> Option<AlertSeries> {
        let told = self.whole.incident.subject.series.as_deref();
        let told = told.and_then(|series| AlertSeries::parse(series).ok());
        let drawn = self.drawn.as_ref();
        told.or_else(|| drawn.and_then(|(rule, _)| rule.draft.series.clone()))
    }

    fn kind(&self) -> &str {
        let incident = &self.whole.incident;
        match (&self.drawn, &incident.subject.series) {
            (Some((rule, _)), None) => rule.draft.kind.name(),
            _ => &incident.subject.kind,
        }
    }

    /// The numbers.
    pub(super) fn figures(&self, lang: Lang, now: Timestamp) -> Vec<FigureBox> {
        let incident = &self.whole.incident;
        let mut figures = Vec::new();
        if let Some(series) = self.series() {
            let unit = words::unit_of(self.kind(), &series);
            let number = |value: f64| measure::written(unit, value);
            let against = |reading: &Reading| match (reading.baseline, reading.bound) {
                (Some(usual), _) => lang.fill("baseline {}", &[&number(usual)]),
                (None, Some(bound)) => lang.fill("bound {}", &[&number(bound)]),
                (None, None) => String::new(),
            };
            if let Some(worst) = self.worst(now).filter(|reading| reading.value.is_some()) {
                figures.push(FigureBox {
                    label: lang.fill("{}, worst", &[&words::series(&series, lang)]),
                    value: worst.value.map_or_else(String::new, number),
                    note: against(&worst),
                });
            }
            let fired = &incident.subject.reading;
            if let Some(value) = fired.value.filter(|_| incident.subject.series.is_some()) {
                figures.push(FigureBox {
                    label: lang.t("When it fired").to_owned(),
                    value: number(value),
                    note: fired.bound.map_or_else(String::new, |bound| {
                        lang.fill("bound {}", &[&number(bound)])
                    }),
                });
            }
        }
        figures.extend(self.hit(lang));
        figures.push(FigureBox {
            label: lang.t("Lasted").to_owned(),
            value: words::length(said::lasted(incident, now)),
            note: match incident.resolved_at {
                Some(_) => said::resolution(incident.resolution, lang).to_owned(),
                None => lang.t("so far").to_owned(),
            },
        });
        let deliveries = &self.whole.deliveries;
        if !deliveries.is_empty() {
            let taken = deliveries.iter().filter(|one| one.state == "sent").count();
            figures.push(FigureBox {
                label: lang.t("Messages").to_owned(),
                value: taken.to_string(),
                note: lang.fill("of {} taken", &[&deliveries.len().to_string()]),
            });
        }
        figures
    }

    fn hit(&self, lang: Lang) -> Option<FigureBox> {
        let hit = self.course.hit.filter(|hit| hit.of_group > 0)?;
        Some(match hit.beyond {
            Some(beyond) => FigureBox {
                label: lang.t("Requests hit").to_owned(),
                value: format::count(beyond),
                note: lang.fill("of {}", &[&format::count(hit.of_group)]),
            },
            None => FigureBox {
                label: lang.t("Requests").to_owned(),
                value: format::count(hit.of_group),
                note: match hit.of_all == hit.of_group {
                    true => String::new(),
                    false => lang.fill("of {}", &[&format::count(hit.of_all)]),
                },
            },
        })
    }

    /// The chart.
    pub(super) fn chart(&self, reader: &Reader) -> CourseChart {
        let Some(series) = self.series() else {
            return CourseChart::default();
        };
        let (lang, incident) = (reader.lang(), &self.whole.incident);
        let mut marked: Vec<Marked> = vec![(incident.onset, BEGAN, lang.t("began").to_owned())];
        marked.push((incident.fired_at, "m-alert", incident.severity.to_string()));
        let acknowledged = incident.acknowledged_at;
        marked.extend(acknowledged.map(|at| (at, "m-prompt", lang.t("acknowledged").to_owned())));
        let over = incident.resolved_at;
        marked.extend(over.map(|at| (at, "m-label", lang.t("resolved").to_owned())));
        marked.sort_by_key(|(at, ..)| *at);
        // Where both stand at one place the severity says more.
        if marked.len() > 1 && incident.fired_at - incident.onset < Nanos::from_seconds(60) {
            marked.retain(|(_, icon, _)| *icon != BEGAN);
        }
        let unit = words::unit_of(self.kind(), &series);
        draw(
            &self.course.points,
            self.range,
            unit,
            &marked,
            reader.zone(),
        )
    }

    /// How long each part of it took.
    pub(super) fn times(&self, lang: Lang) -> Vec<TimeRow> {
        let incident = &self.whole.incident;
        let since = |at: Option<Timestamp>, from: Timestamp| {
            at.map_or_else(|| format::NOTHING.to_owned(), |at| words::length(at - from))
        };
        let recovered = incident
            .resolved_at
            .filter(|_| incident.resolution == Some(Resolution::Recovered));
        // It is over once it was normal for a while: from then on it was mended.
        let keep = self.drawn.as_ref().map(|(rule, _)| rule.draft.kind.keep_s);
        let mended = recovered
            .zip(keep)
            .map(|(at, keep)| at.minus(Nanos::from_seconds(keep)).max(incident.fired_at));
        let row = |label, value| TimeRow { label, value };
        vec![
            row(
                lang.t("To detect"),
                since(Some(incident.fired_at), incident.onset),
            ),
            row(
                lang.t("To acknowledge"),
                since(incident.acknowledged_at, incident.fired_at),
            ),
            row(lang.t("To mitigate"), since(mended, incident.onset)),
            row(
                lang.t("To recover"),
                since(incident.resolved_at, incident.onset),
            ),
        ]
    }

    /// What happened, in order.
    pub(super) fn moments(&self, reader: &Reader) -> Vec<MomentRow> {
        let incident = &self.whole.incident;
        let mut moments: Vec<&Moment> = self.whole.moments.iter().collect();
        // Of the same instant the begin is told first.
        moments.sort_by_key(|moment| (moment.at, moment.what != Happening::Onset));
        moments
            .into_iter()
            .map(|moment| row(reader, incident, moment))
            .collect()
    }
}

fn is_beyond(value: f64, worst: Reading, rule: &Rule) -> bool {
    match rule.draft.kind.side() {
        Direction::Up => worst.value.is_some_and(|worst| value > worst),
        Direction::Down => worst.value.is_some_and(|worst| value < worst),
    }
}

/// A rule that takes part, with its group in words: it is written as the rule's name and JSON.
fn member(text: &str) -> String {
    let parts = text.rfind(" {").map(|at| text.split_at(at));
    let (name, labels) = parts.unwrap_or((text, ""));
    let group: Group = serde_json::from_str(labels.trim()).unwrap_or_default();
    let name = if name.is_empty() { text } else { name };
    match words::group(&group) {
        group if group.is_empty() => name.to_owned(),
        group => format!("{name}, {group}"),
    }
}

fn row(reader: &Reader, incident: &Incident, moment: &Moment) -> MomentRow {
    let (lang, zone) = (reader.lang(), reader.zone());
    let subject = &incident.subject;
    let (mut axis, mut detail) = ("", moment.detail.clone());
    let what = match moment.what {
        Happening::Onset => {
            axis = words::axis(subject.axis, lang).0;
            let series = subject.series.as_deref().map(AlertSeries::parse);
            detail = match series {
                Some(Ok(series)) => {
                    let name = words::series(&series, lang);
                    lang.fill("{} leaves its bounds", &[&name])
                }
                _ => String::new(),
            };
            lang.t("Began.").to_owned()
        }
        Happening::Fired => {
            detail = subject.rule_name.clone();
            lang.fill("{} fired.", &[incident.severity.as_str()])
        }
        Happening::Member => {
            let (of, rest) = detail.split_once(": ").unwrap_or(("", &detail));
            axis = domain::alert::Axis::from_name(of).map_or("", |axis| axis.as_str());
            detail = member(rest);
            String::new()
        }
        Happening::SamplingRaised => {
            let until = Timestamp::parse(&detail);
            let until = until.map_or_else(|_| detail.clone(), |until| zone.clock(until));
            detail = lang.fill("Until {}, the token spans of all requests", &[&until]);
            lang.t("Recorded more.").to_owned()
        }
        Happening::Attributed => lang.t("Attributed.").to_owned(),
        Happening::Notified => lang.t("Told.").to_owned(),
        Happening::NotNotified => lang.t("Not told.").to_owned(),
        Happening::Acknowledged => lang.t("Acknowledged.").to_owned(),
        Happening::RolledBack => lang.t("Rolled back.").to_owned(),
        Happening::RollbackSuggested => lang.t("Rollback suggested.").to_owned(),
        Happening::RollbackRefused => lang.t("Not rolled back.").to_owned(),
        Happening::RollbackUndone => lang.t("Rollback undone.").to_owned(),
        Happening::RolledBackRecovered => lang.t("Normal again.").to_owned(),
        Happening::Resolved => {
            detail = said::resolution(Resolution::from_name(&detail), lang).to_owned();
            match incident.resolution {
                Some(Resolution::Recovered) => lang.t("Recovered.").to_owned(),
                _ => lang.t("Over.").to_owned(),
            }
        }
    };
    MomentRow {
        time: zone.clock(moment.at),
        exact: zone.exact(moment.at),
        is_solid: matches!(
            moment.what,
            Happening::Fired | Happening::RolledBack | Happening::Resolved
        ),
        axis,
        what,
        detail,
    }
}
