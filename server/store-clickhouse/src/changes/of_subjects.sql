-- All changes of some observations or traces, each once: one that was sent again is there twice until
-- a merge. Of one thing that is changed without end the first ones are read.
SELECT *
FROM
(
    SELECT
        id,
        toUnixTimestamp64Nano(time) AS time_ns,
        is_update,
        place,
        event_id,
        kind,
        body
    FROM changes
    WHERE project_id = {project_id:UUID}
        AND subject = {subject:String}
        AND id IN {ids:Array(String)}
    ORDER BY id, time, is_update, event_id, content DESC
    LIMIT 1 BY id, time, is_update, event_id
)
LIMIT {most:UInt32} BY id
