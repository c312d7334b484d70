//! What an attribution says, prepared for `parts/attribution.html`. Whoever includes that part has a `shell` and an
//! `attribution` of this type in scope.

/// How values lay before, and how they lie now.
mod distribution;
/// An attribution as it was kept with an incident.
mod kept;
/// Reasons, advice and moments in the reader's language.
mod words;

use domain::attribution::answer::{AxisVote, Culprit, Feature};
use domain::attribution::{Attribution, Axis};
use domain::{ProjectId, Timestamp};

use crate::chart::number;
use crate::extract::Pairs;
use crate::format;
use crate::i18n::Lang;
use crate::measure;
use crate::pages::traces::query::ListQuery;
use crate::urls;
use crate::zone::Zone;

pub(crate) use distribution::DistributionChart;

/// Features that are shown.
const FEATURES: usize = 8;
/// Values that carry it that are shown.
const CARRIERS: usize = 6;
/// Reasons that are shown.
const REASONS: usize = 4;
/// Digits of a trace id that are shown.
const ID_DIGITS: usize = 8;

/// What an attribution is about.
pub(crate) struct About<'a> {
    /// The project.
    pub(crate) project: ProjectId,
    /// Series of the symptom, without its statistic: `token.ttft_ms`.
    pub(crate) symptom: &'a str,
    /// The window that was asked about.
    pub(crate) window: (Timestamp, Timestamp),
    /// How long it took, in milliseconds; unknown where it was read from where it was kept.
    pub(crate) took_ms: Option<u64>,
}

/// What an attribution says.
#[derive(Debug)]
pub(crate) struct AttributionView {
    /// `Why TTFT got worse, 02:14 – 02:58`.
    pub(crate) about: String,
    /// The axis in the style sheet; empty without one.
    pub(crate) class: &'static str,
    /// `Token axis`.
    pub(crate) verdict: String,
    /// `0.93`.
    pub(crate) confidence: String,
    /// Why.
    pub(crate) reasons: Vec<String>,
    /// The vote of each axis, the loudest first.
    pub(crate) votes: Vec<VoteRow>,
    /// What moved.
    pub(crate) features: Vec<FeatureRow>,
    /// How values lay before, and how they lie now.
    pub(crate) distributions: Vec<DistributionChart>,
    /// Who carries it.
    pub(crate) carriers: Vec<CarrierRow>,
    /// What to do.
    pub(crate) advice: &'static str,
    /// Why that.
    pub(crate) advice_reason: String,
    /// What speaks against doing it at once; empty without.
    pub(crate) advice_doubt: String,
    /// What is known of the prompt under suspicion; empty without one.
    pub(crate) prompt: String,
    /// What happened when.
    pub(crate) moments: Vec<MomentRow>,
    /// Sample traces.
    pub(crate) samples: Vec<SampleRow>,
    /// `29,908 requests, 214 ms, p of the symptom < 1e-9`.
    pub(crate) footer: String,
}

/// The vote of an axis.
#[derive(Debug)]
pub(crate) struct VoteRow {
    pub(crate) class: &'static str,
    pub(crate) name: &'static str,
    /// Whether it is the axis of the verdict.
    pub(crate) is_answer: bool,
    /// Percent of the bar.
    pub(crate) width: String,
    pub(crate) v: String,
    pub(crate) p: String,
}

/// Something that moved.
#[derive(Debug)]
pub(crate) struct FeatureRow {
    pub(crate) class: &'static str,
    pub(crate) axis: &'static str,
    pub(crate) name: String,
    /// Series, q-value, group: on hover.
    pub(crate) hint: String,
    /// `effect −0.97`.
    pub(crate) effect: String,
    /// Left edge of the bar in percent, and its width.
    pub(crate) bar: (String, String),
    pub(crate) before: String,
    pub(crate) after: String,
    /// `−38 s`: before the symptom.
    pub(crate) lead: String,
}

