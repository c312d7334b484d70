-- The newest and the oldest hour with spans between two hours: read from both ends of the order key.
SELECT
    (
        SELECT start_hour
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        ORDER BY project_id DESC, start_hour DESC
        LIMIT 1
    ) AS newest,
    (
        SELECT start_hour
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        ORDER BY project_id, start_hour
        LIMIT 1
    ) AS oldest
