-- Those of some traces whose contents are all past their time.
SELECT trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
GROUP BY trace_id
HAVING countIf(NOT (keep_rule != 'held' AND if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})) > 0
    AND start_time + toIntervalDay(if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})))
        < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC'))) = 0
