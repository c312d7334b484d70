-- Log records outside of traces that may tell of one of some requests, each once; which they tell of is read by the
-- caller. They lie together at the front of the project, by time.
SELECT
    span_id,
    toUnixTimestamp64Nano(time) AS time_ns,
    severity_number,
    severity_text,
    event_name,
    body,
    body_type,
    attributes,
    attribute_types,
    resource,
    scope_name,
    scope_version,
    oddities,
    place
FROM logs
WHERE project_id = {project_id:UUID}
    AND trace_id = ''
    AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
    AND (multiSearchAny(body, {ids:Array(String)}) OR hasAny(mapValues(attributes), {ids:Array(String)}))
ORDER BY time, content, place DESC
LIMIT 1 BY time, content
LIMIT {limit:UInt32}
