//! Makes a queue, and changes one.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::annotation::{QueueDraft, QueueRules};
use domain::score::ScoreConfig;
use domain::tenancy::Permission;
use domain::{Code, Fault, ScoreConfigId};
use http::StatusCode;
use service::annotation::queues::{self, Queue};
use service::{App, score_configs};

use super::queue_id;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Frame, Section, Shell};
use crate::pages::settings::score_kind;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Configurations to choose from.
const MOST: u32 = 1_000;
/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &[
    "name",
    "description",
    "rubric",
    "raters",
    "reservation",
    "scoreConfigIds",
];

/// The page.
#[derive(Template)]
#[template(path = "queues/form.html")]
pub(crate) struct FormPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) fault: String,
    /// Name of the queue; empty of one that is about to be made.
    pub(crate) heading: String,
    pub(crate) list_url: String,
    pub(crate) queue_url: String,
    pub(crate) configs_url: String,
    pub(crate) form: QueueForm,
    pub(crate) configs: Vec<ConfigBox>,
    pub(crate) action: String,
}

/// A configuration to tick.
pub(crate) struct ConfigBox {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) is_on: bool,
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueForm {
    pub(crate) name: Field,
    pub(crate) description: Field,
    pub(crate) rubric: Field,
    pub(crate) raters: Field,
    /// In minutes.
    pub(crate) reservation: Field,
    pub(crate) configs: Field,
    pub(crate) is_blind: bool,
    pub(crate) is_pairwise: bool,
    chosen: Vec<ScoreConfigId>,
}

impl QueueForm {
    fn of(draft: &QueueDraft, rules: &QueueRules) -> Self {
        let minutes = f64::from(rules.reservation_s) / 60.0;
        QueueForm {
            name: Field::holding(&draft.name),
            description: Field::holding(draft.description.as_deref().unwrap_or_default()),
            rubric: Field::holding(&rules.rubric),
            raters: Field::holding(&rules.raters.to_string()),
            reservation: Field::holding(&crate::format::trimmed(minutes, 2)),
            configs: Field::default(),
            is_blind: rules.is_blind,
            is_pairwise: rules.is_pairwise,
            chosen: draft.score_configs.clone(),
        }
    }

    fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        QueueForm {
            name: field("name"),
            description: field("description"),
            rubric: field("rubric"),
            raters: field("raters"),
            reservation: field("reservation"),
            configs: Field::default(),
            is_blind: pairs.get("blind") == Some("1"),
            is_pairwise: pairs.get("pairwise") == Some("1"),
            chosen: pairs
                .all("config")
                .filter_map(|id| id.parse().ok())
                .collect(),
        }
    }

    fn draft(&self) -> Result<(QueueDraft, QueueRules), Fault> {
        let wrong = |name: &str, words: &str| Fault::invalid(words).on_field(name);
        let raters: Result<u32, _> = self.raters.value.parse();
        let raters = raters.map_err(|_| wrong("raters", "must be 1 to 20"))?;
        let minutes: Option<f64> = self.reservation.value.parse().ok();
        let minutes = minutes.filter(|minutes| (0.5..=1_440.0).contains(minutes));
        let minutes = minutes
            .ok_or_else(|| wrong("reservation", "must be between half a minute and a day"))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "minutes of a day at most"
        )]
        let reservation_s = (minutes * 60.0).round() as u32;
        let description = &self.description.value;
        let draft = QueueDraft {
            name: self.name.value.clone(),
            description: (!description.is_empty()).then(|| description.clone()),
            score_configs: self.chosen.clone(),
        };
        let rules = QueueRules {
            rubric: self.rubric.value.clone(),
            raters,
            reservation_s,
            is_blind: self.is_blind,
            is_pairwise: self.is_pairwise,
            archived_at: None,
        };
        Ok((draft, rules))
    }

    fn with_fault(mut self, fault: &Fault) -> Self {
        self.name = self.name.with_fault("name", fault);
        self.description = self.description.with_fault("description", fault);
        self.rubric = self.rubric.with_fault("rubric", fault);
        self.raters = self.raters.with_fault("raters", fault);
        self.reservation = self.reservation.with_fault("reservation", fault);
        self.configs = self.configs.with_fault("scoreConfigIds", fault);
        self
    }
}