/// A value that bad requests share.
#[derive(Debug)]
pub(crate) struct CarrierRow {
    pub(crate) dimension: &'static str,
    pub(crate) value: String,
    /// Its traces; empty where the list cannot be narrowed so.
    pub(crate) url: String,
    /// `94 % of abnormal, 0 % of baseline`.
    pub(crate) shares: String,
    /// Percent of the bar.
    pub(crate) abnormal: String,
    /// Percent of the tick.
    pub(crate) baseline: String,
    /// `1.2×`, or `new`.
    pub(crate) lift: String,
}

/// A moment.
#[derive(Debug)]
pub(crate) struct MomentRow {
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) what: String,
    pub(crate) url: String,
}

/// A sample trace.
#[derive(Debug)]
pub(crate) struct SampleRow {
    pub(crate) id: String,
    pub(crate) short: String,
    pub(crate) url: String,
}

impl AttributionView {
    /// Prepares everything for the template.
    pub(crate) fn new(
        answer: &Attribution,
        about: &About<'_>,
        (lang, zone): (Lang, &Zone),
    ) -> Self {
        let (from, to) = about.window;
        let name = measure::name(about.symptom, lang);
        let mut votes: Vec<&AxisVote> = answer.axes.iter().collect();
        votes.sort_by(|one, other| other.cramers_v.total_cmp(&one.cramers_v));
        let moments = answer.timeline.iter().map(|moment| MomentRow {
            time: zone.clock(moment.at),
            exact: zone.exact(moment.at),
            what: words::happening(&moment.what, lang),
            url: words::trace_of(&moment.what)
                .map_or_else(String::new, |trace| urls::trace(about.project, trace)),
        });
        let samples = answer.sample_trace_ids.iter().map(|trace| SampleRow {
            id: trace.to_string(),
            short: trace.as_str().chars().take(ID_DIGITS).collect(),
            url: urls::trace(about.project, trace),
        });
        let features = answer.features.iter().take(FEATURES);
        let carriers = answer.culprits.iter().take(CARRIERS);
        let reasons = answer.reasons.iter().take(REASONS);
        AttributionView {
            about: lang.fill("Why {} got worse, {}", &[&name, &zone.span(from, to)]),
            class: measure::class(answer.axis),
            verdict: words::verdict(answer, lang),
            confidence: format!("{:.2}", answer.confidence),
            reasons: reasons.map(|reason| words::reason(reason, lang)).collect(),
            votes: votes
                .into_iter()
                .map(|vote| VoteRow::new(vote, answer.axis, lang))
                .collect(),
            features: features.map(|moved| FeatureRow::new(moved, lang)).collect(),
            distributions: answer
                .distributions
                .iter()
                .filter_map(|told| DistributionChart::new(told, lang))
                .collect(),
            carriers: carriers
                .map(|culprit| CarrierRow::new(culprit, about, lang))
                .collect(),
            advice: words::advice(answer.recommendation.action, lang),
            advice_reason: words::reason(&answer.recommendation.reason, lang),
            advice_doubt: words::doubt(answer.recommendation.contested_by, lang),
            prompt: answer
                .prompt
                .as_ref()
                .map_or_else(String::new, |prompt| words::prompt(prompt, lang)),
            moments: moments.collect(),
            samples: samples.collect(),
            footer: footer(answer, about, lang),
        }
    }
}

impl VoteRow {
    fn new(vote: &AxisVote, answer: Option<Axis>, lang: Lang) -> Self {
        VoteRow {
            class: vote.axis.as_str(),
            name: measure::axis_name(vote.axis, lang),
            is_answer: answer == Some(vote.axis),
            width: number(100.0 * vote.cramers_v.clamp(0.0, 1.0)),
            v: format!("{:.2}", vote.cramers_v),
            p: words::probability(vote.p_value),
        }
    }
}

