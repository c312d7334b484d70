//! What fills a rolling or an adversarial dataset: a filter, how much of what it finds, how many items.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::Fault;
use domain::dataset::{Challenge, Dataset, DatasetKind};
use domain::fill::{Fill, FillDraft, MAX_MOST, Takes};
use domain::tenancy::Permission;
use http::StatusCode;
use service::App;
use service::datasets;

use super::words::challenges;
use super::{dataset_id, entered, of_form};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::queues::listed;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &["filter", "share", "most", "score", "below"];
/// Items that a dataset has at most where nothing else is said.
const USUAL: u64 = 500;

/// The page.
#[derive(Template)]
#[template(path = "datasets/fill.html")]
pub(crate) struct FillPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset: String,
    pub(crate) dataset_url: String,
    pub(crate) traces_url: String,
    pub(crate) action: String,
    pub(crate) may_change: bool,
    pub(crate) is_adversarial: bool,
    pub(crate) fault: String,
    pub(crate) filling: Option<Filling>,
    /// What is looked for: value, words, whether it is.
    pub(crate) finds: Vec<(&'static str, &'static str, bool)>,
    pub(crate) filter: Field,
    pub(crate) score: Field,
    pub(crate) below: Field,
    pub(crate) takes_spans: bool,
    pub(crate) share: Field,
    pub(crate) most: Field,
    pub(crate) challenges: Vec<(&'static str, &'static str, bool)>,
}

/// How far it is.
pub(crate) struct Filling {
    pub(crate) url: String,
    pub(crate) is_continuous: bool,
    pub(crate) is_running: bool,
    pub(crate) added: String,
    pub(crate) error: String,
}

/// What may be looked for without knowing how lists are searched.
fn finds(chosen: &str, lang: Lang) -> Vec<(&'static str, &'static str, bool)> {
    [
        ("filter", lang.t("What the filter below finds")),
        ("failed_check", lang.t("Answers that failed a hard check")),
        ("refusal", lang.t("Refusals")),
        ("low_score", lang.t("Low scores")),
    ]
    .map(|(value, words)| (value, words, value == chosen))
    .to_vec()
}

impl FillPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, dataset: &Dataset, fill: Option<&Fill>) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let place = (id, dataset.id);
        let draft = fill.map(|fill| &fill.draft);
        let share = draft.map_or(1.0, |draft| draft.share) * 100.0;
        let most = draft.and_then(|draft| draft.most).unwrap_or(USUAL);
        FillPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(id),
            dataset: dataset.name.to_string(),
            dataset_url: urls::dataset_tab(place, "items"),
            traces_url: urls::traces_home(id),
            action: urls::dataset_fill(place),
            may_change: reader.may(Permission::ChangeDatasets),
            is_adversarial: dataset.kind == DatasetKind::Adversarial,
            fault: String::new(),
            filling: fill.map(|fill| Filling {
                url: urls::traces_as_written(id, &fill.draft.address),
                is_continuous: fill.draft.is_continuous,
                is_running: fill.is_running,
                added: format::count(fill.added),
                error: fill.last_error.clone(),
            }),
            finds: finds("filter", lang),
            filter: Field::holding(draft.map_or("", |draft| draft.address.as_str())),
            score: Field::default(),
            below: Field::holding("0.5"),
            takes_spans: draft.is_some_and(|draft| draft.takes == Takes::Spans),
            share: Field::holding(&format::trimmed(share, 4)),
            most: Field::holding(&most.to_string()),
            challenges: challenges(draft.and_then(|draft| draft.challenge), lang),
        }
    }

    /// As it was sent, with what was wrong with it.
    fn again(mut self, lang: Lang, pairs: &Pairs, fault: &Fault) -> Self {
        self.finds = finds(pairs.get("find").unwrap_or("filter"), lang);
        self.filter = entered(pairs, "filter", fault);
        self.score = entered(pairs, "score", fault);
        self.below = entered(pairs, "below", fault);
        self.share = entered(pairs, "share", fault);
        self.most = entered(pairs, "most", fault);
        self.takes_spans = pairs.get("takes") == Some("spans");
        self.challenges = challenges(challenge(pairs), lang);
        self.fault = other_fault(fault, FIELDS);
        self
    }
}

