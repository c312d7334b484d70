//! What a project without traces shows instead of the list: how to send the first one.

use askama::Template;
use domain::filter::Filter;
use domain::page::Limit;
use service::{App, api_keys, traces};

use crate::content::json::Token;
use crate::error::Failure;
use crate::extract::InProject;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::snippet::{SECRET_UNKNOWN, Way, snippet};
use crate::pages::{Answer, render};
use crate::urls;

/// How to send the first trace.
#[derive(Template)]
#[template(path = "traces/first.html")]
pub(crate) struct FirstPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    /// Public part of the newest key; empty where there is none.
    pub(crate) public_key: String,
    /// Where keys are made.
    pub(crate) keys_url: String,
    /// Ways to send.
    pub(crate) ways: Vec<Choice>,
    /// Lines to copy.
    pub(crate) code: Vec<Token>,
    /// Address of the server.
    pub(crate) public_url: String,
    /// Port of OTLP/gRPC; empty when it is off.
    pub(crate) grpc_port: String,
    /// Sends a day of made-up traffic to this project.
    pub(crate) demo: String,
    /// Tells when the first trace is there.
    pub(crate) live_url: String,
    /// The list, once it has one.
    pub(crate) list_url: String,
}

/// Whether the project has no trace at all.
pub(crate) async fn is_empty(app: &App, entered: &InProject) -> Result<bool, Failure> {
    let one = Limit::new(1)?;
    let page = traces::list(app, &entered.scope, &Filter::default(), one, None).await?;
    Ok(page.data.is_empty())
}

/// Shows it.
pub(crate) async fn show_first(
    app: &App,
    entered: &InProject,
    (section, how): (Section, Option<&str>),
) -> Answer {
    let keys = api_keys::list(app, &entered.scope).await?;
    let way = how.and_then(Way::from_name).unwrap_or(Way::Python);
    let id = entered.id();
    let here = match section {
        Section::Overview => urls::overview_home(id),
        _ => urls::traces_home(id),
    };
    let public_url = app.settings().public_url.clone();
    let public_key = keys
        .first()
        .map_or(String::new(), |key| key.public_key.clone());
    Ok(render(&FirstPage {
        grpc_port: app
            .settings()
            .otlp_grpc_port
            .map_or(String::new(), |port| port.to_string()),
        demo: demo(&app.settings().program, &public_url, &public_key),
        shell: Frame::shell(&entered.reader),
        frame: Frame::new(&entered.reader, section),
        public_key,
        keys_url: urls::api_keys(id),
        ways: ways(&here, way),
        code: snippet(way, &public_url, None),
        public_url,
        live_url: urls::traces_live(id),
        list_url: here,
    }))
}

/// What sends a day of made-up traffic.
pub(crate) fn demo(program: &str, url: &str, public_key: &str) -> String {
    let public_key = if public_key.is_empty() {
        "YOUR_PUBLIC_KEY"
    } else {
        public_key
    };
    format!(
        "{program} demo \\\n  --url {url} \\\n  --public-key {public_key} \\\n  \
         --secret-key {SECRET_UNKNOWN}"
    )
}

/// The ways to send, as links of a page.
pub(crate) fn ways(page: &str, current: Way) -> Vec<Choice> {
    Way::ALL
        .into_iter()
        .map(|way| Choice {
            label: way.label().to_owned(),
            url: format!("{page}?how={}", way.name()),
            current: way == current,
        })
        .collect()
}
