// The command that shows what is known of a procedure.
import { type CommandEntry, SOP } from "../../cli/table/command.ts";

export const PROOF_COMMANDS: readonly CommandEntry[] = [
  {
    name: "prove",
    summary: "show what is known of an SOP on its target",
    run: async () => (await import("./commands.ts")).prove,
    examples: ["orch prove 4f1c2d0e"],
    arguments: [SOP],
    more: "The checks and the previews of the SOP run now; no step that changes something does.",
    calls: [{ operation: "prove_sop", parameters: { sop_id: "<id>" } }],
  },
];
