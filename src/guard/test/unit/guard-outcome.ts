// The context the shared sample assumes, and the two questions the tables ask.
import { judge, type ShellContext } from "../../guard.ts";

export const CONTEXT: ShellContext = { home: "/home/op", cwd: "/srv/app", env: { ORCH_TARGET_DIR: "/data/site" } };

export function outcomeOf(command: string): "block" | "ask" | "allow" {
  const findings = judge(command, CONTEXT);
  if (findings.some(({ verdict }) => verdict === "block")) return "block";
  return findings.length > 0 ? "ask" : "allow";
}

export const codesOf = (command: string): readonly string[] => judge(command, CONTEXT).map(({ code }) => code);
