-- Traces that are held, with the users that they name.
SELECT
    trace_id,
    groupUniqArrayIf(user_id, user_id != '') AS users
FROM spans
WHERE project_id = {project_id:UUID}
    AND trace_id IN (
        SELECT trace_id
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND keep_rule = 'held'
    )
GROUP BY trace_id
LIMIT {limit:UInt32}
