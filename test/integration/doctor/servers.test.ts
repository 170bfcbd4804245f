// What doctor says of the servers of a database, from the answer of one of them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examineServers } from "../../../src/doctor/ask-server.ts";
import { works } from "../../../src/doctor/examination.ts";
import { AT } from "../../support/builders.ts";

const server = (name: string, over: object = {}) => ({
  name,
  server_id: name,
  process: null,
  labels: [],
  version: "1",
  journal_level: 1,
  concurrency: 4,
  running: 0,
  state: "alive",
  started_at: AT,
  seen_at: AT,
  lease_age_seconds: 1,
  clock_skew_seconds: 0,
  this: name === "a",
  ...over,
});
const quiet = { clock_skew_seconds: 0, queue: null, last_backup_at: null, held: [], unread: [], waiting: null };

let answer: object = {};
const answering = createServer((_request, response) => response.end(JSON.stringify(answer)));
beforeAll(() => new Promise<void>((listening) => answering.listen(0, "127.0.0.1", listening)));
afterAll(() => answering.close());

const examined = (given: object) => {
  answer = { ...quiet, ...given };
  const { port } = answering.address() as AddressInfo;
  const env = { ORCH_URL: `http://127.0.0.1:${port}`, ORCH_TOKEN: "a-token-of-thirty-two-characters-0123" };
  return examineServers(env, Promise.resolve(works("it answers")));
};

test("servers that agree are in order, with the number of the tasks that wait for one", async () => {
  const servers = [server("a"), server("b")];
  const queue = { ready: 0, later: 1, running: 2 };
  const found = await examined({ servers, queue, waiting: { tasks: 200, oldest_seconds: 61.5 } });
  expect(found).toMatchObject({ state: "works" });
  expect(found.found).toContain(
    "\n200 tasks wait for a server, the oldest for 61.5 s\nqueue of wakeups: 0 ready, 1 later",
  );
  const none = await examined({ servers, queue, waiting: { tasks: 0, oldest_seconds: null } });
  expect(none.found).toContain("\nno task waits for a server\n");
});

test("a wrong clock is named, of the server that answers and of any other live one", async () => {
  const own = await examined({ servers: [server("a"), server("b")], clock_skew_seconds: -2.5 });
  const clock = "Set the clocks of the servers and of the database by NTP.";
  expect(own).toMatchObject({ state: "falls_back", fix: clock });
  expect(own.found).toContain("\nthe clock of the server that answers is -2.5 s ahead of the database's");
  const servers = [server("a"), server("b", { clock_skew_seconds: 600 }), server("c", { clock_skew_seconds: 2 })];
  const other = await examined({ servers });
  expect(other).toMatchObject({ state: "falls_back", fix: clock });
  expect(other.found).toMatch(/\nthe clock of b is 600 s ahead of the database's$/);
  const gone = server("b", { clock_skew_seconds: 600, state: "stopped" });
  expect(await examined({ servers: [server("a"), gone] })).toMatchObject({ state: "works" });
});

test("windows that one live server has and another has not are named", async () => {
  const windows_digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const servers = [server("a", { windows_digest }), server("b", { windows_digest }), server("c")];
  expect(await examined({ servers })).toMatchObject({
    state: "falls_back",
    found: expect.stringMatching(/\nthe windows of ORCH_FREEZE_WINDOWS differ: a, b with sha256:01234567; c without$/),
    fix: expect.stringContaining("Give every server the same ORCH_FREEZE_WINDOWS"),
  });
  expect(await examined({ servers: servers.slice(0, 2) })).toMatchObject({ state: "works" });
});
