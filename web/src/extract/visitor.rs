//! A signed-in person, and the project of the path.

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use domain::tenancy::{Membership, Permission, Person, Project, Role};
use domain::{AlertChannelId, ApiKeyId, Fault, PersonId, ProjectId, SignInId};
use http::request::Parts;
use service::auth::oidc::Flow;
use service::auth::{Browser, Proven, Visit};
use service::{
    App, ProjectScope, audit, auth, external_ids, incidents, ingestion, mentions, projects,
};
use tower_sessions::Session;

use super::posted::{csrf_token, save};
use crate::audited::Entered;
use crate::choices::Choices;
use crate::error::Failure;
use crate::i18n::Lang;
use crate::routes::access;
use crate::security::SIGNED_IN_FOR;
use crate::zone::Zone;

const PERSON_KEY: &str = "person";
const SECRET_KEY: &str = "new key";
const FLOW_KEY: &str = "oidc";
const CHANNEL_SECRET_KEY: &str = "new channel";

/// A signed-in person.
pub(crate) struct Visitor {
    /// Who.
    pub(crate) person: Person,
    /// By which sign-in.
    pub(crate) sign_in: SignInId,
    /// How they like to see pages.
    pub(crate) choices: Choices,
    /// Token for the forms of the page.
    pub(crate) csrf: String,
    /// Path and query of the page.
    pub(crate) here: String,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let session = session_of(parts)?;
        let id = session
            .get::<PersonId>(PERSON_KEY)
            .await
            .map_err(store_away)?;
        // A cookie of a session that nobody began, or that is over, does not ask the store twice.
        let (Some(id), Some(session_id)) = (id, session.id()) else {
            return Err(Failure::sign_in_first());
        };
        let visit = auth::visit(app, &session_id.to_string()).await?;
        let Some(Visit { person, sign_in }) = visit.filter(|visit| visit.person.id == id) else {
            return Err(Failure::sign_in_first());
        };
        Ok(Visitor {
            person,
            sign_in,
            choices: Choices::read(&parts.headers, parts.uri.query().unwrap_or_default()),
            csrf: csrf_token(&session).await?,
            here: parts
                .uri
                .path_and_query()
                .map(ToString::to_string)
                .unwrap_or_default(),
        })
    }
}

/// Who reads which project, and as what: all that a view needs to know.
pub(crate) struct Reader {
    /// Who.
    pub(crate) visitor: Visitor,
    /// The project.
    pub(crate) project: Project,
    /// Their role in it.
    pub(crate) role: Role,
    /// Their role in its organisation.
    pub(crate) organisation_role: Role,
    /// All projects that they may enter.
    pub(crate) memberships: Vec<Membership>,
    /// Incidents of the project that go on.
    pub(crate) open_incidents: u64,
    /// Comments that name the person and that they have not followed yet.
    pub(crate) unread_mentions: u64,
    /// Whether what arrives waits because the store takes nothing.
    pub(crate) is_behind: bool,
}

impl Reader {
    /// Id of the project.
    pub(crate) fn id(&self) -> ProjectId {
        self.project.id
    }

    /// Language of the page.
    pub(crate) fn lang(&self) -> Lang {
        self.visitor.choices.lang
    }

    /// Zone of all times on the page.
    pub(crate) fn zone(&self) -> &Zone {
        &self.visitor.choices.zone
    }

    /// Whether they may do that here.
    pub(crate) fn may(&self, permission: Permission) -> bool {
        self.role.may(permission)
    }

    /// Whether they may do that in the organisation.
    pub(crate) fn may_in_organisation(&self, permission: Permission) -> bool {
        self.organisation_role.may(permission)
    }
}

/// A signed-in person in the project that the path names.
pub(crate) struct InProject {
    /// Who reads what.
    pub(crate) reader: Reader,
    /// Proof that they may enter.
    pub(crate) scope: ProjectScope,
}

impl InProject {
    /// Id of the project.
    pub(crate) fn id(&self) -> ProjectId {
        self.scope.project_id()
    }
}

