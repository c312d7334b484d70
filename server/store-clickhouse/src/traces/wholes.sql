-- Traces as wholes, with the columns of a span: the beginning of the queries that ask for them. `rank`
-- puts what describes a trace first, then the root, then the others by start. Of tokens and costs each
-- call counts once, by the rule of `calls/each.sql`. A replaced version of a span that began at another
-- time may still be counted.
wholes AS
(
    SELECT
        trace_id,
        min(its_start) AS start_time,
        max(its_end) AS end_time,
        argMinIf(its_trace_name, rank, its_trace_name != '') AS trace_name,
        if(trace_name != '', trace_name, argMin(its_name, rank)) AS name,
        argMinIf(its_user, rank, its_user != '') AS user_id,
        argMinIf(its_session, rank, its_session != '') AS session_id,
        argMin(its_environment, rank) AS environment,
        argMinIf(its_tenant, rank, its_tenant != '') AS tenant,
        argMinIf(its_route, rank, its_route != '') AS route,
        argMinIf(its_release, rank, its_release != '') AS release,
        argMinIf(its_version, rank, its_version != '') AS version_label,
        arraySort(groupUniqArrayArray(its_tags)) AS tags,
        -- What any span says of the trace as a whole, under what the first one says that has some.
        arraySort(groupUniqArrayArray(
            arrayMap(key -> (toString(key), its_metadata[key]), its_trace_metadata_keys)
        )) AS said_of_trace,
        mapUpdate(
            CAST(arrayFilter(
                (said, place) -> place = 1 OR said.1 != said_of_trace[place - 1].1,
                said_of_trace,
                arrayEnumerate(said_of_trace)
            ), 'Map(LowCardinality(String), String)'),
            argMinIf(its_metadata, rank, notEmpty(its_metadata))
        ) AS metadata,
        if(max(its_status = 'error'), 'error', 'unset') AS status,
        multiIf(
            max(its_level = 'ERROR'), 'ERROR',
            max(its_level = 'WARNING'), 'WARNING',
            max(its_level = 'DEFAULT'), 'DEFAULT',
            'DEBUG'
        ) AS level,
        if(
            countIf(NOT is_span AND its_public != '') > 0,
            max(NOT is_span AND its_public = 'true'),
            max(its_public = 'true')
        ) AS is_public,
        countIf(is_span) AS spans_in_all,
        countIf(is_span AND (its_level = 'ERROR' OR its_status = 'error')) AS errors,
        countIf(is_span AND its_level = 'WARNING') AS warnings,
        countIf(is_span AND its_level = 'DEFAULT') AS defaults,
        countIf(is_span AND its_level = 'DEBUG') AS debugs,
        countIf(is_span AND fails_check) AS failed_checks,
        groupArrayIf(
            (
                its_id, its_parent, is_engine, has_usage,
                its_input_tokens, its_output_tokens, its_total_tokens, its_cost, its_cost_details
            ),
            is_call
        ) AS its_calls,
        arrayExists(call -> NOT call.3, its_calls) AS has_client,
        arrayFilter(call -> NOT (call.3 AND has_client), its_calls) AS told,
        arrayMap(call -> call.2, arrayFilter(call -> call.4, told)) AS wrappers,
        arrayFilter(call -> NOT has(wrappers, call.1), told) AS counted,
        arrayMap(call -> assumeNotNull(call.5), arrayFilter(call -> isNotNull(call.5), counted)) AS counted_inputs,
        arrayMap(call -> assumeNotNull(call.6), arrayFilter(call -> isNotNull(call.6), counted)) AS counted_outputs,
        arrayMap(call -> assumeNotNull(call.7), arrayFilter(call -> isNotNull(call.7), counted)) AS counted_totals,
        arrayMap(call -> assumeNotNull(call.8), arrayFilter(call -> isNotNull(call.8), counted)) AS counted_costs,
        if(empty(counted_inputs), NULL, arraySum(counted_inputs)) AS input_tokens,
        if(empty(counted_outputs), NULL, arraySum(counted_outputs)) AS output_tokens,
        if(empty(counted_totals), NULL, arraySum(counted_totals)) AS total_tokens,
        if(empty(counted_costs), NULL, arraySum(counted_costs)) AS cost,
        arrayReduce('sumMap', arrayMap(call -> call.9, counted)) AS cost_details
    FROM
    (
        SELECT
            trace_id,
            (kind != 'trace', parent_span_id != '', start_time, span_id) AS rank,
            span_id AS its_id,
            parent_span_id AS its_parent,
            start_time AS its_start,
            end_time AS its_end,
            toString(trace_name) AS its_trace_name,
            name AS its_name,
            user_id AS its_user,
            session_id AS its_session,
            toString(environment) AS its_environment,
            toString(tenant) AS its_tenant,
            toString(route) AS its_route,
            toString(release) AS its_release,
            toString(version_label) AS its_version,
            tags AS its_tags,
            metadata AS its_metadata,
            trace_metadata_keys AS its_trace_metadata_keys,
            status AS its_status,
            level AS its_level,
            says_public AS its_public,
            kind != 'trace' AS is_span,
            (mapContains(quality, 'format_valid') AND quality['format_valid'] = 0)
                OR (mapContains(quality, 'length_in_range') AND quality['length_in_range'] = 0)
                OR (mapContains(quality, 'stop_reason_valid') AND quality['stop_reason_valid'] = 0)
                OR quality['refused'] = 1
                OR quality['truncated_json'] = 1 AS fails_check,
            kind IN ('generation', 'embedding', 'reranker') AND call_role != 'repeat' AS is_call,
            call_role = 'engine' AS is_engine,
            usage_source != '' OR isNotNull(cost) AS has_usage,
            input_tokens AS its_input_tokens,
            output_tokens AS its_output_tokens,
            coalesce(total_tokens, input_tokens + output_tokens, input_tokens, output_tokens) AS its_total_tokens,
            cost AS its_cost,
            cost_details AS its_cost_details
        FROM spans FINAL
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {whole_from_hour:UInt32} AND {whole_to_hour:UInt32}
            -- One that began before these hours must not seem to begin in them.
            AND ({began_from_ns:Int64} = 0 OR trace_id IN (
                SELECT trace_id
                FROM traces
                WHERE project_id = {project_id:UUID}
                GROUP BY trace_id
                HAVING toUnixTimestamp64Nano(min(first_start)) >= {began_from_ns:Int64}
                    AND toUnixTimestamp64Nano(min(first_start)) < {began_to_ns:Int64}
            ))
            AND /* traces */ 1
    )
    GROUP BY trace_id
)
