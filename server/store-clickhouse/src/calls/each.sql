-- Calls of models, each once: the beginning of the queries beside it. What an engine records of a call
-- counts where no client of the trace recorded it, and a call with another just below it is a wrapper;
-- what stands between a wrapper and its call is not looked through.
WITH
    recorded AS
    (
        SELECT
            cityHash64(trace_id) AS trace,
            cityHash64(trace_id, span_id) AS id,
            cityHash64(trace_id, parent_span_id) AS parent,
            call_role = 'engine' AS is_engine,
            usage_source != '' OR isNotNull(cost) AS has_usage,
            kind = 'generation' AS is_generation,
            if(response_model != '', toString(response_model), toString(request_model)) AS model,
            toString(provider) AS provider_name,
            toString(instance) AS instance_name,
            cityHash64(model, provider_name, instance_name) AS serving,
            toUnixTimestamp64Nano(start_time) AS start_ns,
            isNull(end_time) AS is_open,
            ifNull(toUnixTimestamp64Nano(end_time), 0) AS end_ns,
            spans.input_tokens AS input_tokens,
            spans.output_tokens AS output_tokens,
            spans.ttft_ms AS ttft_ms,
            spans.tpot_ms AS tpot_ms,
            status = 'error' OR level = 'ERROR' AS is_failed
        FROM spans FINAL
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND kind IN ('generation', 'embedding', 'reranker')
            AND call_role != 'repeat'
    ),
    told AS
    (
        SELECT *
        FROM recorded
        WHERE NOT is_engine
            OR trace NOT IN (SELECT trace FROM recorded WHERE NOT is_engine)
    ),
    calls AS
    (
        SELECT *
        FROM told
        WHERE id NOT IN (SELECT parent FROM told WHERE has_usage)
    )
