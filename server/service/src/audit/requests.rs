//! What requests are told of in the log, by their method and route: one rule for the API, Langfuse's API and the pages.

use percent_encoding::percent_decode_str;

/// Longest object of an entry that a path names, in characters.
const MAX_OBJECT: usize = 500;
/// What routes of a project begin with.
const PREFIXES: [&str; 3] = ["/api/v1/", "/api/public/", "/p/{project}/"];
/// Nouns whose changes are telemetry, change nothing, or are written down where they are made, with what they were before.
const UNTOLD: [&str; 24] = [
    "ingestion",
    "otel",
    "business-events",
    "media",
    "dataset-items",
    "dataset-run-items",
    "metrics",
    "attributions",
    "deletions",
    "legal-holds",
    "masking",
    "retention",
    "content-sampling",
    "users",
    "mentions",
    "prompts",
    "prompt",
    "sign-ins",
    "keys",
    "members",
    "apiKeys",
    "memberships",
    "preview",
    "playground",
];
/// What there is one of: it is set.
const SINGLE: [&str; 9] = [
    "account",
    "name",
    "public-links",
    "protected-labels",
    "topology",
    "settings",
    "alert-settings",
    "deletion-settings",
    "reprice",
];

/// What is told of a request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Somebody saw the content of a thing.
    Viewed(String),
    /// Somebody did something to a thing, or took it along.
    Did {
        /// What: `scrape_targets.update`.
        action: String,
        /// To what: `scrape_targets:ID`.
        object: String,
    },
}

/// What is told of a request to a route, which stands for the path; `None`: nothing.
pub fn told(method: &str, route: &str, path: &str) -> Option<Told> {
    let prefix = PREFIXES.iter().find(|prefix| route.starts_with(*prefix))?;
    let before = prefix.matches('/').count();
    let segments: Vec<&str> = route.split('/').skip(before).collect();
    let values: Vec<&str> = path.split('/').skip(before).collect();
    let parts: Vec<Part<'_>> = segments
        .iter()
        .enumerate()
        .filter(|(at, name)| {
            !(is_version(name) || (*at == 0 && **name == "settings" && segments.len() > 1))
        })
        .map(|(at, name)| Part::new(name, values.get(at..).unwrap_or_default()))
        .collect();
    match method {
        "GET" => exported(&parts).or_else(|| seen(&parts)),
        "HEAD" | "OPTIONS" => None,
        _ => exported(&parts).or_else(|| did(method, &parts)),
    }
}

enum Part<'a> {
    Name(&'a str),
    Value(String),
}

impl<'a> Part<'a> {
    fn new(name: &'a str, values: &[&str]) -> Self {
        if !name.starts_with('{') {
            return Part::Name(name);
        }
        let value = match name.starts_with("{*") {
            true => values.join("/"),
            false => values.first().copied().unwrap_or_default().to_owned(),
        };
        Part::Value(percent_decode_str(&value).decode_utf8_lossy().into_owned())
    }

    fn name(&self) -> Option<&'a str> {
        match self {
            Part::Name(name) => Some(name),
            Part::Value(_) => None,
        }
    }
}

fn is_version(name: &str) -> bool {
    matches!(name, "v2" | "v3")
}

