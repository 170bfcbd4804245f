// The delivery of messages: which, in which order, how often, and from where after a restart.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EndStatus, outcome, type PauseStatus } from "../../../../src/domain/outcome.ts";
import type { ReasonCode } from "../../../../src/domain/reason-code.ts";
import { promotionThread } from "../../../../src/domain/thread-id.ts";
import { observeCommits } from "../../../../src/engine/worker/observe-commits.ts";
import {
  createWebhookDelivery,
  type Receipt,
  type SendWebhook,
  type WebhookDelivery,
} from "../../../../src/features/webhook/webhook.ts";
import type { Store } from "../../../../src/ports.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const TAKEN: Receipt = { taken: true };
const REFUSED: Receipt = { taken: false, fault: "it answers with HTTP 500", retry_after_ms: 0 };

let store: Store;
let nextReport: ReturnType<typeof observeCommits>["nextReport"];
let answers: Receipt[];
let sent: { id: string; type: string; thread_id: string }[];
let logged: string[];
type Delivery = { readonly stop: () => Promise<void> };
const running = new Set<Delivery>();

beforeEach(() => {
  ({ store, nextReport } = observeCommits(memoryStore()));
  answers = [];
  sent = [];
  logged = [];
});
afterEach(async () => {
  for (const delivery of running) await delivery.stop();
  running.clear();
});

const record: SendWebhook = async (id, body) => {
  const { type, data } = JSON.parse(body);
  sent.push({ id, type, thread_id: data.thread_id });
  return answers.shift() ?? TAKEN;
};

async function start(over: Partial<Parameters<typeof createWebhookDelivery>[0]> = {}): Promise<Delivery> {
  const write = (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`);
  const log = { info: write, warn: write, error: write };
  const parts = { store, nextReport, clock: () => new Date(), log, pauseAfter: () => 1, send: record };
  return begin(createWebhookDelivery({ ...parts, ...over }));
}

async function begin(delivery: WebhookDelivery): Promise<Delivery> {
  await delivery.start();
  const stopping = new AbortController();
  const done = delivery.deliver(stopping.signal);
  const begun = {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
  running.add(begun);
  return begun;
}

async function report(thread_id: string, status: EndStatus | PauseStatus, reason: ReasonCode = "internal_error") {
  const body = outcome(status, reason, "A sentence.", { thread_id });
  await store.commit({ thread_id, after: "last", events: [{ kind: "reported", body }] });
}

const failTrial = (thread_id: string) => {
  const body = { sop_id: "s", version: 2, active_version: 1, message: "It failed." };
  return store.commit({ thread_id, after: "last", events: [{ kind: "sop_trial_failed", body }] });
};

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 5_000, interval: 2 });

test("each report of a task and of a promotion is sent in its order, and a cancelled task is not", async () => {
  await start();
  await report("one", "need_input");
  await report("two", "cancelled");
  await report("one", "ok");
  await failTrial("one");
  await report(promotionThread("s"), "need_approval");
  await until(() => sent.map(({ type, thread_id }) => `${type} ${thread_id}`)).toEqual([
    "task.need_input one",
    "task.ok one",
    "sop.trial_failed one",
    "promotion.need_approval promotion/s",
  ]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(4);
  for (const { id } of sent) expect(id).toMatch(/^msg_[0-9a-f]{32}$/);
});

test("a receiver that is new gets what is reported from its start on, also after a restart", async () => {
  await report("old", "ok");
  await (await start()).stop();
  await report("while nothing runs", "ok");
  await start();
  await until(() => sent.map(({ thread_id }) => thread_id)).toEqual(["while nothing runs"]);
});

test("a message that is refused is sent again under the same id, and those after it wait", async () => {
  answers = [REFUSED, REFUSED];
  await start();
  await report("first", "ok");
  await report("second", "ok");
  await until(() => sent.map(({ thread_id }) => thread_id)).toEqual(["first", "first", "first", "second"]);
  expect(new Set(sent.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  expect(logged.filter((line) => line.includes("it answers with HTTP 500"))).toHaveLength(2);
});

test("a message whose delivery was not recorded is sent again under the same id", async () => {
  const forgetful: Store["commit"] = async () => new Promise(() => undefined);
  let isLost = false;
  const commit: Store["commit"] = (given) => (isLost ? forgetful(given) : store.commit(given));
  const first = await start({ store: { ...store, commit } });
  isLost = true;
  await report("one", "ok");
  await until(() => sent.length).toBe(1);
  running.delete(first);
  await start();
  await until(() => sent.length).toBe(2);
  expect(sent[1]).toEqual(sent[0]);
});

test("a database that fails is asked again, and nothing is left out", async () => {
  let faults = 0;
  const readMessages: Store["readMessages"] = async (after, limit) => {
    if (++faults <= 2) throw new Error("the disk is full");
    return store.readMessages(after, limit);
  };
  await start({ store: { ...store, readMessages } });
  await report("one", "ok");
  await until(() => sent.length).toBe(1);
  expect(logged.filter((line) => line.includes("cannot be read"))).toHaveLength(2);
});

test("the pause before the next attempt is at least what the receiver asks for, and a stop ends it", async () => {
  const busy: Receipt = { ...REFUSED, retry_after_ms: 90_000 };
  answers = [busy];
  const delivery = createWebhookDelivery({
    store,
    nextReport,
    send: record,
    log: {
      info: () => undefined,
      error: () => undefined,
      warn: (details) => void logged.push(JSON.stringify(details)),
    },
  });
  const begun = await begin(delivery);
  await report("one", "ok");
  await until(() => logged.length).toBe(1);
  expect(logged[0]).toContain('"wait_ms":90000');
  const before = performance.now();
  await begun.stop();
  expect(performance.now() - before, "a stop ends the pause").toBeLessThan(10_000);
});

test("a stop ends an attempt that hangs, and its message is the first of the next start", async () => {
  const hanging: SendWebhook = (_id, _body, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ...REFUSED, fault: "it was stopped" })));
  const delivery = await start({ send: hanging });
  await report("one", "ok");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await delivery.stop();
  expect(logged).toEqual([]);
  await start();
  await until(() => sent.map(({ thread_id }) => thread_id)).toEqual(["one"]);
});
