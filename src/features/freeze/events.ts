// Defines what the journal of a freeze records, and that of a task which was held back.
import { z } from "zod";
import { event } from "../../domain/event.ts";
import { HeldBy, heldText, isOfHold } from "../../domain/hold.ts";
import { Freeze, scopeText } from "./freeze.ts";

const { intent, target_signature, except_diagnostics, reason, frozen_by } = Freeze.shape;

const frozen = event({
  body: z
    .strictObject({ intent, target_signature, except_diagnostics, reason, frozen_by })
    .describe("a message to the supervisor: from now on no task that it holds takes its first step"),
  text: (body) => ({
    about: "frozen",
    state: "blocked",
    text: `${scopeText(body)}, by ${body.frozen_by}: ${body.reason}`,
  }),
  message: {
    status: "blocked",
    text: (body) => `${body.frozen_by} has frozen ${scopeText(body)}: ${body.reason}`,
    webhook: "freeze.frozen",
    next: () => [
      {
        operation: "list_freezes",
        arguments: {},
        text: "See what is frozen, and why. Ask a human before anything is thawed.",
      },
    ],
  },
});

const thawed = event({
  body: z.strictObject({ thawed_by: z.string() }).describe("a message to the supervisor: what was held starts now"),
  text: ({ thawed_by }) => ({ about: "thawed", state: "ok", text: `by ${thawed_by}` }),
  message: {
    status: "ok",
    text: ({ thawed_by }) => `${thawed_by} has thawed it. What it held starts now.`,
    webhook: "freeze.thawed",
    next: () => [{ operation: "list_tasks", arguments: { status: "running" }, text: "See what has started." }],
  },
});

const held_back = event({
  body: HeldBy.describe("a freeze came between the claim and the first step: the claim was given back"),
  text: (held_by) => ({
    about: "held back",
    state: "pending",
    text: `${heldText(held_by)}; it starts by itself once that is over`,
  }),
  waits: () => ({ begun: { for: "queue", label: "held by a freeze" } }),
});

export const FREEZE_EVENTS = { frozen, thawed, held_back };

type FreezeFeed = { readonly event: "freeze"; readonly data: Record<never, never> };

/** What a page reads again after any change of a freeze. */
export const FREEZE_FEED: FreezeFeed = { event: "freeze", data: {} };

/** The same after a message on the thread; null where it is not of a freeze. */
export const feedOfFreezeThread = (thread_id: string): FreezeFeed | null => (isOfHold(thread_id) ? FREEZE_FEED : null);