fn seen(parts: &[Part<'_>]) -> Option<Told> {
    let of = |kind: &str, value: &str| Some(Told::Viewed(object(kind, value)));
    match parts {
        [Part::Name("traces"), Part::Value(trace), ..] => of("trace", trace),
        [Part::Name("sessions"), Part::Value(session), ..] => of("session", session),
        [Part::Name("observations" | "spans"), Part::Value(span), ..] => of("span", span),
        [Part::Name("media"), Part::Value(media)] => of("media", media),
        [
            Part::Name("queues" | "annotation-queues"),
            Part::Value(_),
            Part::Name("items"),
            Part::Value(item),
        ] => of("queue_item", item),
        [Part::Name(list @ ("traces" | "observations" | "spans"))] => of("list", list),
        _ => None,
    }
}

fn exported(parts: &[Part<'_>]) -> Option<Told> {
    let is_export = parts.iter().any(|part| part.name() == Some("export"));
    let noun = parts.first()?.name()?;
    let noun = if noun == "export" { "traces" } else { noun };
    // The log itself says so where it is exported.
    (is_export && noun != "audit-log").then(|| Told::Did {
        action: format!("{}.exported", written(noun)),
        object: named(noun, parts),
    })
}

fn did(method: &str, parts: &[Part<'_>]) -> Option<Told> {
    let names: Vec<&str> = parts.iter().filter_map(Part::name).collect();
    let (noun, last) = (*names.first()?, *names.last()?);
    let is_untold = names.iter().any(|name| UNTOLD.contains(name));
    if is_untold || (noun == "scores" && method == "POST" && parts.len() == 1) {
        return None;
    }
    let ends_with_value = matches!(parts.last(), Some(Part::Value(_)));
    let has_value = parts.iter().any(|part| matches!(part, Part::Value(_)));
    let mut words: Vec<String> = names.iter().map(|name| written(name)).collect();
    let verb = match method {
        "DELETE" => "delete",
        _ if ends_with_value => "update",
        "PUT" => "set",
        _ if last == "new" => {
            words.pop();
            "create"
        }
        _ if SINGLE.contains(&last) => "set",
        // The last name says it: `…/{id}/archive`.
        _ if has_value || names.len() > 1 => "",
        "PATCH" => "update",
        _ => "create",
    };
    if !verb.is_empty() && words.last().is_none_or(|last| last != verb) {
        words.push(verb.to_owned());
    }
    Some(Told::Did {
        action: words.join("."),
        object: named(noun, parts),
    })
}

fn named(noun: &str, parts: &[Part<'_>]) -> String {
    let values = parts.iter().filter_map(|part| match part {
        Part::Value(value) => Some(value.as_str()),
        Part::Name(_) => None,
    });
    let values: Vec<&str> = values.collect();
    match values.is_empty() {
        true => written(noun),
        false => object(&written(noun), &values.join("/")),
    }
}

fn object(kind: &str, value: &str) -> String {
    format!("{kind}:{value}").chars().take(MAX_OBJECT).collect()
}

fn written(name: &str) -> String {
    name.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn did(method: &str, route: &str, path: &str) -> (String, String) {
        match told(method, route, path) {
            Some(Told::Did { action, object }) => (action, object),
            other => panic!("{method} {route}: {other:?}"),
        }
    }

    fn is(action: &str, object: &str) -> (String, String) {
        (action.to_owned(), object.to_owned())
    }

    #[test]
    fn the_same_is_told_in_the_same_words_wherever_it_was_done() {
        let route = "/api/v1/scrape-targets/{scrape_target_id}";
        let update = is("scrape_targets.update", "scrape_targets:1");
        assert_eq!(did("PATCH", route, "/api/v1/scrape-targets/1"), update);
        let page = "/p/{project}/settings/scrape-targets/{target}";
        assert_eq!(did("POST", page, "/p/x/settings/scrape-targets/1"), update);
        let delete = "/p/{project}/settings/scrape-targets/{target}/delete";
        let path = "/p/x/settings/scrape-targets/1/delete";
        let deleted = is("scrape_targets.delete", "scrape_targets:1");
        assert_eq!(did("POST", delete, path), deleted);
        assert_eq!(did("DELETE", route, "/api/v1/scrape-targets/1"), deleted);
        let new = "/p/{project}/alerts/new";
        assert_eq!(
            did("POST", new, "/p/x/alerts/new"),
            is("alerts.create", "alerts")
        );
        let name = "/p/{project}/settings/name";
        assert_eq!(
            did("POST", name, "/p/x/settings/name"),
            is("name.set", "name")
        );
        let model = "/api/public/models";
        assert_eq!(did("POST", model, model), is("models.create", "models"));
        let export = "/p/{project}/export";
        assert_eq!(
            did("GET", export, "/p/x/export"),
            is("traces.exported", "traces")
        );
    }

    #[test]
    fn whoever_sees_content_is_told_and_whoever_sends_it_is_not() {
        let seen = |route: &str, path: &str| told("GET", route, path);
        let viewed = |object: &str| Some(Told::Viewed(object.to_owned()));
        assert_eq!(
            seen("/api/v1/traces/{trace_id}", "/api/v1/traces/ab"),
            viewed("trace:ab")
        );
        let rows = "/p/{project}/traces/{trace}/rows";
        assert_eq!(seen(rows, "/p/x/traces/ab/rows"), viewed("trace:ab"));
        let session = "/api/public/sessions/{id}";
        assert_eq!(
            seen(session, "/api/public/sessions/a%2Fb"),
            viewed("session:a/b")
        );
        let list = "/api/public/v2/observations";
        assert_eq!(seen(list, list), viewed("list:observations"));
        assert_eq!(seen("/p/{project}/overview", "/p/x/overview"), None);
        assert_eq!(
            told("POST", "/api/public/ingestion", "/api/public/ingestion"),
            None
        );
        assert_eq!(
            told("POST", "/api/public/scores", "/api/public/scores"),
            None
        );
        assert_eq!(told("GET", "/sign-in", "/sign-in"), None);
    }
}
