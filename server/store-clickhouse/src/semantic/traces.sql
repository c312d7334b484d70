-- Traces of a range as what they are units of: whose they were, when they began and ended, and which group of an
-- experiment they were in. Of more than are read those of the users with the smallest hash, so that what is read of a
-- user is all of it.
SELECT
    trace_id,
    max(s.session_id) AS session,
    max(s.user_id) AS user,
    max(s.ab_group) AS grouped,
    toUnixTimestamp64Nano(min(s.start_time)) AS start_ns,
    toUnixTimestamp64Nano(max(ifNull(s.end_time, s.start_time))) AS end_ns
FROM
(
    SELECT
        trace_id,
        session_id,
        user_id,
        toString(ab_group) AS ab_group,
        start_time,
        end_time
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
        AND kind != 'event'
) AS s
GROUP BY trace_id
ORDER BY cityHash64(multiIf(user != '', user, session != '', session, trace_id))
LIMIT {limit:UInt32}
