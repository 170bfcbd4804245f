// What a yes means, in sentences: written for ten seconds on a phone.
import type { Approval } from "../../../domain/approval.ts";
import type { SopProof } from "../../../domain/sop.ts";
import type { OperationAnswer } from "../../operations.ts";
import { count } from "../../parts/text.ts";
import { CHANGE_ORDER, CHANGES } from "../../parts/words.ts";

type Kind = Approval["kind"];

const QUESTIONS: Readonly<Record<Kind, (what: string) => string>> = {
  plan: (what) => `Run ${what}?`,
  promotion: (what) => `Use this procedure for ${what} from now on?`,
  replacement: (what) => `Replace the procedure for ${what}?`,
  skill: (what) => `Let ${what} do this?`,
  agent: (what) => `Let the agent do this for ${what}?`,
};

export const questionOf = ({ kind, content: { intent } }: Approval): string => QUESTIONS[kind](intent);

/** What happens on a yes, as one sentence. */
export function meaningOf({ approval: { kind, content }, steps, counts, sop }: Shown): string {
  if (kind === "skill") return "The skill does exactly what is listed below, once.";
  const what = `${count(steps.length, kind === "agent" ? "call" : "step")}: ${countsText(counts)}`;
  if (kind === "agent") return `The agent makes ${what}. It goes on under the same rules after that.`;
  if (kind === "plan") return `Now, once, ${what}.`;
  const runs_now = "contract" in content && content.contract !== undefined;
  return `From now on each task with this intent and target runs ${what}. ${laterQuestions(content, sop)}${runs_now ? "" : " Nothing runs now."}`;
}

function laterQuestions(content: Approval["content"], sop: Shown["sop"]): string {
  if ("safety_level" in content && content.safety_level === "approval_required")
    return "Each run asks for an approval.";
  if (sop !== null && sop.trial_left > 0)
    return sop.trial_left === 1 ? "Its first run asks once more." : `Its first ${sop.trial_left} runs ask once more.`;
  return "No run of it asks for an approval, unless policy finds something.";
}

function countsText(counts: Shown["counts"]): string {
  const parts = CHANGE_ORDER.filter((change) => counts[change] > 0).map((change) =>
    CHANGES[change].counted(counts[change]),
  );
  return parts.length === 0 ? "nothing that runs a command" : parts.join(", ");
}

/** The labels of a job are for the workers of the flow engine. */
export function placeOf(backend: string | undefined, runs_on: readonly string[] | undefined): string {
  const where = backend === "flowengine" ? "the flow engine" : "any server";
  if (runs_on === undefined) return where;
  return backend === "flowengine" ? `${where}, tag ${runs_on.join("+")}` : runs_on.join(", ");
}

export type ReachedThings = {
  readonly paths: readonly string[];
  readonly containers: readonly string[];
  readonly hosts: readonly string[];
  readonly more: number;
};

export type Reach = ReachedThings & { readonly consequences: readonly string[] };

/** Everything that all steps together reach, each once. */
export function reachOf(steps: readonly Pick<ShownStep, "blast" | "consequences">[]): Reach {
  const all = (name: "paths" | "containers" | "hosts") => [
    ...new Set(steps.flatMap(({ blast }) => blast?.[name] ?? [])),
  ];
  return {
    consequences: [...new Set(steps.flatMap(({ consequences }) => consequences))],
    paths: all("paths"),
    containers: all("containers"),
    hosts: all("hosts"),
    more: steps.reduce((sum, { blast }) => sum + (blast?.more ?? 0), 0),
  };
}

// Why policy asks, each reason once with the steps that it is about.

export type AskedReason = Pick<ShownStep["findings"][number], "code" | "verdict" | "reason"> & {
  /** As everywhere in orch, from 0. */
  readonly steps: readonly number[];
};

const keyOf = ({ code, reason }: Pick<AskedReason, "code" | "reason">): string => `${code} ${reason}`;

export function reasonsOf(steps: Shown["steps"]): AskedReason[] {
  const by_key = new Map<string, AskedReason>();
  for (const { index, findings } of steps)
    for (const { code, verdict, reason } of findings) {
      const before = by_key.get(keyOf({ code, reason }))?.steps ?? [];
      const numbers = before.includes(index) ? before : [...before, index];
      by_key.set(keyOf({ code, reason }), { code, verdict, reason, steps: numbers });
    }
  return [...by_key.values()];
}

/** As "step 2" or "steps 1, 2 and 5". */
export function stepsText(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`;
  return `steps ${steps.slice(0, -1).join(", ")} and ${steps.at(-1)}`;
}

// What the page shows, as get_approval gives it.

export type Shown = OperationAnswer<"get_approval">;
export type ShownStep = Shown["steps"][number];
export type ShownCheck = Shown["checks"][number];
export type StepPreview = NonNullable<SopProof["steps"][number]["preview"]>;
