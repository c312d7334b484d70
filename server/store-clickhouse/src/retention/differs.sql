-- Rows whose days are not those of the settings, by table; what is held has none.
SELECT
    'spans' AS store,
    count() AS found
FROM spans
WHERE project_id = {project_id:UUID}
    AND keep_rule != 'held'
    AND (structure_days != transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16})
        OR content_days != if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})))
UNION ALL
SELECT
    'logs' AS store,
    count() AS found
FROM logs
WHERE project_id = {project_id:UUID}
    AND keep_rule != 'held'
    AND (structure_days != transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16})
        OR content_days != if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})))
