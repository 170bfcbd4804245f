// All operations of the notes skill, one after the other, in a scratch subtree that they make for themselves: what each must answer
// on any notes server. A case sees what the cases before it have found.
import { setTimeout as sleep } from "node:timers/promises";
import { createNotesServer } from "../../../capabilities/notes/find-toolset.ts";
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import { excerpt } from "../../../capabilities/notes/readable.ts";
import { OUTAGE, opened, PATIENCE, type Work } from "../../../capabilities/notes/work.ts";
import type { Json } from "../../../src/domain/json.ts";
import { createMutex } from "../../../src/domain/mutex.ts";
import type { SkillEnd } from "../../../src/domain/skill.ts";
import type { SkillContext } from "../../../src/ports.ts";
import { createRuns } from "./skill-runs.ts";

type Tools = Pick<SkillContext, "call" | "listTools">;
type Payload = Record<string, Json>;
/** Runs an operation to its end, and approves what it asks for. */
type Run = (payload: Payload) => Promise<SkillEnd>;

/** What the scratch subtree has: an inbox with twelve meetings, which is more than a tree of some servers shows, and an archive. */
type Scratch = {
  readonly top: string;
  readonly inbox: string;
  readonly archive: string;
  readonly title: string;
};

type Case = {
  readonly operation: string;
  readonly payload: (scratch: Scratch, before: ReadonlyMap<string, SkillEnd>) => Payload;
  readonly code: string;
  /** Cases whose results it uses. */
  readonly needs?: readonly string[];
};

/** `found` is a code and a message; `next` is what to do where it is not what was expected. */
export type Finding = {
  readonly name: string;
  readonly operation: string;
  readonly is_ok: boolean;
  readonly expected: string;
  readonly found: string;
  readonly next: string;
};

type Conformance =
  | { readonly is: "not_begun"; readonly why: string; readonly next: string }
  | { readonly is: "ended"; readonly top: string; readonly title: string; readonly findings: readonly Finding[] };

const MEETINGS = 12;

const moving = ({ inbox, archive }: Scratch): Payload => ({
  source_scope: { parent_note_id: inbox },
  target_parent_note_id: archive,
  selection_rule: { title_contains: "Meeting" },
});

type Listed = { readonly children: readonly { readonly note_id: string; readonly title: string }[] };
type Planned = { readonly move_plan: Json; readonly reverse_plan: Json };

const resultOf = <T>(before: ReadonlyMap<string, SkillEnd>, name: string): T => before.get(name)?.result as T;
const idsIn = (before: ReadonlyMap<string, SkillEnd>): string[] =>
  resultOf<Listed>(before, LISTED).children.map(({ note_id }) => note_id);

const inboxOf = ({ inbox }: Scratch): Payload => ({ note_id: inbox });
const ofPlan = (plan: Json, over: Payload = {}): Payload => ({ move_plan: plan, ...over });
const firstIn = (before: ReadonlyMap<string, SkillEnd>, over: Payload): Payload => ({
  note_id: idsIn(before)[0] ?? "",
  ...over,
});
const to = (operation: string, code: string, payload: Case["payload"], ...needs: readonly string[]): Case => ({
  operation,
  code,
  payload,
  needs,
});

const LISTED = "the inbox is listed";
const PLANNED = "moves are planned";
const CARRIED_OUT = "the plan is carried out";
const APPENDED = { mode: "append", content: "Two more words." };
const REPLACED = { mode: "replace", content: "Other words." };
const planOf = (before: ReadonlyMap<string, SkillEnd>) => resultOf<Planned>(before, PLANNED).move_plan;
const undoOf = (before: ReadonlyMap<string, SkillEnd>) => resultOf<Planned>(before, CARRIED_OUT).reverse_plan;
const intoArchive = ({ archive }: Scratch, before: ReadonlyMap<string, SkillEnd>): Payload => ({
  expected_parent_note_id: archive,
  note_ids: idsIn(before),
});
const underItself = ({ top, inbox }: Scratch) => ofPlan([{ note_id: top, target_parent_note_id: inbox }]);
const inInbox: Case["payload"] = ({ inbox }, before) => firstIn(before, { expected_parent_note_id: inbox });
const byPath = ({ top }: Scratch): Payload => ({ path: ["Archive"], root_note_id: top });
const undoing: Case["payload"] = (_, before) => ofPlan(undoOf(before), { dry_run: false });

