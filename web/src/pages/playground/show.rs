//! The page as it opens: empty, with versions of a prompt, or with a recorded step.

use askama::Template;
use axum::extract::State;
use domain::llm_connection::LlmConnection;
use domain::prompt::{Label, PromptName, Selector};
use domain::tenancy::Permission;
use domain::{Fault, Span};
use service::completions::{self, NAMED_PARAMETERS};
use service::prompts::{self, References};
use service::{App, llm_connections};

use super::MOST_WINDOWS;
use super::step::{self, StepView};
use super::values::names;
use super::window::{Entry, ROLES, Window};
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, no_such_page, render};
use crate::urls;

/// Connections to choose from: all that a project may have.
const MOST_CONNECTIONS: u32 = 100;

/// The page.
#[derive(Template)]
#[template(path = "playground/show.html")]
pub(crate) struct PlaygroundPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) may_run: bool,
    /// Whether prompts and datasets may be changed.
    pub(crate) may_save: bool,
    pub(crate) run_url: String,
    pub(crate) prompt_url: String,
    pub(crate) dataset_url: String,
    pub(crate) connections_url: String,
    pub(crate) most_windows: usize,
    /// Models of each connection: its id, their names.
    pub(crate) models: Vec<(String, Vec<String>)>,
    /// The recorded step that is repeated.
    pub(crate) step: Option<StepView>,
    pub(crate) windows: Vec<WindowView>,
    pub(crate) variables: Vec<String>,
    pub(crate) placeholders: Vec<String>,
}

/// A window.
pub(crate) struct WindowView {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// What it was opened with, in words; empty: nothing.
    pub(crate) title: String,
    /// Connections: id, name, whether it is chosen.
    pub(crate) connections: Vec<(String, String, bool)>,
    /// The connection that is chosen.
    pub(crate) connection: String,
    pub(crate) model: String,
    pub(crate) messages: Vec<MessageView>,
    /// Parameters: name, value.
    pub(crate) named: Vec<(&'static str, String)>,
    pub(crate) more: String,
    pub(crate) tools: String,
    pub(crate) schema: String,
    pub(crate) prompt: String,
    pub(crate) version: String,
}

/// A message of a window.
pub(crate) struct MessageView {
    pub(crate) roles: Vec<(String, bool)>,
    pub(crate) is_parts: bool,
    pub(crate) content: String,
}

impl PlaygroundPage {
    /// Of windows, the connections of the project and a step.
    pub(crate) fn new(
        reader: &Reader,
        connections: &[LlmConnection],
        (mut windows, step): (Vec<Window>, Option<StepView>),
    ) -> Self {
        let id = reader.id();
        let served: Vec<&LlmConnection> = connections
            .iter()
            .filter(|connection| completions::is_served(connection.adapter))
            .collect();
        windows.truncate(MOST_WINDOWS);
        if windows.is_empty() {
            windows.push(Window::default());
        }
        let (variables, placeholders) = names(&windows);
        let numbered = windows.into_iter().enumerate();
        PlaygroundPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Playground),
            may_run: reader.may(Permission::RunModels),
            may_save: reader.may(Permission::ChangePrompts)
                && reader.may(Permission::ChangeDatasets),
            run_url: urls::playground_run(id),
            prompt_url: urls::playground_to_prompt(id),
            dataset_url: urls::playground_to_dataset(id),
            connections_url: urls::llm_connections(id),
            most_windows: MOST_WINDOWS,
            models: served
                .iter()
                .map(|connection| (connection.id.to_string(), completions::offered(connection)))
                .collect(),
            step,
            windows: numbered
                .map(|(at, window)| WindowView::new(at + 1, window, &served))
                .collect(),
            variables: variables.into_iter().collect(),
            placeholders: placeholders.into_iter().collect(),
        }
    }

    /// Whether there is nothing that could be asked.
    pub(crate) fn is_unconnected(&self) -> bool {
        self.models.is_empty()
    }

    /// For samples: a recorded step as it opens.
    pub(crate) fn of_step(reader: &Reader, connections: &[LlmConnection], span: &Span) -> Self {
        let (windows, obstacle) = match step::window(span, reader.lang()) {
            Ok(window) => (vec![window], String::new()),
            Err(obstacle) => (Vec::new(), obstacle),
        };
        let step = StepView::new(reader, span, &obstacle);
        let windows = windows.into_iter();
        let windows = windows
            .map(|window| with_likely(window, connections, span.provider.as_deref()))
            .collect();
        PlaygroundPage::new(reader, connections, (windows, Some(step)))
    }
}

