-- Some traces summed up from the live versions of their spans. `rank` puts the trace itself first where
-- it was described, then the root, then the others by start.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(start_time)) AS start_ns,
    toUnixTimestamp64Nano(max(end_time)) AS end_ns,
    countIf(parent_span_id = '') AS roots,
    argMinIf(toString(trace_name), rank, trace_name != '') AS given_name,
    argMin(name, rank) AS span_name,
    argMinIf(user_id, rank, user_id != '') AS user,
    argMinIf(session_id, rank, session_id != '') AS session,
    argMin(toString(environment), rank) AS environment_shown,
    argMinIf(toString(release), rank, release != '') AS release_shown,
    argMinIf(toString(version_label), rank, version_label != '') AS version_shown,
    argMinIf(toString(tenant), rank, tenant != '') AS tenant_shown,
    arraySort(groupUniqArrayArray(tags)) AS all_tags,
    arraySort(groupUniqArrayIf(model, model != '')) AS models,
    argMinIf(toString(prompt_name), (start_time, span_id), prompt_name != '') AS first_prompt,
    argMinIf(toString(prompt_version), (start_time, span_id), prompt_name != '') AS first_prompt_version,
    argMinIf(input_preview, rank, parent_span_id = '') AS input_head,
    argMinIf(output_preview, rank, parent_span_id = '') AS output_head,
    -- What describes the trace goes before its spans, also where it says no.
    if(
        countIf(kind = 'trace' AND says_public != '') > 0,
        max(kind = 'trace' AND says_public = 'true'),
        max(says_public = 'true')
    ) AS is_public,
    countIf(kind != 'trace') AS spans,
    countIf(status = 'error' OR level = 'ERROR') AS errors,
    argMinIf(error_text, (start_time, span_id), status = 'error' OR level = 'ERROR') AS first_error,
    -- Which of them count is decided where it is decided for a single trace. Whoever reads the spans as well has no need of them.
    groupArrayIf((
        span_id, parent_span_id, toString(kind), toString(call_role), response_id, usage_kinds,
        input_tokens, output_tokens, cost
    ), {with_calls:Bool}) AS metered,
    argMinIf(ttft_ms, (start_time, span_id), kind = 'generation') AS first_ttft_ms,
    toUInt8(/* conditions */ 1) AS meets
FROM
(
    SELECT
        trace_id,
        span_id,
        parent_span_id,
        (kind != 'trace', parent_span_id != '', start_time, span_id) AS rank,
        start_time,
        end_time,
        name,
        kind,
        status,
        level,
        error_kind,
        error_message,
        multiIf(
            error_kind != '' AND ifNull(error_message, '') != '',
            concat(error_kind, ': ', substringUTF8(ifNull(error_message, ''), 1, 500)),
            error_kind != '',
            toString(error_kind),
            substringUTF8(ifNull(error_message, ''), 1, 500)
        ) AS error_text,
        service,
        environment,
        release,
        version_label,
        tenant,
        route,
        user_id,
        session_id,
        tags,
        metadata,
        says_public,
        trace_name,
        provider,
        request_model,
        response_model,
        if(response_model != '', toString(response_model), toString(request_model)) AS model,
        input_tokens,
        output_tokens,
        cost,
        call_role,
        response_id,
        toUInt8(length(usage_details)) AS usage_kinds,
        ttft_ms,
        tool_names,
        called_tool_names,
        semantic_events,
        prompt_name,
        prompt_version,
        input,
        input_preview,
        output,
        output_preview,
        attributes,
        attribute_types
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND trace_id IN {trace_ids:Array(String)}
    -- In the order of the rows as they lie: to sort them by version alone was most of the time of a large trace.
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY trace_id, span_id
)
GROUP BY trace_id
