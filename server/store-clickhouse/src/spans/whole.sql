-- Whole spans of some traces: the live version of each that meets the conditions.
SELECT
    trace_id,
    span_id,
    parent_span_id,
    name,
    kind,
    otlp_kind,
    toUnixTimestamp64Nano(start_time) AS start_ns,
    toUnixTimestamp64Nano(end_time) AS end_ns,
    oddities,
    status,
    level,
    error_kind,
    error_message,
    service,
    instance,
    environment,
    release,
    version_label,
    tenant,
    route,
    user_id,
    session_id,
    tags,
    metadata,
    trace_name,
    provider,
    request_model,
    response_model,
    parameters,
    finish_reasons,
    usage_source,
    input_tokens,
    output_tokens,
    total_tokens,
    usage_details,
    cost_source,
    cost,
    cost_details,
    ttft_ms,
    tpot_ms,
    queue_ms,
    prefill_ms,
    decode_ms,
    ttft_source,
    prompt_name,
    prompt_version,
    input,
    input_attribute,
    output,
    output_attribute,
    attributes,
    attribute_types,
    resource,
    scope_name,
    scope_version,
    events,
    links,
    provenance
FROM
(
    SELECT *
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND trace_id IN {trace_ids:Array(String)}
        -- An empty list stands for all spans.
        AND (empty({span_ids:Array(String)}) OR has({span_ids:Array(String)}, span_id))
    -- A span that was sent again with another start is another row key: merges do not remove it.
    ORDER BY version DESC
    LIMIT 1 BY trace_id, span_id
)
WHERE /* conditions */ 1
