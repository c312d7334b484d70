//! Saved views: in the head of the list, saved, deleted.

use axum::extract::{RawPathParams, State};
use domain::saved_view::{SavedView, SavedViewDraft, default_for};
use domain::tenancy::Permission;
use domain::{PersonId, SavedViewId};
use service::{App, saved_views};

use super::list::{ListView, usual_views};
use super::query::{ListQuery, NO_VIEW};
use super::segment;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::layout::Choice;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// The form that saves the state of the list.
pub(crate) struct SaveForm {
    /// Where it goes.
    pub(crate) action: String,
    /// The state, as the query of an address.
    pub(crate) query: String,
    /// Name of the view in force, where it is the reader's own.
    pub(crate) name: String,
    /// Whether that is shared.
    pub(crate) is_shared: bool,
    /// Whether the list opens with it.
    pub(crate) is_default: bool,
    /// Deletes it; empty where there is none to delete.
    pub(crate) delete_url: String,
    /// Whether the reader may share views.
    pub(crate) may_share: bool,
}

impl SaveForm {
    pub(super) fn new(reader: &Reader, query: &ListQuery) -> Self {
        SaveForm {
            action: urls::saved_views(reader.id()),
            query: state_of(query),
            name: String::new(),
            is_shared: false,
            is_default: false,
            delete_url: String::new(),
            may_share: reader.may(Permission::ShareViews),
        }
    }
}

/// What of a state is saved: not the page, nor what is watched, nor which view it was.
fn state_of(query: &ListQuery) -> String {
    let saved = query.changed(|query| {
        query.live = false;
        query.view = None;
        query.facets = None;
    });
    saved.to_query()
}

impl ListView {
    /// Puts the views of the reader into the head.
    pub(crate) fn show_views(&mut self, reader: &Reader, query: &ListQuery, views: &[SavedView]) {
        let (id, me) = (reader.id(), reader.visitor.person.id);
        self.views = usual_views(id, query, reader.lang());
        if let (Some(all), Some(_)) = (self.views.first_mut(), default_for(views, me)) {
            let whole = ListQuery {
                range: query.range,
                view: Some(NO_VIEW.to_owned()),
                ..ListQuery::default()
            };
            all.url = urls::traces(id, &whole);
        }
        let is_current = |view: &SavedView| query.view.as_deref() == Some(&view.id.to_string());
        self.views.extend(views.iter().map(|view| Choice {
            label: view.draft.name.clone(),
            url: urls::saved_view(id, view),
            current: is_current(view),
        }));
        let Some(view) = views.iter().find(|view| is_current(view)) else {
            return;
        };
        if view.owner == me {
            self.save.name = view.draft.name.clone();
            self.save.is_shared = view.draft.is_shared;
            self.save.is_default = view.draft.is_default;
        }
        if may_delete(reader, view, me) {
            self.save.delete_url = urls::saved_view_delete(id, view.id);
        }
    }
}

fn may_delete(reader: &Reader, view: &SavedView, me: PersonId) -> bool {
    view.owner == me || (view.draft.is_shared && reader.may(Permission::ManageProject))
}

/// Saves the state that the form holds, and shows it.
pub(crate) async fn save_view(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let given = Pairs::parse(pairs.get("query").unwrap_or_default().as_bytes());
    let query = ListQuery::read(&given, entered.reader.zone())?.query;
    let draft = SavedViewDraft {
        name: pairs.get("name").unwrap_or_default().trim().to_owned(),
        query: state_of(&query),
        is_shared: pairs.get("shared").is_some(),
        is_default: pairs.get("default").is_some(),
    };
    let view = saved_views::save(&app, &entered.scope, draft).await?;
    Ok(see_other(&urls::saved_view(entered.id(), &view)))
}

/// Deletes a view, and goes to the list.
pub(crate) async fn delete_view(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id: Option<SavedViewId> = segment(&params, "view").and_then(|id| id.parse().ok());
    saved_views::delete(&app, &entered.scope, id.ok_or_else(no_such_page)?).await?;
    Ok(see_other(&urls::traces_home(entered.id())))
}
