// When a task is parked, and what its question says about the place.
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { whyParked } from "../../../../src/engine/tasks/progress.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { park } from "../../../../src/engine/worker/give-up.ts";
import { aContract, journalOf } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

const CRASHED: NewEvent = { kind: "taken_up", body: { owner: "o", recovery: true, crashed: true } };
const USABLE = { skillFaultOf: () => null };
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const skillStarted: NewEvent = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "look" } };
const finished: NewEvent = { kind: "retry_granted", body: { index: 0 } };

describe("a task is parked", () => {
  test.each([
    ["after two crashes", true, [CRASHED, started, CRASHED]],
    ["not after one", false, [CRASHED, started]],
    ["after five with progress between", true, Array(5).fill([CRASHED, finished]).flat()],
    ["not after four with progress between", false, Array(4).fill([CRASHED, finished]).flat()],
    ["not after progress between", false, [CRASHED, started, finished, CRASHED]],
    ["not after it was let go on", false, [CRASHED, CRASHED, { kind: "unparked", body: { reason: null } }]],
    [
      "not after one more crash when five were let go on [promises 5.9]",
      false,
      [...Array(5).fill([CRASHED, finished]).flat(), { kind: "unparked", body: { reason: null } }, CRASHED, finished],
    ],
    [
      "not after one more crash when its step was resolved after five [promises 5.9]",
      false,
      [
        ...Array(5).fill([CRASHED, finished]).flat(),
        { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: null } },
        CRASHED,
        finished,
      ],
    ],
    [
      "after five more crashes when five were let go on",
      true,
      [
        ...Array(5).fill([CRASHED, finished]).flat(),
        { kind: "unparked", body: { reason: null } },
        ...Array(5).fill([CRASHED, finished]).flat(),
      ],
    ],
    ["not after stops", false, [1, 2, 3].map(() => ({ kind: "taken_up", body: { owner: "o", recovery: true } }))],
    ["not when it is to be cancelled", false, [CRASHED, CRASHED, { kind: "cancel_requested", body: { reason: null } }]],
  ] as [string, boolean, NewEvent[]][])("%s", (_when, is, events) => {
    expect(whyParked(USABLE, aContract(), projection(journalOf(...events))) !== null).toBe(is);
  });

  const asked: NewEvent = { kind: "approval_requested", body: { approval_id: "a", kind: "skill", digest: "d" } };
  const skill = aContract({ intent: "switch_off", delegation_mode: "known_only" });

  test.each([
    ["that has taken a step", true, [skillStarted], skill],
    ["that has asked", true, [asked], skill],
    ["that has not begun: it is blocked", false, [], skill],
    ["of an agent", false, [skillStarted], aContract({ delegation_mode: "agent" })],
    ["that is to be cancelled", false, [asked, { kind: "cancel_requested", body: { reason: null } }], skill],
  ] as [string, boolean, NewEvent[], TaskContract][])(
    "when its skill cannot be used any more: one %s",
    (_which, is, events, contract) => {
      const state = projection(journalOf(...events));
      const why = whyParked({ skillFaultOf: () => "The skill lamps cannot be used: no lamp" }, contract, state);
      expect(why !== null).toBe(is);
      if (is)
        expect(why).toMatchObject({
          message: expect.stringMatching(/^The skill lamps cannot be used: no lamp\. The task has begun, so it waits/),
          next: [{ operation: "resolve_step" }, { operation: "get_evidence" }, { operation: "cancel_task" }],
        });
    },
  );
});

test.each([
  ["at its beginning", null, []],
  ["in step 0", 0, [started]],
  ["in step 0", 0, [skillStarted]],
] as [string, number | null, NewEvent[]][])("the question names the place: %s", async (place, step_index, events) => {
  const parts = pipelineParts();
  await parts.begin(aContract(), ...events);
  const thread = await parts.threads.threadOf("t-1");
  const crashed = projection([...thread.journal.events, ...journalOf(CRASHED, CRASHED)]);
  await park(thread, "t-1", whyParked(USABLE, aContract(), crashed) ?? { message: "", step_index: null });
  expect(await parts.store.findTask("t-1")).toMatchObject({
    status: "need_input",
    outcome: { reason_code: "parked", step_index, message: expect.stringContaining(`the last time ${place}.`) },
    waiting: { kind: "parked", interrupt_id: expect.stringMatching(/^journal\/\d+$/) },
  });
});
