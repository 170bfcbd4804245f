// The server is killed with SIGKILL around a move of an approved plan, and started again. It inspects a move that may
// have happened before it sends anything, and no note is lost. On this notes server a second move loses the note.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { journalFindings } from "../../support/journal-check.ts";
import { settled } from "../recovery/begin.ts";
import { openPlans, type Plans } from "./plans.ts";

let plans: Plans;
beforeAll(async () => {
  plans = await openPlans();
});
beforeEach(async ({ onTestFailed }) => {
  await plans.ensure();
  onTestFailed(({ annotate }) => void annotate(plans.orch().output()));
});
afterAll(() => plans[Symbol.asyncDispose]());

type Event = { readonly kind: string; readonly body: { readonly name: string; readonly repeatable?: boolean } };

/** What the next server has recorded of a task in which a server was killed, once the task has ended. */
async function afterwards(name: string) {
  const task = await settled(plans.orch(), name);
  const { journal, broken_link, skill_steps } = (await plans.orch().get(`/v1/tasks/${name}/evidence`)).body;
  expect([...journalFindings(journal), broken_link]).toEqual([null]);
  const begun = (note_id: string) =>
    journal.filter(({ kind, body }: Event) => kind === "skill_step_started" && body.name.includes(`(${note_id})`))
      .length;
  const movesOf = (note_id: string) => plans.puts().filter(({ args }) => args.noteId === note_id).length;
  return {
    task,
    approvals: journal.filter(({ kind }: Event) => kind === "approval_requested").length,
    becameOf: (note_id: string) =>
      skill_steps.find((step: Event["body"]) => step.name.includes(`(${note_id})`))?.value.code ?? null,
    begun: [1, 2].map((n) => begun(`${name}${n}`)),
    moves: [1, 2].map((n) => movesOf(`${name}${n}`)),
    parents: [1, 2].map((n) => plans.model.parentsOf(`${name}${n}`)),
  };
}

const MOVED = {
  task: { status: "ok", outcome: { skill_code: "moved", message: "2 notes moved and verified." } },
  approvals: 1,
  moves: [1, 1],
  parents: [["archive"], ["archive"]],
};

test.each([
  ["before the start of a move is on record", "early", "commit:before:skill_step_started#1", [1, 1]],
  [
    "after the start of a move is on record and before it is sent",
    "begun",
    "commit:after:skill_step_started#1",
    [2, 1],
  ],
  ["when the move was made and its end is not on record", "made", "commit:before:skill_step_finished#2", [1, 2]],
  ["when the end of a move is on record", "ended", "commit:after:skill_step_finished#1", [1, 1]],
  ["before the moves are verified", "verify", "commit:before:skill_step_started+skill_step_finished#1", [1, 1]],
])(
  "killed %s, a plan is finished, asks once and moves no note twice [4.notes.execute_move_plan]",
  async (_when, name, point, begun) => {
    const approval_id = await plans.ask(name);
    plans.killAt(point);
    await plans.approveFatally(approval_id);
    await plans.next();
    expect(await afterwards(name)).toMatchObject({ ...MOVED, begun });
  },
);

test("killed while the notes server makes a move, a task waits for the result and finishes the move", async () => {
  const carriedOn = Promise.withResolvers<void>();
  plans.switches.before_write = () => {
    plans.switches.before_write = undefined;
    plans.kill();
    return carriedOn.promise;
  };
  await plans.approveFatally(await plans.ask("slow"));
  const before = plans.calls().length;
  await plans.next();
  const looks = () =>
    plans
      .calls()
      .slice(before)
      .filter(({ args }) => args.noteId === "slow1").length;
  await expect.poll(looks, { timeout: 10_000, interval: 10 }).toBeGreaterThanOrEqual(2);
  carriedOn.resolve();
  expect(await afterwards("slow")).toMatchObject({ ...MOVED, begun: [2, 1], moves: [2, 1] });
});

test("killed together with the notes server between the two steps of a move, a task finishes the move", async () => {
  plans.switches.before_write = ({ args }) => {
    if (args.action !== "unlink") return;
    plans.switches.before_write = undefined;
    plans.switches.crash_in_move = 1;
    plans.kill();
  };
  await plans.approveFatally(await plans.ask("torn"));
  expect(plans.model.parentsOf("torn1")).toEqual(["torn", "archive"]);
  await plans.next();
  expect(await afterwards("torn")).toMatchObject({ ...MOVED, begun: [2, 1], moves: [2, 1] });
});

test("killed while it waits for an approval, a task waits for the same one again [4.skill.approval]", async () => {
  const approval_id = await plans.ask("asked");
  await plans.next();
  const waiting = await settled(plans.orch(), "asked");
  expect(waiting).toMatchObject({ status: "need_approval", waiting: { approval_id } });
  expect((await afterwards("asked")).moves).toEqual([0, 0]);
  await plans.approve(approval_id);
  expect(await afterwards("asked")).toMatchObject({ ...MOVED, begun: [1, 1] });
});
