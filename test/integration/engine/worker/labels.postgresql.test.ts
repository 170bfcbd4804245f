// Two servers on one PostgreSQL: a task that was submitted to one runs on the one that has its labels.
import { afterAll, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { postgres } from "../../../support/postgres.ts";

const server = postgres();
afterAll(() => server?.stop());

test.skipIf(server === null)("a task runs on the server with its labels, wherever it was submitted", async () => {
  const DATABASE_URL = (await server?.createDatabase()) ?? "";
  await using docker = await openEngine({ env: { DATABASE_URL, ORCH_LABELS: "docker" } });
  const target = docker.targetOf("pool");
  await docker.learn("deploy", target, [cmd("echo $HOME >> ran"), check("test -d /")]);
  const contract = docker.contract("pool", { delegation_mode: "known_only", target, runs_on: ["zfs"] });
  expect(await docker.call("submit_task", contract)).toMatchObject({ status: "accepted", queued_for: ["zfs"] });
  await using zfs = await openEngine({ env: { DATABASE_URL, ORCH_LABELS: "zfs" } });
  await zfs.dispatcher.reconcile();
  expect(await docker.outcomeOf("pool")).toMatchObject({ status: "ok", queued_for: null });
  const journal = await docker.store.readJournal("pool");
  const claims = journal.flatMap(({ kind, body }) => (kind === "taken_up" ? [body.owner] : []));
  expect(claims).toEqual([zfs.database.servers.owner]);
  const next = { ...contract, task_id: "pool-2" };
  expect(await docker.call("submit_task", next)).toMatchObject({ status: "accepted", queued_for: null });
  // At the first look another server may be about to claim it.
  for (let look = 0; look < 2; look++) await zfs.dispatcher.reconcile();
  expect(await docker.outcomeOf("pool-2")).toMatchObject({ status: "ok" });
  await zfs.shutDown();
  const alone = { ...contract, task_id: "pool-3" };
  expect(await docker.call("submit_task", alone)).toMatchObject({ status: "accepted", queued_for: ["zfs"] });
});
