// Random trees of notes with clones and protected notes, plans that may be invalid, and disturbances of their runs.
import fc from "fast-check";
import { createNotesModel, type NotesModel, titleOf } from "../../simulators/notes/notes-model.ts";

const MOST = 9;
const SYSTEM = "_hidden";
const NOWHERE = "nowhere1";

const idOf = (n: number): string => `note${n}`;

/** The parents of a note are the root or earlier notes, so that the tree has no cycle. */
type Seed = { readonly parents: readonly number[]; readonly is_protected: boolean };

const seed = fc.record({
  parents: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.nat(MOST)) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(MOST), fc.nat(MOST)) },
  ),
  is_protected: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});

export const seeds = fc.array(seed, { minLength: 5, maxLength: MOST });

export function plantedFrom(notes: readonly Seed[]): NotesModel {
  const model = createNotesModel();
  model.add({ note_id: SYSTEM, title: "Hidden" });
  for (const [at, { parents, is_protected }] of notes.entries()) {
    const above = parents.map((n) => (n % (at + 1) === 0 ? "root" : idOf((n % (at + 1)) - 1)));
    model.add({ note_id: idOf(at), title: `Note ${at}`, parents: [...new Set(above)], is_protected });
  }
  return model;
}

const known = fc.nat(MOST - 1).map(idOf);
const anyId = fc.oneof(
  { weight: 8, arbitrary: known },
  { weight: 1, arbitrary: fc.constantFrom("root", SYSTEM, "none", NOWHERE) },
);
const target = fc.oneof({ weight: 6, arbitrary: anyId }, { weight: 1, arbitrary: fc.constant("root") });
const item = fc.record({ note_id: anyId, target_parent_note_id: target });
const movePlan = fc.oneof(
  { weight: 9, arbitrary: fc.uniqueArray(item, { selector: ({ note_id }) => note_id, minLength: 2, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(item, { minLength: 1, maxLength: 6 }) },
);

export type Order =
  | { operation: "apply_note_moves"; move_plan: { note_id: string; target_parent_note_id: string }[]; dry_run: boolean }
  | {
      operation: "execute_move_plan";
      source_scope: { parent_note_id: string };
      target_parent_note_id: string;
      selection_rule: { title_contains: string };
    };

/** `Note` selects every child of the source that is not protected. */
export const orders: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      operation: fc.constant("apply_note_moves" as const),
      move_plan: movePlan,
      dry_run: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      operation: fc.constant("execute_move_plan" as const),
      source_scope: fc.oneof(known, fc.constant("root")).map((parent_note_id) => ({ parent_note_id })),
      target_parent_note_id: target,
      selection_rule: fc.constant({ title_contains: "Note" }),
    }),
  },
);

const FAULTS = ["lose_reply_after_write", "crash_in_move", "refuse_write", "lying_success", "garbage"] as const;

/** A concurrent change by another client. A change that would make a cycle is skipped. */
type Act = { readonly act: "move" | "clone" | "delete" | "protect"; readonly note_id: string; readonly to: string };

export type Disturbance =
  | { readonly is: "none" }
  /** `write` counts from 0. */
  | { readonly is: "fault"; readonly fault: (typeof FAULTS)[number]; readonly write: number }
  /** `point` is a point of the steps, counted from 0. */
  | { readonly is: "killed"; readonly point: number }
  | { readonly is: "meanwhile"; readonly point: number; readonly does: Act };

export const disturbances: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.constant({ is: "none" } as const),
  fc.record({ is: fc.constant("fault" as const), fault: fc.constantFrom(...FAULTS), write: fc.nat(2) }),
  fc.record({ is: fc.constant("killed" as const), point: fc.nat(20) }),
  fc.record({
    is: fc.constant("meanwhile" as const),
    point: fc.nat(20),
    does: fc.record({
      act: fc.constantFrom("move" as const, "clone" as const, "delete" as const, "protect" as const),
      note_id: known,
      to: fc.oneof(known, fc.constant("root")),
    }),
  }),
);

/** Returns the notes that this act makes unreachable. */
export function carryOutAct(model: NotesModel, { act, note_id, to }: Act): string[] {
  const note = model.note(note_id);
  if (note === undefined || model.note(to) === undefined) return [];
  const before = model.reachable();
  if (act === "protect") note.is_protected = true;
  if (act === "delete") model.delete(note_id);
  const isSound = !model.reachable(note_id).has(to) && !model.parentsOf(note_id).includes(to);
  const [from = to] = model.parentsOf(note_id);
  if (act === "clone" && isSound) model.clone({ note_id, to });
  if (act === "move" && isSound) model.move({ note_id, from, to });
  const after = model.reachable();
  return [...before].filter((id) => !after.has(id));
}

type Wish = { readonly note_id: string; readonly from: string | null; readonly to: string };

/** Applies the legal moves of the order to the model, one after the other. */
export function carryOutOrder(model: NotesModel, order: Order, chooses_place: boolean): void {
  for (const wish of wishesOf(model, order)) {
    const from = sourceOf(model, wish, chooses_place);
    if (from !== null && isLegal(model, wish)) model.move({ ...wish, from });
  }
}

function wishesOf(model: NotesModel, order: Order): Wish[] {
  if (order.operation === "execute_move_plan") {
    const { source_scope, target_parent_note_id: to } = order;
    const from = source_scope.parent_note_id;
    const children = model.childrenOf(from).flatMap((id) => model.note(id) ?? []);
    return children.filter((note) => titleOf(note).includes("Note")).map(({ note_id }) => ({ note_id, from, to }));
  }
  const { move_plan, dry_run } = order;
  const isRefused = new Set(move_plan.map(({ note_id }) => note_id)).size < move_plan.length;
  if (dry_run || isRefused) return [];
  return move_plan.map(({ note_id, target_parent_note_id: to }) => ({ note_id, from: null, to }));
}

/** Of a note in several places, only a server that can choose one moves it, from the one that is named. */
function sourceOf(model: NotesModel, { note_id, from }: Wish, chooses_place: boolean): string | null {
  const [only = null, ...others] = model.parentsOf(note_id);
  return others.length === 0 ? only : chooses_place ? from : null;
}

function isLegal(model: NotesModel, { note_id, to }: Wish): boolean {
  const note = model.note(note_id);
  const target = model.note(to);
  if (note === undefined || target === undefined || note.is_protected || target.is_protected) return false;
  if (note_id === "root" || note_id === SYSTEM || to === SYSTEM) return false;
  return !model.parentsOf(note_id).includes(to) && !model.reachable(note_id).has(to);
}
