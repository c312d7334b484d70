-- The log records that name a user themselves, wherever they belong, with the user.
SELECT DISTINCT
    named AS user_id,
    trace_id,
    content
FROM logs
ARRAY JOIN arrayDistinct(mapValues(mapFilter((k, v) -> has({keys:Array(String)}, k) AND has({users:Array(String)}, v), attributes))) AS named
WHERE project_id = {project_id:UUID}
LIMIT {limit:UInt32}
