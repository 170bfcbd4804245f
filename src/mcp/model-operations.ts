// The operations as a model calls them: short answers, and everything on request (D-209).
import { z } from "zod";
import type { AnyOperation, Caller } from "../operations/operation.ts";
import {
  approveView,
  copyView,
  exportView,
  importView,
  proposeView,
  proveView,
  rollbackView,
  teachView,
} from "./views/answers.ts";
import { evidenceView } from "./views/evidence.ts";
import { approvalsView, inboxView, journalView, messagesView, sopsView, tasksView } from "./views/lists.ts";
import { scorecardView } from "./views/scorecard.ts";
import { taskView } from "./views/task.ts";
import type { View } from "./views/view.ts";

/** By the output of the operation: several operations answer with a task. */
const VIEWS: ReadonlyMap<z.ZodType, View> = new Map([
  ...[taskView, tasksView, sopsView, messagesView, approvalsView, inboxView, journalView, evidenceView],
  scorecardView,
  ...[teachView, approveView, importView, copyView, rollbackView, proveView, proposeView, exportView],
]);

const FULL = {
  view: z.enum(["short", "full"]).default("short").describe("full: all of it."),
};

const Extra = z.object({ view: FULL.view, step: z.int().optional(), tail_bytes: z.int().optional() });

/** Whether the caller has asked for an answer of any length. */
export const isUnbounded = (input: unknown): boolean => {
  const { data } = Extra.safeParse(input);
  return data !== undefined && (data.view === "full" || data.tail_bytes !== undefined);
};

/** The same with the input and the output that its tool has. */
export function modelOperation(operation: AnyOperation): AnyOperation {
  const { input, output, hints } = operation;
  const view = VIEWS.get(output);
  const fields = { ...view?.fields, ...(hints.read_only && FULL) };
  const added = Object.keys(fields).filter((name) => !Object.hasOwn(input.shape, name));
  return {
    ...operation,
    input: input.safeExtend(fields),
    output: view === undefined ? output : z.union([view.output, output]),
    handle: async (given: Record<string, unknown>, caller: Caller) => {
      const asked = Object.fromEntries(Object.entries(given).filter(([name]) => !added.includes(name)));
      const whole = output.parse(await operation.handle(asked, caller));
      return view === undefined || given["view"] === "full" ? whole : view.show(whole, given);
    },
  };
}
