use axum::routing::{delete, get, post};

use super::queries::{BUSINESS_EVENTS, IMPACT_QUERY, SEMANTIC_EVENTS};
use super::{Access, Answer, Route};
use crate::v1;

/// Semantic and business events, and what the ones do to the others.
pub(super) static IMPACT: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/semantic-events",
        operation: "list_semantic_events",
        what: "What went wrong in the meaning of answers, newest first, each with the rule that found it and its \
               evidence; of the last week unless told otherwise. A span, or a trace judged as a whole, has one of \
               each type at most.",
        access: Access::Project,
        query: SEMANTIC_EVENTS,
        answer: Answer::List("SemanticEvent"),
        handler: || get(v1::semantic_events::list_semantic_events),
    },
    Route {
        method: "POST",
        path: "/api/v1/business-events",
        operation: "create_business_events",
        what: "Stores a list of events, at most 1,000: all of them, or none where one is wrong. A 200 means that they \
               are durable. An id that is there already is the same event, which stays as it is.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("BusinessEventsTaken"),
        handler: || post(v1::business_events::create_business_events),
    },
    Route {
        method: "GET",
        path: "/api/v1/business-events",
        operation: "list_business_events",
        what: "What happened in the business, newest first; of the last week unless told otherwise.",
        access: Access::Project,
        query: BUSINESS_EVENTS,
        answer: Answer::List("BusinessEvent"),
        handler: || get(v1::business_events::list_business_events),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/business-events/{business_event_id}",
        operation: "delete_business_event",
        what: "Deletes an event. Those that name a trace go with their trace.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::business_events::delete_business_event),
    },
    Route {
        method: "GET",
        path: "/api/v1/impact",
        operation: "show_impact",
        what: "Each type of semantic event and each incident with each kind of business event: how often it happened \
               to those who were exposed and to the others, with intervals, corrected p-values and a causal score; \
               of the last week unless told otherwise. How it is computed: docs/impact.md.",
        access: Access::Project,
        query: IMPACT_QUERY,
        answer: Answer::Json("Impact"),
        handler: || get(v1::impact::show_impact),
    },
];
