//! Why a window was bad: asked by a form or a brush, answered as a part of the page.

use askama::Template;
use axum::extract::State;
use domain::attribution::request::Direction;
use domain::axes::value::{QUALITY, TOKEN};
use domain::{Code, Fault, Timestamp};
use service::App;
use service::attributions::{Answered, Given, Question, answer};

use super::joint::Offer;
use super::query::CorrelationQuery;
use crate::attribution::{About, AttributionView};
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Frame, Shell};
use crate::measure;
use crate::pages::{Answer, render};
use crate::urls;

/// The part beside the lanes.
pub(crate) struct Why {
    /// The form that asks.
    pub(crate) form: WhyForm,
    /// How far it is.
    pub(crate) state: WhyState,
}

/// The form that asks.
pub(crate) struct WhyForm {
    pub(crate) action: String,
    pub(crate) keep: Vec<(&'static str, String)>,
    /// First and last instant, as fields show them.
    pub(crate) from: String,
    pub(crate) to: String,
    /// What may have gone wrong.
    pub(crate) symptoms: Vec<Offer>,
    pub(crate) symptom: String,
    /// Whether less is worse.
    pub(crate) is_down: bool,
    /// The page without a window; empty where there is none.
    pub(crate) clear_url: String,
}

/// How far it is.
pub(crate) enum WhyState {
    /// No window is chosen.
    Unasked,
    /// It will be loaded, by htmx from the one address, without scripts by the other.
    Asked { part_url: String, page_url: String },
    /// It is here.
    Told(Box<AttributionView>),
    /// There is none, and why.
    Failed(String),
}

/// The part alone.
#[derive(Template)]
#[template(path = "correlation/why.html")]
pub(crate) struct WhyPage {
    pub(crate) shell: Shell,
    pub(crate) why: Why,
}

impl Why {
    /// Before a window is chosen: the last sixth of the range is offered.
    pub(crate) fn unasked(reader: &Reader, query: &CorrelationQuery, now: Timestamp) -> Self {
        let (from, to) = query.list.bounds(now);
        let to = to.min(now).max(from);
        let sixth = domain::Nanos((to - from).0 / 6);
        Why {
            form: WhyForm::new(reader, query, (to.minus(sixth), to)),
            state: WhyState::Unasked,
        }
    }

    /// About to be loaded.
    pub(crate) fn asked(
        reader: &Reader,
        query: &CorrelationQuery,
        window: (Timestamp, Timestamp),
    ) -> Self {
        let page = urls::correlation(reader.id(), query);
        Why {
            form: WhyForm::new(reader, query, window),
            state: WhyState::Asked {
                part_url: urls::correlation_why(reader.id(), query),
                page_url: urls::after(&page, &[("explain", "1")]),
            },
        }
    }

    /// Answered now.
    pub(super) async fn explained(
        app: &App,
        entered: &InProject,
        query: &CorrelationQuery,
    ) -> Self {
        let reader = &entered.reader;
        let now = app.clock().now();
        let Some(window) = query.window else {
            return Why::unasked(reader, query, now);
        };
        let found = match question(query, window, now) {
            Ok(question) => answer(app, &entered.scope, question).await,
            Err(fault) => Err(fault),
        };
        Why {
            form: WhyForm::new(reader, query, window),
            state: match found {
                Ok(answered) => WhyState::told(reader, &answered, window),
                Err(fault) => WhyState::Failed(words(reader, &fault)),
            },
        }
    }
}

impl WhyState {
    fn told(reader: &Reader, answered: &Answered, window: (Timestamp, Timestamp)) -> Self {
        let symptom = answered.question.value.to_string();
        let about = About {
            project: reader.id(),
            symptom: &symptom,
            window,
            took_ms: u64::try_from(answered.took.as_millis()).ok(),
        };
        let view = AttributionView::new(
            &answered.attribution,
            &about,
            (reader.lang(), reader.zone()),
        );
        WhyState::Told(Box::new(view))
    }
}

impl WhyForm {
    fn new(reader: &Reader, query: &CorrelationQuery, (from, to): (Timestamp, Timestamp)) -> Self {
        let (id, zone, lang) = (reader.id(), reader.zone(), reader.lang());
        let names = TOKEN.iter().map(|(name, _)| *name);
        let names = names.filter(|name| measure::unit(name) == measure::Unit::Ms);
        let names = names.chain(QUALITY.iter().map(|(name, _)| *name));
        let names = names.chain(["errors", "cost"]);
        let mut symptoms: Vec<Offer> = names
            .map(|name| Offer {
                value: name.to_owned(),
                label: measure::name(name, lang),
            })
            .collect();
        let symptom = query.symptom.0.to_string();
        if !symptoms.iter().any(|offer| offer.value == symptom) {
            symptoms.push(Offer {
                value: symptom.clone(),
                label: measure::name(&symptom, lang),
            });
        }
        let cleared = query.changed(|query| query.window = None);
        WhyForm {
            action: urls::correlation_home(id),
            keep: query.keep(&["wf", "wt", "symptom", "worse"]),
            from: zone.to_input(from),
            to: zone.to_input(to),
            symptoms,
            symptom,
            is_down: query.symptom.1 == Direction::Down,
            clear_url: match query.window {
                Some(_) => urls::correlation(id, &cleared),
                None => String::new(),
            },
        }
    }
}

/// Shows the part alone.
pub(crate) async fn explain_window(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let query = CorrelationQuery::read(&pairs, entered.reader.zone())?.query;
    let why = Why::explained(&app, &entered, &query).await;
    Ok(render(&WhyPage {
        shell: Frame::shell(&entered.reader),
        why,
    }))
}

fn question(
    query: &CorrelationQuery,
    (from, to): (Timestamp, Timestamp),
    now: Timestamp,
) -> Result<Question, Fault> {
    let mut filter = query.filter(now);
    (filter.from, filter.to) = (None, None);
    Question::new(Given {
        from: Some(from),
        to: Some(to),
        series: Some(query.symptom.0.to_string()),
        direction: Some(query.symptom.1.as_str().to_owned()),
        filter,
        ..Given::default()
    })
}

/// Why there is no answer: too little is known is told in the reader's language, what else went wrong as it is told.
fn words(reader: &Reader, fault: &Fault) -> String {
    let lang = reader.lang();
    match fault.code {
        Code::Unprocessable => lang
            .t("Too few requests with a value of it: 30 are needed in the window, and 30 in the hour before. Choose a longer window, or fewer filters.")
            .to_owned(),
        Code::Timeout => lang
            .t("It took longer than ten seconds. Choose a shorter window.")
            .to_owned(),
        _ => fault.message.clone(),
    }
}
