// The finding on a tool that may only look, from what its server says of it (D-187).
import type { Finding } from "../domain/finding.ts";
import type { ToolEffect } from "../domain/step.ts";

/** Null for a tool that only reads. `looks` is what may only look. */
export function toolFinding(tool: string, effect: ToolEffect, looks: string): Omit<Finding, "step_index"> | null {
  if (effect === "reads") return null;
  const says = effect === "changes" ? "that it changes something" : "nothing about whether it changes something";
  const fix = effect === "changes" ? "leave it out" : "approve it if it changes nothing";
  return {
    verdict: effect === "changes" ? "block" : "ask",
    code: effect === "changes" ? "tool.changes_state" : "tool.unknown_effect",
    reason: `${looks} only looks, and the server of ${tool} says ${says}; ${fix}, or use a tool that only reads`,
    command: null,
    category: null,
  };
}

/** Found out from tool servers, and not by the rules. */
export const isOfTools = ({ code }: Finding): boolean => code.startsWith("tool.");
