//! The API described for programs and people: made from [`crate::routes::all`] and the schemas.

/// The readable page.
mod page;

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::routes::{self, Access, Answer, Route};

/// Schemas of answers and the texts of parameters, kept by hand.
const SCHEMAS: &str = include_str!("schemas.json");
const PARAMETERS: &str = include_str!("parameters.json");

/// Schemas of request bodies, by operation.
const BODIES: &[(&str, &str)] = &[
    ("create_price", "NewPrice"),
    ("set_protected_labels", "ProtectedLabels"),
    ("update_price", "PriceChange"),
    ("create_reprice", "NewReprice"),
    ("create_gpu_price", "NewGpuPrice"),
    ("create_objective", "NewObjective"),
    ("create_dashboard", "NewDashboard"),
    ("replace_dashboard", "NewDashboard"),
    ("create_dataset", "NewDataset"),
    ("set_prompt_test", "NewPromptTest"),
    ("create_quality_rule", "NewQualityRule"),
    ("set_topology", "Topology"),
    ("create_alert_rule", "NewAlertRule"),
    ("preview_alert_rule", "NewAlertRule"),
    ("update_alert_rule", "AlertRuleChange"),
    ("set_alert_settings", "AlertSettings"),
    ("create_channel", "NewChannel"),
    ("update_channel", "ChannelChange"),
    ("create_scrape_target", "NewScrapeTarget"),
    ("update_scrape_target", "ScrapeTargetChange"),
    ("create_evaluator", "NewEvaluator"),
    ("update_evaluator", "EvaluatorChange"),
    ("backfill_evaluator", "EvaluatorBackfill"),
    ("set_rollback_policy", "RollbackPolicy"),
    ("roll_back_prompt", "NewRollback"),
    ("undo_rollback", "RollbackUndo"),
    ("create_attribution", "NewAttribution"),
    ("create_business_events", "NewBusinessEvents"),
    ("create_deletions", "NewDeletions"),
    ("set_deletion_settings", "DeletionSettings"),
    ("create_legal_hold", "NewLegalHold"),
    ("set_masking", "MaskingSettings"),
    ("try_masking", "NewMaskingTrial"),
    ("set_retention", "RetentionSettings"),
    ("set_content_sampling", "ContentSampling"),
];

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// This API as an `OpenAPI` document.
pub(crate) async fn show_openapi() -> Response {
    let body = DOCUMENT.to_string();
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

/// This API as a page.
pub(crate) async fn show_api_page() -> Response {
    static PAGE: LazyLock<String> = LazyLock::new(|| page::render(&DOCUMENT));
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, PAGE.as_str()).into_response()
}

/// How the page looks.
pub(crate) async fn show_style() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, include_str!("page.css")).into_response()
}

/// The `OpenAPI` 3.1 document.
pub fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes::all() {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route);
    }
    let parse = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Triaxis",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Times are RFC 3339 in UTC with microseconds; ranges are from ≤ t < to. \
                What is unknown is null, never 0. Whole numbers keep all their digits; NaN and \
                infinities in attributes are the texts NaN, Infinity and -Infinity. A thing of \
                another project is 404. Input, output and metadata are JSON where they were JSON \
                objects or lists no deeper than 100 levels, else text. Telemetry is sent by \
                OTLP/HTTP to /v1/traces, /v1/logs and /v1/metrics, or OTLP/gRPC; metrics also \
                by Prometheus remote write to /api/v1/metrics/write, and they are fetched from \
                scrape targets.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "keys": { "type": "http", "scheme": "basic",
                    "description": "Public key as user, secret key as password." },
                "secret": { "type": "http", "scheme": "bearer", "description": "The secret key." },
            },
            "parameters": parse(PARAMETERS),
            "schemas": parse(SCHEMAS),
        },
    })
}

fn operation(route: &Route) -> Value {
    let in_path = route
        .path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next());
    // The routes where these are no times, no kinds of spans, no parts of a path.
    let described = |name: &str| match (route.operation, name) {
        ("diff_prompt", "from" | "to") => format!("version_{name}"),
        ("list_datasets", "kind") => "dataset_kind".to_owned(),
        ("list_semantic_events", "type") => "semantic_type".to_owned(),
        ("list_business_events", "type" | "name") => format!("business_{name}"),
        ("list_semantic_events" | "list_business_events", "trace_id") => "of_trace".to_owned(),
        _ => name.to_owned(),
    };
    let parameters: Vec<Value> = in_path
        .chain(route.query.iter().copied())
        .map(|name| json!({ "$ref": format!("#/components/parameters/{}", described(name)) }))
        .collect();
    let problem = |what: &str| {
        json!({ "description": what, "content": { "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" } } } })
    };
    let mut responses = json!({ "default": problem("It failed; the problem says why.") });
    match route.answer {
        Answer::Nothing => responses["204"] = json!({ "description": "Done." }),
        Answer::Created(_) => {
            responses["201"] = json!({ "description": route.what, "content": content(route) });
        }
        Answer::Accepted(_) => {
            responses["202"] = json!({ "description": route.what, "content": content(route) });
        }
        _ => responses["200"] = json!({ "description": route.what, "content": content(route) }),
    }
    let mut security = json!([]);
    if route.access == Access::Project {
        responses["401"] = problem("No valid key.");
        security = json!([{ "keys": [] }, { "secret": [] }]);
    }
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.what,
        "parameters": parameters,
        "security": security,
        "responses": responses,
    });
    let body = BODIES.iter().find(|(name, _)| *name == route.operation);
    if let Some((_, schema)) = body {
        let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
        let content = json!({ "application/json": { "schema": schema } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn content(route: &Route) -> Value {
    let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    match route.answer {
        Answer::Json(name) | Answer::Created(name) | Answer::Accepted(name) => {
            json!({ "application/json": { "schema": schema(name) } })
        }
        Answer::List(name) => json!({ "application/json": { "schema": {
            "type": "object",
            "required": ["data", "next_cursor"],
            "properties": {
                "data": { "type": "array", "items": schema(name) },
                "next_cursor": { "type": ["string", "null"] },
            },
        } } }),
        Answer::Other(kind) => json!({ kind: { "schema": { "type": "string" } } }),
        Answer::Nothing => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let described: usize = paths
            .values()
            .map(|path| path.as_object().unwrap().len())
            .sum();
        assert_eq!(described, routes::all().count());
        for route in routes::all() {
            let operation = &paths[route.path][route.method.to_lowercase()];
            assert_eq!(operation["operationId"], route.operation);
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let text = document.to_string();
        let references: Vec<&str> = text
            .split("\"$ref\":\"#")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(references.len() > 20);
        for reference in references {
            assert!(document.pointer(reference).is_some(), "{reference}");
        }
    }

    #[test]
    fn every_body_belongs_to_an_operation() {
        for (operation, _) in BODIES {
            assert!(routes::all().any(|route| route.operation == *operation));
        }
    }

    #[test]
    fn operations_have_one_name_each() {
        let mut names: Vec<&str> = routes::all().map(|route| route.operation).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), routes::all().count());
    }
}
