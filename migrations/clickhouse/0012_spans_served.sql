-- Which engine a call went to, out of its attributes: how requests find the instance that served them. As columns of
-- their own, for attributes are the largest column there is, and each question about the axes would read them of every
-- call in its range.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS told_instance  LowCardinality(String) MATERIALIZED attributes['llm.infer.instance'] COMMENT 'serving instance, as the call tells it; empty: it does not',
    ADD COLUMN IF NOT EXISTS server_address LowCardinality(String) MATERIALIZED if(attributes['server.port'] = '', attributes['server.address'], concat(attributes['server.address'], ':', attributes['server.port'])) COMMENT 'address that the call went to, with its port where that is told; empty: unknown'
