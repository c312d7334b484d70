-- Those of some sessions of which nothing stays.
SELECT session_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND session_id IN {session_ids:Array(String)}
GROUP BY session_id
HAVING countIf(NOT (keep_rule != 'held' AND transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) > 0
    AND start_time + toIntervalDay(transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}))
        < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC'))) = 0