impl FromRequestParts<App> for InProject {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let missing =
            || Fault::not_found("there is no such project, or you are not a member of it");
        let params = RawPathParams::from_request_parts(parts, app)
            .await
            .map_err(|_| missing())?;
        let id: ProjectId = params
            .iter()
            .find(|(name, _)| *name == "project")
            .map(|(_, id)| external_ids::project_id(id))
            .ok_or_else(missing)?;
        let scope = auth::enter_project(app, visitor.person.id, id).await?;
        let route = parts.extensions.get::<MatchedPath>();
        let route = route.map(MatchedPath::as_str).unwrap_or_default();
        scope.require(access::needed(parts.method.as_str(), route))?;
        if let Some(entered) = parts.extensions.get::<Entered>() {
            entered.note(scope);
        }
        let memberships = projects::of_person(app, visitor.person.id).await?;
        let membership = memberships
            .iter()
            .find(|membership| membership.project.id == id)
            .ok_or_else(missing)?;
        let (project, organisation_role) =
            (membership.project.clone(), membership.organisation_role);
        let role = scope.role();
        let (open_incidents, unread_mentions) = tokio::try_join!(
            incidents::going_on(app, &scope),
            mentions::unread(app, &scope)
        )?;
        Ok(InProject {
            reader: Reader {
                visitor,
                project,
                role,
                organisation_role,
                memberships,
                open_incidents,
                unread_mentions,
                is_behind: ingestion::refused_for(app).is_some(),
            },
            scope,
        })
    }
}

/// Whether the session is somebody's.
pub(crate) async fn is_signed_in(session: &Session) -> Result<bool, Fault> {
    let person = session.get::<PersonId>(PERSON_KEY).await;
    Ok(person.map_err(store_away)?.is_some())
}

/// Makes the session that of a person, under a new id and with a new token for forms, so that what was known of it before is
/// worth nothing.
pub(crate) async fn sign_in_as(
    app: &App,
    session: &Session,
    (proven, browser): (&Proven, &Browser),
) -> Result<(), Fault> {
    session.clear().await;
    session.cycle_id().await.map_err(store_away)?;
    session
        .insert(PERSON_KEY, proven.person.id)
        .await
        .map_err(store_away)?;
    session.set_expiry(Some(SIGNED_IN_FOR));
    // Now, not behind the answer: the sign-in belongs to a session that is stored.
    session.save().await.map_err(store_away)?;
    let id = session.id();
    let id = id.ok_or_else(|| Fault::internal("a session was stored without an id"))?;
    auth::begin_sign_in(app, &id.to_string(), (proven, browser)).await
}

/// Keeps a flow with the provider of sign-ins until [`take_flow`].
pub(crate) async fn keep_flow(session: &Session, flow: &Flow) -> Result<(), Fault> {
    session.insert(FLOW_KEY, flow).await.map_err(store_away)?;
    save(session).await
}

/// A flow that was begun in this session, once: it is out of the store before anything is made of it.
pub(crate) async fn take_flow(session: &Session) -> Result<Option<Flow>, Fault> {
    let flow = session.remove(FLOW_KEY).await.map_err(store_away)?;
    if flow.is_some() {
        save(session).await?;
    }
    Ok(flow)
}

/// Keeps the secret of a key that was just made until [`take_secret`].
pub(crate) async fn keep_secret(
    session: &Session,
    key: ApiKeyId,
    secret: &str,
) -> Result<(), Fault> {
    session
        .insert(SECRET_KEY, (key, secret))
        .await
        .map_err(store_away)
}

/// The secret of a key that was just made, once.
pub(crate) async fn take_secret(session: &Session) -> Result<Option<(ApiKeyId, String)>, Fault> {
    session.remove(SECRET_KEY).await.map_err(store_away)
}

/// Keeps the secret of a channel that was just made until [`take_channel_secret`].
pub(crate) async fn keep_channel_secret(
    session: &Session,
    channel: AlertChannelId,
    secret: &str,
) -> Result<(), Fault> {
    session
        .insert(CHANNEL_SECRET_KEY, (channel, secret))
        .await
        .map_err(store_away)
}

/// The secret of a channel that was just made, once.
pub(crate) async fn take_channel_secret(
    session: &Session,
) -> Result<Option<(AlertChannelId, String)>, Fault> {
    session.remove(CHANNEL_SECRET_KEY).await.map_err(store_away)
}

/// Ends the session.
pub(crate) async fn sign_out(app: &App, session: &Session) -> Result<(), Fault> {
    let person = session.get(PERSON_KEY).await.map_err(store_away)?;
    session.flush().await.map_err(store_away)?;
    if let Some(person) = person {
        audit::signed_out(app, person).await;
    }
    Ok(())
}

fn session_of(parts: &Parts) -> Result<Session, Fault> {
    parts
        .extensions
        .get::<Session>()
        .cloned()
        .ok_or_else(|| Fault::internal("the session layer is missing"))
}

/// The fault of a session that cannot be read or written.
pub(super) fn store_away(error: tower_sessions::session::Error) -> Fault {
    Fault::unavailable("sessions cannot be read at the moment").because(error)
}
