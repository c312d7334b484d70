//! What a limited key must be made for: the one table of it, by route.

use domain::tenancy::{KeyScope, KeyScopes};
use domain::{Code, Fault};

/// The scopes of which a limited key needs one; without any only a key that is not limited will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs(&'static [KeyScope]);

impl Needs {
    /// Telemetry is sent.
    pub const INGEST: Needs = Needs(&[KeyScope::Ingest]);
    /// Whatever is read.
    pub const READ: Needs = Needs(&[KeyScope::Read]);
    /// Scores are sent.
    pub const SCORES: Needs = Needs(&[KeyScope::Scores]);
    /// Both are sent, and each thing is looked at by itself.
    pub const INGEST_OR_SCORES: Needs = Needs(&[KeyScope::Ingest, KeyScope::Scores]);
    const READ_OR_SCORES: Needs = Needs(&[KeyScope::Read, KeyScope::Scores]);
    const READ_OR_PROMPTS: Needs = Needs(&[KeyScope::Read, KeyScope::Prompts]);
    const ANY: Needs = Needs(KeyScope::ALL);
    const ALL_THERE_IS: Needs = Needs(&[]);

    /// What a route of the API takes, by its method and its path with parameters.
    pub fn of(method: &str, route: &str) -> Needs {
        let path = |start: &str| route.starts_with(start);
        match method {
            // Clients ask for it to see whether their key is one.
            "GET" | "HEAD" if route == "/api/public/projects" => Needs::ANY,
            "GET" | "HEAD"
                if path("/api/public/prompts")
                    || path("/api/public/v2/prompts")
                    || path("/api/v1/prompts/") =>
            {
                Needs::READ_OR_PROMPTS
            }
            "GET" | "HEAD"
                if path("/api/public/scores")
                    || path("/api/public/v2/scores")
                    || path("/api/public/v3/scores")
                    || path("/api/public/score-configs") =>
            {
                Needs::READ_OR_SCORES
            }
            "GET" | "HEAD" => Needs::READ,
            "DELETE" if path("/api/public/scores/") => Needs::SCORES,
            "POST" | "PATCH" if path("/api/public/media") => Needs::INGEST,
            "POST" if route == "/api/v1/business-events" => Needs::INGEST,
            // They compute, and change nothing.
            "POST" if route == "/api/v1/attributions" || route == "/api/v1/alert-rules/preview" => {
                Needs::READ
            }
            _ => Needs::ALL_THERE_IS,
        }
    }

    /// Checks a key that is limited to `scopes`, where it is.
    ///
    /// # Errors
    /// `forbidden`, which names the scope that is missing.
    pub(crate) fn check(self, scopes: Option<KeyScopes>) -> Result<(), Fault> {
        let Some(scopes) = scopes else {
            return Ok(());
        };
        if self.0.iter().any(|scope| scopes.has(*scope)) {
            return Ok(());
        }
        let missing: Vec<&str> = self.0.iter().map(|scope| scope.as_str()).collect();
        let message = match missing.as_slice() {
            [] => {
                format!("this key is limited to {scopes}, and this takes a key that is not limited")
            }
            some => format!(
                "this key is limited to {scopes}: it lacks the scope {}",
                some.join(" or ")
            ),
        };
        Err(Fault::new(Code::Forbidden, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let only = KeyScopes::new([KeyScope::Ingest]);
        assert!(Needs::INGEST.check(only).is_ok());
        assert!(Needs::ALL_THERE_IS.check(None).is_ok());
        let fault = Needs::of("GET", "/api/v1/traces").check(only).unwrap_err();
        assert_eq!(fault.code, Code::Forbidden);
        assert!(fault.message.contains("lacks the scope read"), "{fault:?}");
        let all = KeyScopes::new(KeyScope::ALL.iter().copied());
        assert!(
            Needs::of("DELETE", "/api/v1/traces/{trace_id}")
                .check(all)
                .is_err()
        );
    }
}
