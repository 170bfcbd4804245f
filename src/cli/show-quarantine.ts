// Records of the database that cannot be read, as lines.
import { printable } from "../domain/printable.ts";
import type { Quarantined } from "../domain/quarantine.ts";

const NAMES = {
  task: "Task",
  sop: "SOP",
  approval: "Approval",
  schedule: "Schedule",
  freeze: "Freeze",
  event: "Event",
} as const;

export const quarantineNotes = (found: readonly Quarantined[]): string[] =>
  found.length === 0
    ? []
    : [
        ...found.map(({ record, id, fault }) => printable(`${NAMES[record]} ${id} is in quarantine: ${fault}`)),
        "What is in quarantine is left alone: restore a backup, or mend the rows, and start orch again.",
        "A task in quarantine keeps its target: look at the target, then `orch cancel ID` ends the task and frees it.",
      ];
