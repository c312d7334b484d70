-- How many rows a trace has, all versions of its spans: read from the keys alone.
SELECT count() AS spans
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id = {trace_id:String}
