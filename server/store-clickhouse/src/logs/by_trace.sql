-- The log records of one trace, each once: one that was sent again is there twice until a merge.
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
    AND trace_id = {trace_id:String}
ORDER BY time, content, place DESC
LIMIT 1 BY time, content
LIMIT {limit:UInt32}
