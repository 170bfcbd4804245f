// The agent model prints nothing and leaves no rejection unhandled. The test runs it in a child process, because the
// client library writes to the console and an unhandled rejection ends Node.
import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { drips, endsEarly, floods, resetsAtOnce, stopsMidStream, streams } from "../../simulators/ollama/ollama.ts";
import {
  calls,
  isCut,
  isSilent,
  malformed,
  refuses,
  resets,
  says,
  startScriptedModel,
} from "../../support/agent-model.ts";

const turns = [
  calls(["shell", { command: "ls" }]),
  malformed("shell", '{"command'),
  isCut(says("hunter2")),
  isSilent,
  stopsMidStream,
  drips(20),
  resetsAtOnce,
  resets,
  endsEarly,
  floods,
  refuses(400, { error: "hunter2 does not support tools" }),
  refuses(500, "error parsing tool call: hunter2"),
  refuses(404, "not json"),
  streams("hunter2\n\n\n"),
  streams('{"error":"hunter2"}\n'),
  streams('{"message":{"content":"","tool_calls":[{}]},"done":false}\n'),
  says("Done."),
] as const;

test("the process of the agent model prints nothing and does not crash, for every fault of its server", async () => {
  await using scripted = await startScriptedModel(turns);
  const module = new URL("./agent-model-process.ts", import.meta.url);
  const child = fork(module, [scripted.base_url], { silent: true, execArgv: [] });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "not captured")));
  const exited = once(child, "exit");
  const replies: unknown[] = [];
  for (const _turn of turns) {
    child.send("ask");
    replies.push((await Promise.race([once(child, "message"), exited]))[0]);
  }
  await expect.poll(scripted.openSockets).toBe(0);
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(await printed).toEqual(["", ""]);
  expect(replies.map((reply) => (reply as { is: string }).is)).toEqual([
    ...["reply", "reply"],
    ...turns.slice(2, -1).map(() => "fault"),
    "reply",
  ]);
});