fn challenge(pairs: &Pairs) -> Option<Challenge> {
    pairs.filled("challenge").and_then(Challenge::from_name)
}

/// A number of a field.
fn number(pairs: &Pairs, name: &str) -> Result<f64, Fault> {
    let text = pairs.filled(name).unwrap_or_default().trim();
    let wrong = |_| Fault::invalid("not a number").on_field(name);
    text.trim_end_matches('%').trim_end().parse().map_err(wrong)
}

/// What is looked for, as the list of traces writes it, and what that is tagged with.
fn sought(pairs: &Pairs) -> Result<(String, Option<Challenge>), Fault> {
    let search = |text: &str, challenge| {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.append_pair("range", "30d").append_pair("q", text);
        Ok((address.finish(), Some(challenge)))
    };
    match pairs.get("find") {
        Some("failed_check") => search(
            "semantic:format_error OR semantic:tool_call_deviation",
            Challenge::FailedCheck,
        ),
        Some("refusal") => search("semantic:refusal", Challenge::Refusal),
        Some("low_score") => {
            let name = pairs.filled("score").unwrap_or_default().trim();
            let is_plain = |char: char| char.is_alphanumeric() || "-_.".contains(char);
            if name.is_empty() || !name.chars().all(is_plain) {
                let message = "name a score: letters, digits, - _ .";
                return Err(Fault::invalid(message).on_field("score"));
            }
            let below = number(pairs, "below")?;
            search(&format!("score.{name}<{below}"), Challenge::LowScore)
        }
        _ => Ok((pairs.get("filter").unwrap_or_default().to_owned(), None)),
    }
}

fn draft(app: &App, entered: &InProject, pairs: &Pairs) -> Result<FillDraft, Fault> {
    let (address, found) = sought(pairs)?;
    let (filter, address) = listed(app, entered, &address)?;
    let most = number(pairs, "most")?;
    let is_whole = most.fract() == 0.0 && (1.0..=MAX_MOST as f64).contains(&most);
    if !is_whole {
        return Err(Fault::invalid("must be 1 to 10000").on_field("most"));
    }
    Ok(FillDraft {
        filter,
        address,
        is_continuous: pairs.get("do") == Some("keep"),
        takes: match pairs.get("takes") {
            Some("spans") => Takes::Spans,
            _ => Takes::Traces,
        },
        share: number(pairs, "share")? / 100.0,
        most: Some(most as u64),
        challenge: challenge(pairs).or(found),
    })
}

/// Shows what fills it.
pub(crate) async fn show_fill(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let dataset = datasets::find_by_id(&app, &entered.scope, dataset_id(&params)?).await?;
    let fill = datasets::show_fill(&app, &entered.scope, dataset.id).await?;
    Ok(render(&FillPage::new(
        &entered.reader,
        &dataset,
        fill.as_ref(),
    )))
}

/// Has it filled, or no more: `do=once`, `keep` or `end`.
pub(crate) async fn fill_dataset(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let (scope, id) = (&entered.scope, dataset_id(&params)?);
    let done = match pairs.get("do") {
        Some("end") => datasets::end_fill(&app, scope, id).await,
        _ => match draft(&app, &entered, &pairs) {
            Ok(draft) => datasets::set_fill(&app, scope, id, draft).await,
            Err(fault) => Err(fault),
        },
    };
    let Err(fault) = done else {
        return Ok(see_other(&urls::dataset_fill((entered.id(), id))));
    };
    let fault = of_form(fault)?;
    let dataset = datasets::find_by_id(&app, scope, id).await?;
    let fill = datasets::show_fill(&app, scope, id).await?;
    let page = FillPage::new(&entered.reader, &dataset, fill.as_ref());
    let page = page.again(entered.reader.lang(), &pairs, &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
