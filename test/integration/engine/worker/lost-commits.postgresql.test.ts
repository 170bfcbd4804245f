// A commit whose answer is cut off between orch and a real PostgreSQL, done or not: each step runs once. So does a step that commits itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { journalFindings } from "../../../support/journal-check.ts";
import { postgres } from "../../../support/postgres.ts";
import { type Fault, type PostgresqlProxy, postgresqlProxy } from "../../../support/postgresql-proxy.ts";
import { type RoutingModel, startRoutingModel } from "../../../support/routing-model.ts";

const server = postgres();
afterAll(() => server?.stop());

const KNOWN = { delegation_mode: "known_only" };
const LOST: Fault[] = ["done_answer_lost", "not_done_answer_lost"];
/** Words of the message to the database. */
const COMMITS = ["COMMIT", "taken_up", "step_started", "step_finished", "verdict_reached", "reported"];

describe.skipIf(server === null)("on PostgreSQL", () => {
  const stack = new AsyncDisposableStack();
  let engine: Engine;
  let proxy: PostgresqlProxy;
  let model: RoutingModel;
  beforeAll(async () => {
    proxy = await postgresqlProxy((await server?.createDatabase()) ?? "");
    stack.defer(() => proxy.stop());
    model = stack.use(await startRoutingModel({ requires_approval: false }, { error_type: "transient" }));
    engine = stack.use(await openEngine({ env: { DATABASE_URL: proxy.url, ...model.env } }));
  });
  afterAll(() => stack.disposeAsync());

  describe.each(LOST)("%s", (fault) => {
    test.each(COMMITS)("at %s leaves one run of each step", async (words) => {
      const name = `${fault}-${words}`;
      const steps = [cmd(`echo one >> ${name}`), cmd(`echo two >> ${name}`), check("test -d /")];
      await engine.plant("deploy", engine.targetOf(name), steps);
      const met = proxy.arm(words, fault);
      await engine.call("submit_task", engine.contract(name, KNOWN)).catch(() => undefined);
      await met;
      await engine.call("submit_task", engine.contract(name, KNOWN));
      expect(await engine.outcomeOf(name)).toMatchObject({ status: "ok" });
      expect(engine.linesOf(name)).toEqual(["one", "two"]);
      expect(journalFindings(await engine.store.readJournal(name))).toEqual([]);
    });
  });

  test.each<[Fault, string]>([
    ["done_answer_lost", "1"],
    ["not_done_answer_lost", "0"],
  ])("a step that commits to its own database is not repeated: %s", async (fault, rows) => {
    const own = (await server?.createDatabase()) ?? "";
    const way = await postgresqlProxy(own);
    stack.defer(() => way.stop());
    const look = `psql -XAtqc "SELECT count(*) FROM effect" ${own}`;
    await engine.plant("deploy", engine.targetOf(`made-${fault}`), [
      cmd(`psql -Xqc "CREATE TABLE effect (task text)" ${own}`),
      check("test -d /"),
    ]);
    expect(await engine.run(`made-${fault}`, KNOWN)).toMatchObject({ status: "ok" });
    await engine.plant("deploy", engine.targetOf(fault), [
      cmd(`psql -Xq1 -c "INSERT INTO effect VALUES ('$ORCH_TASK_ID')" ${way.url}`),
      cmd(`${look} > ${fault}`),
      check("test -d /"),
    ]);
    const met = way.arm("COMMIT", fault);
    expect(await engine.run(fault, KNOWN)).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", step_index: 0 },
    });
    await met;
    await engine.call("resolve_step", { task_id: fault, resolution: "succeeded", wait_seconds: 30 });
    expect(engine.linesOf(fault)).toEqual([rows]);
  });
});
