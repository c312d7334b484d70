-- The ids under which engines know the requests that spans of a trace record, with their spans; a span that was sent again
-- is there again.
SELECT
    attributes[{key:String}] AS request_id,
    span_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id = {trace_id:String}
    AND mapContains(attributes, {key:String})
ORDER BY start_time, span_id
LIMIT {limit:UInt32}
