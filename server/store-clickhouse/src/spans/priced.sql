-- Calls of one hour whose cost may be computed anew, in the order of the table. Of a call that was sent
-- again another version may count: giving the replaced one another cost changes nothing.
SELECT
    trace_id,
    span_id,
    kind,
    toUnixTimestamp64Nano(start_time) AS start_ns,
    provider,
    request_model,
    response_model,
    parameters,
    metadata,
    usage_details,
    cost_source,
    cost,
    cost_details,
    price,
    version
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour = {hour:UInt32}
    AND trace_id >= {after_trace:String}
    AND (trace_id, span_id) > ({after_trace:String}, {after_span:String})
    AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
    AND kind IN ('generation', 'embedding', 'reranker')
    AND call_role IN ('', 'own')
    AND usage_source != ''
    AND cost_source IN ('', 'price_table')
    AND /* conditions */ 1
ORDER BY
    trace_id,
    span_id,
    version DESC
LIMIT 1 BY trace_id, span_id
LIMIT {limit:UInt32}