/** In this order. */
export const CASES: ReadonlyMap<string, Case> = new Map<string, Case>([
  [LISTED, to("list_children", "children_listed", inboxOf)],
  ["the subtree is read whole", to("fetch_note_tree", "tree_read", ({ top }) => ({ root_note_id: top, depth: 3 }))],
  ["the archive is found by its path", to("resolve_target_note", "resolved", byPath)],
  [PLANNED, to("plan_note_moves", "planned", moving)],
  ["the plan is tried", to("apply_note_moves", "dry_run", (_, before) => ofPlan(planOf(before)), PLANNED)],
  [CARRIED_OUT, to("execute_move_plan", "moved", moving)],
  ["the notes are in the archive", to("verify_note_tree", "placed", intoArchive, LISTED)],
  ["the plan is undone", to("apply_note_moves", "moved", undoing, CARRIED_OUT)],
  ["a note is back in the inbox", to("verify_tree_placement", "placed", inInbox, LISTED)],
  ["a note is not moved under itself", to("apply_note_moves", "nothing_to_move", underItself)],
  ["words are appended to a note", to("apply_note_change", "changed", (_, b) => firstIn(b, APPENDED), LISTED)],
  ["the content of a note is replaced", to("apply_note_change", "changed", (_, b) => firstIn(b, REPLACED), LISTED)],
]);

/** Under the note `parent`. The subtree stays: these servers have no tool in common that deletes. */
export async function conform(tools: Tools, parent: string, cases = CASES): Promise<Conformance> {
  const notes = opened(() => createNotesServer(tools, "notes", process.env));
  const run: Run = (payload) => carriedThrough(payload, tools, notes);
  const first = await run({ operation: "list_children", note_id: parent, limit: 1 });
  if (first.status !== "ok") return { is: "not_begun", why: first.message, next: nextOf(first, CHECK_ADDRESS) };
  const scratch = await prepare(tools, run, parent);
  if (typeof scratch === "string") return { is: "not_begun", why: scratch, next: CHECK_RIGHTS };
  const ends = new Map<string, SkillEnd>();
  const findings: Finding[] = [];
  const passed = new Set<string>();
  for (const [name, { operation, payload, code, needs = [] }] of cases) {
    const about = { name, operation, expected: code };
    const lacking = needs.find((one) => !passed.has(one));
    if (lacking !== undefined) {
      findings.push({ ...about, is_ok: false, found: "not run", next: `see to ${JSON.stringify(lacking)} first` });
      continue;
    }
    const end = await run({ operation, ...payload(scratch, ends) });
    ends.set(name, end);
    if (end.code === code) passed.add(name);
    const next = nextOf(end, `look at the notes below ${scratch.top} in the application, and at the log of the server`);
    findings.push({ ...about, is_ok: end.code === code, found: `${end.code}: ${end.message}`, next });
  }
  return { is: "ended", top: scratch.top, title: scratch.title, findings };
}

const CHECK_ADDRESS = "look at MCP_NOTES_URL, and whether the server runs; give --under the id of a note that is there";
const CHECK_RIGHTS = "look whether the token may write, and give --under the id of a note that may have notes below it";

function nextOf({ next }: SkillEnd, otherwise: string): string {
  if (next === undefined) return otherwise;
  return typeof next === "string" ? next : next.map(({ text }) => text).join("; ");
}

async function carriedThrough(payload: Payload, tools: Tools, notes: Work["notes"]): Promise<SkillEnd> {
  const runs = createRuns(payload, tools);
  const work = { notes, patience: PATIENCE, outage: OUTAGE, mutex: createMutex() };
  for (;;) {
    const end = await runs.run((ctx) => handleOrder({ ...work, ctx }, runs.contract));
    if (!("is" in end)) return end;
    if (end.is === "killed") throw new Error("nothing kills it");
    runs.decide("approved");
  }
}

/** Why it could not be made, where it is no subtree. */
async function prepare(tools: Tools, run: Run, parent: string): Promise<Scratch | string> {
  try {
    return await made(tools, run, parent);
  } catch (error) {
    if (error instanceof NotMade) return error.message;
    throw error;
  }
}

class NotMade extends Error {
  override readonly name = "NotMade";
}

async function made({ call }: Tools, run: Run, parent: string): Promise<Scratch> {
  const title = `orch conformance ${new Date().toISOString()}`;
  /** The three servers have this tool in common, and answer it differently: the list says what became of it. */
  const create = async (under: string, called: string): Promise<string> => {
    const args = { parentNoteId: under, title: called, type: "text", content: `About ${called}` };
    const answer = await call("notes", "create_note", args);
    for (const delay of PATIENCE) {
      await sleep(delay);
      const { result } = await run({ operation: "list_children", note_id: under, limit: 1_000 });
      const made = (result as Listed | undefined)?.children.find((one) => one.title === called);
      if (made !== undefined) return made.note_id;
    }
    throw new NotMade(
      `${JSON.stringify(called)} was not made under ${under}: ${excerpt(answer.ok ? answer.stdout : answer.stderr)}.`,
    );
  };
  const top = await create(parent, title);
  const inbox = await create(top, "Inbox");
  const archive = await create(top, "Archive");
  for (let n = 1; n <= MEETINGS; n += 1) await create(inbox, `Meeting ${n}`);
  return { top, inbox, archive, title };
}
