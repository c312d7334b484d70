//! Who did what and who saw what, in the project and in its organisation; verified and taken along.

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::IntoResponse;
use domain::audit::{Entry, Reason, Verdict};
use domain::tenancy::{Permission, Person};
use domain::{Fault, Timestamp};
use futures_util::stream;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::audit::{self, Export, Filter, Log};
use service::{App, auth, comments};

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// Entries of a page.
const MOST: u32 = 100;
/// Name of the organisation's log in addresses.
const ORGANISATION: &str = "organisation";
/// The place among the pages of settings.
const TAB: usize = 12;

/// The page.
#[derive(Template)]
#[template(path = "settings/audit_log.html")]
pub(crate) struct AuditLogPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) fault: String,
    /// The project's log and the organisation's, for whoever may read both.
    pub(crate) logs: Vec<Choice>,
    pub(crate) of: String,
    pub(crate) actor: String,
    pub(crate) action: String,
    pub(crate) object: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) is_narrowed: bool,
    pub(crate) rows: Vec<EntryRow>,
    pub(crate) older_url: String,
    pub(crate) action_url: String,
    pub(crate) export_url: String,
    pub(crate) verify_url: String,
    pub(crate) verdict: Option<VerdictView>,
}

/// An entry.
pub(crate) struct EntryRow {
    pub(crate) number: u64,
    pub(crate) at: String,
    pub(crate) exact: String,
    pub(crate) actor: String,
    pub(crate) actor_id: String,
    pub(crate) action: String,
    pub(crate) object: String,
    pub(crate) change: String,
    pub(crate) is_blanked: bool,
}

/// What a verification came to.
pub(crate) struct VerdictView {
    pub(crate) holds: bool,
    pub(crate) words: &'static str,
    pub(crate) entry: String,
    pub(crate) entries: u64,
    pub(crate) blanked: u64,
    pub(crate) cut: u64,
    pub(crate) hash: String,
}

/// What was asked for.
struct Asked<'a> {
    of: &'a str,
    pairs: &'a Pairs,
}

impl Asked<'_> {
    fn text(&self, name: &str) -> &str {
        self.pairs.filled(name).unwrap_or_default()
    }

    fn time(&self, reader: &Reader, name: &str) -> Option<Timestamp> {
        reader.zone().read_input(self.text(name))
    }
}

impl VerdictView {
    fn new(lang: Lang, verdict: &Verdict) -> Self {
        let hash = verdict.head.hash.iter();
        VerdictView {
            holds: verdict.broken.is_none(),
            words: lang.t(match verdict.broken.map(|broken| broken.reason) {
                None => text!("The log holds from its first entry to its last."),
                Some(Reason::Changed) => text!("An entry was changed."),
                Some(Reason::Missing) => text!("An entry is missing."),
                Some(Reason::Unlinked) => text!("An entry does not follow from the one before it."),
                Some(Reason::BlankedUnsaid) => text!("Details were blanked, and no entry says so."),
                Some(Reason::Cut) => text!("Entries at the end are gone."),
                Some(Reason::Rewritten) => text!("The log is another one than it was."),
            }),
            entry: verdict
                .broken
                .map_or_else(String::new, |broken| broken.entry.to_string()),
            entries: verdict.head.entries,
            blanked: verdict.blanked,
            cut: verdict.cut,
            hash: hash.map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

impl EntryRow {
    fn new(reader: &Reader, entry: Entry, (people, now): (&[Person], Timestamp)) -> Self {
        let id = entry.actor.strip_prefix("person:").unwrap_or_default();
        let person = people.iter().find(|person| person.id.to_string() == id);
        let said = |json: &str| {
            if json == "null" {
                String::new()
            } else {
                json.to_owned()
            }
        };
        let (before, after) = (said(&entry.details.before), said(&entry.details.after));
        EntryRow {
            number: entry.number,
            at: reader.zone().date_time(entry.at, now),
            exact: reader.zone().exact(entry.at),
            actor: person.map_or_else(|| entry.actor.clone(), |person| person.email.clone()),
            actor_id: entry.actor,
            action: entry.action,
            object: entry.details.object,
            change: match before.is_empty() {
                true => after,
                false => format!("{before} → {after}"),
            },
            is_blanked: entry.salt.is_none(),
        }
    }
}

impl AuditLogPage {
    fn new(reader: &Reader, asked: &Asked<'_>, rows: Vec<EntryRow>) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let log = |of: &str, label: &str| Choice {
            label: label.to_owned(),
            url: urls::audit_log_with(id, &[("of", of)]),
            current: of == asked.of,
        };
        let names = ["actor", "action", "object", "from", "to"];
        let goes_on = rows.len() > MOST as usize;
        let mut rows = rows;
        rows.truncate(MOST as usize);
        let last = rows
            .last()
            .filter(|_| goes_on)
            .map(|row| row.number.to_string());
        let older = last.map(|last| {
            let mut pairs: Vec<_> = names.iter().map(|name| (*name, asked.text(name))).collect();
            pairs.retain(|(_, value)| !value.is_empty());
            pairs.extend([("of", asked.of), ("before", last.as_str())]);
            urls::audit_log_with(id, &pairs)
        });
        let text = |name: &str| asked.text(name).to_owned();
        AuditLogPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, TAB),
            fault: String::new(),
            logs: match reader.may_in_organisation(Permission::ReadAuditLog) {
                true => vec![
                    log("project", lang.t("Project")),
                    log(ORGANISATION, lang.t("Organisation")),
                ],
                false => vec![],
            },
            of: asked.of.to_owned(),
            actor: text("actor"),
            action: text("action"),
            object: text("object"),
            from: text("from"),
            to: text("to"),
            is_narrowed: names.iter().any(|name| !asked.text(name).is_empty()),
            rows,
            older_url: older.unwrap_or_default(),
            action_url: urls::audit_log(id),
            export_url: urls::audit_log_export(id, asked.of),
            verify_url: urls::audit_log_verify(id),
            verdict: None,
        }
    }
}

