//! Name of the project, its protected labels and public links, and another project beside it.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::prompt::Labels;
use domain::tenancy::{Description, Permission};
use domain::{Code, Fault};
use http::StatusCode;
use service::{App, auth, projects, prompts, public_links};

use super::tabs;
use crate::extract::{InProject, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Name of the project, and another project.
#[derive(Template)]
#[template(path = "settings/project.html")]
pub(crate) struct ProjectPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_manage: bool,
    pub(crate) may_create: bool,
    pub(crate) project_id: String,
    pub(crate) created: String,
    pub(crate) role: &'static str,
    pub(crate) name: Field,
    pub(crate) new_name: Field,
    pub(crate) fault: String,
    pub(crate) rename_url: String,
    pub(crate) create_url: String,
    /// Whether public traces are shown to anybody; `None` where that is not told.
    pub(crate) public_links: Option<bool>,
    pub(crate) public_links_url: String,
    /// Protected labels, with commas between them.
    pub(crate) protected: Field,
    pub(crate) protected_url: String,
}

impl ProjectPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader) -> Self {
        ProjectPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 0),
            may_manage: reader.may(Permission::ManageProject),
            may_create: reader.may_in_organisation(Permission::ManageProject),
            project_id: reader.id().to_string(),
            created: reader.zone().minute(reader.project.created_at),
            role: reader.role.as_str(),
            name: Field::holding(&reader.project.name),
            new_name: Field::default(),
            fault: String::new(),
            rename_url: urls::project_rename(reader.id()),
            create_url: urls::project_create(reader.id()),
            public_links: None,
            public_links_url: urls::public_links(reader.id()),
            protected: Field::holding("production"),
            protected_url: urls::protected_labels(reader.id()),
        }
    }
}

/// As it opens, with what is set.
async fn page(app: &App, entered: &InProject) -> Result<ProjectPage, Fault> {
    let protected = prompts::protected(app, &entered.scope).await?;
    let protected: Vec<&str> = protected.iter().map(|label| label.as_str()).collect();
    let mut page = ProjectPage::new(&entered.reader);
    page.public_links = Some(public_links::allowed(app, &entered.scope).await?);
    page.protected = Field::holding(&protected.join(", "));
    Ok(page)
}

/// Shows it.
pub(crate) async fn show_project(State(app): State<App>, entered: InProject) -> Answer {
    Ok(render(&page(&app, &entered).await?))
}

/// Protects the labels that are named, and no others.
pub(crate) async fn protect_labels(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let text = pairs.get("labels").unwrap_or_default();
    let apart = |letter: char| letter.is_whitespace() || letter == ',';
    let named: Vec<&str> = text.split(apart).filter(|name| !name.is_empty()).collect();
    let set = match Labels::parse_moved("labels", &named) {
        Ok(labels) => prompts::set_protected(&app, &entered.scope, &labels).await,
        Err(fault) => Err(fault.on_field("labels")),
    };
    match set {
        Ok(_) => Ok(see_other(&urls::settings(entered.id()))),
        Err(fault) => {
            let mut page = page(&app, &entered).await?;
            page.protected = Field::holding(text).with_fault("labels", &fault);
            again(page, fault)
        }
    }
}

/// Has public traces be shown to anybody, or not.
pub(crate) async fn allow_public_links(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let is_allowed = pairs.get("allowed") == Some("yes");
    public_links::allow(&app, &entered.scope, is_allowed).await?;
    Ok(see_other(&urls::settings(entered.id())))
}

/// Renames the project.
pub(crate) async fn rename_project(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let name = pairs.get("name").unwrap_or_default().trim();
    match projects::update(&app, &entered.scope, name, None).await {
        Ok(()) => Ok(see_other(&urls::settings(entered.id()))),
        Err(fault) => {
            let mut page = page(&app, &entered).await?;
            page.name = Field::holding(name).with_fault("name", &fault);
            again(page, fault)
        }
    }
}

/// Makes another project, and goes there.
pub(crate) async fn create_project(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let name = pairs.get("name").unwrap_or_default().trim();
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    match projects::create(&app, &scope, name, Description::default()).await {
        Ok(made) => Ok(see_other(&urls::api_keys(made.project.id))),
        Err(fault) => {
            let mut page = page(&app, &entered).await?;
            page.new_name = Field::holding(name).with_fault("name", &fault);
            again(page, fault)
        }
    }
}

/// The page again with what was wrong, where that can be mended in it.
fn again(mut page: ProjectPage, fault: Fault) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    page.fault = other_fault(&fault, &["name", "labels"]);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
