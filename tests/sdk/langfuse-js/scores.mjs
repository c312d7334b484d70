// Scores of every type through the released SDK of the major version that is given.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";

const major = Number(process.argv[2]);
const TRACE = "0123456789abcdef0123456789abcdef";
const GIVEN = [
  ["near", "NUMERIC", 0.25],
  ["right", "BOOLEAN", 1],
  ["kind", "CATEGORICAL", "good"],
];
// Version 3 knows no texts.
if (major > 3) GIVEN.push(["said", "TEXT", "well said"]);

/** What gives scores, and what sends them. */
async function client() {
  if (major === 3) {
    const { Langfuse } = await import("langfuse-v3");
    const langfuse = new Langfuse();
    return { give: (score) => langfuse.score(score), send: () => langfuse.flushAsync() };
  }
  const { LangfuseClient } = await import(`langfuse-v${major}`);
  const langfuse = new LangfuseClient();
  return { give: (score) => langfuse.score.create(score), send: () => langfuse.score.flush() };
}

const keys = `${process.env.LANGFUSE_PUBLIC_KEY}:${process.env.LANGFUSE_SECRET_KEY}`;
const headers = { authorization: `Basic ${Buffer.from(keys).toString("base64")}` };

/** What the server says, without the SDK: not every version reads scores. */
async function seen() {
  const answer = await fetch(`${process.env.LANGFUSE_BASE_URL}/api/public/v2/scores`, { headers });
  const { data } = await answer.json();
  const isWord = ({ dataType }) => ["CATEGORICAL", "TEXT"].includes(dataType);
  const value = (score) => (isWord(score) ? score.stringValue : score.value);
  return data.map((score) => [score.name, score.dataType, value(score)]).sort();
}

const { give, send } = await client();
for (const [name, dataType, value] of GIVEN) give({ traceId: TRACE, name, dataType, value });
await send();
const deadline = Date.now() + 60_000;
const expected = JSON.stringify([...GIVEN].sort());
for (let found = ""; found !== expected; await pause(50)) {
  found = JSON.stringify(await seen());
  assert.ok(Date.now() < deadline, found);
}
