//! Keys that the typed Python clients cannot do without. Every answer of this API is checked against the document
//! in the tests; here the document is held against what these clients need, so that both together say that the
//! keys are there.

use std::collections::BTreeSet;

use serde_json::Value;

const NEEDED: &[(&str, &str)] = &[
    ("Projects", "data"),
    ("Project", "id name organization metadata"),
    ("BasePrompt", "name version config labels tags"),
    (
        "PromptMeta",
        "name type versions labels tags lastUpdatedAt lastConfig",
    ),
    ("ChatMessage", "role content"),
    ("PlaceholderMessage", "name"),
    ("Dataset", "id name metadata projectId createdAt updatedAt"),
    (
        "DatasetItem",
        "id status input expectedOutput metadata datasetId datasetName createdAt updatedAt mediaReferences",
    ),
    (
        "DatasetItemMediaReference",
        "field referenceString jsonPath media",
    ),
    (
        "DatasetRun",
        "id name metadata datasetId datasetName createdAt updatedAt",
    ),
    ("DatasetRunWithItems", "datasetRunItems"),
    (
        "DatasetRunItem",
        "id datasetRunId datasetRunName datasetItemId traceId createdAt updatedAt",
    ),
    ("Trace", "id timestamp tags public environment"),
    ("TraceWithDetails", "htmlPath"),
    ("TraceWithFullDetails", "htmlPath observations scores"),
    ("Session", "id createdAt projectId environment"),
    ("SessionWithTraces", "traces"),
    (
        "Observation",
        "id type startTime modelParameters input output metadata usage level usageDetails costDetails environment",
    ),
    ("ObservationV2", "id startTime projectId type"),
    (
        "BaseScore",
        "id name source timestamp createdAt updatedAt metadata environment",
    ),
    (
        "BaseScoreV3",
        "id projectId name source timestamp environment createdAt updatedAt",
    ),
    (
        "ScoreConfig",
        "id name createdAt updatedAt projectId dataType isArchived",
    ),
    ("Experiment", "id name startTime endTime itemCount"),
    (
        "ExperimentItem",
        "id traceId startTime level environment experimentId experimentName experimentItemId",
    ),
    (
        "GetMediaResponse",
        "mediaId contentType contentLength uploadedAt url urlExpiry",
    ),
    ("GetMediaUploadUrlResponse", "mediaId"),
    (
        "Model",
        "id modelName matchPattern tokenizerConfig isLangfuseManaged createdAt prices pricingTiers",
    ),
    (
        "PricingTier",
        "id name isDefault priority conditions prices",
    ),
    (
        "PricingTierUsageCondition",
        "usageDetailPattern operator value caseSensitive",
    ),
    (
        "AnnotationQueue",
        "id name scoreConfigIds createdAt updatedAt",
    ),
    (
        "AnnotationQueueItem",
        "id queueId objectId objectType status createdAt updatedAt",
    ),
    (
        "Comment",
        "id projectId createdAt updatedAt objectType objectId content",
    ),
    (
        "LlmConnection",
        "id provider adapter displaySecretKey customModels withDefaultModels extraHeaderKeys createdAt updatedAt",
    ),
    (
        "ApiKeyResponse",
        "id createdAt publicKey secretKey displaySecretKey",
    ),
    ("ApiKeySummary", "id createdAt publicKey displaySecretKey"),
    ("IngestionResponse", "successes errors"),
    ("IngestionSuccess", "id status"),
    ("IngestionError", "id status"),
    ("utilsMetaResponse", "page limit totalItems totalPages"),
    ("HealthResponse", "version status"),
];

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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/langfuse/api.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let schemas = &document["components"]["schemas"];
    for (name, keys) in NEEDED {
        let required = required(schemas, name);
        for key in keys.split(' ') {
            assert!(required.contains(key), "{name} without {key} would pass");
        }
    }
}
