//! How values lay before, and how they lie now, prepared for its template.

use domain::attribution::answer::Distribution;

use super::words;
use crate::chart::both::{self, BothChart};
use crate::format;
use crate::i18n::Lang;
use crate::measure::{self, Unit};

/// A chart of both windows.
#[derive(Debug)]
pub(crate) struct DistributionChart {
    /// The axis in the style sheet; empty without one.
    pub(crate) class: &'static str,
    /// The series in words.
    pub(crate) name: String,
    /// Whose requests these are; empty: everybody's.
    pub(crate) group: String,
    /// Requests before and now.
    pub(crate) counts: String,
    /// The chart in words, for those who do not see it.
    pub(crate) words: String,
    /// What is drawn.
    pub(crate) chart: BothChart,
}

impl DistributionChart {
    /// `None` where there are no bins.
    pub(super) fn new(told: &Distribution, lang: Lang) -> Option<Self> {
        let chart = both::draw(told, measure::unit(&told.series), lang)?;
        let name = measure::name(&told.series, lang);
        Some(DistributionChart {
            class: measure::class(told.axis),
            words: said(told, &name, lang),
            name,
            group: told
                .group
                .as_ref()
                .map_or_else(String::new, |group| words::group(group, lang)),
            counts: format!(
                "{} → {}",
                format::count(told.baseline_requests),
                format::count(told.alert_requests)
            ),
            chart,
        })
    }
}

/// What the chart shows, in a sentence.
fn said(told: &Distribution, name: &str, lang: Lang) -> String {
    if measure::unit(&told.series) == Unit::Flag {
        let yes = |shares: &[f64]| format!("{:.1} %", 100.0 * shares.last().unwrap_or(&0.0));
        let (before, now) = (yes(&told.baseline), yes(&told.alert));
        return lang.fill("{}: yes in {} before, in {} now", &[name, &before, &now]);
    }
    let most = |shares: &[f64]| {
        let bins = shares.iter().zip(told.edges.windows(2));
        let most = bins.max_by(|one, other| one.0.total_cmp(other.0));
        most.map_or_else(
            || format::NOTHING.to_owned(),
            |(_, edges)| {
                let ends = [edges[0], edges[1]].map(|edge| measure::number(&told.series, edge));
                format!("{} – {}", ends[0], ends[1])
            },
        )
    };
    lang.fill(
        "{}: most were at {} before, and are at {} now",
        &[name, &most(&told.baseline), &most(&told.alert)],
    )
}
