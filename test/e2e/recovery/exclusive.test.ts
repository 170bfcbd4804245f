// One server per database: two would run the same task twice.
import { once } from "node:events";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { runSql } from "../../support/database.ts";
import { linesOf, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, lines, serve, settled } from "./begin.ts";

test("a second server on the same database is refused in plain words, and serves once the first was killed", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "t-1", [cmd("echo x >> begun; sleep 1; echo x >> done"), check("test -d /")]);
  await lines(directory.path, "begun");
  const refused = startOrchProcess({ data_dir: directory.path });
  await expect(refused).rejects.toThrow(
    new RegExp(
      `ended with 1 before.*\\norch cannot start: another orch server \\(pid ${first.child.pid}\\) is using this database; stop it first`,
    ),
  );
  expect((await settled(first, "t-1")).status).toBe("ok");
  expect(linesOf(`${directory.path}/done`)).toHaveLength(1);
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir: directory.path });
  expect((await settled(second, "t-1")).status).toBe("ok");
  expect(await second.kill("SIGTERM")).toBe(0);
});

test("a server whose database another one has taken over ends its steps, records no end of them and exits with 8", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "t-1", [cmd("echo x >> begun; sleep 8; echo x >> done"), check("test -d /")]);
  await lines(directory.path, "begun");
  const exited = once(first.child, "exit");
  const database = await openDatabase({ url: `file:${directory.path}/state/orch.db` });
  await runSql(database, "UPDATE server SET epoch = epoch + 1");
  // Any commit learns of it; without one the next heartbeat does.
  await first.post("/v1/tasks", contractBody({ task_id: "t-2" })).catch(() => undefined);
  expect((await exited)[0]).toBe(8);
  expect(first.output()).toContain("orch stops: ");
  expect(linesOf(`${directory.path}/done`)).toEqual([]);
  const kinds = await database.client.journalEvent.findMany({ where: { thread_id: "t-1" }, orderBy: { seq: "asc" } });
  // What it says at its end is a message to the supervisor, and settles nothing (D-330).
  expect(kinds.map(({ kind }) => kind).slice(-2)).toEqual(["step_started", "late_result"]);
  await database.close();
});