impl FeatureRow {
    fn new(feature: &Feature, lang: Lang) -> Self {
        let value = |value: Option<f64>| {
            value.map_or_else(
                || format::NOTHING.to_owned(),
                |value| measure::number(&feature.series, value),
            )
        };
        let half = 50.0 * feature.effect.abs().min(1.0);
        let left = if feature.effect < 0.0 {
            50.0 - half
        } else {
            50.0
        };
        let mut hint = format!(
            "{}, q {}",
            feature.series,
            words::probability(feature.q_value)
        );
        if let Some(group) = &feature.group {
            hint = format!("{hint}, {}", words::group(group, lang));
        }
        FeatureRow {
            class: feature.axis.as_str(),
            axis: measure::axis_name(feature.axis, lang),
            name: measure::name(&feature.series, lang),
            hint,
            effect: lang.fill("effect {}", &[&words::signed(feature.effect, 2)]),
            bar: (number(left), number(half)),
            before: value(feature.baseline_median),
            after: value(feature.alert_median),
            lead: feature.leads_symptom_by_s.map_or_else(
                || format::NOTHING.to_owned(),
                |lead| format!("{} s", words::signed(-lead, 0)),
            ),
        }
    }
}

impl CarrierRow {
    fn new(culprit: &Culprit, about: &About<'_>, lang: Lang) -> Self {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let shares = [
            percent(culprit.share_of_abnormal),
            percent(culprit.share_of_baseline),
        ];
        CarrierRow {
            dimension: words::dimension(&culprit.dimension, lang),
            value: culprit.value.clone(),
            url: traces_of(culprit, about),
            shares: lang.fill("{} of abnormal, {} of baseline", &[&shares[0], &shares[1]]),
            abnormal: number(100.0 * culprit.share_of_abnormal.clamp(0.0, 1.0)),
            baseline: number(100.0 * culprit.share_of_baseline.clamp(0.0, 1.0)),
            lift: match culprit.share_of_baseline > 0.0 && culprit.lift.is_finite() {
                true => format!("{:.1}×", culprit.lift),
                false => lang.t("new").to_owned(),
            },
        }
    }
}

/// The list of traces of a window narrowed to a value; empty where the list has no such column.
fn traces_of(culprit: &Culprit, about: &About<'_>) -> String {
    let (from, to) = about.window;
    let mut pairs = vec![
        ("from".to_owned(), from.to_string()),
        ("to".to_owned(), to.to_string()),
    ];
    let mut narrow = |column: &str, value: &str| {
        pairs.push(("f".to_owned(), format!("{column}:is:{value}")));
    };
    match culprit.dimension.as_str() {
        "prompt_version" => {
            let Some((name, version)) = culprit.value.rsplit_once('@') else {
                return String::new();
            };
            narrow("prompt", name);
            narrow("prompt_version", version);
        }
        dimension @ ("model" | "prompt" | "tenant" | "route" | "release" | "provider"
        | "environment") => narrow(dimension, &culprit.value),
        _ => return String::new(),
    }
    let read = ListQuery::read(&Pairs(pairs), &Zone::utc());
    read.map_or_else(
        |_| String::new(),
        |read| urls::traces(about.project, &read.query),
    )
}

