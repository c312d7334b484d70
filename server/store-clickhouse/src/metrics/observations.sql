-- Spans of some time, with whether their tokens and costs count: by the rule of `calls/each.sql`, each
-- call once. Traces and spans are compared by hashes: sets of numbers are built three times as fast as sets of
-- texts, and of a hundred million spans no two have the same. Clients are asked for only where there are engines.
seen AS
(
    SELECT
        trace_id,
        span_id,
        parent_span_id,
        name,
        kind,
        level,
        environment,
        release,
        version_label,
        if(response_model != '', toString(response_model), toString(request_model)) AS model,
        provider,
        prompt_name,
        prompt_version,
        metadata,
        tool_names,
        called_tool_names,
        from_cache,
        experiment_id,
        attributes['langfuse.experiment.name'] AS experiment_name,
        attributes['langfuse.experiment.dataset.id'] AS experiment_dataset_id,
        start_time AS time,
        -- An end before the start is no time at all.
        if(
            end_time < start_time,
            0,
            (toUnixTimestamp64Nano(end_time) - toUnixTimestamp64Nano(start_time)) / 1e6
        ) AS latency_ms,
        ttft_ms,
        input_tokens,
        output_tokens,
        coalesce(total_tokens, input_tokens + output_tokens, input_tokens, output_tokens) AS all_tokens,
        usage_details,
        cost,
        cost_details,
        kind IN ('generation', 'embedding', 'reranker')
            AND call_role != 'repeat'
            AND (call_role != 'engine' OR cityHash64(trace_id) NOT IN
            (
                SELECT cityHash64(trace_id)
                FROM spans FINAL
                WHERE project_id = {project_id:UUID}
                    AND start_hour BETWEEN {near_from_hour:UInt32} AND {near_to_hour:UInt32}
                    AND trace_id IN
                    (
                        SELECT trace_id
                        FROM spans
                        WHERE project_id = {project_id:UUID}
                            AND start_hour BETWEEN {near_from_hour:UInt32} AND {near_to_hour:UInt32}
                            AND call_role = 'engine'
                    )
                    AND kind IN ('generation', 'embedding', 'reranker')
                    AND call_role NOT IN ('engine', 'repeat')
            ))
            AND cityHash64(trace_id, span_id) NOT IN
            (
                SELECT cityHash64(trace_id, parent_span_id)
                FROM spans FINAL
                WHERE project_id = {project_id:UUID}
                    AND start_hour BETWEEN {near_from_hour:UInt32} AND {near_to_hour:UInt32}
                    AND parent_span_id != ''
                    AND kind IN ('generation', 'embedding', 'reranker')
                    AND call_role NOT IN ('engine', 'repeat')
                    AND (usage_source != '' OR isNotNull(cost))
            ) AS counts
    FROM spans FINAL
    WHERE project_id = {project_id:UUID}
        AND kind != 'trace'
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
        AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
)
