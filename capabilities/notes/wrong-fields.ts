// The wrong fields of a payload, each with what to send instead.
import type { z } from "zod";

const MOST = 20;

export function wrongIn({ issues }: z.ZodError): string[] {
  const wrong = issues.flatMap(wordsFor);
  const rest = wrong.length - MOST;
  return rest <= 0 ? wrong : [...wrong.slice(0, MOST), `${rest} more fields are wrong`];
}

function wordsFor(issue: z.core.$ZodIssue): string[] {
  const at = ["payload", ...issue.path].map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${at}.${key} is not a field of this operation`);
  if (issue.code === "invalid_union") return [`${at} must be a string or an array of strings`];
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return [`${at} ${issue.message}`];
  return [issue.input === undefined ? `${at} is required` : `${at} must be of type ${issue.expected}`];
}
