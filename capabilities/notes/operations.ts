// The operations of the notes skill: their parameters and their implementations.
import type { z } from "zod";
import type { SkillEnd } from "../../src/domain/skill.ts";
import { applyNoteChange } from "./apply-note-change.ts";
import { applyNoteMoves } from "./apply-note-moves.ts";
import { executeMovePlan } from "./execute-move-plan.ts";
import { fetchNoteTree } from "./fetch-note-tree.ts";
import * as parameters from "./parameters.ts";
import { planNoteMoves } from "./plan-note-moves.ts";
import { resolveTargetNote } from "./resolve-target-note.ts";
import { verifyNoteTree, verifyTreePlacement } from "./verify-placement.ts";
import type { Work } from "./work.ts";
import { wrongIn } from "./wrong-fields.ts";

type Ready = { readonly ok: true; readonly run: (work: Work) => Promise<SkillEnd> };
type Refused = { readonly ok: false; readonly wrong: readonly string[] };
type Operation = (given: unknown) => Ready | Refused;

function operation<S extends z.ZodType>(
  schema: S,
  run: (work: Work, order: z.output<S>) => Promise<SkillEnd>,
): Operation {
  return (given) => {
    const parsed = schema.safeParse(given, { reportInput: true });
    if (!parsed.success) return { ok: false, wrong: wrongIn(parsed.error) };
    return { ok: true, run: (work) => run(work, parsed.data) };
  };
}

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map([
  ["fetch_note_tree", operation(parameters.FetchNoteTree, fetchNoteTree)],
  ["resolve_target_note", operation(parameters.ResolveTargetNote, resolveTargetNote)],
  ["apply_note_change", operation(parameters.ApplyNoteChange, applyNoteChange)],
  ["verify_tree_placement", operation(parameters.VerifyTreePlacement, verifyTreePlacement)],
  ["verify_note_tree", operation(parameters.VerifyNoteTree, verifyNoteTree)],
  ["plan_note_moves", operation(parameters.PlanNoteMoves, planNoteMoves)],
  ["apply_note_moves", operation(parameters.ApplyNoteMoves, applyNoteMoves)],
  ["execute_move_plan", operation(parameters.PlanNoteMoves, executeMovePlan)],
]);

/** The order in a payload; otherwise every wrong field, with what to send instead. */
export function readOrder({ operation: name, ...given }: Readonly<Record<string, unknown>>): Ready | Refused {
  const known = OPERATIONS.get(name);
  if (known !== undefined) return known(given);
  return { ok: false, wrong: [`payload.operation must be one of ${[...OPERATIONS.keys()].join(", ")}`] };
}
