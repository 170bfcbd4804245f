// An SOP as a YAML file for review and version control. What is exported and imported again is the same procedure, and
// exporting that gives the same bytes.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { type Document, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, stringify, visit } from "yaml";
import { z } from "zod";
import { GivenTarget, Intent, SentContract, type Target } from "../domain/contract.ts";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { structuralIssue, textIssue, unstorable } from "../domain/json.ts";
import { numberIssue } from "../domain/json-values.ts";
import { type Sop, SopDefinition } from "../domain/sop.ts";
import { isCheck } from "../domain/step.ts";
import { parseInput } from "./parse-input.ts";

/** The file holds what defines the procedure; id, version, status and counters belong to the store it lives in. */
export const SopFile = SopDefinition.extend({ intent: Intent, target: GivenTarget });
export type SopFile = z.infer<typeof SopFile>;

export function writeSopFile({ intent, target, safety_level, preconditions, criteria, steps }: Sop | SopFile): string {
  const map = Array.isArray(criteria)
    ? Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]))
    : criteria;
  const file = { intent, target, safety_level, preconditions, criteria: map ?? {}, steps };
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Rejects with `input_invalid`, naming every field that is wrong. */
export const readSopFile = (text: string): SopFile => readYamlText(text, SopFile, "an SOP file");

/** A unified diff of two versions; empty when they define the same procedure. */
export function diffOf(older: Sop, newer: Sop): string {
  const [before, after] = [writeSopFile(older), writeSopFile(newer)];
  if (before === after) return "";
  const names = [`version ${older.version}`, `version ${newer.version}`] as const;
  return createTwoFilesPatch(...names, before, after, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY });
}

// YAML of a file that defines a procedure: one document, read as plain data.

/** Rejects with `input_invalid`, naming every field that is wrong. `kind`: what the file is, as in `an SOP file`. */
function readYamlText<S extends z.ZodType>(text: string, schema: S, kind: string): z.output<S> {
  const invalid = (issues: FieldIssue[]) => new OrchError("input_invalid", `This is not ${kind}.`, { issues });
  const document = parseDocument(text, { schema: "core", uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid([{ path: "file", message: fault.message }]);
  const foreign = foreignTo(document);
  if (foreign !== null) throw invalid([{ path: "file", message: foreign }]);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const issue = yamlNumberIssue(document) ?? structuralIssue(value) ?? textIssue(value, unstorable);
  if (issue !== null) throw invalid([issue]);
  const parsed = parseInput(schema, value);
  if (parsed.ok) return parsed.value;
  throw invalid(parsed.issues);
}

/** What YAML can say and an exported file never does; null when there is nothing of it. */
function foreignTo(document: Document): string | null {
  let found: string | null = null;
  visit(document, {
    Alias: () => {
      found = "must not use aliases; write the value out";
      return visit.BREAK;
    },
    Scalar: (_key, { value }) => {
      if (typeof value !== "string" || value.isWellFormed()) return undefined;
      found = "holds half of a surrogate pair; send whole characters";
      return visit.BREAK;
    },
  });
  return found;
}

// A procedure of the library: what it does and needs, the procedure itself, and a contract that runs it. The files are data; what
// is imported of one is a candidate like any other (D-374).

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
type Aimed = { readonly intent?: string | undefined; readonly target?: Target };

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

// Numbers in YAML that become other numbers when they are read, as jsonTextIssue finds them in JSON (D-228).

/** The first one, with its path as in `payload.steps.0`; null when there is none. */
export function yamlNumberIssue(document: Document): FieldIssue | null {
  let found: FieldIssue | null = null;
  visit(document, {
    Scalar: (_key, { value, source }, ancestors) => {
      const isNumber = typeof value === "number" && Number.isFinite(value) && source !== undefined;
      const message = isNumber ? numberIssue(source) : null;
      if (message === null) return undefined;
      found = { path: pathOf(ancestors), message };
      return visit.BREAK;
    },
  });
  return found;
}

type Ancestor = Document | Node | Pair;

const pathOf = (ancestors: readonly Ancestor[]): string =>
  ancestors
    .flatMap((one, at) => {
      if (isPair(one)) return [isScalar(one.key) ? String(one.key.value) : ""];
      return isSeq(one) ? [String(one.items.indexOf(ancestors[at + 1] ?? null))] : [];
    })
    .join(".");
