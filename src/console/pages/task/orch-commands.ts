// What can be done with the task from a terminal, as commands to paste. A value that a shell would read otherwise is quoted, or
// replaced by its name.
import { shellWord } from "../../../domain/printable.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

export type OrchCommand = { readonly what: string; readonly command: string };

export function orchCommands({ task_id, status, waiting }: OperationAnswer<"get_task">): OrchCommand[] {
  const id = shellWord(task_id, "TASK");
  const ends = status === "ok" || status === "failed" || status === "blocked" || status === "cancelled";
  const waits: OrchCommand[] =
    waiting?.kind === "resolution" || waiting?.kind === "parked"
      ? [{ what: "Say what became of it", command: `orch resolve ${id} RESOLUTION --reason TEXT` }]
      : waiting?.kind === "teaching"
        ? [{ what: "Teach it", command: `orch teach STEPS.yaml --task ${id}` }]
        : waiting?.kind === "approval"
          ? [{ what: "Read what would run", command: `orch approve --task ${id}` }]
          : [];
  return [
    { what: ends ? "Show it with all output" : "Follow it", command: `orch task ${id} --follow` },
    ...waits,
    { what: "Show its way", command: `orch graph ${id}` },
    { what: "Keep its evidence", command: `orch evidence ${id} --out ${shellWord(`${task_id}.json`, "FILE")}` },
    ...(ends
      ? [{ what: "Record a check", command: `orch verify ${id} --verified --source TEXT` }]
      : [{ what: "Cancel it", command: `orch cancel ${id}` }]),
  ];
}
