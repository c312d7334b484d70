-- A slice of the sessions, the newest first, and how many there are in all: a session begins with the
-- first span that names it, and is where that is.
SELECT
    session_id,
    toUnixTimestamp64Nano(began) AS began_ns,
    its_environment,
    count() OVER () AS total
FROM
(
    SELECT
        session_id,
        min(start_time) AS began,
        argMin(toString(environment), (start_time, span_id)) AS its_environment
    FROM spans FINAL
    WHERE project_id = {project_id:UUID}
        AND start_hour <= {to_hour:UInt32}
        AND session_id != ''
        -- An empty list stands for all.
        AND (empty({session_ids:Array(String)}) OR has({session_ids:Array(String)}, session_id))
    GROUP BY session_id
)
WHERE toUnixTimestamp64Nano(began) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(began) < {to_ns:Int64}
    AND (empty({environments:Array(String)}) OR has({environments:Array(String)}, its_environment))
ORDER BY
    began DESC,
    session_id DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
SETTINGS do_not_merge_across_partitions_select_final = 1
