// Metrics and models through the released SDK of the major version that is given.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";

const { LangfuseClient } = await import(
  process.argv[2] === "4" ? "langfuse-v4" : "langfuse-v5"
);
const { api } = new LangfuseClient();

const model = await api.models.create({
  modelName: "ours",
  matchPattern: "^ours$",
  pricingTiers: [
    { name: "Standard", isDefault: true, priority: 0, conditions: [], prices: { input: 0.001 } },
    {
      name: "long",
      isDefault: false,
      priority: 1,
      conditions: [
        { usageDetailPattern: "input", operator: "gt", value: 1000, caseSensitive: false },
      ],
      prices: { input: 0.002 },
    },
  ],
});
assert.deepEqual([model.modelName, model.isLangfuseManaged], ["ours", false]);
assert.equal((await api.models.get(model.id)).pricingTiers[1].name, "long");
assert.equal((await api.models.list({ limit: 1 })).data[0].id, model.id);

const query = JSON.stringify({
  view: "observations",
  metrics: [{ measure: "count", aggregation: "count" }],
  fromTimestamp: "2020-01-01T00:00:00Z",
  toTimestamp: "2100-01-01T00:00:00Z",
});
assert.deepEqual((await api.metrics.metrics({ query })).data, [{ count_count: 0 }]);

await api.models.delete(model.id);
await assert.rejects(api.models.get(model.id));
