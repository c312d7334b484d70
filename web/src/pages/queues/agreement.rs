//! How far people agree, what was decided where they do not, and how evaluators and raters compare with what holds.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::PersonId;
use domain::annotation::Question;
use domain::annotation::judge::Against;
use domain::stats::agreement::Level;
use domain::tenancy::Permission;
use service::App;
use service::annotation::agreement::{self, Report};
use service::annotation::queues::{self, Asked, Queue};

use super::item::{name_of, title, words};
use super::questions::{Filled, QuestionView};
use super::{coefficient, queue_id, share};
use crate::extract::{InProject, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// Disagreements that are shown.
const MOST: usize = 50;
/// From there on agreement is enough to draw conclusions from; Krippendorff (2004), page 241.
const ENOUGH: f64 = 2.0 / 3.0;

/// The page.
#[derive(Template)]
#[template(path = "queues/agreement.html")]
pub(crate) struct AgreementPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) queue_url: String,
    pub(crate) queue_name: String,
    pub(crate) may_manage: bool,
    pub(crate) rows: Vec<AgreementRow>,
    pub(crate) people: Vec<PersonRow>,
    /// Items whose answers are known.
    pub(crate) known: usize,
    pub(crate) disputes: Vec<DisputeRow>,
    pub(crate) decided: Vec<DecidedRow>,
    pub(crate) judges: Vec<JudgeView>,
}

/// How far people agree about one question.
#[derive(Clone, Debug)]
pub(crate) struct AgreementRow {
    pub(crate) name: String,
    pub(crate) items: usize,
    pub(crate) observed: String,
    pub(crate) cohen: String,
    pub(crate) fleiss: String,
    pub(crate) alpha: String,
    /// Of which level α is.
    pub(crate) level: &'static str,
    pub(crate) ordinal: String,
    /// Width of the bar, 0 to 100; empty without α.
    pub(crate) bar: String,
    pub(crate) is_low: bool,
    pub(crate) disputed: usize,
}

/// One rater.
#[derive(Clone, Debug)]
pub(crate) struct PersonRow {
    pub(crate) name: String,
    pub(crate) items: String,
    /// The mean over questions of κ with the others.
    pub(crate) kappa: String,
    pub(crate) is_low: bool,
    /// How often right, of how many that are known.
    pub(crate) accuracy: String,
}

/// An item about which people disagree.
pub(crate) struct DisputeRow {
    pub(crate) item_url: String,
    pub(crate) decide_url: String,
    pub(crate) item: String,
    pub(crate) question: QuestionView,
    pub(crate) said: Vec<(String, String)>,
}

/// What was decided.
pub(crate) struct DecidedRow {
    pub(crate) item_url: String,
    pub(crate) item: String,
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) reason: String,
    pub(crate) who: String,
    pub(crate) time: String,
}

