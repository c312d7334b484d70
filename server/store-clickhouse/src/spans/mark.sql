-- How many rows a trace has, all versions of its spans, and what tells whether these are the same as
-- before: a version is a hash of what it holds.
SELECT
    count() AS rows,
    sumWithOverflow(version) AS versions
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id = {trace_id:String}
