-- The newest trace that has a span of that id.
SELECT trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND span_id = {span_id:String}
ORDER BY start_hour DESC
LIMIT 1
