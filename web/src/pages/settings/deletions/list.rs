//! Users who are forgotten and who were, with the forms.

use askama::Template;
use axum::extract::State;
use domain::deletion::{Counts, Deletion, DeletionSettings, DeletionState, SharedTraces};
use domain::legal_hold::LegalHold;
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use service::deletions::{self, holds};
use service::{App, Clock};

use super::words;
use crate::extract::{InProject, Pairs, Reader};
use crate::form::Field;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::settings::tabs;
use crate::pages::{Answer, render};
use crate::urls;

/// Deletions that are listed.
const MOST: u32 = 100;

/// The page.
#[derive(Template)]
#[template(path = "settings/deletions.html")]
pub(crate) struct DeletionsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) sees_holds: bool,
    pub(crate) fault: String,
    pub(crate) rows: Vec<DeletionRow>,
    /// What there is of the user that was asked about; `None` before one is.
    pub(crate) preview: Option<Preview>,
    pub(crate) form: DeletionForm,
    pub(crate) holds: Vec<HoldRow>,
    pub(crate) hold: HoldForm,
    pub(crate) takes_whole: bool,
    pub(crate) days: Field,
    pub(crate) action: String,
    pub(crate) settings_url: String,
    pub(crate) holds_url: String,
}

/// A deletion.
pub(crate) struct DeletionRow {
    pub(crate) hash: String,
    pub(crate) url: String,
    pub(crate) state: &'static str,
    pub(crate) has_failed: bool,
    pub(crate) requested: String,
    pub(crate) verified: String,
    pub(crate) by: String,
}

/// What there is of a user.
pub(crate) struct Preview {
    pub(crate) user: String,
    pub(crate) counts: Vec<(String, String)>,
}

/// Who is to be forgotten.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeletionForm {
    pub(crate) user: Field,
    pub(crate) typed: Field,
}

/// A legal hold.
pub(crate) struct HoldRow {
    pub(crate) user: String,
    pub(crate) reason: String,
    pub(crate) set: String,
    pub(crate) lift_url: String,
}

/// Who is to be held.
#[derive(Clone, Debug, Default)]
pub(crate) struct HoldForm {
    pub(crate) user: Field,
    pub(crate) reason: Field,
}

/// All that was read for the page.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) deletions: Vec<Deletion>,
    pub(crate) holds: Vec<LegalHold>,
    pub(crate) settings: DeletionSettings,
    /// The user that was asked about, with what there is.
    pub(crate) preview: Option<(String, Counts)>,
}

impl DeletionsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, told: &Told, now: Timestamp) -> Self {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let hold = |hold: &LegalHold| HoldRow {
            user: hold.user_id.clone(),
            reason: hold.reason.clone(),
            set: zone.date_time(hold.created_at, now),
            lift_url: urls::legal_hold_lift(id, hold.id),
        };
        let asked = told.preview.as_ref();
        DeletionsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 9),
            may_set: reader.may(Permission::ManageProject),
            sees_holds: reader.may(Permission::ReadLegalHolds),
            fault: String::new(),
            rows: told
                .deletions
                .iter()
                .map(|deletion| DeletionRow::new(reader, deletion, now))
                .collect(),
            preview: asked.map(|(user, counts)| Preview {
                user: user.clone(),
                counts: words::counts(lang, counts),
            }),
            form: DeletionForm {
                user: Field::holding(asked.map_or("", |(user, _)| user)),
                typed: Field::default(),
            },
            holds: told.holds.iter().map(hold).collect(),
            hold: HoldForm::default(),
            takes_whole: told.settings.shared_traces == SharedTraces::Whole,
            days: Field::holding(&told.settings.tombstone_days.to_string()),
            action: urls::deletions(id),
            settings_url: urls::deletion_settings(id),
            holds_url: urls::legal_holds(id),
        }
    }
}

impl DeletionRow {
    pub(super) fn new(reader: &Reader, deletion: &Deletion, now: Timestamp) -> Self {
        let (lang, zone) = (reader.lang(), reader.zone());
        let hash = deletion.subject.0.iter().take(6);
        DeletionRow {
            hash: hash.map(|byte| format!("{byte:02x}")).collect(),
            url: urls::deletion(reader.id(), deletion.id),
            state: lang.t(words::state(deletion.state)),
            has_failed: deletion.state == DeletionState::Failed,
            requested: zone.date_time(deletion.requested_at, now),
            verified: deletion
                .verified_at
                .map_or_else(String::new, |at| zone.date_time(at, now)),
            by: deletion.requested_by.clone(),
        }
    }
}

/// The page with what there is of a user, where one is asked about.
pub(super) async fn page(
    app: &App,
    entered: &InProject,
    user: Option<&str>,
) -> Result<DeletionsPage, Fault> {
    let (scope, now) = (&entered.scope, Clock.now());
    let mut told = Told {
        deletions: deletions::list(app, scope, (None, None), MOST).await?,
        settings: deletions::settings(app, scope).await?,
        ..Told::default()
    };
    if entered.reader.may(Permission::ReadLegalHolds) {
        told.holds = holds::list(app, scope).await?;
    }
    let user = user.filter(|_| entered.reader.may(Permission::ManageProject));
    if let Some(user) = user {
        let counts = deletions::preview(app, scope, user).await?;
        told.preview = Some((user.to_owned(), counts));
    }
    Ok(DeletionsPage::new(&entered.reader, &told, now))
}

/// Shows them.
pub(crate) async fn list_deletions(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let user = pairs.get("user").filter(|user| !user.is_empty());
    Ok(render(&page(&app, &entered, user).await?))
}
