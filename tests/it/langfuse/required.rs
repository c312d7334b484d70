//! Keys that the typed Python clients cannot do without. Every answer of this API is checked against the document
//! in the tests; here the document is held against what these clients need, and with each schema stands a test that
//! gets such an answer, so that both together say that the keys are there.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

/// Schemas, the keys that are needed in them, and a test of this folder that has them checked.
const NEEDED: &[(&str, &str, &str)] = &[
    (
        "Projects",
        "data",
        "errors::a_key_opens_exactly_one_project",
    ),
    (
        "Project",
        "id name organization metadata",
        "errors::a_key_opens_exactly_one_project",
    ),
    (
        "Organization",
        "id name",
        "errors::a_key_opens_exactly_one_project",
    ),
    (
        "BasePrompt",
        "name version config labels tags",
        "prompts::a_text_is_read_as_it_was_made",
    ),
    (
        "TextPrompt",
        "prompt",
        "prompts::a_text_is_read_as_it_was_made",
    ),
    (
        "ChatPrompt",
        "prompt",
        "prompts::a_chat_keeps_its_messages_and_placeholders",
    ),
    (
        "ChatMessage",
        "role content",
        "prompts::a_chat_keeps_its_messages_and_placeholders",
    ),
    (
        "PlaceholderMessage",
        "name",
        "prompts::a_chat_keeps_its_messages_and_placeholders",
    ),
    (
        "PromptMetaListResponse",
        "data meta",
        "prompts::the_list_sums_up_the_versions_that_match",
    ),
    (
        "PromptMeta",
        "name type versions labels tags lastUpdatedAt lastConfig",
        "prompts::the_list_sums_up_the_versions_that_match",
    ),
    (
        "Dataset",
        "id name metadata projectId createdAt updatedAt",
        "datasets::named::a_name_that_comes_again_is_the_same_dataset",
    ),
    (
        "DatasetItem",
        "id status input expectedOutput metadata datasetId datasetName createdAt updatedAt mediaReferences",
        "datasets::items::an_item_that_comes_again_keeps_what_is_not_said",
    ),
    (
        "DatasetItemMediaReference",
        "field referenceString jsonPath media",
        "datasets::media::what_an_item_names_is_told_with_its_place_and_can_be_fetched",
    ),
    (
        "DatasetItemMediaReferenceMedia",
        "mediaId contentType contentLength url urlExpiry",
        "datasets::media::what_an_item_names_is_told_with_its_place_and_can_be_fetched",
    ),
    (
        "DatasetRun",
        "id name metadata datasetId datasetName createdAt updatedAt",
        "datasets::runs::runs_are_listed_newest_first_and_deleted",
    ),
    (
        "DatasetRunWithItems",
        "datasetRunItems",
        "datasets::runs::a_run_is_made_with_its_first_link_and_keeps_what_was_said_first",
    ),
    (
        "DatasetRunItem",
        "id datasetRunId datasetRunName datasetItemId traceId createdAt updatedAt",
        "datasets::runs::a_run_is_made_with_its_first_link_and_keeps_what_was_said_first",
    ),
    (
        "Trace",
        "id timestamp tags public environment",
        "traces::a_described_trace_is_read_as_it_was_described",
    ),
    (
        "TraceWithDetails",
        "htmlPath",
        "traces::a_described_trace_is_read_as_it_was_described",
    ),
    (
        "TraceWithFullDetails",
        "htmlPath observations scores",
        "traces::a_described_trace_is_read_as_it_was_described",
    ),
    (
        "Session",
        "id createdAt projectId environment",
        "sessions::sessions_are_what_traces_name",
    ),
    (
        "SessionWithTraces",
        "traces",
        "sessions::sessions_are_what_traces_name",
    ),
    (
        "Observation",
        "id type startTime modelParameters input output metadata usage level usageDetails costDetails environment",
        "observations::an_observation_is_read_as_it_was_sent",
    ),
    (
        "Usage",
        "input output total",
        "observations::an_observation_is_read_as_it_was_sent",
    ),
    (
        "ObservationV2",
        "id startTime projectId type",
        "observations::the_second_version_has_the_groups_that_are_asked_for",
    ),
    (
        "BaseScoreV1",
        "id name source timestamp createdAt updatedAt metadata environment",
        "scores::reads::the_first_version_knows_traces_and_observations_only",
    ),
    (
        "NumericScoreV1",
        "value",
        "scores::reads::the_first_version_knows_traces_and_observations_only",
    ),
    (
        "BooleanScoreV1",
        "value stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "CategoricalScoreV1",
        "value stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "TextScoreV1",
        "stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "BaseScore",
        "id name source timestamp createdAt updatedAt metadata environment",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "NumericScore",
        "value",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "BooleanScore",
        "value stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "CategoricalScore",
        "value stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "CorrectionScore",
        "value stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "TextScore",
        "stringValue",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "BaseScoreV3",
        "id projectId name source timestamp environment createdAt updatedAt",
        "scores::reads::the_third_version_is_strict_and_goes_on_by_cursor",
    ),
    (
        "NumericScoreV3",
        "value",
        "scores::reads::groups_of_fields_are_given_where_they_are_asked_for",
    ),
    (
        "BooleanScoreV3",
        "value",
        "scores::reads::groups_of_fields_are_given_where_they_are_asked_for",
    ),
    (
        "CategoricalScoreV3",
        "value",
        "scores::reads::groups_of_fields_are_given_where_they_are_asked_for",
    ),
    (
        "CorrectionScoreV3",
        "value",
        "scores::reads::groups_of_fields_are_given_where_they_are_asked_for",
    ),
    (
        "TextScoreV3",
        "value",
        "scores::sent::value_and_type_are_stored_as_clients_read_them",
    ),
    (
        "GetScoresV3Meta",
        "limit",
        "scores::reads::the_third_version_is_strict_and_goes_on_by_cursor",
    ),
    (
        "ScoreConfig",
        "id name createdAt updatedAt projectId dataType isArchived",
        "scores::configs::each_type_is_made_shown_listed_and_changed",
    ),
    (
        "Experiment",
        "id name startTime endTime itemCount",
        "datasets::experiments::spans_tell_of_experiments_and_their_items",
    ),
    (
        "ExperimentItem",
        "id traceId startTime level environment experimentId experimentName experimentItemId",
        "datasets::experiments::spans_tell_of_experiments_and_their_items",
    ),
    (
        "GetMediaResponse",
        "mediaId contentType contentLength uploadedAt url urlExpiry",
        "media::announced::an_attachment_is_announced_sent_and_fetched_and_the_same_bytes_are_sent_once",
    ),
    (
        "GetMediaUploadUrlResponse",
        "mediaId",
        "media::announced::an_attachment_is_announced_sent_and_fetched_and_the_same_bytes_are_sent_once",
    ),
    (
        "Model",
        "id modelName matchPattern tokenizerConfig isLangfuseManaged createdAt prices pricingTiers",
        "models::listed::a_model_is_read_as_it_was_made_and_stands_before_the_built_in_ones",
    ),
    (
        "ModelPrice",
        "price",
        "models::listed::a_model_is_read_as_it_was_made_and_stands_before_the_built_in_ones",
    ),
    (
        "PricingTier",
        "id name isDefault priority conditions prices",
        "models::listed::a_model_is_read_as_it_was_made_and_stands_before_the_built_in_ones",
    ),
    (
        "PricingTierUsageCondition",
        "usageDetailPattern operator value caseSensitive",
        "models::listed::what_does_not_go_together_is_refused",
    ),
    (
        "AnnotationQueue",
        "id name scoreConfigIds createdAt updatedAt",
        "annotation::queues::queues_are_made_listed_newest_first_and_shown",
    ),
    (
        "AnnotationQueueItem",
        "id queueId objectId objectType status createdAt updatedAt",
        "annotation::items::items_are_listed_newest_first_by_their_status",
    ),
    (
        "Comment",
        "id projectId createdAt updatedAt objectType objectId content",
        "comments::kept::things_of_every_kind_are_remarked_on_as_soon_as_they_are_acknowledged",
    ),
    (
        "LlmConnection",
        "id provider adapter displaySecretKey customModels withDefaultModels extraHeaderKeys createdAt updatedAt",
        "llm_connections::a_connection_is_set_by_its_provider_and_its_credentials_are_never_shown",
    ),
    (
        "ApiKeyResponse",
        "id createdAt publicKey secretKey displaySecretKey",
        "organisations::keys::a_key_is_made_works_is_listed_and_is_refused_once_revoked",
    ),
    (
        "ApiKeySummary",
        "id createdAt publicKey displaySecretKey",
        "organisations::keys::a_key_is_made_works_is_listed_and_is_refused_once_revoked",
    ),
    (
        "IngestionResponse",
        "successes errors",
        "vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither",
    ),
    (
        "IngestionSuccess",
        "id status",
        "vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither",
    ),
    (
        "IngestionError",
        "id status",
        "vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither",
    ),
    (
        "utilsMetaResponse",
        "page limit totalItems totalPages",
        "traces::a_described_trace_is_read_as_it_was_described",
    ),
    (
        "HealthResponse",
        "version status",
        "errors::health_and_readiness_are_for_everybody",
    ),
    (
        "DeleteTraceResponse",
        "message",
        "traces::what_is_deleted_is_gone",
    ),
    (
        "DeleteDatasetItemResponse",
        "message",
        "datasets::items::what_is_deleted_is_gone_and_its_id_is_free",
    ),
    (
        "DeleteDatasetRunResponse",
        "message",
        "datasets::runs::runs_are_listed_newest_first_and_deleted",
    ),
    (
        "DeleteLlmConnectionResponse",
        "message",
        "llm_connections::a_connection_is_set_by_its_provider_and_its_credentials_are_never_shown",
    ),
    (
        "ApiKeyDeletionResponse",
        "success",
        "organisations::keys::a_key_is_made_works_is_listed_and_is_refused_once_revoked",
    ),
    (
        "DeleteAnnotationQueueAssignmentResponse",
        "success",
        "annotation::assignments::a_member_is_assigned_once_and_whoever_is_none_not_at_all",
    ),
    (
        "DeleteAnnotationQueueItemResponse",
        "success message",
        "annotation::items::an_item_is_completed_at_a_time_and_may_be_pending_again",
    ),
    (
        "ProjectDeletionResponse",
        "success message",
        "organisations::projects::a_deleted_project_is_refused_at_once_and_its_telemetry_goes",
    ),
];