fn footer(answer: &Attribution, about: &About<'_>, lang: Lang) -> String {
    let requests = format::count(answer.requests_considered);
    let mut parts = vec![lang.fill("{} requests", &[&requests])];
    parts.extend(about.took_ms.map(|took| format::latency(took as f64)));
    parts.push(lang.fill(
        "the symptom by chance: p {}",
        &[&words::probability(answer.symptom_p_value)],
    ));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use domain::attribution::answer::{Action, Evidence, Group, Moment, Recommendation};
    use domain::attribution::reason::{Happening, Reason};

    use super::*;

    pub(super) fn answer() -> Attribution {
        let group = || Group {
            dimension: "prompt_version".to_owned(),
            value: "answer@18".to_owned(),
        };
        Attribution {
            axis: Some(Axis::Token),
            confidence: 0.934,
            reasons: vec![Reason::Explains {
                series: "token.prefix_cache_hit_rate".to_owned(),
                share: 0.91,
                before: Some(0.81),
                after: Some(0.07),
            }],
            axes: [(Axis::Gpu, 0.22, 0.004), (Axis::Token, 0.71, 1e-12)]
                .map(|(axis, cramers_v, p_value)| AxisVote {
                    axis,
                    chi2: 1.0,
                    p_value,
                    cramers_v,
                    clusters: 2,
                    requests: 900,
                })
                .to_vec(),
            features: vec![Feature {
                series: "token.prefix_cache_hit_rate".to_owned(),
                axis: Axis::Token,
                effect: -0.97,
                q_value: 1e-9,
                baseline_median: Some(0.81),
                alert_median: Some(0.07),
                leads_symptom_by_s: Some(38.0),
                granger_p: None,
                share: 0.91,
                group: None,
            }],
            distributions: vec![],
            culprits: vec![Culprit {
                dimension: "prompt_version".to_owned(),
                value: "answer@18".to_owned(),
                share_of_abnormal: 0.94,
                share_of_baseline: 0.0,
                lift: f64::INFINITY,
                q_value: 1e-9,
                evidence: Evidence::Contrast,
                score: 1.2,
            }],
            prompt: None,
            recommendation: Recommendation {
                action: Action::Rollback,
                reason: Reason::Concentrated {
                    group: group(),
                    share_of_abnormal: 0.94,
                    share_of_baseline: 0.0,
                },
                contested_by: Some(Axis::Gpu),
            },
            timeline: vec![Moment {
                at: Timestamp::parse("2026-03-12T02:14:05Z").unwrap(),
                what: Happening::FirstSeen { group: group() },
            }],
            sample_trace_ids: vec![],
            requests_considered: 29_908,
            symptom_p_value: 1e-30,
        }
    }

    fn view(answer: &Attribution, lang: Lang) -> AttributionView {
        let about = About {
            project: "0197f2c8-0000-7000-8000-000000000001".parse().unwrap(),
            symptom: "token.ttft_ms",
            window: (
                Timestamp::parse("2026-03-12T02:14:00Z").unwrap(),
                Timestamp::parse("2026-03-12T02:58:00Z").unwrap(),
            ),
            took_ms: Some(214),
        };
        AttributionView::new(answer, &about, (lang, &Zone::utc()))
    }

    #[test]
    fn bars_lie_within_their_cells_and_leads_are_told_as_times_before() {
        let view = view(&answer(), Lang::En);
        assert_eq!((view.class, view.verdict.as_str()), ("token", "Token axis"));
        assert_eq!(view.confidence, "0.93");
        assert_eq!(view.votes[0].name, "Token", "the loudest first");
        assert_eq!(view.votes[0].p, "< 1e-9");
        assert_eq!(view.features[0].bar, ("1.5".to_owned(), "48.5".to_owned()));
        assert_eq!(view.features[0].lead, "−38 s");
        assert_eq!(view.features[0].effect, "effect −0.97");
        assert_eq!(view.carriers[0].lift, "new");
        let url = &view.carriers[0].url;
        assert!(
            url.contains("prompt%3Ais%3Aanswer&f=prompt_version%3Ais%3A18"),
            "{url}"
        );
        assert_eq!(view.moments[0].time, "02:14:05");
        assert!(
            view.footer.starts_with("29,908 requests · 214 ms"),
            "{}",
            view.footer
        );
    }

    #[test]
    fn no_symptom_and_no_cause_are_told_apart() {
        let none = |reason: Reason| Attribution {
            axis: None,
            reasons: vec![reason],
            ..answer()
        };
        let series = || "token.ttft_ms".to_owned();
        let before = none(Reason::AsBefore {
            series: series(),
            traffic: 1.0,
        });
        let unknown = none(Reason::NothingExplains {
            series: series(),
            left: 0.9,
        });
        let (before, unknown) = (view(&before, Lang::En), view(&unknown, Lang::En));
        assert_eq!((before.class, unknown.class), ("", ""));
        assert_eq!(before.verdict, "No symptom");
        assert_eq!(unknown.verdict, "No axis explains it");
    }
}