impl FormPage {
    /// Of a form; `queue`: the one that it changes.
    pub(crate) fn new(
        reader: &Reader,
        form: QueueForm,
        queue: Option<&Queue>,
        configs: &[ScoreConfig],
    ) -> Self {
        let id = reader.id();
        let shown = configs
            .iter()
            .filter(|config| !config.draft.is_archived || form.chosen.contains(&config.id));
        let boxes = shown.map(|config| ConfigBox {
            id: config.id.to_string(),
            name: config.draft.name.clone(),
            kind: score_kind(config.draft.scale.data_type(), reader.lang()),
            is_on: form.chosen.contains(&config.id),
        });
        let of_queue = |part: &str| match queue {
            Some(queue) if part.is_empty() => urls::queue(id, queue.queue.id),
            Some(queue) => urls::queue_part(id, queue.queue.id, part),
            None => String::new(),
        };
        FormPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Annotation),
            fault: String::new(),
            heading: queue.map_or_else(String::new, |queue| queue.queue.draft.name.clone()),
            list_url: urls::queues(id),
            queue_url: of_queue(""),
            configs_url: urls::score_configs(id),
            configs: boxes.collect(),
            action: match queue {
                Some(_) => of_queue("edit"),
                None => urls::queue_new(id),
            },
            form,
        }
    }

    /// As it opens, for a new queue.
    pub(crate) fn empty(reader: &Reader, configs: &[ScoreConfig]) -> Self {
        let draft = QueueDraft {
            name: String::new(),
            description: None,
            score_configs: Vec::new(),
        };
        let form = QueueForm::of(&draft, &QueueRules::default());
        FormPage::new(reader, form, None, configs)
    }
}

async fn configs(app: &App, entered: &InProject) -> Result<Vec<ScoreConfig>, Fault> {
    let (configs, _) = score_configs::list(app, &entered.scope, (0, MOST)).await?;
    Ok(configs)
}

/// About to make one.
pub(crate) async fn new_queue(State(app): State<App>, entered: InProject) -> Answer {
    let configs = configs(&app, &entered).await?;
    Ok(render(&FormPage::empty(&entered.reader, &configs)))
}

/// Makes it.
pub(crate) async fn create_queue(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::ManageQueues)?;
    let form = QueueForm::posted(&pairs);
    let made = match form.draft() {
        Ok((draft, rules)) => queues::create(&app, &entered.scope, draft, rules).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(queue) => Ok(see_other(&urls::queue(entered.id(), queue.queue.id))),
        Err(fault) => again(&app, &entered, (form, None), fault).await,
    }
}

/// About to change one.
pub(crate) async fn edit_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let queue = queues::show(&app, &entered.scope, queue_id(&params)?).await?;
    let configs = configs(&app, &entered).await?;
    let form = QueueForm::of(&queue.queue.draft, &queue.rules);
    let page = FormPage::new(&entered.reader, form, Some(&queue), &configs);
    Ok(render(&page))
}

/// Changes it.
pub(crate) async fn update_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let queue = queues::show(&app, &entered.scope, queue_id(&params)?).await?;
    entered.scope.require(Permission::ManageQueues)?;
    let mut form = QueueForm::posted(&pairs);
    form.is_pairwise = queue.rules.is_pairwise;
    let id = queue.queue.id;
    let changed = match form.draft() {
        Ok(draft) => queues::update(&app, &entered.scope, id, draft).await,
        Err(fault) => Err(fault),
    };
    match changed {
        Ok(()) => Ok(see_other(&urls::queue(entered.id(), id))),
        Err(fault) => again(&app, &entered, (form, Some(&queue)), fault).await,
    }
}

async fn again(
    app: &App,
    entered: &InProject,
    (form, queue): (QueueForm, Option<&Queue>),
    fault: Fault,
) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let configs = configs(app, entered).await?;
    let form = form.with_fault(&fault);
    let mut page = FormPage::new(&entered.reader, form, queue, &configs);
    page.fault = other_fault(&fault, FIELDS);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
