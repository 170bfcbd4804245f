// The stable codes of what the guard finds in a command.

export const GUARD_CODES = [
  "rm.wide",
  "git.reset_hard",
  "docker.prune_all",
  "disk.write",
  "permissions.wide",
  "dyn.program",
  "dyn.pipe_to_shell",
  "dyn.operand",
  "dyn.written_file",
  "parse.error",
  "cap.length",
  "cap.depth",
  "cap.count",
  "cap.time",
  "guard.failed",
] as const;

export type GuardCode = (typeof GUARD_CODES)[number];

/** What a command does beyond changing something. A contract may name each of them in `require_approval_for`. */
export const CONSEQUENCES = [
  "deletes_data",
  "restarts_service",
  "changes_network",
  "writes_device",
  "force_push",
  "changes_accounts",
  "reboots",
] as const;

export type Consequence = (typeof CONSEQUENCES)[number];
