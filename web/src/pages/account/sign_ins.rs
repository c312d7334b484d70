//! Where one is signed in, and the end of it.

use axum::extract::State;
use domain::tenancy::SignIn;
use domain::{Fault, SignInId};
use service::{App, auth};

use crate::extract::{InProject, Posted, Reader};
use crate::pages::{Answer, see_other};
use crate::urls;

/// One of one's own sign-ins.
pub(crate) struct SignInRow {
    pub(crate) id: String,
    pub(crate) device: String,
    pub(crate) user_agent: String,
    pub(crate) address: String,
    pub(crate) since: String,
    pub(crate) last_used: String,
    pub(crate) is_this: bool,
}

impl SignInRow {
    pub(super) fn new(reader: &Reader, sign_in: &SignIn) -> Self {
        let zone = reader.zone();
        SignInRow {
            id: sign_in.id.to_string(),
            device: device(&sign_in.user_agent),
            user_agent: sign_in.user_agent.clone(),
            address: sign_in.address.clone(),
            since: zone.minute(sign_in.since),
            last_used: zone.minute(sign_in.last_used),
            is_this: sign_in.id == reader.visitor.sign_in,
        }
    }
}

/// Ends one.
pub(crate) async fn end_sign_in(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let id: Option<SignInId> = pairs.get("id").and_then(|id| id.parse().ok());
    let id = id.ok_or_else(|| Fault::not_found("there is no such sign-in"))?;
    auth::end_sign_in(&app, entered.reader.visitor.person.id, id).await?;
    Ok(see_other(&urls::account(entered.id())))
}

/// Ends all but the one that is used.
pub(crate) async fn end_others(State(app): State<App>, entered: InProject, _: Posted) -> Answer {
    let visitor = &entered.reader.visitor;
    auth::end_others(&app, visitor.person.id, visitor.sign_in).await?;
    Ok(see_other(&urls::account(entered.id())))
}

/// What a browser calls itself in a few words: its maker's claims to be like others are passed over.
fn device(user_agent: &str) -> String {
    const BROWSERS: [(&str, &str); 7] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 7] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let first = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(sign, _)| user_agent.contains(sign));
        found.map(|(_, name)| *name)
    };
    let browser = first(&BROWSERS);
    let system = first(&SYSTEMS);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} · {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => {
            let name = user_agent.split(['/', ' ']).next().unwrap_or_default();
            let name: String = name.chars().take(40).collect();
            if name.is_empty() {
                "—".to_owned()
            } else {
                name
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::device;

    #[test]
    fn browsers_are_known_by_what_they_are_and_not_by_whom_they_claim_to_be_like() {
        for (user_agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                "Firefox · Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
                "Edge · Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
                "Safari · iPhone",
            ),
            ("curl/8.5.0", "curl"),
            ("", "—"),
        ] {
            assert_eq!(device(user_agent), expected);
        }
    }
}
