// The finding on a tool that may only look, from what its server says of it (D-187).
import type { Finding, RuleFinding } from "../domain/finding.ts";
import { type StatedEffect, unreadText } from "../domain/tool.ts";

/** What the server of a tool says against it. */
export type ToolFinding = RuleFinding & { readonly category: null };

/** Null for a tool that only reads. `looks` is what may only look. */
export function toolFinding(tool: string, effect: StatedEffect, looks: string): ToolFinding | null {
  if (effect === "reads") return null;
  const none = { command: null, category: null };
  if (effect === "changes") {
    const reason = `${looks} only looks, and the server of ${tool} says that it changes something; leave it out, or use a tool that only reads`;
    return { ...none, verdict: "block", code: "tool.changes_state", reason };
  }
  if (effect === "unknown") {
    const reason = `${looks} only looks, and the server of ${tool} says nothing about whether it changes something; approve it if it changes nothing, or use a tool that only reads`;
    return { ...none, verdict: "ask", code: "tool.unknown_effect", reason };
  }
  // Nothing is approved on a list that was not read: it may say that the tool changes something.
  const reason = `${unreadText(effect)}; ${looks} only looks, and only the list says whether ${tool} does`;
  return { ...none, verdict: "block", code: "tool.list_unread", reason };
}

/** Found out from tool servers, and not by the rules. */
export const isOfTools = ({ code }: Finding): boolean => code.startsWith("tool.");
