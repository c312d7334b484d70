-- What was done in some traces: their calls, tools, searches and checks, which span has what the person
-- asked, and which has what the person saw. Of input and output only whether there is any is read.
SELECT
    trace_id,
    argMinIf(
        span_id,
        (kind != 'trace', parent_span_id != '', kind != 'generation', start_time, span_id),
        has_input AND (parent_span_id = '' OR kind IN ('trace', 'generation', 'agent', 'chain'))
    ) AS asked,
    argMinIf(
        span_id,
        (
            kind != 'trace', parent_span_id != '', kind != 'generation',
            -toUnixTimestamp64Nano(start_time), span_id
        ),
        has_output AND (parent_span_id = '' OR kind IN ('trace', 'generation', 'agent', 'chain'))
    ) AS answered,
    arraySlice(arraySort(
        step -> (step.4, step.1),
        groupArrayIf(5000)(
            (
                span_id, name, toString(kind), toUnixTimestamp64Nano(start_time),
                ifNull(toUnixTimestamp64Nano(end_time), 0), toUInt8(failed)
            ),
            kind NOT IN ('trace', 'span', 'event', 'chain', 'agent')
        )
    ), 1, {most:UInt32}) AS steps,
    argMinIf(error_text, (start_time, span_id), failed) AS first_error,
    arraySort(groupUniqArrayIf(20)(model, model != '')) AS models,
    argMinIf(prompt_name, (start_time, span_id), prompt_name != '') AS first_prompt,
    argMinIf(prompt_version, (start_time, span_id), prompt_name != '') AS first_prompt_version,
    argMinIf(ttft_ms, (start_time, span_id), kind = 'generation') AS first_ttft_ms
FROM
(
    SELECT
        trace_id,
        span_id,
        parent_span_id,
        name,
        kind,
        start_time,
        end_time,
        status = 'error' OR level = 'ERROR' AS failed,
        multiIf(
            error_kind != '' AND ifNull(error_message, '') != '',
            concat(error_kind, ': ', substringUTF8(ifNull(error_message, ''), 1, 500)),
            error_kind != '',
            toString(error_kind),
            substringUTF8(ifNull(error_message, ''), 1, 500)
        ) AS error_text,
        if(response_model != '', toString(response_model), toString(request_model)) AS model,
        toString(prompt_name) AS prompt_name,
        toString(prompt_version) AS prompt_version,
        ttft_ms,
        isNotNull(input) AS has_input,
        isNotNull(output) AS has_output
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND trace_id IN {trace_ids:Array(String)}
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY
        trace_id,
        span_id
)
GROUP BY trace_id
