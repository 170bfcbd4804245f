// Sends the messages to the supervisor to one receiver (D-205): in their order, one at a time, each until the receiver takes
// it. How far it has come is in the database, so a message is sent at least once, under the same id each time.

import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { messageIn } from "../../api/operations/list-messages.ts";
import { lookUntil } from "../../api/operations/operation.ts";
import { isRedirect, openRequest } from "../../http-client/request.ts";
import type { Clock, Store } from "../../ports.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import { webhookMessageOf } from "./message.ts";

type Write = (details: object, message: string) => void;

type DeliveryParts = {
  readonly store: Pick<Store, "commit" | "readMessages" | "lastMessage" | "findDelivered">;
  /** Resolves when anything reports, the time is over, or the signal aborts. */
  readonly nextReport: (thread_id: null, ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: { readonly info: Write; readonly warn: Write; readonly error: Write };
  /** Until the attempt after this one. */
  readonly pauseAfter?: (attempt: number) => number;
};

type Deps = DeliveryParts & { readonly send: SendWebhook };

export type WebhookDelivery = {
  /** Resolves once it is durable which message is the first: call it before anything can report. */
  readonly start: () => Promise<void>;
  /** Delivers until the signal aborts. An attempt that is under way then is ended; its message is sent again by the next delivery. */
  readonly deliver: (signal: AbortSignal) => Promise<void>;
};

const RECEIVER = "webhook";
const PAGE = 50;
const LONG_SECONDS = 3_600;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

const doubling = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);

export const createWebhookDelivery = (deps: Deps): WebhookDelivery => ({
  start: async () => void (await firstCursor(deps.store)),
  deliver: async (signal) => deliverAfter(await firstCursor(deps.store), deps, signal),
});

/** A receiver that is new gets what is reported from now on. */
async function firstCursor(store: Deps["store"]): Promise<number> {
  const known = await store.findDelivered(RECEIVER);
  if (known !== null) return known;
  const last = await store.lastMessage();
  await remember(store, last);
  return last;
}

async function remember(store: Deps["store"], cursor: number): Promise<void> {
  const changes = [{ on: "delivered", receiver: RECEIVER, cursor }] as const;
  await store.commit({ thread_id: RECEIVER, after: "last", events: [], changes });
}

type Found = Awaited<ReturnType<Store["readMessages"]>>[number];

async function deliverAfter(start: number, deps: Deps, signal: AbortSignal): Promise<void> {
  const { store, log, pauseAfter = doubling } = deps;
  let cursor = start;
  let faults = 0;
  while (!signal.aborted) {
    try {
      for (const found of await nextMessages(cursor, deps, signal)) {
        if (!(await deliver(found, deps, signal))) return;
        await remember(store, found.cursor);
        cursor = found.cursor;
      }
      faults = 0;
    } catch (error) {
      faults += 1;
      log.error({ err: error }, "the messages for the webhook cannot be read or ticked off; trying again");
      await pause(pauseAfter(faults), signal);
    }
  }
}

const nextMessages = (cursor: number, { store, nextReport }: Deps, signal: AbortSignal): Promise<Found[]> =>
  lookUntil(
    {
      next: (ms, until) => nextReport(null, ms, until),
      look: () => store.readMessages(cursor, PAGE),
      isEnough: (messages) => messages.length > 0,
    },
    { wait_seconds: LONG_SECONDS, signal },
  );

/** False when the server stops first. */
async function deliver(found: Found, deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { send, log, pauseAfter = doubling } = deps;
  const [message = null] = messageIn(found).map(webhookMessageOf);
  if (message === null) return true;
  const body = JSON.stringify(message);
  // The hash of the event is that of nothing else, also when a database was made anew.
  const webhook_id = `msg_${found.event.hash.slice(0, 32)}`;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const receipt = await send(webhook_id, body, signal);
    if (receipt.taken) {
      if (attempt > 1) log.info({ webhook_id, attempt }, "the webhook has taken the message");
      return true;
    }
    if (signal.aborted) break;
    const wait_ms = Math.max(pauseAfter(attempt), Math.min(receipt.retry_after_ms, LONGEST_PAUSE_MS));
    const { fault } = receipt;
    log.warn({ webhook_id, attempt, fault, wait_ms }, "the webhook has not taken the message; it is sent again");
    await pause(wait_ms, signal);
  }
  return false;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

// One attempt to deliver a message: a POST with the headers of Standard Webhooks. Redirects are not followed, and the body of
// the answer is not read.

/** `fault` is a sentence without the address, which may hold a secret. */
export type Receipt =
  | { readonly taken: true }
  | { readonly taken: false; readonly fault: string; readonly retry_after_ms: number };

export type SendWebhook = (webhook_id: string, body: string, signal: AbortSignal) => Promise<Receipt>;

type Receiver = { readonly url: string; readonly secret: string; readonly clock: Clock; readonly limit_ms?: number };

export function createSendWebhook({ url, secret, clock, limit_ms = 15_000 }: Receiver): SendWebhook {
  const signer = new Webhook(secret);
  return async (webhook_id, body, signal) => {
    const at = clock();
    const headers = {
      "content-type": "application/json",
      "webhook-id": webhook_id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signer.sign(webhook_id, at, body),
    };
    const response = await openRequest({ method: "POST", url, headers, body, limit_ms, signal, max_bytes: 0 });
    if (!response.ok) return refused(response.fault.message);
    response.close();
    const { status, headers: answered } = response;
    if (status >= 200 && status < 300) return { taken: true };
    if (isRedirect(status)) return refused("it answers with a redirect, which is not followed");
    return refused(`it answers with HTTP ${status}`, Number(answered["retry-after"] ?? 0) * 1000 || 0);
  };
}

const refused = (fault: string, retry_after_ms = 0): Receipt => ({ taken: false, fault, retry_after_ms });

/** How soon another server goes on when one has ended. */
const EVERY_MS = 15_000;

export function startWebhook({ config, store, clock, log, commits, wakeups }: RunningServer): FeatureWork {
  const { webhook } = config;
  if (webhook === null) return {};
  const send = createSendWebhook({ ...webhook, clock });
  const delivery = createWebhookDelivery({ store, nextReport: commits.nextReport, log, send });
  return {
    before_recovery: {
      what: "the start of the webhook",
      // Only once it is known which message is the first.
      run: async () => {
        await delivery.start();
        wakeups.every("webhook", EVERY_MS, delivery.deliver);
      },
    },
  };
}
