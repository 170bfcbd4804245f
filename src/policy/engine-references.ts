// Values that a flow engine would not hand on but replace, by a variable, a resource or the token of the job itself, and so
// give away a secret to whoever wrote the contract (spec section 2, Flow-engine execution contract). Arrays too: how deep
// an engine looks differs from release to release, so nothing of the kind leaves here.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Step } from "../domain/step.ts";

const PREFIXES = ["$var:", "$jsonvar:", "$res:", "$encrypted:"];
/** As a whole: the engine's own variables, and those in the environment of its workers. */
const NAME = /^\$[A-Za-z_][A-Za-z0-9_]*$/;
const INTERPOLATION = "$interpolate";

/** Of the contract, and of each step: further ones would tell nothing new. */
const MAX_FOUND = 10;
const MAX_PATH = 200;

/** Block findings; those of the contract stand at the first step. */
export function engineReferences(contract: TaskContract, steps: readonly Step[]): Finding[] {
  return [
    ...referencesIn(contract).map((path) => found(0, path)),
    ...steps.flatMap((step, index) => referencesIn(step).map((path) => found(index, path))),
  ];
}

const found = (step_index: number, path: string): Finding => ({
  step_index,
  verdict: "block",
  code: "engine.reference",
  reason: `the flow engine would replace ${path.slice(0, MAX_PATH)}, which reads as a reference to a secret; write it otherwise, or run the task with execution_backend local`,
  command: null,
  category: null,
});

/** The paths of the first such values in the order in which they stand. Walks without recursion. */
function referencesIn(root: unknown): string[] {
  const paths: string[] = [];
  const pending: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: "" }];
  for (let next = pending.pop(); next !== undefined && paths.length < MAX_FOUND; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && isReference(value)) paths.push(path);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, held] of Object.entries(value).reverse()) {
      const below = path === "" ? key : `${path}.${key}`;
      if (key === INTERPOLATION) paths.push(below);
      pending.push({ value: held, path: below });
    }
  }
  return paths;
}

const isReference = (text: string): boolean => NAME.test(text) || PREFIXES.some((prefix) => text.startsWith(prefix));
