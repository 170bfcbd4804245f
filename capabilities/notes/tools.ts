// The tools of the notes skill for agents: reads, checks, and the change of a note's content. Moves are left to the skill, which
// shows every one of them to a human.
import { z } from "zod";
import type { Json } from "../../src/domain/json.ts";
import type { SkillContext, SkillTool, SkillToolContext } from "../../src/ports.ts";
import { createNotesServer } from "./find-toolset.ts";
import { handleOrder } from "./handle-order.ts";
import * as parameters from "./parameters.ts";
import { changesOf, opened, PATIENCE } from "./work.ts";

export const TOOLS: readonly SkillTool[] = [
  tool("fetch_note_tree", "reads", parameters.FetchNoteTree, "Reads a note and the notes below it."),
  tool("list_children", "reads", parameters.ListChildren, "Lists all notes directly under a note."),
  tool("resolve_target_note", "reads", parameters.ResolveTargetNote, "Finds a note by its path or its exact title."),
  tool("plan_note_moves", "reads", parameters.PlanNoteMoves, "Plans moves of notes by their title. Moves nothing."),
  tool("verify_tree_placement", "checks", parameters.VerifyTreePlacement, "Passes when a note lies under a parent."),
  tool("verify_note_tree", "checks", parameters.VerifyNoteTree, "Passes when all these notes lie under a parent."),
  tool("apply_note_change", "changes", parameters.ApplyNoteChange, "Replaces a note's content, or appends to it."),
];

function tool(name: string, effect: SkillTool["effect"], schema: z.ZodType, description: string): SkillTool {
  return {
    name,
    description,
    parameters: schema,
    scope: "notes",
    effect,
    run: (ctx, given) => carryOut(ctx, name, given),
  };
}

async function carryOut(
  ctx: SkillToolContext,
  operation: string,
  given: Readonly<Record<string, Json>>,
): Promise<Json> {
  const work = {
    ctx: asOneStep(ctx),
    notes: opened(() => createNotesServer(ctx)),
    patience: PATIENCE,
    mutex: changesOf(ctx),
  };
  const order = { ...ctx.contract, delegation_mode: "known_only", payload: { ...given, operation } } as const;
  const { status, ...end } = await handleOrder(work, order);
  return { ok: status === "ok", ...z.record(z.string(), z.json()).parse(end) };
}

/** The call is the step: the operation's own steps happen within it. */
const asOneStep = (ctx: SkillToolContext): SkillContext =>
  ({
    ...ctx,
    step: async (_name: string, run: () => Promise<Json>) => run(),
    progress: () => undefined,
    approvals: { request: noApproval, wait: noApproval },
  }) as SkillContext;

async function noApproval(): Promise<never> {
  throw new Error("an agent's call is approved before it is made, and asks no more");
}
