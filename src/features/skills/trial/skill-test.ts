// What a skill says of itself in its test.ts, so that `orch skill test` can try it (D-278).
import { z } from "zod";
import { type Json, JsonValue } from "../../../domain/json.ts";

/** What a task finds when it runs: for each one a new one. */
export type Opened = {
  /** By the name that `ctx.call` uses, and then by the name of the tool. */
  readonly servers?: Readonly<Record<string, ImitatedServer>>;
  /** Variables that the skill reads. */
  readonly env?: Readonly<Record<string, string>>;
  /** What has been changed so far, besides what `changed` was called with; the same change twice is listed twice. */
  readonly changes?: () => Promise<readonly string[]> | readonly string[];
  readonly close?: () => Promise<void> | void;
};
export type ImitatedServer = Readonly<Record<string, ImitatedTool>>;
export type ImitatedTool = {
  /** As a server says it with its hints; without it the server says nothing. */
  readonly effect?: "reads" | "changes";
  /** Its answers have `structuredContent` too: the object that `run` returns. */
  readonly structured?: true;
  /** Write the type of its arguments. What it returns is the answer; what it throws is an error of the tool. */
  readonly run: (args: never) => Promise<unknown> | unknown;
};
export type SkillWorld = {
  /** An empty directory, for what a skill does with files. */
  readonly directory: string;
  /** Call it for each thing that has really been changed, as in `changed("hall is off")`. */
  readonly changed: (what: string) => void;
};

/** What is undefined in it is missing. */
type Payload = { readonly [name: string]: Json | undefined };

/**
 * What a task is given. Without more it is `known_only`, has no target, and may use every server of `open`. In the texts of a payload, a
 * target and of what a tool is given, `{{directory}}` is that of the world.
 */
export type TriedTask = {
  readonly intent: string;
  readonly payload?: Payload;
  readonly target?: Readonly<Record<string, string>>;
  readonly implicit_scope?: readonly string[];
};

export type SkillCase = {
  readonly title: string;
  /** Replaces fields of `task`. */
  readonly task: Partial<TriedTask>;
  readonly decision?: "approve" | "reject";
  readonly status: "ok" | "failed" | "blocked";
  /** That of the end that the handler returns, or of orch, such as `outside_scope`. */
  readonly code: string;
  readonly changes: readonly string[];
  /** Whether it requests an approval; not compared without it. */
  readonly asks?: boolean;
  /** As `result` of a test. */
  readonly result?: Json;
};

/** One use of a tool in tools.ts. */
export type ToolCase = {
  readonly tool: string;
  readonly given: { readonly [name: string]: Json };
  /** Its whole value; without it any value will do that is no failure. */
  readonly gives?: Json;
  /** Whether it throws, or returns a value with `ok: false`. */
  readonly fails?: boolean;
  readonly changes?: readonly string[];
};

export type SkillTest = {
  readonly open: (world: SkillWorld) => Promise<Opened> | Opened;
  /** A task that does what the skill is for, and ends `ok`. */
  readonly task: TriedTask;
  /** The code of that end. */
  readonly code: string;
  /** Everything that it changes, in any order. */
  readonly changes: readonly string[];
  /** Whether it requests an approval before it changes anything. */
  readonly asks: boolean;
  /** That of its end, whole, with `{{directory}}` for the directory of the world; not compared without it, or where the task is stopped. */
  readonly result?: Json;
  /** Payloads that it refuses, and for each the field that its message names. */
  readonly wrong?: readonly { readonly field: string; readonly payload: Payload }[];
  readonly cases?: readonly SkillCase[];
  readonly tools?: readonly ToolCase[];
  /** Names of steps without a third argument, because nothing can find out what they did: orch may ask about them after a stop. */
  readonly asks_about?: readonly string[];
  /** How long a task, the use of a tool, and each function of the test may take; 60 without it. */
  readonly limit_seconds?: number;
};

/** With the directory of a world in its texts. */
export const withDirectory = <T>(given: T, { directory }: Pick<SkillWorld, "directory">): T =>
  JSON.parse(JSON.stringify(given).replaceAll("{{directory}}", JSON.stringify(directory).slice(1, -1)));

/** What a task of that world has given, as a test.ts says it. */
export const withoutDirectory = <T>(found: T, { directory }: Pick<SkillWorld, "directory">): T =>
  JSON.parse(JSON.stringify(found).replaceAll(JSON.stringify(directory).slice(1, -1), "{{directory}}"));

const Texts = z.array(z.string());
const JsonFields = z.record(z.string(), JsonValue.optional());
const Task = z.strictObject({
  intent: z.string(),
  payload: JsonFields.optional(),
  target: z.record(z.string(), z.string()).optional(),
  implicit_scope: Texts.optional(),
});

/** What a test.ts exports: a program of the user wrote it, and nothing has checked its types. */
export const TestModule = z.looseObject({
  TEST: z.strictObject(
    {
      open: z.custom<SkillTest["open"]>((value) => typeof value === "function", "must be a function (world)"),
      task: Task,
      code: z.string(),
      changes: Texts,
      asks: z.boolean(),
      result: z.json().optional(),
      asks_about: Texts.optional(),
      limit_seconds: z.number().positive().optional(),
      wrong: z.array(z.strictObject({ field: z.string(), payload: JsonFields })).optional(),
      cases: z
        .array(
          z.strictObject({
            title: z.string(),
            task: Task.partial(),
            decision: z.enum(["approve", "reject"]).optional(),
            status: z.enum(["ok", "failed", "blocked"]),
            code: z.string(),
            changes: Texts,
            asks: z.boolean().optional(),
            result: z.json().optional(),
          }),
        )
        .optional(),
      tools: z
        .array(
          z.strictObject({
            tool: z.string(),
            given: JsonFields,
            gives: z.json().optional(),
            fails: z.boolean().optional(),
            changes: Texts.optional(),
          }),
        )
        .optional(),
    },
    "must be exported: export const TEST: SkillTest = { ... }",
  ),
});
