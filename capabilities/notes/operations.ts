// The operations of the notes skill: their parameters and their implementations. The whole procedure is plan, dry run, approval,
// moves, verification: a saga without compensation, which reports after a failure what was done, what was not, and how to undo it.

import type { z } from "zod";
import type { SkillEnd } from "../../src/domain/skill.ts";
import { applyNoteChange } from "./apply-note-change.ts";
import { applyNoteMoves, tryMoves } from "./apply-note-moves.ts";
import { carryOut } from "./carry-out.ts";
import { fetchNoteTree } from "./fetch-note-tree.ts";
import { listChildren } from "./list-children.ts";
import type { PlanNoteMoves } from "./parameters.ts";
import * as parameters from "./parameters.ts";
import { nothingSelected, planMoves, planNoteMoves } from "./plan-note-moves.ts";
import { resolveTargetNote } from "./resolve-target-note.ts";
import { verifyNoteTree, verifyTreePlacement } from "./verify-placement.ts";
import type { Work } from "./work.ts";

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
  ["list_children", operation(parameters.ListChildren, listChildren)],
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

async function executeMovePlan(work: Work, order: PlanNoteMoves): Promise<SkillEnd> {
  const plan = await planMoves(work, order);
  if (plan.is === "impossible") return { status: "failed", code: plan.code, message: plan.message };
  if (plan.selected === 0) return { status: "blocked", code: "nothing_selected", message: nothingSelected(order) };
  const tried = await tryMoves(work, plan.moves);
  return carryOut(work, { ...tried, left_out: [...plan.left_out, ...tried.left_out] });
}

const MOST = 20;

function wrongIn({ issues }: z.ZodError): string[] {
  const wrong = issues.flatMap(wordsFor);
  const rest = wrong.length - MOST;
  return rest <= 0 ? wrong : [...wrong.slice(0, MOST), `${rest} more fields are wrong`];
}

function wordsFor(issue: z.core.$ZodIssue): string[] {
  const at = ["payload", ...issue.path].map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${at}.${key} is not a field of this operation`);
  if (issue.code === "invalid_union") return [`${at} must be a string or an array of strings`];
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return [`${at} ${issue.message}`];
  return [issue.input === undefined ? `${at} is required` : `${at} must be of type ${issue.expected}`];
}
