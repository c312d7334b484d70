-- The spans of some traces, each once, with the users and sessions that its versions name.
SELECT
    trace_id,
    span_id,
    groupUniqArrayIf(user_id, user_id != '') AS users,
    groupUniqArrayIf(session_id, session_id != '') AS sessions
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id IN {trace_ids:Array(String)}
GROUP BY
    trace_id,
    span_id
