-- Sessions, or users, that spans of some time name, with the start of the last such span. Where the list
-- is ordered by it, only as many as a page needs.
chosen AS
(
    SELECT
        /* key */ session_id AS chosen_id,
        toUInt64(toUnixTimestamp64Nano(max(start_time))) AS last_ns
    FROM spans FINAL
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
        AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
        AND /* key */ session_id != ''
        -- An empty list stands for all.
        AND (empty({ids:Array(String)}) OR has({ids:Array(String)}, /* key */ session_id))
    GROUP BY chosen_id
    HAVING (empty({users:Array(String)}) OR max(has({users:Array(String)}, user_id)))
        AND (empty({environments:Array(String)}) OR max(has({environments:Array(String)}, toString(environment))))
        AND ({text:String} = ''
            OR positionCaseInsensitiveUTF8(chosen_id, {text:String}) > 0
            OR max(positionCaseInsensitiveUTF8(user_id, {text:String}) > 0)
            OR max(positionCaseInsensitiveUTF8(toString(trace_name), {text:String}) > 0)
            OR max(positionCaseInsensitiveUTF8(name, {text:String}) > 0)
            OR max(positionCaseInsensitiveUTF8(input_preview, {text:String}) > 0)
            OR max(positionCaseInsensitiveUTF8(output_preview, {text:String}) > 0))
        AND (NOT {by_activity:Bool} OR (last_ns, chosen_id) < ({before_rank:UInt64}, {before_id:String}))
    ORDER BY
        last_ns DESC,
        chosen_id DESC
    LIMIT {candidates:UInt64}
)
