// The stable codes of what the guard finds in a command.

export const GUARD_CODES = [
  "rm.wide",
  "git.reset_hard",
  "docker.prune_all",
  "disk.write",
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
