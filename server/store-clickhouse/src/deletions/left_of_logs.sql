-- Log records that are still there, of those that are told by hash.
SELECT count() AS found
FROM logs
WHERE project_id = {project_id:UUID}
    AND content IN {contents:Array(UInt64)}
