// Prompts through the released SDK of the major version that is given.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";

const major = Number(process.argv[2]);
const NAME = "team/greeting v1";
const fresh = { cacheTtlSeconds: 0 };

/** The calls that have other names in other versions. */
async function client() {
  if (major === 3) {
    const { Langfuse } = await import("langfuse-v3");
    const langfuse = new Langfuse();
    return {
      create: (body) => langfuse.createPrompt(body),
      get: (name, { version, ...options } = {}) => langfuse.getPrompt(name, version, options),
      update: (name, version, newLabels) => langfuse.updatePrompt({ name, version, newLabels }),
      projects: () => langfuse.api.projectsGet(),
      end: () => langfuse.shutdownAsync(),
    };
  }
  const { LangfuseClient } = await import(major === 4 ? "langfuse-v4" : "langfuse-v5");
  const langfuse = new LangfuseClient();
  return {
    create: (body) => langfuse.prompt.create(body),
    get: (name, options) => langfuse.prompt.get(name, options),
    update: (name, version, newLabels) => langfuse.prompt.update({ name, version, newLabels }),
    remove: (name, options) => langfuse.prompt.delete?.(name, options),
    projects: () => langfuse.api.projects.get(),
    end: () => langfuse.shutdown(),
  };
}

const langfuse = await client();
assert.equal((await langfuse.projects()).data.length, 1);

// A text, two versions of it, by label and by number.
const first = await langfuse.create({
  name: NAME,
  prompt: "Hello {{name}}",
  labels: ["production"],
  tags: ["greeting"],
  config: { model: "m", temperature: 0.2 },
  commitMessage: "first",
});
assert.equal(first.version, 1);
await langfuse.create({ name: NAME, prompt: "Welcome {{name}}", labels: ["staging"] });
const prompt = await langfuse.get(NAME, fresh);
assert.equal(prompt.version, 1);
assert.equal(prompt.compile({ name: "Ada" }), "Hello Ada");
assert.deepEqual(prompt.config, { model: "m", temperature: 0.2 });
assert.deepEqual([prompt.labels, prompt.tags], [["production"], ["greeting"]]);
assert.equal((await langfuse.get(NAME, { ...fresh, label: "staging" })).version, 2);
assert.equal((await langfuse.get(NAME, { ...fresh, version: 2 })).prompt, "Welcome {{name}}");

// A label moves.
const moved = await langfuse.update(NAME, 2, ["production"]);
assert.deepEqual(new Set(moved.labels), new Set(["production", "staging", "latest"]));
assert.equal((await langfuse.get(NAME, fresh)).version, 2);
await langfuse.get(NAME);
await langfuse.get(NAME);

// What is not there is the fallback, or an error.
const fallback = await langfuse.get("missing", { fallback: "Hi {{name}}", maxRetries: 0 });
assert.equal(fallback.isFallback, true);
assert.equal(fallback.compile({ name: "Ada" }), "Hi Ada");
await assert.rejects(langfuse.get("missing", { maxRetries: 0 }));

// A chat with a placeholder.
await langfuse.create({
  name: "chat",
  type: "chat",
  prompt: [
    { role: "system", content: "You know {{topic}}" },
    { type: "placeholder", name: "history" },
    { role: "user", content: "{{question}}" },
  ],
  labels: ["production"],
});
const chat = await langfuse.get("chat", { ...fresh, type: "chat" });
const history = [{ role: "assistant", content: "Ask." }];
const compiled = chat.compile({ topic: "harbours", question: "Where?" }, { history });
assert.deepEqual(
  compiled.map(({ role, content }) => ({ role, content })),
  [
    { role: "system", content: "You know harbours" },
    { role: "assistant", content: "Ask." },
    { role: "user", content: "Where?" },
  ],
);

if (langfuse.remove) {
  await langfuse.remove("chat");
}
await langfuse.end();