/// The log that is meant.
async fn log_of(app: &App, entered: &InProject, of: &str) -> Result<Log, Fault> {
    if of != ORGANISATION {
        return Log::of_project(&entered.scope);
    }
    let organisation = auth::enter_organisation(app, &entered.scope).await?;
    Log::of_organisation(&organisation)
}

fn of(pairs: &Pairs) -> &'static str {
    match pairs.get("of") {
        Some(ORGANISATION) => ORGANISATION,
        _ => "project",
    }
}

async fn page(app: &App, entered: &InProject, pairs: &Pairs) -> Result<(AuditLogPage, Log), Fault> {
    let (reader, of) = (&entered.reader, of(pairs));
    let log = log_of(app, entered, of).await?;
    let asked = Asked { of, pairs };
    let people = comments::people(app, &entered.scope).await?;
    let named = people
        .iter()
        .find(|person| person.email == asked.text("actor"));
    let actor = match named {
        Some(person) => format!("person:{}", person.id),
        None => asked.text("actor").to_owned(),
    };
    let filter = Filter {
        actor: Some(actor.as_str()).filter(|text| !text.is_empty()),
        action: pairs.filled("action"),
        object: pairs.filled("object"),
        from: asked.time(reader, "from"),
        to: asked.time(reader, "to"),
        before: pairs
            .filled("before")
            .and_then(|before| before.parse().ok()),
    };
    let now = app.clock().now();
    let entries = audit::list(app, &log, &filter, MOST + 1).await?;
    let rows = entries
        .into_iter()
        .map(|entry| EntryRow::new(reader, entry, (people.as_slice(), now)))
        .collect();
    Ok((AuditLogPage::new(reader, &asked, rows), log))
}

/// Shows it.
pub(crate) async fn list_audit_log(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    Ok(render(&page(&app, &entered, &pairs).await?.0))
}

/// Reads the whole chain and says whether it holds.
pub(crate) async fn verify_audit_log(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let (mut page, log) = page(&app, &entered, &pairs).await?;
    let verdict = audit::verify(&app, &log, None).await?;
    page.verdict = Some(VerdictView::new(entered.reader.lang(), &verdict));
    Ok(render(&page))
}

/// Gives the whole of it as a file: one that breaks off ends without its last piece, which clients tell from a whole one.
pub(crate) async fn export_audit_log(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let log = log_of(&app, &entered, of(&pairs)).await?;
    let export = audit::export(&app, &log).await?;
    let pieces = stream::try_unfold(export, async |mut export: Export| {
        let lines = export.next().await?;
        Ok::<_, Fault>(lines.map(|lines| (Bytes::from(lines), export)))
    });
    let headers = [
        (CONTENT_TYPE, "application/jsonl"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"audit-log.jsonl\"",
        ),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}
