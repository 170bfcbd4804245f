// A procedure of the library: what it does and needs, the procedure itself, and a contract that runs it. The files are data; what
// is imported of one is a candidate like any other (D-374).
import { z } from "zod";
import { SentContract } from "../domain/contract.ts";
import { isCheck } from "../domain/step.ts";
import type { Target } from "../domain/target.ts";
import { SopFile } from "./sop-file.ts";
import { readYamlText } from "./yaml-text.ts";

const Text = z.string().min(1).max(300);
const Named = z.record(z.string(), Text).default({});

const EFFECTS = {
  looks: "changes nothing",
  writes: "adds files, commits or notes",
  changes: "changes what runs",
  deletes: "deletes data",
} as const;

const Needs = z.strictObject({
  programs: z.array(Text).describe("on the machine of the steps, besides bash and coreutils"),
  servers: z.array(Text).default([]).describe("tool servers"),
  target: Named.describe("what each attribute of the target says"),
  payload: Named.describe("what each field of the payload says"),
});

const ExampleContract = SentContract.pick({ task_id: true, constraints: true, payload: true }).strict();

export const LibraryFile = z
  .strictObject({
    description: Text,
    effect: z.enum(Object.keys(EFFECTS) as [keyof typeof EFFECTS]),
    needs: Needs,
    procedure: SopFile,
    contract: ExampleContract,
  })
  .superRefine(({ needs, procedure, contract }, context) => {
    const differ = (path: string[], one: object, other: object) => {
      if (namesOf(one) !== namesOf(other))
        context.addIssue({ code: "custom", path, message: `must describe exactly ${namesOf(other)}` });
    };
    differ(["needs", "target"], needs.target, procedure.target);
    differ(["needs", "payload"], needs.payload, contract.payload);
    const called = procedure.steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server] : []));
    differ(["needs", "servers"], asNames(needs.servers), asNames(called));
    const checks = procedure.steps.flatMap((step, index) => (isCheck(step) ? [index] : []));
    const proving = Object.values(procedure.criteria ?? {});
    if (checks.some((index) => !proving.includes(index)))
      context.addIssue({ code: "custom", path: ["procedure", "criteria"], message: "must have one for each check" });
  });
export type LibraryFile = z.output<typeof LibraryFile>;

const namesOf = (record: object): string => Object.keys(record).sort().join(", ") || "nothing";
const asNames = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, true]));

export const effectText = ({ effect }: LibraryFile): string => EFFECTS[effect];

/** Rejects with `input_invalid`, naming every field that is wrong. */
export const readLibraryFile = (text: string): LibraryFile => readYamlText(text, LibraryFile, "a file of the library");

/** What an importer says in the place of the example. */
export type Aimed = { readonly intent?: string | undefined; readonly target?: Target };

/** The procedure for a target of one's own: attributes that are not given keep the value of the example. */
export const aimed = ({ procedure }: LibraryFile, { intent, target }: Aimed): SopFile => ({
  ...procedure,
  intent: intent ?? procedure.intent,
  target: { ...procedure.target, ...target },
});

/** A contract that runs the procedure, as `submit_task` takes it. */
export const contractFor = ({ contract }: LibraryFile, { intent, target, criteria = {} }: SopFile): SentContract => ({
  task_id: contract.task_id,
  intent,
  target,
  delegation_mode: "known_only" as const,
  constraints: contract.constraints,
  success_criteria: Object.keys(criteria),
  payload: contract.payload,
});
