// Warns of checks that could not be seen to fail, when steps are taught, imported or explained (D-193), with the usual mend, and of
// calls whose answer no check looks at.
import type { z } from "zod";
import type { TaskContract } from "../../domain/contract.ts";
import { isCheck, type Step } from "../../domain/step.ts";
import { dataWords, proofOf, wordingFault } from "../../proof/proof.ts";
import type { OperationDeps } from "./deps.ts";
import type { CheckWarning } from "./shapes/explain.ts";

export type Warning = z.infer<typeof CheckWarning>;
type Warned = { readonly contract: TaskContract; readonly steps: readonly Step[] };

/** The limit for one procedure. A check takes some tenths of a second. */
const MAX_TRIED = 50;
const NOT_TRIED: Pick<Warning, "proof" | "mends" | "reason"> = {
  proof: "cannot_tell" as const,
  mends: [],
  reason: `only the first ${MAX_TRIED} checks are tried here; the run shows what this one and those after it are worth`,
};

/**
 * Offers a mend if it fails on an empty machine. Runs checks only in such an empty sandbox, never on this machine, because no approval
 * covers the steps yet.
 */
export async function checkWarnings(
  { examiner, backendOf }: Pick<OperationDeps, "examiner" | "backendOf">,
  { contract, steps }: Warned,
): Promise<Warning[]> {
  const unchecked = uncheckedCalls(steps);
  if (examiner === null || backendOf(contract)?.remote === true) return unchecked;
  const commands = steps.flatMap((step) => (step.kind === "cmd" ? [step.value] : []));
  const checks = steps.flatMap((step, step_index) => (step.kind === "check" ? [{ step, step_index }] : []));
  const untried = checks.slice(MAX_TRIED, MAX_TRIED + 1).map(({ step_index }) => ({ step_index, ...NOT_TRIED }));
  const warnings = await Promise.all(
    checks.slice(0, MAX_TRIED).map(async ({ step, step_index }) => {
      const fault = wordingFault(step.value);
      if (fault !== null) return [{ step_index, proof: "cannot_tell" as const, reason: fault, mends: [] }];
      const examination = await examiner.examine({ text: step.value, contract, commands, decoy_on: "nowhere" });
      const { class: proof, reason } = proofOf(examination, null);
      // A check that fails on an empty machine is at most sensitive without a decoy. The run shows the rest.
      if (proof === "sensitive" || proof === "not_possible" || examination.reads_before) return [];
      const offered = proof === "unproved" ? await examiner.mendsOf(step.value) : [];
      const tried = offered.map(async (mend) => {
        const mended = await examiner.examine({ text: mend.text, contract, commands, decoy_on: "nowhere" });
        return proofOf(mended, null).class === "unproved" ? [] : [mend];
      });
      return [{ step_index, proof, reason: reason ?? "", mends: (await Promise.all(tried)).flat() }];
    }),
  );
  return [...unchecked, ...warnings.flat(), ...untried];
}

const uncheckedCalls = (steps: readonly Step[]): Warning[] =>
  steps.flatMap((step, step_index) => {
    if (step.kind !== "mcp_call" || isCheck(step)) return [];
    if (steps.slice(step_index + 1).some((later) => looksAtCall(later, step))) return [];
    const reason = `this step has no check on its answer: it passes with any answer that ${step.server} does not mark as an error. Add a check of what it did, such as a call with expect of a tool that reads it`;
    return [{ step_index, proof: "cannot_tell", reason, mends: [] }];
  });

/** A later check by a tool of the same server, or one of the shell that names something of what the call was given. */
function looksAtCall(later: Step, { server, arguments: args }: Extract<Step, { kind: "mcp_call" }>): boolean {
  if (later.kind === "mcp_call") return isCheck(later) && later.server.toLowerCase() === server.toLowerCase();
  if (later.kind !== "check") return false;
  const read = wordsIn(later.value);
  return namesIn(args).some((name) => read.has(name));
}

/** What a check is about: its words and their parts, without its programs and the names of their options. */
const wordsIn = (check: string): ReadonlySet<string> =>
  new Set(dataWords(check).flatMap((word) => [word, ...partsOf(word), ...word.split(/[^\w-]+/)]));

/** Names, paths and ids among the values. A parameter reads as the variable that the shell has for it. */
function namesIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(namesIn);
  if (typeof value === "boolean" || /\s/.test(String(value))) return [];
  const text = String(value)
    .replace(/\$\{target\.(\w+)\}/, (_, name: string) => `ORCH_TARGET_${name.toUpperCase()}`)
    .replace(/\$\{payload\.[\w.]+\}/, "ORCH_PAYLOAD");
  // A folder that a path is in is not what it names.
  return [text, ...partsOf(text.split("/").findLast(Boolean) ?? "")].filter(
    (name) => name.length > 2 && !NO_NAME.test(name),
  );
}

const partsOf = (text: string): string[] => text.split(/[^\w.-]+/);

/** These occur in many checks, and name nothing. */
const NO_NAME = /^(true|false|null|\d{1,3})$/i;
