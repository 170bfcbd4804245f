// When what is DONE is verified by its procedure: the timer, the order of the looks, and what an error does to them.
import { beforeEach, describe, expect, test } from "vitest";
import { contractDigest } from "../../../../src/domain/contract.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { stepsDigest } from "../../../../src/domain/sop.ts";
import type { Task } from "../../../../src/domain/task.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { createVerifications } from "../../../../src/features/verification/verifications.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT, aContract, check, UNTRIED } from "../../../support/builders.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const BY = { verify_by: "sop:triage", verify_after_seconds: 10 };

let now: number;
let store: Store;
let submitted: string[];
let errors: unknown[];
let timers: ReturnType<typeof manualTimer>;
const clock = () => new Date(now);

beforeEach(async () => {
  now = Date.parse(AT);
  store = memoryStore(clock);
  [submitted, errors, timers] = [[], [], manualTimer()];
  const contract = aContract();
  const steps = [check("curl -f http://web")];
  const sop = {
    sop_id: "5503fd40-284a-4e81-a28a-be5ae9eaa733",
    intent: "triage",
    target: contract.target,
    target_signature: "environment=prod;service=web",
    status: "active" as const,
    version: 1,
    steps,
    steps_digest: stepsDigest(steps),
    criteria: [],
    safety_level: "standard" as const,
    preconditions: [],
    origin: "planted",
    last_success_at: null,
    success_count: 0,
    failure_count: 0,
    ...UNTRIED,
    created_at: AT,
    updated_at: AT,
  };
  await store.commit({ thread_id: "sop", after: null, events: [], changes: [{ on: "sop_created", sop }] });
});

const verifications = (over: Partial<Store> = {}) =>
  createVerifications({
    store: { ...store, ...over },
    clock,
    timer: timers.timer,
    submit: async ({ task_id }) => submitted.push(task_id) > 0,
    log: { error: (details) => void errors.push(details) },
  });

/** A task that has ended DONE at this time. */
async function done(task_id: string, wishes: object = BY): Promise<Task> {
  const at = clock().toISOString();
  const { task, events } = accept({ contract: aContract({ task_id, ...wishes }), backend: "local", at });
  const ended: Task = { ...task, status: "ok", ended_at: at };
  const end = { kind: "reported", body: outcome("ok", "verified", "It is done.", { thread_id: task_id }) } as const;
  const changes = [{ on: "task_created", task: ended }] as const;
  await store.commit({ thread_id: task_id, after: null, events: [...events, end], changes });
  return ended;
}

describe("a look", () => {
  test("sets the timer to the next task that is due, and to half a minute where none is", async () => {
    const watch = verifications();
    await watch.arm();
    expect(timers.pending()).toEqual([30_000]);
    await done("later", { ...BY, verify_after_seconds: 25 });
    await done("sooner");
    await done("without", {});
    await watch.arm();
    expect([timers.pending(), submitted]).toEqual([[10_000], []]);
    now += 10_000;
    await timers.fire();
    expect([timers.pending(), submitted]).toEqual([[15_000], ["sooner.verify"]]);
  });

  test("comes with the end of a task that it concerns, and of no other", async () => {
    const watch = verifications();
    const endOf = async (task_id: string) => projection(await store.readJournal(task_id));
    await done("plain", {});
    watch.onFinished(await endOf("plain"));
    await settled();
    expect(timers.pending()).toEqual([]);
    await done("wants");
    watch.onFinished(await endOf("wants"));
    await settled();
    expect(timers.pending()).toEqual([10_000]);
  });

  test("that is asked for several times at once is followed by one more", async () => {
    let looks = 0;
    const listUnverified: Store["listUnverified"] = (query) => {
      looks += 1;
      return store.listUnverified(query);
    };
    const watch = verifications({ listUnverified });
    await Promise.all([watch.arm(), watch.arm(), watch.arm()]);
    expect([looks, timers.pending()]).toEqual([2, [30_000]]);
  });

  test("is not held up by a task that cannot be settled, and a damaged one is tried once", async () => {
    await done("away");
    await done("damaged");
    await done("whole");
    now += 10_000;
    const fault = (task_id: string) =>
      task_id === "damaged" ? new OrchError("quarantined", "it cannot be read") : new Error("away");
    const findTask: Store["findTask"] = (task_id) =>
      task_id === "away" || task_id === "damaged" ? Promise.reject(fault(task_id)) : store.findTask(task_id);
    const watch = verifications({ findTask });
    await watch.arm();
    expect([submitted, errors.length, timers.pending()]).toEqual([["whole.verify"], 2, [30_000]]);
    await watch.arm();
    expect(errors).toHaveLength(3);
  });

  test("that the database refuses is repeated", async () => {
    const watch = verifications({ listUnverified: () => Promise.reject(new Error("away")) });
    await watch.arm();
    expect([errors.length, timers.pending()]).toEqual([1, [30_000]]);
  });

  test("is not followed by another one after the stop", async () => {
    const watch = verifications();
    const looking = watch.arm();
    await watch.stop();
    await looking;
    await watch.arm();
    expect(timers.pending()).toEqual([]);
  });
});

test("a verdict is not recorded where something was added to the journal since it was read", async () => {
  const task = await done("raced");
  const contract = { ...aContract({ task_id: "raced.verify", intent: "triage", success_criteria: [] }) };
  now += 10_000;
  const readJournal: Store["readJournal"] = async (thread_id, page) => {
    const journal = await store.readJournal(thread_id, page);
    const event = { kind: "cancel_requested", body: { reason: null } } as const;
    if (thread_id === "raced") await store.commit({ thread_id, after: "last", events: [event] });
    return journal;
  };
  // Another task has the id, so that the end of this one is a message.
  const { task: other, events } = accept({ contract, backend: "local", at: AT });
  await store.commit({
    thread_id: "raced.verify",
    after: null,
    events,
    changes: [{ on: "task_created", task: other }],
  });
  expect(contractDigest(contract)).not.toBe(task.contract_digest);
  await verifications({ readJournal }).arm();
  const kinds = async () => (await store.readJournal("raced")).map(({ kind }) => kind);
  expect(await kinds()).toEqual(["task_accepted", "reported", "cancel_requested"]);
  await verifications().arm();
  await verifications().arm();
  expect(await kinds()).toEqual(["task_accepted", "reported", "cancel_requested", "verification_missed"]);
});
