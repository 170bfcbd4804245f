// A task of a skill without the server around it: what its steps gave is kept as the journal keeps it, a question or a kill
// leaves the handler where it is, and the next run starts it from its first line.
import type { Decided, SkillContent } from "../../../src/domain/approval.ts";
import { digestOf, type Json } from "../../../src/domain/json.ts";
import type { SkillEnd } from "../../../src/domain/skill.ts";
import type { SkillContext } from "../../../src/ports.ts";
import { AT, aContract } from "../builders.ts";

type Kept = { readonly is: "begun" } | { readonly is: "ended"; readonly value: Json };
type Left = { readonly is: "asks"; readonly content: SkillContent } | { readonly is: "killed" };
/** Where a handler can be killed: before a step is on record, once its start is, and before its end is. */
export type Point = `${"before" | "begun" | "done"}:${string}`;

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export function createRuns(payload: Record<string, Json>, tools?: Pick<SkillContext, "call" | "listTools">) {
  const contract = aContract({
    intent: "reorganize_notes_tree",
    delegation_mode: "known_only",
    target: {},
    payload,
    constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 },
  });
  const steps = new Map<string, Kept>();
  const asked = new Map<string, SkillContent>();
  const decisions = new Map<string, Decided>();
  const progress: { readonly done: number; readonly total: number; readonly text: string }[] = [];
  const stop = new AbortController();

  /** What the handler ends with, or why it was left. */
  const run = (
    handle: (ctx: SkillContext) => Promise<SkillEnd>,
    isKilledAt: (point: Point) => boolean = () => false,
  ): Promise<SkillEnd | Left> => {
    const left = Promise.withResolvers<Left>();
    let hasLeft = false;
    const leave = <T>(why: Left): Promise<T> => {
      hasLeft = true;
      left.resolve(why);
      return never<T>();
    };
    const reach = (point: Point) => (hasLeft || isKilledAt(point) ? leave<void>({ is: "killed" }) : Promise.resolve());
    const named = new Set<string>();

    const step = async (name: string, work: () => Promise<Json>, cut_off?: "repeat" | (() => Promise<Json>)) => {
      if (named.has(name)) throw new Error(`two steps are called ${name}`);
      named.add(name);
      const kept = steps.get(name);
      if (kept?.is === "ended") return kept.value;
      await reach(`before:${name}`);
      const body = kept?.is === "begun" && typeof cut_off === "function" ? cut_off : work;
      if (cut_off !== "repeat") steps.set(name, { is: "begun" });
      await reach(`begun:${name}`);
      const value: Json = JSON.parse(JSON.stringify(await body()));
      await reach(`done:${name}`);
      steps.set(name, { is: "ended", value });
      return value;
    };
    const ctx: SkillContext = {
      contract,
      clock: () => new Date(AT),
      signal: stop.signal,
      call: tools?.call ?? (() => Promise.reject(new Error("there is no tool server"))),
      listTools: tools?.listTools ?? (async () => ({ ok: false, stderr: "there is no tool server" })),
      step: step as SkillContext["step"],
      exclusive: async (_name, work) => work(),
      progress: (done, total, text) => void progress.push({ done, total, text }),
      approvals: {
        request: async (content) => {
          const approval_id = digestOf(content);
          asked.set(approval_id, content);
          return approval_id;
        },
        wait: (approval_id) => {
          const decided = decisions.get(approval_id);
          if (decided !== undefined) return Promise.resolve(decided);
          const content = asked.get(approval_id);
          return content === undefined ? Promise.reject(new Error("never asked")) : leave({ is: "asks", content });
        },
      },
    };
    return Promise.race([handle(ctx), left.promise]);
  };

  const decide = (status: Decided["status"], reason: string | null = null): void => {
    const decision = status === "approved" ? ("approve" as const) : ("reject" as const);
    for (const approval_id of asked.keys()) {
      if (!decisions.has(approval_id))
        decisions.set(approval_id, { status, decision, reason, decided_by: null, token_id: null });
    }
  };

  return {
    contract,
    run,
    decide,
    progress,
    stepNames: () => [...steps.keys()],
    stepValues: () => [...steps.values()],
    asked: () => [...asked.values()],
    stop,
  };
}
