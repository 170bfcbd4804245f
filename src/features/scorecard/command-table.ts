// The command that shows the scorecard.
import type { CommandEntry } from "../../cli/table/command.ts";
import { COHORTS } from "../../domain/scorecard/task-score.ts";

export const SCORECARD_COMMANDS: readonly CommandEntry[] = [
  {
    name: "scorecard",
    summary: "show whether the targets of the service are met, and what costs most",
    run: async () => (await import("./commands.ts")).scorecard,
    examples: ["orch scorecard", "orch scorecard --by sop --weeks 12", "orch scorecard --json"],
    options: [
      ["--by <what>", "a row for each (default: week)", ["week", "group", "intent", "target", "sop"]],
      ["--weeks <n>", "so many weeks, with this one (default: 8)"],
      ["--group <group>", "only this group", COHORTS],
      ["--intent <intent>", "only these"],
      ["--rebuild", "count all journals again first"],
    ],
    more: "UNSEEN: DONE with a check that was never seen to fail. TRUE: how much of DONE is true, at 95 %, as far as it was verified.\nThe exit code is 1 when one of T1 to T6 is missed.",
    calls: [
      {
        operation: "get_scorecard",
        parameters: { weeks: "--weeks", by: "--by", intent: "--intent", group: "--group" },
      },
      { operation: "rebuild_scorecard", parameters: {}, always: ["--rebuild"] },
    ],
  },
];
