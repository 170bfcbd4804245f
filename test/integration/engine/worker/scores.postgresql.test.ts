// Two servers on one PostgreSQL: one of them folds, and the sum over their metrics counts each task once (D-334).
import { afterAll, expect, test } from "vitest";
import { check } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { postgres } from "../../../support/postgres.ts";

const server = postgres();
afterAll(() => server?.stop());

async function sumIn(name: string, { metrics }: Engine): Promise<number> {
  const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

test.skipIf(server === null)(
  "the sum over the metrics of two servers counts each task once",
  { timeout: 60_000 },
  async () => {
    const DATABASE_URL = (await server?.createDatabase()) ?? "";
    await using a = await openEngine({ env: { DATABASE_URL } });
    await using b = await openEngine({ env: { DATABASE_URL } });
    const both = [a, b];
    for (const engine of both) await engine.wakeups.start();
    await a.learn("deploy", { service: "a" }, [check("test -d /")]);
    await b.learn("deploy", { service: "b" }, [check("test -d /")]);
    for (const nth of [1, 2, 3]) {
      const on = (service: string) => ({ task_id: `${service}-${nth}`, target: { service }, success_criteria: [] });
      await Promise.all([a.submit(on("a")), b.submit(on("b"))]);
    }
    const counted = async () => {
      const values = await Promise.all(both.map((engine) => sumIn("orch_tasks_total{", engine)));
      return values.reduce((sum, value) => sum + value, 0);
    };
    // The duty is begun a second after the last end.
    await expect.poll(counted, { timeout: 15_000, interval: 100 }).toBe(6);
    await a.scores.rebuild();
    await Promise.all(both.map(({ scores }) => scores.catchUp(5_000)));
    expect(await counted()).toBe(6);
    expect(await Promise.all(both.map((engine) => sumIn("orch_score_behind ", engine)))).toEqual([0, 0]);
  },
);
