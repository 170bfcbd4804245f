// A bridge whose server has gone, and who is asked to bring one back.
import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { bridgeStdio } from "../../../src/api/mcp/stdio.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { TOKEN } from "../../support/http-endpoint.ts";
import { type RunningMcp, startMcp, toolCall } from "../../support/mcp-endpoint.ts";

let endpoint: RunningMcp | null = null;
afterEach(async () => {
  await endpoint?.stop();
  endpoint = null;
});

/** Sends the calls at once; gives the answers by id once the bridge has ended. */
async function answersTo(calls: readonly object[], url: string, revive: () => Promise<boolean>) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = bridgeStdio({ url, token: TOKEN, revive, stdin, stdout });
  stdin.end(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  await ended;
  const lines = String(stdout.read() ?? "").split("\n");
  const answers = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return answers.toSorted((a, b) => a.id - b.id);
}

const get = (id: number) => toolCall("get_thing", { thing_id: String(id) }, id);

test("a message that did not go out is sent to the server that is back", async () => {
  const url = await deadUrl();
  const revive = async () => {
    endpoint ??= await startMcp({ port: Number(new URL(url).port) });
    return true;
  };
  expect(await answersTo([get(1)], url, revive)).toMatchObject([{ id: 1, result: { structuredContent: {} } }]);
});

test("each call gets an error when the server cannot be brought back, and the start is tried once for each", async () => {
  const url = await deadUrl();
  let asked = 0;
  const never = async () => {
    asked += 1;
    return false;
  };
  const error = { code: -32000, data: { code: "ECONNREFUSED" } };
  expect(await answersTo([get(1), get(2)], url, never)).toMatchObject([
    { id: 1, error },
    { id: 2, error },
  ]);
  expect(asked).toBe(2);
});

test("a server that is there and refuses is not started again", async () => {
  endpoint = await startMcp({ limits: { requests: { amount: 1, per_ms: 3_600_000 } } });
  const never = () => Promise.reject(new Error("nobody is to be asked"));
  const answers = await answersTo([get(1), get(2)], endpoint.url, never);
  expect(answers.filter(({ result }) => result?.isError === true)).toHaveLength(1);
});