impl WindowView {
    fn new(number: usize, window: Window, connections: &[&LlmConnection]) -> Self {
        let mut messages = window.messages;
        // There is always a place for one more.
        if messages.last().is_none_or(|last| !last.content.is_empty()) {
            let role = if messages.is_empty() {
                ROLES[0]
            } else {
                ROLES[1]
            };
            messages.push(Entry::words(role, ""));
            if messages.len() == 1 {
                messages.push(Entry::words(ROLES[1], ""));
            }
        }
        let connection = match window.connection.is_empty() {
            true => connections.first().map(|first| first.id.to_string()),
            false => Some(window.connection),
        };
        let connection = connection.unwrap_or_default();
        let (prompt, version) = window.prompt;
        WindowView {
            number,
            title: match prompt.is_empty() {
                true => String::new(),
                false => format!("{prompt} {version}"),
            },
            connections: connections
                .iter()
                .map(|one| {
                    let id = one.id.to_string();
                    let is_chosen = id == connection;
                    (id, one.provider.clone(), is_chosen)
                })
                .collect(),
            model: match window.model.is_empty() {
                true => first_model(connections, &connection),
                false => window.model,
            },
            connection,
            messages: messages.into_iter().map(MessageView::from).collect(),
            named: NAMED_PARAMETERS.into_iter().zip(window.named).collect(),
            more: window.more,
            tools: window.tools,
            schema: window.schema,
            prompt,
            version,
        }
    }
}

impl From<Entry> for MessageView {
    fn from(entry: Entry) -> Self {
        let known = ROLES.into_iter();
        let mut roles: Vec<(String, bool)> = known
            .map(|known| (known.to_owned(), known == entry.role))
            .collect();
        if !roles.iter().any(|(_, is_chosen)| *is_chosen) {
            roles.insert(0, (entry.role, true));
        }
        MessageView {
            roles,
            is_parts: entry.is_parts,
            content: entry.content,
        }
    }
}

fn first_model(connections: &[&LlmConnection], id: &str) -> String {
    let mut chosen = connections.iter();
    let chosen = chosen.find(|connection| connection.id.to_string() == id);
    let offered = chosen.map(|connection| completions::offered(connection));
    offered
        .and_then(|all| all.into_iter().next())
        .unwrap_or_default()
}

/// The connection that a window is likely meant for: the one that offers its model, or is called as its
/// provider.
fn with_likely(window: Window, connections: &[LlmConnection], provider: Option<&str>) -> Window {
    let served = || {
        let all = connections.iter();
        all.filter(|connection| completions::is_served(connection.adapter))
    };
    let offers =
        |connection: &&LlmConnection| completions::offered(connection).contains(&window.model);
    let is_called = |connection: &&LlmConnection| {
        provider.is_some_and(|provider| {
            connection.provider.eq_ignore_ascii_case(provider)
                || connection.adapter.as_str().eq_ignore_ascii_case(provider)
        })
    };
    let likely = served().find(offers).or_else(|| served().find(is_called));
    Window {
        connection: likely.map_or_else(String::new, |connection| connection.id.to_string()),
        ..window
    }
}

/// Shows it: with versions of a prompt (`prompt=`, `version=`, which may stand there more than once), or with
/// a step (`trace=`, `span=`).
pub(crate) async fn show_playground(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let place = (0, MOST_CONNECTIONS);
    let (connections, _) = llm_connections::list(&app, &entered.scope, place).await?;
    let reader = &entered.reader;
    if let Some(span) = step::recorded(&app, &entered, &pairs).await? {
        let page = PlaygroundPage::of_step(reader, &connections, &span);
        return Ok(render(&page));
    }
    let windows = of_prompt(&app, &entered, &pairs).await?;
    let windows = windows.into_iter();
    let windows = windows
        .map(|window| with_likely(window, &connections, None))
        .collect();
    Ok(render(&PlaygroundPage::new(
        reader,
        &connections,
        (windows, None),
    )))
}

async fn of_prompt(app: &App, entered: &InProject, pairs: &Pairs) -> Result<Vec<Window>, Fault> {
    let Some(name) = pairs.filled("prompt") else {
        return Ok(Vec::new());
    };
    let name = PromptName::parse(name).map_err(|_| no_such_page())?;
    let versions = pairs
        .all("version")
        .map(str::parse)
        .map(|version| match version {
            Ok(version) => Ok(Selector::Version(version)),
            Err(_) => Err(no_such_page()),
        });
    let mut wanted = versions.take(MOST_WINDOWS).collect::<Result<Vec<_>, _>>()?;
    if wanted.is_empty() {
        wanted.push(Selector::Label(Label::latest()));
    }
    let mut windows = Vec::new();
    for selector in &wanted {
        let scope = &entered.scope;
        let shown = prompts::show(app, scope, &name, selector, References::Resolve).await?;
        windows.push(Window::of_prompt(&shown.prompt));
    }
    Ok(windows)
}
