// The gate prints nothing and leaves no rejection unhandled, whatever the model server does. In a process of its own: the
// client library writes to the console, and an unhandled rejection ends Node.
import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import {
  answers,
  type Behaviour,
  drips,
  endsEarly,
  floods,
  refuses,
  resetsAtOnce,
  resetsMidStream,
  saysNothing,
  startOllama,
  stopsMidStream,
  streams,
} from "../../simulators/ollama/ollama.ts";

const behaviours: Behaviour[] = [
  answers({ error_type: "transient" }),
  answers("prose"),
  saysNothing,
  stopsMidStream,
  drips(20),
  resetsAtOnce,
  resetsMidStream,
  endsEarly,
  floods,
  refuses(500, "internal error: hunter2"),
  refuses(502, "<html>bad gateway</html>", { "content-type": "text/html" }),
  refuses(404, "not json", { "content-type": "application/json" }),
  streams("hunter2\n\n\n"),
  streams('{"error":"hunter2"}\n'),
  streams('{"message":{"content":"","tool_calls":[{}]},"done":false}\n'),
];

test("whatever the server does, the gate's process prints nothing and lives", async () => {
  await using fake = await startOllama(saysNothing);
  const child = fork(new URL("./gate-process.ts", import.meta.url), [fake.base_url], { silent: true, execArgv: [] });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "not captured")));
  const exited = once(child, "exit");
  const replies: unknown[] = [];
  for (const behaviour of behaviours) {
    fake.behave(behaviour);
    child.send("ask");
    replies.push((await Promise.race([once(child, "message"), exited]))[0]);
  }
  await expect.poll(fake.openSockets).toBe(0);
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(await printed).toEqual(["", ""]);
  expect(replies[0]).toMatchObject({ answer: { error_type: "transient" }, fallback: null });
  expect(replies.slice(1)).toEqual(
    behaviours.slice(1).map(() => expect.objectContaining({ answer: { error_type: "unknown" } })),
  );
});
