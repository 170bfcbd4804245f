import { expect, test } from "vitest";
import { currentServers, type ServerDetails, serversNamed } from "../../../src/domain/server.ts";
import { AT } from "../../support/builders.ts";

const server = (server_id: string, over: Partial<ServerDetails> = {}): ServerDetails => ({
  server_id,
  name: "nas",
  process: `host/${server_id}`,
  url: null,
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
const idsOf = (servers: readonly ServerDetails[]) => servers.map(({ server_id }) => server_id);
const before = "2026-03-06T08:00:00.000Z";

test("the servers of now are those that live, and a lost one until another has its name and its tasks", () => {
  const alive = server("1");
  const lost = server("2", { state: "lost", started_at: before });
  const stopped = server("3", { state: "stopped" });
  expect(idsOf(currentServers([alive, lost, stopped]))).toEqual(["1"]);
  expect(idsOf(currentServers([alive, { ...lost, running: 1 }]))).toEqual(["1", "2"]);
  expect(idsOf(currentServers([alive, { ...lost, name: "pi" }]))).toEqual(["1", "2"]);
});

test("a name means the live servers of it, else the one that was started last", () => {
  const stopped = [server("1", { state: "stopped", started_at: before }), server("2", { state: "stopped" })];
  expect(idsOf(serversNamed(stopped, "nas"))).toEqual(["2"]);
  expect(idsOf(serversNamed([...stopped, server("3"), server("4", { state: "draining" })], "nas"))).toEqual(["3", "4"]);
  expect(idsOf(serversNamed([server("3"), server("4")], "host/4"))).toEqual(["4"]);
  expect(idsOf(serversNamed([server("3"), server("4")], "3"))).toEqual(["3"]);
  expect(serversNamed(stopped, "pi")).toEqual([]);
});
