// What policy says about one step. No finding means: it may run. The strictest finding wins (spec section 5).
import { z } from "zod";

/** Stable codes. The first group is of the guards of commands, the second of the contract and the SOP. */
export const FINDING_CODES = [
  "rm.wide",
  "git.reset_hard",
  "docker.prune_all",
  "disk.write",
  "dyn.program",
  "dyn.pipe_to_shell",
  "dyn.operand",
  "parse.error",
  "cap.length",
  "cap.depth",
  "cap.count",
  "guard.failed",
  "agent.own_keys",
  "scope.server",
  "scope.program",
  "parameter.unknown",
  "engine.reference",
  "read_only.changes_state",
  "read_only.unknown_effect",
  "safety.approval_required",
  "category.matched",
  "category.undecided",
] as const;

export const Finding = z.strictObject({
  step_index: z.int().min(0),
  verdict: z.enum(["block", "ask"]),
  code: z.enum(FINDING_CODES),
  reason: z.string().describe("what was seen, and what a supervisor can do instead"),
  command: z.string().nullable().describe("the resolved command that the finding is about"),
  category: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

export type Permission = "allow" | "ask" | "deny";

export function permissionOf(findings: readonly Finding[]): Permission {
  if (findings.some((finding) => finding.verdict === "block")) return "deny";
  return findings.length > 0 ? "ask" : "allow";
}
