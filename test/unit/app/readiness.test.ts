// The way of a server from its open port to its first answer.
import { describe, expect, test } from "vitest";
import type { AnyOperation } from "../../../src/api/operations/operation.ts";
import { createReadiness } from "../../../src/app/stages.ts";
import { OrchError } from "../../../src/domain/errors.ts";

function starting(works: () => boolean = () => true) {
  const logged: string[] = [];
  const pauses: number[] = [];
  const readiness = createReadiness({
    ping: async () => {
      if (!works()) throw new Error("away");
    },
    log: { error: (_details, message) => void logged.push(message) },
    pause: async (ms) => void pauses.push(ms),
  });
  const operation = { name: "list_tasks", handle: async () => "answered" } as unknown as AnyOperation;
  const call = () => readiness.gated(operation).handle({}, { token_id: "t", signal: new AbortController().signal });
  return { ...readiness, logged, pauses, call };
}

/** Fails as often as it hears, with these errors. */
const failing = (...errors: Error[]) => ({
  what: "the recovery",
  run: async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  },
});
const LOST = new Error("connection lost");

describe("a server that starts", () => {
  test("answers no call before every stage has succeeded", async () => {
    const it = starting();
    const answer = it.call();
    expect(it.missing()).toBe("unfinished tasks are being claimed");
    await it.recover([failing()]);
    expect([it.missing(), await answer, it.logged]).toEqual([null, "answered", []]);
  });

  test("tries a stage again, says why it does not serve, and refuses calls meanwhile", async () => {
    let is_away = true;
    const it = starting(() => !is_away);
    const waiting = it.call();
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 9) is_away = false;
      if (runs < 9) throw LOST;
    };
    const recovering = it.recover([{ what: "the recovery", run }]);
    const why = "the database does not work, so the recovery is tried again";
    await expect(waiting).rejects.toMatchObject({ code: "database_unusable", message: `orch does not serve: ${why}` });
    await recovering;
    expect(it.missing()).toBeNull();
    expect(it.pauses).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
    expect(it.logged[0]).toBe("the server could not start yet: the recovery failed");
  });

  test("gives up a stage that fails three times although the database works", async () => {
    const it = starting();
    const faults = [LOST, LOST, LOST];
    const error = { code: "internal_error", message: "the recovery failed: connection lost" };
    await expect(it.recover([failing(...faults)])).rejects.toMatchObject(error);
    const damaged = new OrchError("database_unusable", "task x cannot be read");
    await expect(starting().recover([failing(damaged, damaged, damaged)])).rejects.toBe(damaged);
    expect(it.missing()).toBe("the recovery failed; it is tried again");
  });

  test("stops at once when another server has taken over the database", async () => {
    const fenced = new OrchError("fenced", "another server has it");
    const it = starting();
    await expect(it.recover([failing(fenced)])).rejects.toBe(fenced);
    expect(it.pauses).toEqual([]);
  });
});
