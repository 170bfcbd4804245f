// Defines what servers record of a task beyond its run.
import { z } from "zod";
import { Labels } from "../../domain/contract.ts";
import { event, LAST_LINES } from "../../domain/event.ts";
import { printableLines } from "../../domain/printable.ts";
import { LateResult } from "../../domain/reconcile.ts";

export const SERVER_EVENTS = {
  no_server: event({
    body: z
      .strictObject({ runs_on: Labels, missing: Labels.describe("what no live server has"), message: z.string() })
      .describe("a message to the supervisor: the task waits for a server, and there is none for it"),
    text: ({ message }) => ({ about: "no server", text: message }),
    message: {
      status: "blocked",
      text: ({ message }) => message,
      webhook: "task.no_server",
      next: ({ thread_id: task_id }) => [
        {
          operation: "get_task",
          arguments: { task_id },
          text: "See for which labels it waits. It runs as soon as a server has them.",
        },
        {
          operation: null,
          arguments: {},
          text: "Start a server with these labels in ORCH_LABELS. Where they are wrong, cancel it and submit it anew.",
        },
        { operation: "cancel_task", arguments: { task_id }, text: "Cancel the task." },
      ],
    },
  }),
  late_result: event({
    body: LateResult.describe("a message to the supervisor: it settles nothing"),
    level: 53,
    text: ({ message, stdout, stderr }) => ({
      about: "late result",
      text: message,
      more: printableLines((stderr.trim() === "" ? stdout : stderr).trimEnd())
        .slice(-LAST_LINES)
        .map((line) => `| ${line}`),
    }),
    message: {
      status: "need_input",
      text: ({ message }) => message,
      step_index: ({ index }) => index,
      webhook: "task.late_result",
      next: ({ thread_id: task_id }) => [
        {
          operation: "get_task",
          arguments: { task_id },
          text: "See whether the task still asks what became of the step, and find out whether it took effect.",
        },
        { operation: null, arguments: {}, text: "Then say so. What the server reports settles nothing by itself." },
      ],
    },
  }),
};
