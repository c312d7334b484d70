-- Whether any span names a session.
SELECT 1 AS found
FROM spans
WHERE project_id = {project_id:UUID}
    AND session_id != ''
    AND session_id = {session_id:String}
LIMIT 1