/// What is one of several, and the key that tells which.
const TOLD_APART: &[(&str, &str)] = &[
    ("Prompt", "type"),
    ("Score", "dataType"),
    ("ScoreV1", "dataType"),
    ("GetScoresResponseData", "dataType"),
    ("ScoreV3", "dataType"),
    ("ScoreSubjectV3", "kind"),
];

/// That a test is where its name says, below `tests/it`.
pub(crate) fn is_there(test: &str) {
    let (module, name) = test.rsplit_once("::").unwrap();
    let file = format!("it/{}.rs", module.replace("::", "/"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let source = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(source.contains(&format!("fn {name}()")), "no test {test}");
}

fn schemas() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/langfuse/api.json");
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    document["components"]["schemas"].take()
}

fn required<'d>(schemas: &'d Value, name: &str) -> BTreeSet<&'d str> {
    let schema = &schemas[name];
    assert!(schema.is_object(), "the document has no {name}");
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let mut all = BTreeSet::new();
    for part in parts.chain([schema]) {
        let here = part["required"].as_array().into_iter().flatten();
        all.extend(here.filter_map(Value::as_str));
        if let Some(other) = part["$ref"].as_str() {
            let name = other.rsplit('/').next().unwrap();
            all.extend(required(schemas, name));
        }
    }
    all
}

#[test]
fn the_document_requires_each_key_that_typed_clients_need() {
    let schemas = schemas();
    for (name, keys, test) in NEEDED {
        let required = required(&schemas, name);
        for key in keys.split(' ') {
            assert!(required.contains(key), "{name} without {key} would pass");
        }
        is_there(&format!("langfuse::{test}"));
    }
    for (name, key) in TOLD_APART {
        let kinds = schemas[name]["oneOf"].as_array().unwrap();
        for kind in kinds {
            let required = kind["required"].as_array().unwrap();
            assert!(required.contains(&Value::from(*key)), "{name} of no {key}");
        }
    }
}
