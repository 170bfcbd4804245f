// The whole way of a plan: planned, tried, asked about, applied and verified.
import { describe, expect, test } from "vitest";
import { cancelled, endOf } from "../../../../capabilities/notes/end-of-plan.ts";
import { NotesFault, type NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { meetings, someNotes, undertake } from "../../../support/notes/undertake.ts";

type Prepare = (model: NotesModel) => void;
type Over = (plain: NotesServer) => Partial<NotesServer>;
type Order = Record<string, Json>;
const none: Prepare = () => undefined;

function begun(order: Order, prepare: Prepare = none, over: Over = () => ({})) {
  const model = someNotes();
  prepare(model);
  const notes = memoryNotes(over, model);
  return { model, notes, task: undertake(order, notes.server) };
}

/** Runs to the question, lets something happen, has it decided and runs to the end. */
async function approved({ model, task }: ReturnType<typeof begun>, meanwhile: Prepare = none) {
  const asked = await task.run();
  if (!("is" in asked) || asked.is !== "asks") throw new Error(`it did not ask: ${JSON.stringify(asked)}`);
  meanwhile(model);
  task.decide("approved");
  return task.end();
}

const says = (words: string) => expect.stringContaining(words);
const idsIn = (result: unknown) => (result as { move_plan: { note_id: string }[] }).move_plan.map((one) => one.note_id);
const selecting = (title_contains: string, more: Order = {}): Order => ({
  ...meetings(),
  selection_rule: { title_contains, ...more },
});
const added =
  (...notes: Parameters<NotesModel["add"]>[0][]): Prepare =>
  (model) => {
    for (const note of notes) model.add({ parents: ["inbox"], ...note });
  };
const all =
  (...steps: Prepare[]): Prepare =>
  (model) => {
    for (const step of steps) step(model);
  };
const shared = (...note_ids: string[]): Prepare =>
  all(added({ note_id: "_share", title: "Shared", parents: ["root"] }), (model) => {
    for (const note_id of note_ids) model.clone({ note_id, to: "_share" });
  });

describe("a plan [4.notes.plan_note_moves]", () => {
  const planned = async (order: Order = meetings(), prepare?: Prepare, over?: Over) => {
    const { model, notes, task } = begun({ operation: "plan_note_moves", ...order }, prepare, over);
    const before = model.snapshot();
    const ended = await task.end();
    expect([model.snapshot(), notes.writes()]).toEqual([before, 0]);
    return ended;
  };

  test("holds every direct child whose title has the text, to be read by programs and by humans", async () => {
    const numbers = [1, 2, 3];
    expect(await planned(selecting("Meeting "))).toMatchObject({
      status: "ok",
      code: "planned",
      message: "3 notes selected: 3 would be moved, 0 left out.",
      next: expect.stringMatching(/apply_note_moves with dry_run false.*execute_move_plan/),
      result: {
        move_plan: numbers.map((n) => ({ note_id: `m${n}`, target_parent_note_id: "y2026" })),
        moves: numbers.map((n) => ({
          note_id: `m${n}`,
          title: `Meeting ${n}`,
          from: '"Inbox" (inbox)',
          to: '"Archive / 2026" (y2026)',
        })),
        left_out: [],
        caveats: [],
        gaps: [],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  const long = "x".repeat(3_000);
  const odd = added(
    { note_id: "odd", title: "meeting.*" },
    { note_id: "nfd", title: "Cafe\u0301" },
    { note_id: "nfc", title: "Caf\u00e9" },
    { note_id: "long", title: long },
  );
  test.each<[string, Order, string[]]>([
    ["takes the text literally", selecting(".*"), ["odd"]],
    [
      "takes its case as it is, unless that is to be ignored",
      selecting("MEETING ", { ignore_case: true }),
      ["m1", "m2", "m3"],
    ],
    ["takes an accent in one form", selecting("caf\u00e9", { ignore_case: true }), ["nfd", "nfc"]],
    ["takes an accent in the other form", selecting("cafe\u0301", { ignore_case: true }), ["nfd", "nfc"]],
    ["takes a title of any length", selecting(long), ["long"]],
    ["never holds the target, although its title has the text", meetings("folder"), ["m1", "m2", "m3"]],
  ])("%s", async (_, order, ids) => {
    expect(idsIn((await planned(order, odd)).result)).toEqual(ids);
  });

  const third = selecting("Meeting 3");
  const gap: Over = (plain) => ({
    children: async (id) => ({ notes: (await plain.children(id))?.notes ?? [], gaps: ["ghost"] }),
  });
  test.each<[string, Order, Prepare, object, Over?]>([
    [
      "says which children of the source cannot be read",
      meetings(),
      none,
      {
        status: "ok",
        message: expect.stringMatching(
          /4 would be moved, 0 left out\. 1 place under the source cannot be read: ghost\.$/,
        ),
        result: { gaps: ["ghost"] },
      },
      gap,
    ],
    [
      "leaves out what may not be moved, and says why",
      meetings(),
      all(added({ note_id: "m4", title: "Meeting 4", is_protected: true }), (model) => {
        model.clone({ note_id: "m1", to: "archive" });
        model.move({ note_id: "y2026", from: "archive", to: "m3" });
      }),
      {
        message: "4 notes selected: 2 would be moved, 2 left out.",
        result: {
          move_plan: [{ note_id: "m2" }, { note_id: "folder" }],
          left_out: [
            { note_id: "m1", title: "Meeting 1", code: "cloned", reason: says("2 places") },
            { note_id: "m3", title: "Meeting 3", code: "inside_itself", reason: says("lies inside it") },
          ],
        },
      },
    ],
    [
      "says which notes become public",
      third,
      shared("archive"),
      {
        message: "1 note selected: 1 would be moved, 0 left out. 1 note would become public.",
        result: { moves: [{ note_id: "m3", effect: says("becomes public") }] },
      },
    ],
    [
      "says which are not public any more",
      third,
      shared("inbox"),
      { message: says("1 note would not be public any more.") },
    ],
    [
      "says nothing of those that stay public",
      third,
      shared("inbox", "archive"),
      { message: "1 note selected: 1 would be moved, 0 left out." },
    ],
    [
      "may have nothing but notes that are left out",
      meetings("inbox"),
      none,
      { status: "ok", code: "nothing_to_move", result: { left_out: Array(4).fill({ code: "already_in_place" }) } },
    ],
    [
      "may be of nothing",
      selecting("Budget"),
      none,
      { status: "ok", code: "nothing_selected", message: 'No note directly under inbox has "Budget" in its title.' },
    ],
    [
      "is not made for a missing source",
      { ...meetings(), source_scope: { parent_note_id: "nobody" } },
      none,
      { status: "failed", code: "source_not_found" },
    ],
    ["is not made for a missing target", meetings("nobody"), none, { status: "failed", code: "target_not_found" }],
  ])("%s", async (_, order, prepare, wanted, over) => {
    expect(await planned(order, prepare, over)).toMatchObject(wanted);
  });

  test("has the same digest for the same moves, and another from another place", async () => {
    const digestOf = async (order?: Order) => ((await planned(order)).result as { digest: string }).digest;
    const first = await digestOf();
    expect(await digestOf()).toBe(first);
    expect(await digestOf(meetings("archive"))).not.toBe(first);
  });

  test("takes for 5,000 notes one list, one walk upwards, and a call for each note", async () => {
    const crowd = added(...Array.from({ length: 5_000 }, (_, n) => ({ note_id: `n${n}`, title: `Note ${n}` })));
    const { notes, task } = begun({ operation: "plan_note_moves", ...selecting("Note") }, crowd);
    expect(idsIn((await task.end()).result)).toHaveLength(5_000);
    expect(notes.callsOf("children")).toHaveLength(1);
    expect(notes.callsOf("note").length).toBeLessThanOrEqual(5_000 + 6);
    expect([task.progress.at(0), task.progress.at(-1)]).toMatchObject([
      { done: 1, total: 5_000 },
      { done: 5_000, total: 5_000 },
    ]);
  });
});

type Plan = { readonly note_id: string; readonly target_parent_note_id: string }[];
const move = (note_id: string, target_parent_note_id: string) => ({ note_id, target_parent_note_id });
const applying = (move_plan: Plan, prepare?: Prepare, dry_run?: boolean) =>
  begun({ operation: "apply_note_moves", move_plan, ...(dry_run !== undefined && { dry_run }) }, prepare);

describe("a dry run [4.notes.apply_dry_run]", () => {
  const effect = says("becomes public");
  const published = all(shared(), added({ note_id: "public", title: "Public", parents: ["root", "_share"] }));

  test.each<[string, Plan, Prepare, object]>([
    [
      "reports what would be moved",
      [move("m1", "archive"), move("shop", "root"), move("nobody", "root")],
      none,
      {
        status: "ok",
        code: "dry_run",
        message: "Nothing was written. 2 notes would be moved, 1 left out.",
        result: {
          moves: [
            { note_id: "m1", from: '"Inbox" (inbox)', to: '"Archive" (archive)' },
            { note_id: "shop", from: '"Inbox" (inbox)', to: '"root" (root)' },
          ],
          left_out: [{ note_id: "nobody", title: null, code: "gone" }],
        },
      },
    ],
    [
      "is blocked with the reasons when nothing can be moved",
      [move("root", "inbox"), move("inbox", "m1"), move("m1", "_hidden")],
      none,
      {
        status: "blocked",
        code: "nothing_to_move",
        result: { left_out: [{ code: "system_note" }, { code: "inside_itself" }, { code: "system_target" }] },
      },
    ],
    [
      "counts what becomes public over the whole plan, also before the move that publishes it",
      [move("m1", "folder"), move("folder", "public")],
      published,
      { message: says("2 notes would become public"), result: { moves: [{ effect }, { effect }] } },
    ],
    [
      "counts no note that a later move takes out of what is shared",
      [move("m1", "folder"), move("folder", "archive")],
      all(published, (model) => model.move({ note_id: "folder", from: "inbox", to: "public" })),
      { message: expect.stringMatching(/left out\. 1 note would not be public any more\.$/) },
    ],
  ])("is the default, neither writes nor asks, and %s", async (_, plan, prepare, wanted) => {
    const { model, notes, task } = applying(plan, prepare);
    const before = model.snapshot();
    expect(await task.end()).toMatchObject(wanted);
    expect([model.snapshot(), notes.writes(), task.asked()]).toEqual([before, 0, []]);
  });
});

describe("a plan that is applied [4.notes.apply_note_moves] [4.notes.apply_approval]", () => {
  test("asks first, without the move that an earlier move makes impossible", async () => {
    const { notes, task } = applying([move("inbox", "y2026"), move("archive", "m1"), move("m2", "root")], none, false);
    expect(await task.run()).toMatchObject({
      is: "asks",
      content: {
        action: "Move 2 notes under 2 notes. 1 note would be left out.",
        details: [says(": from "), says(": from "), 'Left out: "Archive" (archive) the target m1 lies inside it'],
      },
    });
    expect(notes.writes()).toBe(0);
  });

  test("may contain a move that only an earlier move makes possible", async () => {
    const one = applying([move("folder", "root"), move("inbox", "folder"), move("archive", "m1")], none, false);
    expect(await approved(one)).toMatchObject({ status: "ok", code: "moved", result: { left_out: [] } });
    expect(["folder", "inbox", "archive"].map(one.model.parentsOf)).toEqual([["root"], ["folder"], ["m1"]]);
  });

  const renamed = (note_id: string, title: string) => (model: NotesModel) =>
    void Object.assign(model.note(note_id) ?? {}, { title });
  test.each<[string, Prepare, string | null, string, string[]]>([
    ["no note that was renamed", renamed("m2", "Bank"), "renamed", '"Meeting 2" (m2) is called "Bank" now', ["m1"]],
    [
      "no note whose target was renamed",
      renamed("archive", "Bank"),
      "target_renamed",
      '"Meeting 2" (m2) the target archive is called "Bank" now',
      ["m1"],
    ],
    ["both where the names are the same", renamed("y2026", "2026"), null, "2 notes moved and verified", ["m1", "m2"]],
  ])("moves %s after the approval", async (_, meanwhile, code, words, done) => {
    const one = applying([move("m1", "y2026"), move("m2", "archive")], none, false);
    expect(await approved(one, meanwhile)).toMatchObject({
      message: says(words),
      result: { done: done.map((note_id) => ({ note_id })), left_out: code === null ? [] : [{ note_id: "m2", code }] },
    });
    expect(one.model.parentsOf("m2")).toEqual([code === null ? "archive" : "inbox"]);
  });

  test("is undone with the notes in their order, also where later moves depend on earlier ones", async () => {
    const plan = ["m1", "m2", "m3", "shop", "folder"].map((note_id) => move(note_id, "y2026"));
    const there = applying([...plan, move("archive", "inbox")], none, false);
    const orders = () => ["root", "inbox", "archive", "folder", "m1"].map(there.model.childrenOf);
    const before = orders();
    const { reverse_plan } = (await approved(there)).result as { reverse_plan: Plan };
    expect(orders()).not.toEqual(before);
    const back = { operation: "apply_note_moves", move_plan: reverse_plan, dry_run: false };
    const task = undertake(back, there.notes.server);
    expect(await approved({ ...there, task })).toMatchObject({ status: "ok", code: "moved" });
    expect(orders()).toEqual(before);
  });

  test("needs no approval when everything is already in place", async () => {
    const { notes, task } = applying([move("m1", "inbox")], none, false);
    expect(await task.end()).toMatchObject({ status: "ok", code: "already_in_place" });
    expect([notes.writes(), task.asked()]).toEqual([0, []]);
  });
});

describe("a plan that is executed [4.notes.execute_move_plan] [4.skill.approval]", () => {
  const executing = (order: Order = selecting("Meeting "), prepare?: Prepare, over?: Over) =>
    begun({ operation: "execute_move_plan", ...order }, prepare, over);

  test("asks with a line for every move and every note that is left out, before anything is written", async () => {
    const { model, notes, task } = executing(meetings(), (model) => model.clone({ note_id: "m2", to: "archive" }));
    const before = model.snapshot();
    const bound = { from: expect.stringMatching(/^[0-9a-f]{16}$/), to: expect.stringMatching(/^[0-9a-f]{16}$/) };
    const moves = [
      ["m1", "Meeting 1"],
      ["m3", "Meeting 3"],
      ["folder", "Meetings"],
    ] as const;
    expect(await task.run()).toEqual({
      is: "asks",
      content: {
        intent: "reorganize_notes_tree",
        target_signature: "",
        action: 'Move 3 notes under "2026" (y2026). 1 note would be left out.',
        details: [
          ...moves.map(([id, title]) => `"${title}" (${id}): from "Inbox" (inbox) to "Archive / 2026" (y2026)`),
          'Left out: "Meeting 2" (m2) is shown in 2 places, and this notes server cannot move it from one of them',
        ],
        data: {
          moves: moves.map(([note_id, title]) => ({ note_id, title, from: "inbox", to: "y2026", bound })),
          left_out: [expect.objectContaining({ note_id: "m2", code: "cloned" })],
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    });
    expect([model.snapshot(), notes.writes()]).toEqual([before, 0]);
    expect(task.stepNames()).toEqual(["plan the moves", "try the moves without writing"]);
  });

  test("asks in words that a title cannot dress up", async () => {
    const { task } = executing(undefined, added({ note_id: "evil", title: 'Meeting 4" (m4): from "a\n\u202eb' }));
    const line = /^"Meeting 4\\" \(m4\): from \\"a\\n\\u\{202e\}b" \(evil\): from "Inbox"/;
    expect(await task.run()).toMatchObject({
      content: { details: expect.arrayContaining([expect.stringMatching(line)]) },
    });
  });

  test.each<[string, Order, Prepare, object]>([
    ["nothing was selected", selecting("Budget"), none, { status: "blocked", code: "nothing_selected" }],
    [
      "nothing can be moved",
      selecting("Shopping"),
      (model) => model.clone({ note_id: "shop", to: "archive" }),
      { status: "blocked", code: "nothing_to_move", message: says('"Shopping" (shop) is shown in 2 places') },
    ],
    [
      "all is in place already, which is verified",
      meetings("inbox"),
      none,
      { status: "ok", code: "already_in_place", result: { done: [] } },
    ],
  ])("does not ask when %s", async (_, order, prepare, wanted) => {
    const { notes, task } = executing(order, prepare);
    expect(await task.end()).toMatchObject(wanted);
    expect(notes.writes()).toBe(0);
  });

  test("is applied in its order, a step for each move, and verified by one list of the target", async () => {
    const one = executing();
    expect(await approved(one)).toMatchObject({
      status: "ok",
      code: "moved",
      message: "3 notes moved and verified.",
      result: {
        done: [1, 2, 3].map((n) => ({ note_id: `m${n}`, title: `Meeting ${n}`, from: "inbox", to: "y2026" })),
        left_out: [],
        failed: null,
        not_done: [],
        reverse_plan: [1, 2, 3].map((n) => ({ note_id: `m${n}`, target_parent_note_id: "inbox" })),
      },
    });
    expect(one.model.childrenOf("y2026")).toEqual(["m1", "m2", "m3"]);
    expect(one.model.childrenOf("inbox")).toEqual(["shop", "folder"]);
    expect(one.task.stepNames().slice(2)).toEqual([
      ...[1, 2, 3].map((n) => `move "Meeting ${n}" (m${n}) to "2026" (y2026)`),
      "verify where the notes and their targets are",
    ]);
    expect(one.notes.callsOf("children")).toEqual([["inbox"], ["y2026"]]);
    expect(one.task.progress.at(-1)).toMatchObject({ done: 3, total: 3 });
  });

  test("is carried out when a note of it has been moved to its target meanwhile", async () => {
    const one = executing();
    const move = { note_id: "m2", from: "inbox", to: "y2026" };
    const message = "2 notes moved and verified, 1 in place already.";
    expect(await approved(one, (model) => model.move(move))).toMatchObject({ status: "ok", code: "moved", message });
    expect(one.notes.writes()).toBe(2);
  });

  const seeing =
    (target: () => ReturnType<NotesServer["children"]>): Over =>
    (plain) => ({ children: (note_id) => (note_id === "inbox" ? plain.children(note_id) : target()) });
  test.each<[string, Over, object]>([
    [
      "a note is not where it was put, and names those that are missing",
      seeing(async () => ({ notes: [{ note_id: "m1", title: "Meeting 1", type: "text" }], gaps: [] })),
      {
        code: "not_placed",
        message: says("2 notes could not be found where the plan has put them: m2 under y2026"),
        result: { done: [{}, {}, {}], missing: [{ note_id: "m2" }, { note_id: "m3" }] },
      },
    ],
    [
      "it cannot be verified, with what was done",
      seeing(() => Promise.reject(new NotesFault("incomplete", "10 of 12"))),
      {
        code: "incomplete",
        message: says("10 of 12"),
        result: { done: [{}, {}, {}], reverse_plan: [{}, {}, {}] },
      },
    ],
  ])("has failed when %s", async (_, over, wanted) => {
    expect(await approved(executing(undefined, none, over))).toMatchObject({ status: "failed", ...wanted });
  });
});

describe("the end of a plan [4.notes.failure]", () => {
  const MOVED = { note_id: "m1", title: "Meeting 1", from: "inbox", to: "y2026" };
  const account = { done: [MOVED], left_out: [], failed: null, not_done: [] };
  const nothing = { ...account, done: [] };
  const missing = [{ note_id: "m1", to: "y2026" }];
  const failed = { ...MOVED, code: "refused", message: "the notes server refused" };
  const left_out = [{ note_id: "m2", title: null, to: "y2026", code: "gone", reason: "is not there" }];
  const looked = { is: "looked" as const, missing: [], objections: [] };

  test("says how to undo what was done, and suggests it only where a move was made", () => {
    for (const [given, undoes] of [
      [account, true],
      [nothing, false],
    ] as const) {
      const ends = [
        endOf(given, { ...looked, missing }),
        endOf({ ...given, failed }, { is: "not_asked" }),
        endOf({ ...given, left_out }, looked),
        cancelled({ ...given, not_done: [MOVED] }),
      ];
      for (const { next } of ends) expect(String(next).includes("give reverse_plan to apply_note_moves")).toBe(undoes);
    }
    expect(cancelled(account).message).toBe("1 note moved, 0 not done.");
    expect(endOf(account, { ...looked, missing }).result).toMatchObject({
      missing,
      reverse_plan: [{ note_id: "m1", target_parent_note_id: "inbox" }],
    });
  });

  test.each([
    ["inside_itself", "cut_off", /^put the target back to where it was.*; give reverse_plan/],
    ["target_moved", "target_moved", /^look whether/],
  ])("is a failure that says what to do where the target was changed meanwhile: %s", (code, ended, next) => {
    const objection = {
      note_id: "m1",
      title: "Meeting 1",
      to: "y2026",
      code,
      reason: "the target y2026 lies inside it",
    };
    expect(endOf(account, { ...looked, objections: [objection] })).toMatchObject({
      status: "failed",
      code: ended,
      message:
        '1 note moved, and the target was changed by somebody else meanwhile: "Meeting 1" (m1): the target y2026 lies inside it.',
      next: expect.stringMatching(next),
    });
  });
});
