// How many requests a plan costs, on every notes server.
import { expect, test } from "vitest";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES } from "./open-notes.ts";

const NOTES = 600;
/** The lists of children, the searches and the notes above; on npm, which has no search for places, each note as well. */
const AT_MOST = { native: 12, git: 12, npm: NOTES + 10 } as const;

test.each(PROFILES)(
  "a plan of 600 notes costs no request for each note on %s, where it can be searched",
  async (profile) => {
    await using orch = await openNotesEngine(profile);
    orch.model.add({ note_id: "c1", title: "Meeting c1", parents: ["inbox", "archive"] });
    for (let n = 4; n < NOTES; n += 1) orch.model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
    const task = await orch.submit(meetings("plan_note_moves"));
    const isChosen = profile !== "native";
    expect(task.result.move_plan).toHaveLength(isChosen ? NOTES : NOTES - 1);
    expect(task.result.left_out).toMatchObject(isChosen ? [] : [{ note_id: "c1", code: "cloned" }]);
    expect(orch.calls().length).toBeLessThanOrEqual(AT_MOST[profile]);
  },
);