/// An evaluator against people.
pub(crate) struct JudgeView {
    pub(crate) name: String,
    pub(crate) items: String,
    pub(crate) same: String,
    pub(crate) kappa: String,
    pub(crate) weighted: String,
    pub(crate) bias: String,
    pub(crate) values: Vec<String>,
    /// A row for each value of people: the value, and counts with their shade.
    pub(crate) table: Vec<(String, Vec<(String, &'static str)>)>,
}

impl AgreementRow {
    /// Of every question about which people can agree.
    pub(super) fn all(report: &Report) -> Vec<Self> {
        let rows = report.questions.iter().filter_map(|(asked, found)| {
            let found = found.as_ref()?;
            Some(AgreementRow {
                name: match &asked.config {
                    Some(config) => config.draft.name.clone(),
                    None => "A / B".to_owned(),
                },
                items: found.items,
                observed: share(found.observed),
                cohen: coefficient(found.cohen),
                fleiss: coefficient(found.fleiss),
                alpha: coefficient(found.alpha),
                level: match found.level {
                    Level::Nominal => "nominal",
                    Level::Ordinal => "ordinal",
                    Level::Interval => "interval",
                },
                ordinal: coefficient(found.ordinal),
                bar: found.alpha.map_or_else(String::new, |alpha| {
                    format!("{:.0}", alpha.clamp(0.0, 1.0) * 100.0)
                }),
                is_low: found.alpha.is_some_and(|alpha| alpha < ENOUGH),
                disputed: found.disputed.len(),
            })
        });
        rows.collect()
    }
}

impl PersonRow {
    /// Everybody who judged, by name.
    pub(super) fn all(report: &Report, names: &BTreeMap<PersonId, String>) -> Vec<Self> {
        let mut items: BTreeMap<PersonId, u64> = BTreeMap::new();
        for one in &report.rated {
            *items.entry(one.person).or_default() += 1;
        }
        let mut rows: Vec<PersonRow> = items
            .into_iter()
            .map(|(person, count)| {
                let kappas: Vec<f64> = report
                    .questions
                    .iter()
                    .filter_map(|(_, found)| *found.as_ref()?.raters.get(&person)?)
                    .collect();
                let many = u32::try_from(kappas.len()).unwrap_or(u32::MAX);
                let kappa = (many > 0).then(|| kappas.iter().sum::<f64>() / f64::from(many));
                let right = report.accuracy.get(&person);
                PersonRow {
                    name: name_of(names, person),
                    items: format::count(count),
                    kappa: coefficient(kappa),
                    is_low: kappa.is_some_and(|kappa| kappa < ENOUGH),
                    accuracy: right.map_or_else(String::new, |(hits, all)| format!("{hits}/{all}")),
                }
            })
            .collect();
        rows.sort_by(|a, b| a.name.cmp(&b.name));
        rows
    }
}

impl JudgeView {
    fn new(asked: &Asked, found: &Against, lang: Lang) -> Self {
        let most = found.table.iter().flatten().copied().max().unwrap_or(0);
        let cell = |count: &u64| match count {
            0 => (String::new(), "h0"),
            count => (format::count(*count), shade(*count, most)),
        };
        let value = |value: &String| match &asked.scale() {
            Some(domain::score::Scale::Boolean) if value == "1" => lang.t("Yes").to_owned(),
            Some(domain::score::Scale::Boolean) => lang.t("No").to_owned(),
            _ => value.clone(),
        };
        let values: Vec<String> = found.values.iter().map(value).collect();
        let rows = values.iter().cloned().zip(&found.table);
        JudgeView {
            name: title(asked, lang),
            items: format::count(found.items as u64),
            same: share(found.same),
            kappa: coefficient(found.kappa),
            weighted: coefficient(found.weighted),
            bias: found.bias.map_or_else(String::new, |bias| match bias {
                bias if bias.abs() < 0.005 => lang.t("as high as people on average").to_owned(),
                bias if bias > 0.0 => {
                    lang.fill("{} higher on average", &[&coefficient(Some(bias))])
                }
                bias => lang.fill("{} lower on average", &[&coefficient(Some(-bias))]),
            }),
            table: rows
                .map(|(value, row)| (value, row.iter().map(cell).collect()))
                .collect(),
            values,
        }
    }
}

/// One of five shades by the share of the greatest count.
fn shade(count: u64, most: u64) -> &'static str {
    match count * 5 / most.max(1) {
        0 => "h1",
        1 => "h2",
        2 => "h3",
        3 => "h4",
        _ => "h5",
    }
}

impl AgreementPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (queue, report): (&Queue, &Report),
        judges: &[(&Asked, Against)],
        names: &BTreeMap<PersonId, String>,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let queue_id = queue.queue.id;
        let empty = Filled::default();
        let undecided = report.undecided(MOST).into_iter().map(|(item, asked)| {
            let url = urls::queue_item(id, queue_id, item);
            let said = report.said(item, &asked.question).into_iter();
            DisputeRow {
                decide_url: format!("{url}/decide"),
                item_url: url,
                item: short(&item.to_string()),
                question: QuestionView::new(asked, &empty, lang),
                said: said
                    .map(|(person, answer)| (name_of(names, person), words(answer, lang)))
                    .collect(),
            }
        });
        let asked_of = |question: &Question| {
            let mut all = report.questions.iter();
            let found = all.find(|(asked, _)| asked.question == *question);
            found.map_or_else(String::new, |(asked, _)| title(asked, lang))
        };
        let decided = report.decisions.iter().map(|decision| DecidedRow {
            item_url: urls::queue_item(id, queue_id, decision.item),
            item: short(&decision.item.to_string()),
            question: asked_of(&decision.question),
            answer: words(&decision.answer, lang),
            reason: decision.reason.clone(),
            who: name_of(names, decision.person),
            time: reader.zone().minute(decision.at),
        });
        AgreementPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Annotation),
            list_url: urls::queues(id),
            queue_url: urls::queue(id, queue_id),
            queue_name: queue.queue.draft.name.clone(),
            may_manage: reader.may(Permission::ManageQueues),
            rows: AgreementRow::all(report),
            people: PersonRow::all(report, names),
            known: report.known,
            disputes: undecided.collect(),
            decided: decided.collect(),
            judges: judges
                .iter()
                .map(|(asked, found)| JudgeView::new(asked, found, lang))
                .collect(),
        }
    }
}

/// The end of an id, which is what differs.
fn short(id: &str) -> String {
    id.rsplit('-').next().unwrap_or_default().to_owned()
}

/// Shows it.
pub(crate) async fn show_agreement(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let scope = &entered.scope;
    let queue = queues::show(&app, scope, queue_id(&params)?).await?;
    let report = agreement::report(&app, scope, &queue).await?;
    let mut judges = Vec::new();
    for (asked, found) in &report.questions {
        if found.is_none() {
            continue;
        }
        if let Some(against) = agreement::judge(&app, scope, (&queue, &report), asked).await? {
            judges.push((asked, against));
        }
    }
    let names = queues::emails(&app, scope, queue.queue.id).await?;
    let names = names.into_iter().collect();
    let page = AgreementPage::new(&entered.reader, (&queue, &report), &judges, &names);
    Ok(render(&page))
}
