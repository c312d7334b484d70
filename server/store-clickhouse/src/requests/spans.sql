-- What the spans of these traces tell of calls, and of their way to the engine: the newest version of each.
SELECT
    trace_id,
    span_id,
    parent_span_id,
    toString(kind) AS kind_name,
    toString(call_role) AS role_name,
    otlp_kind = 'server' AS is_server,
    usage_source != '' OR isNotNull(cost) AS has_usage,
    kind = 'generation'
        AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
        AND /* conditions */ 1 AS is_chosen,
    toUnixTimestamp64Nano(start_time) AS start_ns,
    toUnixTimestamp64Nano(end_time) AS end_ns,
    status = 'error' OR level = 'ERROR' AS failed,
    toString(if(response_model != '', response_model, request_model)) AS model,
    toString(prompt_name) AS prompt,
    toString(prompt_version) AS prompt_version_name,
    toString(tenant) AS tenant_name,
    toString(route) AS route_name,
    toString(release) AS release_name,
    toString(provider) AS provider_name,
    toString(environment) AS environment_name,
    toString(told_instance) AS instance_told,
    toString(server_address) AS address,
    if(call_role = 'engine' OR otlp_kind = 'server', toString(resource), '') AS process,
    ttft_ms,
    tpot_ms,
    queue_ms,
    prefill_ms,
    decode_ms,
    input_tokens,
    output_tokens,
    if(mapContains(usage_details, 'cache_read'), toNullable(usage_details['cache_read']), NULL) AS cached_tokens,
    toFloat64(cost) AS cost_usd,
    CAST(axes, 'Map(String, Float64)') AS told,
    CAST(quality, 'Map(String, Float64)') AS judged,
    toString(quality_marks) AS marks
FROM
(
    SELECT
        *,
        told_instance,
        server_address
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {near_from_hour:UInt32} AND {near_to_hour:UInt32}
        AND trace_id IN (SELECT trace_id FROM chosen)
        AND (kind IN ('generation', 'embedding', 'reranker') OR otlp_kind IN ('server', 'client'))
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY
        trace_id,
        span_id
)
