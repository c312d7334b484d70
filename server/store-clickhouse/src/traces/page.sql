-- A slice of the traces that match, in some order, and how many match in all. Conditions are on a trace
-- as a whole: its row has the columns of a span. `rank` puts what describes the trace first, then the
-- root, then the others by start. A replaced version of a span that began at another time may still be
-- counted; the caller reads each trace of the slice exactly.
SELECT
    trace_id,
    count() OVER () AS total
FROM
(
    SELECT
        trace_id,
        min(its_start) AS start_time,
        max(its_end) AS end_time,
        argMinIf(its_trace_name, rank, its_trace_name != '') AS trace_name,
        if(trace_name != '', trace_name, argMin(its_name, rank)) AS name,
        argMinIf(its_user, rank, its_user != '') AS user_id,
        argMinIf(its_session, rank, its_session != '') AS session_id,
        argMin(its_environment, rank) AS environment,
        argMinIf(its_release, rank, its_release != '') AS release,
        argMinIf(its_version, rank, its_version != '') AS version_label,
        arraySort(groupUniqArrayArray(its_tags)) AS tags,
        argMinIf(its_metadata, rank, notEmpty(its_metadata)) AS metadata,
        if(max(its_status = 'error'), 'error', 'unset') AS status,
        multiIf(
            max(its_level = 'ERROR'), 'ERROR',
            max(its_level = 'WARNING'), 'WARNING',
            max(its_level = 'DEFAULT'), 'DEFAULT',
            'DEBUG'
        ) AS level,
        max(its_public = 'true') AS is_public
    FROM
    (
        SELECT
            trace_id,
            (kind != 'trace', parent_span_id != '', start_time, span_id) AS rank,
            start_time AS its_start,
            end_time AS its_end,
            toString(trace_name) AS its_trace_name,
            name AS its_name,
            user_id AS its_user,
            session_id AS its_session,
            toString(environment) AS its_environment,
            toString(release) AS its_release,
            toString(version_label) AS its_version,
            tags AS its_tags,
            metadata AS its_metadata,
            status AS its_status,
            level AS its_level,
            attributes['langfuse.trace.public'] AS its_public
        FROM spans FINAL
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            -- One that began before these hours must not seem to begin in them.
            AND ({from_ns:Int64} = 0 OR trace_id IN (
                SELECT trace_id
                FROM traces
                WHERE project_id = {project_id:UUID}
                GROUP BY trace_id
                HAVING toUnixTimestamp64Nano(min(first_start)) >= {from_ns:Int64}
                    AND toUnixTimestamp64Nano(min(first_start)) < {to_ns:Int64}
            ))
    )
    GROUP BY trace_id
)
WHERE toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
    AND /* conditions */ 1
ORDER BY
    /* order */ start_time DESC,
    trace_id DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1
