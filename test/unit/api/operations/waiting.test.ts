// What holds a task up that is to run, as one value and one sentence, in one order.
import { describe, expect, test } from "vitest";
import { type Causes, waitingOf } from "../../../../src/api/operations/task-view.ts";
import type { Task } from "../../../../src/domain/task.ts";

const FREE: Causes = { held_by_freeze: null, queued_behind: null, queued_for: null, needs_level: null };
const freeze = (reason: string, until: string | null = null) => ({
  held_by_freeze: { freeze_id: until === null ? "freeze-1a2b3c4d" : null, reason, until },
});
const said = (causes: Partial<Causes>, task: object = {}, here: { is_full?: boolean; is_leaving?: boolean } = {}) =>
  waitingOf(
    {
      labels: ["docker"],
      dispatcher: { isFull: () => here.is_full === true, isLeaving: () => here.is_leaving === true },
    },
    { status: "accepted", owner: null, backend: "local", runs_on: null, ...task } as unknown as Task,
    { ...FREE, ...causes },
  );

const TARGET = { queued_behind: "t-1" };
const LABELS = { queued_for: ["arm", "zfs"] };
const LEVEL = { needs_level: 99 };
const LONG = Array.from({ length: 40 }, (_, at) => `word${at}`).join("\n");

type Row = readonly [string, string | null, string | null, ReturnType<typeof said>];

const ROWS: readonly Row[] = [
  ["a freeze", "freeze", "Held by freeze-1a2b3c4d: disk swap.", said(freeze("disk swap"))],
  ["a freeze whose reason ends as a sentence", "freeze", "Held by freeze-1a2b3c4d: Swap.", said(freeze(" Swap. "))],
  [
    "a freeze window",
    "freeze",
    "Held by a freeze window until 2026-03-09T07:00:00.000Z: weekend.",
    said(freeze("weekend", "2026-03-09T07:00:00.000Z")),
  ],
  [
    "a freeze with a long reason",
    "freeze",
    `Held by freeze-1a2b3c4d: ${LONG.split("\n").slice(0, 12).join(" ")} ...`,
    said(freeze(LONG)),
  ],
  ["another task on its target", "target", "Waits for task t-1, which goes first on the same target.", said(TARGET)],
  ["a label", "labels", "Waits for a server with the label arm.", said({ queued_for: ["arm"] })],
  ["labels", "labels", "Waits for a server with the labels arm, zfs.", said(LABELS)],
  ["a level", "server", "Waits for a server that can read its journal, of level 99.", said(LEVEL)],
  ["a server", "server", "Waits for another server, as this one is stopping.", said({}, {}, { is_leaving: true })],
  ["a slot", "slot", "Waits for a free slot.", said({}, {}, { is_full: true })],
  [
    "a slot on a server with other labels",
    "slot",
    "Waits for a free slot on a server with the label arm.",
    said({}, { runs_on: ["arm"] }),
  ],
  ["a moment only, and so nothing", null, null, said({}, { runs_on: ["docker"] })],
  ["nothing, as it has a server", null, null, said({}, { owner: "me" }, { is_full: true })],
  ["nothing, as it runs", null, null, said({}, { status: "running" }, { is_full: true })],
  ["nothing, as it has ended", null, null, said({ ...TARGET, ...LEVEL }, { status: "ok" })],
  ["nothing, as it waits for an answer", null, null, said(LEVEL, { status: "need_input" })],
];

describe("a task", () => {
  test.each(ROWS)("that waits for %s: %s, %s", (_what, waiting_for, waiting_text, waiting) => {
    expect(waiting).toEqual({ waiting_for, waiting_text });
    expect(waiting_text?.split(" ").length ?? 0).toBeLessThanOrEqual(20);
  });

  test("names the first of several causes: freeze, target, labels, server, slot", () => {
    const full = { is_full: true, is_leaving: true };
    const held = freeze("power");
    expect(
      [
        { ...held, ...TARGET, ...LABELS, ...LEVEL },
        { ...TARGET, ...LABELS, ...LEVEL },
        { ...LABELS, ...LEVEL },
        LEVEL,
        {},
      ].map((causes) => said(causes, {}, full).waiting_for),
    ).toEqual(["freeze", "target", "labels", "server", "server"]);
  });

  test("that was cut off while it ran waits for its target as one that never ran", () => {
    expect(said(TARGET, { status: "running", owner: "lost" })).toMatchObject({ waiting_for: "target" });
  });
});
