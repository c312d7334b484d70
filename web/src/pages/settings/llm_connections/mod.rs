//! Connections to providers of models: set, tried, changed, deleted.

/// What a person enters as a connection.
mod form;

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::llm_connection::{Adapter, LlmConnection};
use domain::tenancy::Permission;
use domain::{Code, Fault, LlmConnectionId};
use http::StatusCode;
use service::completions::{self, Outcome};
use service::{App, llm_connections};

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::other_fault;
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

use form::{ConnectionForm, FIELDS};

/// Connections that are shown: all that a project may have.
const MOST: u32 = 100;

/// Connections.
#[derive(Template)]
#[template(path = "settings/llm_connections.html")]
pub(crate) struct LlmConnectionsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    /// What a test found; empty when nobody asked.
    pub(crate) found: String,
    /// And what was wrong.
    pub(crate) found_error: String,
    pub(crate) rows: Vec<ConnectionRow>,
    pub(crate) form: ConnectionForm,
    /// Interfaces to choose from, in words.
    pub(crate) adapters: Vec<(&'static str, &'static str)>,
    pub(crate) save_url: String,
    pub(crate) is_change: bool,
    pub(crate) list_url: String,
    pub(crate) playground_url: String,
}

/// A connection.
pub(crate) struct ConnectionRow {
    pub(crate) name: String,
    pub(crate) adapter: &'static str,
    /// Where it leads, where that is not the usual place.
    pub(crate) address: String,
    /// The end of its credential.
    pub(crate) hint: String,
    /// Its models in a line.
    pub(crate) models: String,
    pub(crate) is_served: bool,
    pub(crate) edit_url: String,
    pub(crate) test_url: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

impl LlmConnectionsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, connections: &[LlmConnection]) -> Self {
        let id = reader.id();
        let adapters = Adapter::ALL.iter();
        LlmConnectionsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 8),
            may_set: reader.may(Permission::ManageConnections),
            fault: String::new(),
            found: String::new(),
            found_error: String::new(),
            rows: connections
                .iter()
                .map(|connection| ConnectionRow::new(reader, connection))
                .collect(),
            form: ConnectionForm::empty(),
            adapters: adapters
                .map(|adapter| (adapter.as_str(), in_words(*adapter)))
                .collect(),
            save_url: urls::llm_connections(id),
            is_change: false,
            list_url: urls::llm_connections(id),
            playground_url: urls::playground(id),
        }
    }

    /// With a connection in the form, to be changed.
    #[must_use]
    pub(crate) fn changing(mut self, reader: &Reader, connection: &LlmConnection) -> Self {
        self.form = ConnectionForm::of(connection);
        self.save_url = urls::llm_connection(reader.id(), connection.id);
        self.is_change = true;
        self
    }

    /// With what a test found.
    #[must_use]
    pub(crate) fn tested(
        mut self,
        lang: Lang,
        (name, model): (&str, &str),
        found: &Result<Outcome, String>,
    ) -> Self {
        match found {
            Ok(outcome) => {
                let latency = format::nanos(outcome.span.latency()).text;
                self.found = lang.fill("{}: {} answered in {}.", &[name, model, &latency]);
            }
            Err(why) => {
                self.found = lang.fill("{}: {} did not answer.", &[name, model]);
                self.found_error = why.clone();
            }
        }
        self
    }

    /// With why something was refused, where none of the fields says so.
    fn refused(mut self, fault: Fault) -> Answer {
        if !matches!(
            fault.code,
            Code::Invalid | Code::Conflict | Code::Unprocessable
        ) {
            return Err(fault.into());
        }
        self.fault = other_fault(&fault, FIELDS);
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response())
    }
}

impl ConnectionRow {
    fn new(reader: &Reader, connection: &LlmConnection) -> Self {
        let id = reader.id();
        ConnectionRow {
            name: connection.provider.clone(),
            adapter: in_words(connection.adapter),
            address: connection.base_url.clone().unwrap_or_default(),
            hint: format!("…{}", connection.secret_hint),
            models: connection.custom_models.join(", "),
            is_served: completions::is_served(connection.adapter),
            edit_url: urls::llm_connection_edit(id, connection.id),
            test_url: urls::llm_connection_test(id, connection.id),
            delete_url: urls::llm_connection_delete(id, connection.id),
            dialog: format!("delete-{}", connection.id),
        }
    }
}

