// What orch tells its supervisor names operations; a person at a terminal has the commands of this program instead.

/** Longer names before those that they begin with. With --json the words stay as orch said them. */
const COMMANDS: readonly (readonly [said: string, command: string])[] = [
  ["get_task and wait_seconds", "orch task ID --wait"],
  ["approve with decision approve or reject", "orch approve or orch reject"],
  ["steps with teach", "steps with orch teach"],
  ["submit_task", "orch submit"],
  ["get_task", "orch task"],
  ["list_tasks", "orch tasks"],
  ["cancel_task", "orch cancel"],
  ["list_approvals", "orch approvals"],
  ["resolve_step", "orch resolve"],
  ["list_sops", "orch sops"],
  ["get_sop", "orch sop show"],
  ["export_sop", "orch sop export"],
  ["import_sop", "orch sop import"],
  ["propose_sop", "orch sop propose"],
  ["get_evidence", "orch evidence"],
  ["read_journal", "orch task --follow"],
  ["record_verification", "orch verify"],
  ["list_messages", "orch messages"],
];

const BY_NAME = new Map(COMMANDS);
const NAMES = new RegExp(`\\b(?:${COMMANDS.map(([said]) => said).join("|")})\\b`, "g");

export const inCommands = (text: string): string => text.replace(NAMES, (said) => BY_NAME.get(said) ?? said);
