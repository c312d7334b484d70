-- The hours in which spans name a session, and how many traces they are of.
SELECT
    min(start_hour) AS first_hour,
    max(start_hour) AS last_hour,
    uniqExact(trace_id) AS its_traces
FROM spans
WHERE project_id = {project_id:UUID}
    AND session_id != ''
    AND session_id = {session_id:String}
