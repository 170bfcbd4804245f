// Whether the servers that share a database are reached where they say, by real requests.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { reachServers } from "../../../src/doctor/reach-servers.ts";
import type { ServerDetails } from "../../../src/domain/server.ts";
import { AT } from "../../support/builders.ts";
import { freePort } from "../../support/free-port.ts";

const stack: (() => void)[] = [];
afterAll(() => {
  for (const end of stack) end();
});

async function listening(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  stack.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/nas`;
}

const details = (name: string, url: string | null, over: Partial<ServerDetails> = {}): ServerDetails => ({
  server_id: name,
  name,
  url,
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
  this: false,
  clock_skew_seconds: null,
  windows_digest: null,
  ...over,
});
const own = details("own", "http://127.0.0.1:1", { this: true });

test("nothing is said where no server has an address, or there is one", async () => {
  const nothing = { found: [], fix: [] };
  expect(await reachServers([{ ...own, url: null }, details("b", null)])).toEqual(nothing);
  expect(await reachServers([own, details("b", null, { state: "stopped" })])).toEqual(nothing);
});

test("one that answers is found, one without an address and those that do not answer are named with what to do", async () => {
  const paths: (string | undefined)[] = [];
  const right = await listening((request, response) => {
    paths.push(request.url);
    response.setHeader("content-type", "application/json").end('{"status":"ok"}');
  });
  const other = await listening((_request, response) => void response.end("hello"));
  const unnamed = await listening((_request, response) => void response.writeHead(421).end());
  const closed = `http://127.0.0.1:${await freePort()}`;
  const servers = [own, details("a", right), details("b", null), details("c", closed), details("d", other)];
  const { found, fix } = await reachServers([...servers, details("e", unnamed, { state: "draining" })]);
  expect(found).toEqual([
    `c is not reached at ${closed}: ECONNREFUSED`,
    `d is not reached at ${other}: another program answers (HTTP 200)`,
    `e is not reached at ${unnamed}: it is not served there under this name`,
    "the others do not see what steps write on b",
  ]);
  expect(fix.map((line) => /^Set ORCH_SERVER_URL of (\w)/.exec(line)?.[1])).toEqual(["c", "d", "e", "b"]);
  expect(paths).toEqual(["/nas/healthz"]);
});