/// An interface by the name that people know.
fn in_words(adapter: Adapter) -> &'static str {
    match adapter {
        Adapter::Anthropic => "Anthropic",
        Adapter::OpenAi => "OpenAI",
        Adapter::Azure => "Azure OpenAI",
        Adapter::Bedrock => "Amazon Bedrock",
        Adapter::VertexAi => "Google Vertex AI",
        Adapter::AiStudio => "Google AI Studio",
    }
}

async fn all(app: &App, entered: &InProject) -> Result<Vec<LlmConnection>, Fault> {
    Ok(llm_connections::list(app, &entered.scope, (0, MOST))
        .await?
        .0)
}

/// Shows them. `?connection=` changes one.
pub(crate) async fn list_llm_connections(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let all = all(&app, &entered).await?;
    let mut page = LlmConnectionsPage::new(&entered.reader, &all);
    if let Some(id) = pairs.get("connection").and_then(|id| id.parse().ok()) {
        let connection = all.iter().find(|connection| connection.id == id);
        page = page.changing(&entered.reader, connection.ok_or_else(no_such_page)?);
    }
    Ok(render(&page))
}

/// Sets a new one.
pub(crate) async fn create_llm_connection(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = ConnectionForm::posted(&pairs);
    let Err(fault) = create(&app, &entered, (&form, &pairs)).await else {
        return Ok(see_other(&urls::llm_connections(entered.id())));
    };
    let mut page = LlmConnectionsPage::new(&entered.reader, &all(&app, &entered).await?);
    page.form = form.with_fault(&fault);
    page.refused(fault)
}

async fn create(
    app: &App,
    entered: &InProject,
    (form, pairs): (&ConnectionForm, &Pairs),
) -> Result<(), Fault> {
    let draft = form.draft(pairs)?;
    entered.scope.require(Permission::ManageConnections)?;
    if llm_connections::is_known(app, &entered.scope, &draft.provider).await? {
        let message = "there is a connection of this name: change that one";
        return Err(Fault::new(Code::Conflict, message).on_field("provider"));
    }
    llm_connections::set(app, &entered.scope, draft).await?;
    Ok(())
}

/// Changes one.
pub(crate) async fn update_llm_connection(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = connection_in(&params)?;
    let form = ConnectionForm::posted(&pairs);
    let changed = match form.change(&pairs) {
        Ok(change) => llm_connections::change(&app, &entered.scope, id, change).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = changed else {
        return Ok(see_other(&urls::llm_connections(entered.id())));
    };
    let all = all(&app, &entered).await?;
    let connection = all.iter().find(|connection| connection.id == id);
    let connection = connection.ok_or_else(no_such_page)?;
    let page = LlmConnectionsPage::new(&entered.reader, &all);
    let mut page = page.changing(&entered.reader, connection);
    page.form = form.with_fault(&fault);
    page.refused(fault)
}

/// Asks one for a word.
pub(crate) async fn test_llm_connection(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = connection_in(&params)?;
    entered.scope.require(Permission::RunModels)?;
    let connection = llm_connections::found(&app, &entered.scope, id).await?;
    let model = completions::offered(&connection).into_iter().next();
    let model = model.unwrap_or_default();
    let found = match model.is_empty() {
        true => Err("name a model of the connection first".to_owned()),
        false => completions::try_out(&app, &entered.scope, (id, &model)).await?,
    };
    let page = LlmConnectionsPage::new(&entered.reader, &all(&app, &entered).await?);
    let named = (connection.provider.as_str(), model.as_str());
    Ok(render(&page.tested(entered.reader.lang(), named, &found)))
}

/// Deletes one.
pub(crate) async fn delete_llm_connection(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    llm_connections::delete(&app, &entered.scope, connection_in(&params)?).await?;
    Ok(see_other(&urls::llm_connections(entered.id())))
}

fn connection_in(params: &RawPathParams) -> Result<LlmConnectionId, Fault> {
    segment(params, "connection")
        .and_then(|id| id.parse().ok())
        .ok_or_else(no_such_page)
}
