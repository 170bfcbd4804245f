// freeze, thaw and list_freezes: one switch over all servers.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { Limit, type NamedSchemas, READ, shape, type Tags } from "../../api/operations/operation.ts";
import { GivenTarget, Intent, READ_ONLY_INTENTS } from "../../domain/contract.ts";
import { HeldBy } from "../../domain/hold.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import { having, NOT_BLANK_PATTERN } from "../../domain/published-rules.ts";
import { LeftOut } from "../../domain/quarantine.ts";
import { Freeze, FreezeId } from "./freeze.ts";

export const EXAMPLE_FREEZE = "freeze-1a2b3c4d";

const Reason = z
  .string()
  .trim()
  .min(1, "must say why: every held task shows it")
  .max(1024)
  .meta({ pattern: NOT_BLANK_PATTERN })
  .describe("Every held task shows it.");

const Stopped = z.strictObject({
  task_id: z.string(),
  intent: z.string(),
  target_signature: z.string(),
  status: z.enum(TASK_STATUSES).nullable().describe("as it is now; null where it cannot be read"),
  outcome: z.string().describe("what became of it, in a sentence"),
});

export const freeze = shape({
  name: "freeze",
  summary: "Let no task start, on any server, until it is thawed. What runs finishes.",
  guidance: "Only when a human asks, or something goes wrong right now.",
  method: "POST",
  path: "/v1/freezes",
  scope: "approve",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z
    .strictObject({
      intent: Intent.optional().describe("Only this intent."),
      target: GivenTarget.refine(
        (target) => Object.keys(target).length > 0,
        "must have an attribute; leave it out for every target",
      )
        .meta({ minProperties: 1 })
        .optional()
        .describe("Only tasks whose target has these."),
      except_diagnostics: z.boolean().default(false).describe("true: diagnostics start."),
      reason: Reason,
      now: z.boolean().default(false).describe("true: cancel what runs."),
    })
    .meta({
      not: having({ intent: { enum: [...READ_ONLY_INTENTS] }, except_diagnostics: { const: true } }),
    }),
  output: z.strictObject({
    freeze: Freeze,
    created: z.boolean().describe("false: the same freeze was open already"),
    cancelled: z.array(Stopped).describe("with now: the tasks that ran, and what became of them"),
    running: z.array(z.string()).describe("tasks that the freeze is for and that had begun: they finish"),
    paused: z
      .array(z.string())
      .default([])
      .describe(
        "tasks of it that had begun and wait for an answer: with it they go on, frozen or not; cancel_task ends them",
      ),
  }),
  example: { target: EXAMPLE.target, reason: "the power is unsteady", now: false },
});

export const thaw = shape({
  name: "thaw",
  summary: "End a freeze: what it held starts at once, oldest first.",
  guidance: "Only when a human asks, never on your own.",
  method: "POST",
  path: "/v1/freezes/thaw",
  scope: "approve",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z
    .strictObject({
      freeze_id: FreezeId.optional().describe("The one to end."),
      all: z.boolean().default(false).describe("Every one."),
    })
    .meta({
      not: {
        anyOf: [
          having({ freeze_id: {}, all: { const: true } }),
          { properties: { freeze_id: false, all: { const: false } } },
        ],
      },
    }),
  output: z.strictObject({
    thawed: z.array(Freeze).describe("ended by this call"),
    thawed_before: z.array(Freeze).describe("had been thawed already"),
    still_held_by: z.array(HeldBy).describe("other freezes, and a window of now"),
  }),
  example: { freeze_id: EXAMPLE_FREEZE },
});

export const listFreezes = shape({
  name: "list_freezes",
  summary: "What is frozen, why and by whom; open freezes first.",
  method: "GET",
  path: "/v1/freezes",
  scope: "read",
  hints: READ,
  input: z.strictObject({ limit: Limit, after: FreezeId.optional().describe("next_after of the page before.") }),
  output: z.strictObject({
    in_force: z.array(HeldBy).describe("what holds tasks now: open freezes, and a window of ORCH_FREEZE_WINDOWS"),
    freezes: z.array(Freeze),
    next_after: z.string().nullable(),
    quarantined: LeftOut,
  }),
  example: { limit: 20 },
});

export const FREEZE_SHAPES = [freeze, thaw, listFreezes] as const;

/** Records that the OpenAPI document names. */
export const FREEZE_SCHEMAS = {
  Freeze: [Freeze, "A switch that lets nothing start: what it is for, by whom, for what reason."],
  HeldBy: [HeldBy, "What holds a task that has not begun: a freeze, or a window by calendar."],
} satisfies NamedSchemas;

/** By the first part of the path. */
export const FREEZE_TAGS: Tags = { freezes: ["Freezes", "A switch that lets nothing start."] };
