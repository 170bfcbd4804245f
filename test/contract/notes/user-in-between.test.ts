// A user who does one thing to the target, or to the new place of a note, at each single moment of a move, on the three kinds of
// servers: what is reported is what became of it.
import { describe, expect, test } from "vitest";
import { createNotesModel, type NotesModel } from "../../simulators/notes/notes-model.ts";
import { KINDS, playedPlan } from "../../support/notes/played-plan.ts";

type Act = (model: NotesModel) => void;
type Name = keyof typeof KINDS;

/** A note of the inbox that has a child, a target in a folder, and the places of the application itself. */
function planted(): NotesModel {
  const model = createNotesModel();
  for (const note_id of ["inbox", "area", "other", "_hidden"]) model.add({ note_id, title: note_id, type: "book" });
  model.add({ note_id: "_share", title: "Shared", parents: ["_hidden"] });
  model.add({ note_id: "target", title: "Target", type: "book", parents: ["area"] });
  model.add({ note_id: "n0", title: "Note", parents: ["inbox"] });
  model.add({ note_id: "below", title: "Below", parents: ["n0"] });
  return model;
}

const PLAN = [{ note_id: "n0", target_parent_note_id: "target" }];

type Played = { readonly code: string; readonly message: string; readonly next: string; readonly model: NotesModel };

/** The ends, one for each moment of the move; with several acts, each at the moment after the one before. */
async function atEveryMoment(name: Name, ...acts: readonly Act[]): Promise<Played[]> {
  const ends: Played[] = [];
  for (let moment = 0; ; moment += 1) {
    const model = planted();
    let hasActed = false;
    const {
      code,
      message,
      next = "",
    } = await playedPlan(KINDS[name], model, PLAN, (now) => {
      const act = acts[now - moment];
      hasActed ||= act !== undefined;
      act?.(model);
    });
    if (!hasActed) return ends;
    ends.push({ code, message, next: String(next), model });
  }
}

const intoTheNote: Act = (model) => void model.moveByHand({ note_id: "target", from: "area", to: "n0" });
const intoThePublic: Act = (model) => void model.postBranch("target", "_share");
const intoTheHidden: Act = (model) => void model.moveByHand({ note_id: "target", from: "area", to: "_hidden" });
const elsewhere: Act = (model) => void model.moveByHand({ note_id: "n0", from: "inbox", to: "other" });
const outOfTheTarget: Act = (model) => void model.deleteBranch("target_n0");

const NAMES = Object.keys(KINDS) as Name[];
/** The moments of the last look, in which the target has been read already. */
const LAST = 3;

describe("a user who drags the target into the note that is being moved", () => {
  test.each(["organizer", "subtree"] as const)("cuts nothing off on %s", async (name) => {
    for (const { model, code } of await atEveryMoment(name, intoTheNote)) {
      expect([...model.reachable()]).toEqual(expect.arrayContaining(["n0", "below", "target"]));
      expect(["moved", "nothing_moved", "refused"]).toContain(code);
    }
  });

  test("leaves the note where it was on organizer, and nothing of the move", async () => {
    const ends = await atEveryMoment("organizer", intoTheNote);
    const refused = ends.filter(({ code }) => code !== "moved");
    expect(refused.length).toBeGreaterThan(4);
    for (const { message, model } of refused) {
      expect(message).toContain("the target target lies inside it");
      expect(model.parentsOf("n0")).toEqual(["inbox"]);
    }
  });

  test("may cut both off on children_list, which is named, with what to do", async () => {
    const ends = await atEveryMoment("children_list", intoTheNote);
    const cut = ends.filter(({ model }) => !model.reachable().has("n0"));
    expect(cut.length).toBeGreaterThan(0);
    for (const { code, message } of cut) expect([code, message]).toEqual(["cut_off", expect.stringMatching(ADVICE)]);
  });
});

const ADVICE = /both are in no place of the tree: take the target out of it/;

describe.each([
  ["shares the target", intoThePublic, "and is public now"],
  ["hides the target", intoTheHidden, "only in the hidden part of the tree"],
])("a user who %s while a note is moved there", (_, act, words) => {
  test.each(NAMES)("never leaves it reported as moved on %s", async (name) => {
    const ends = await atEveryMoment(name, act);
    const before = ends.slice(0, -LAST);
    expect(before.filter(({ code }) => code === "moved")).toEqual([]);
    for (const { message } of before) expect(message).toContain(words);
    const [{ next = "" } = {}] = before.filter(({ message }) => message.startsWith("1 note moved"));
    expect(name === "organizer" || next.includes("reverse_plan")).toBe(true);
  });
});

test("on organizer the note is in no public place when the target was shared before its old place was left", async () => {
  const ends = await atEveryMoment("organizer", intoThePublic);
  const left = ends.filter(({ code }) => code === "nothing_moved");
  expect(left.length).toBeGreaterThan(4);
  for (const { model } of left) expect(model.parentsOf("n0")).toEqual(["inbox"]);
});

test("a note that a user puts elsewhere directly before the move is not reported as moved on children_list", async () => {
  const ends = await atEveryMoment("children_list", elsewhere);
  const taken = ends.filter(({ message }) => message.includes("was taken out of other"));
  expect(taken.length).toBeGreaterThan(2);
  for (const { code, model } of taken) expect([code, model.parentsOf("n0")]).toEqual(["moved_meanwhile", ["target"]]);
});

test.each(NAMES)("a note whose new place a user deletes is not reported as moved on %s", async (name) => {
  const ends = await atEveryMoment(name, outOfTheTarget);
  const gone = ends.slice(0, -LAST).filter(({ model }) => model.note("n0") === undefined);
  expect(gone.length).toBeGreaterThan(0);
  for (const { code } of gone) expect(["lost", "not_placed"]).toContain(code);
});

test("a note that a user drags to the target and back within one move is reported as lost on children_list", async () => {
  const there: Act = (model) => void model.moveByHand({ note_id: "n0", from: "inbox", to: "target" });
  const back: Act = (model) => void model.moveByHand({ note_id: "n0", from: "target", to: "inbox" });
  const ends = await atEveryMoment("children_list", there, back);
  const gone = ends.filter(({ model }) => model.note("n0") === undefined);
  expect(gone).toHaveLength(1);
  for (const { code } of gone) expect(code).toBe("lost");
});
