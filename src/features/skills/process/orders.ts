// Defines what the server and the process of a skill say to each other, and the pipe between them. JSON goes as text: it is what
// the journal keeps, and nothing else gets across.
import type { Duplex } from "node:stream";
import { z } from "zod";
import type { TaskContract } from "../../../domain/contract.ts";
import { createLines } from "../../../domain/output-lines.ts";
import type { DescribedSkillTool } from "../../../ports.ts";

/** The number of the open file in the process of the skill. */
export const PIPE_FD = 3;
const MAX_BYTES = 32 * 1024 * 1024;
// The code of a skill may put something else in its place.
const { stringify } = JSON;

type MessagePipe = {
  /** `sent` is called once it was handed to the system, or cannot be. */
  readonly send: (message: unknown, sent?: () => void) => void;
};

type Heard = {
  readonly line: (line: string) => void;
  /** No message is that large. */
  readonly tooLarge: () => void;
  readonly closed: () => void;
};

/**
 * The pipe between the server and the process of a skill: a line of JSON is a message. The channel of node's own is not used,
 * because an error in it that the other end causes is caught by nothing (D-252): the code of a skill can write to any of its
 * files.
 */
export function messagePipe(pipe: Duplex, heard: Heard): MessagePipe {
  const take = createLines(MAX_BYTES, (line) => (line === null ? heard.tooLarge() : heard.line(line)));
  pipe.on("data", take);
  // The end of the process says why.
  pipe.on("error", () => undefined);
  pipe.once("close", heard.closed);
  return {
    send: (message, sent = () => undefined) => {
      if (pipe.writable) pipe.write(`${stringify(message)}\n`, () => sent());
      else sent();
    },
  };
}

/** `offered`: the directories whose modules may import orch and zod by name. */
export type RunOrder = { readonly file: string; readonly offered: readonly string[] } & (
  | { readonly is: "describe" }
  | { readonly is: "handle"; readonly contract: TaskContract }
  | { readonly is: "use"; readonly contract: TaskContract; readonly tool: string; readonly given: string }
);

/** What is known of a skill without running it. */
export type SkillDescription = { readonly intents: readonly string[]; readonly tools: readonly DescribedTool[] };
/** Why a skill cannot be used. The line is null where none is known. */
export type SkillFault = { readonly file: string; readonly line: number | null; readonly why: string };
type DescribedTool = Pick<DescribedSkillTool, "name" | "description" | "scope" | "effect"> & {
  /** A JSON Schema. */
  readonly parameters: z.core.JSONSchema.BaseSchema;
};

const Id = z.int();
const SkillAnswer = z.union([z.strictObject({ value: z.string() }), z.strictObject({ failed: z.string() })]);
export type SkillAnswer = z.infer<typeof SkillAnswer>;

/** Which of the two works that a step came with. */
export type StepWorkKind = "run" | "cut_off";

export const RunQuestion = z.discriminatedUnion("ask", [
  z.strictObject({ ask: z.literal("call"), server: z.string(), tool: z.string(), args: z.string() }),
  z.strictObject({ ask: z.literal("listTools"), server: z.string() }),
  z.strictObject({
    ask: z.literal("step"),
    name: z.unknown().optional(),
    cut_off: z.enum(["repeat", "work"]).nullable(),
  }),
  z.strictObject({ ask: z.literal("request"), content: z.string() }),
  z.strictObject({ ask: z.literal("wait"), approval_id: z.string() }),
  z.strictObject({ ask: z.literal("exclusive"), name: z.string() }),
]);
export type RunQuestion = z.infer<typeof RunQuestion>;

/** `within`: the id of the step in which the process asks. The code of the skill could send anything. */
const FromRun = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("asks"), id: Id, within: Id.nullable(), asked: RunQuestion }),
  z.strictObject({ is: z.literal("stepped"), id: Id, answer: SkillAnswer }),
  z.strictObject({ is: z.literal("released"), id: Id }),
  z.strictObject({ is: z.literal("progressed"), done: z.unknown(), total: z.unknown(), text: z.string() }),
  z.strictObject({ is: z.literal("ended"), answer: SkillAnswer }),
  z.strictObject({ is: z.literal("broke"), why: z.string() }),
  z.strictObject({ is: z.literal("alive") }),
]);
export type FromRun = z.infer<typeof FromRun>;

/** What is said at once arrives at once, but for more than this. */
export const MOST_AT_ONCE = 1_000;
export const SaidByRun = z.array(FromRun).max(MOST_AT_ONCE);

export type ToRun =
  | { readonly is: "answered"; readonly id: number; readonly answer: SkillAnswer }
  | { readonly is: "work"; readonly id: number; readonly which: StepWorkKind }
  | { readonly is: "aborted"; readonly reason: string }
  | { readonly is: "alive" };
