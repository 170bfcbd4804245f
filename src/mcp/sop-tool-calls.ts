// Offers the active procedures as tools beside the operations, and turns a call of one into a contract for submit_task. Which
// procedure runs is decided by the look-up of the task, as for any contract.
import type { SentContract } from "../domain/contract.ts";
import type { Sop } from "../domain/sop.ts";
import { invalidInput } from "../operations/operation.ts";
import { jsonSchemaOf } from "../schema/json-schema.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Fault } from "../schema/problem-document.ts";
import { faultOf, type McpCaller } from "./calls.ts";
import { readArguments } from "./nested-json.ts";
import { describeSopTool, SOP_TOOL_PREFIX, sopContract, sopInput, sopToolName, tellingAmong } from "./sop-tools.ts";

export type SopTools = {
  /** Active ones that a contract selects, those with the most successful runs first. */
  readonly mostUsed: (limit: number) => Promise<readonly Sop[]>;
  readonly newTaskId: (intent: string) => string;
  /** Yields after each commit that changed which procedures are active. */
  readonly toolsChanged: (signal: AbortSignal) => AsyncIterable<void>;
};

const MAX_OFFERED = 30;
/** A call may name one that other procedures have pushed off the list. */
const MAX_CALLED = 500;

type Resolved =
  | { readonly ok: true; readonly contract: SentContract & { readonly wait_seconds: number } }
  | { readonly ok: false; readonly fault: Fault };

export function createSopTools({ mostUsed, newTaskId }: SopTools) {
  const named = async (limit: number): Promise<ReadonlyMap<string, Sop>> => {
    const sops = await mostUsed(limit);
    // The most used first: it keeps a name that another would have too.
    return new Map(sops.toReversed().map((sop) => [sopToolName(sop, sop.target_signature), sop]));
  };

  async function find(name: string): Promise<Sop | null> {
    const offered = (await named(MAX_OFFERED)).get(name);
    return offered ?? (await named(MAX_CALLED)).get(name) ?? null;
  }

  return {
    list: async ({ refusalOf }: Pick<McpCaller, "refusalOf">) => {
      if ((await refusalOf({ name: "list_sops", scope: "read" })) !== null) return [];
      const offered = [...(await named(MAX_OFFERED))].reverse();
      const telling = tellingAmong(offered.map(([, sop]) => sop));
      return offered.map(([name, sop]) => describeSopTool(name, sop, telling));
    },
    isNameOf: (name: string): boolean => name.startsWith(SOP_TOOL_PREFIX),
    /** A name is not enough: the procedure has to be active now. */
    contractFor: async (name: string, given: Readonly<Record<string, unknown>>): Promise<Resolved> => {
      const sop = await find(name);
      if (sop === null) return { ok: false, fault: notActive(name) };
      const input = sopInput(sop);
      const read = readArguments(jsonSchemaOf(input, "input"), given);
      const parsed = read.ok ? parseInput(input, read.value) : { ok: false as const, issues: [read.issue] };
      if (!parsed.ok) return { ok: false, fault: faultOf(invalidInput({ name }, parsed.issues)) };
      const { wait_seconds } = parsed.value;
      return { ok: true, contract: { ...sopContract(sop, parsed.value, newTaskId(sop.intent)), wait_seconds } };
    },
  };
}

const MAX_NAME = 64;

const notActive = (name: string): Fault => ({
  code: "sop_not_found",
  detail: `No active SOP has the tool ${JSON.stringify(name.slice(0, MAX_NAME))}: it was retired, or never promoted. Nothing was submitted.`,
  fix: "List the tools again, or the SOPs with list_sops. submit_task with the intent and the target asks for new steps.",
});
