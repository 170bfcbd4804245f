// Finds values that a flow engine would replace by a variable, a resource or the token of the job, which discloses a secret to
// the author of the contract. Arrays are searched too: how deep an engine looks differs between releases.
import type { Finding } from "../../domain/finding.ts";
import type { Step } from "../../domain/step.ts";

const PREFIXES = ["$var:", "$jsonvar:", "$res:", "$encrypted:"];

/** A whole value: the engine's own variables, and those in the environment of its workers. */
const NAME = /^\$[A-Za-z_][A-Za-z0-9_]*$/;

const INTERPOLATION = "$interpolate";

/** Of the contract, and of each step: further ones add nothing. */
const MAX_REFERENCES = 10;

const MAX_PATH = 200;

/** Block findings; those of the contract are reported at the first step. */
export function engineReferences(contract: object, steps: readonly Step[] = []): Finding[] {
  return [
    ...referencesIn(contract).map((path) => blocked(0, path)),
    ...steps.flatMap((step, index) => referencesIn(step).map((path) => blocked(index, path))),
  ];
}

const blocked = (step_index: number, path: string): Finding => ({
  step_index,
  verdict: "block",
  code: "engine.reference",
  reason: `the flow engine would replace ${path.slice(0, MAX_PATH)}, which reads as a reference to a secret; write it otherwise, or run the task with execution_backend local`,
  command: null,
  category: null,
});

/** The paths of the first such values in document order. Walks without recursion. */
function referencesIn(root: unknown): string[] {
  const paths: string[] = [];
  const pending: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: "" }];
  for (let next = pending.pop(); next !== undefined && paths.length < MAX_REFERENCES; next = pending.pop()) {
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
