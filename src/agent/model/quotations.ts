// Recognizes quotations: a call that a model repeats word for word from a tool's output is data, and is not made
// (D-142).
import type { AgentMessage } from "../agent-message.ts";

/** Removes differences in escaping: a quotation may be escaped once, twice, or as in a data document. */
const squeezed = (text: string): string =>
  text
    .replace(/\\+u003c/gi, "<")
    .replace(/\\+u005b/gi, "[")
    .replace(/\\+[nrt]|[\s\\]+/g, "");

/** Returns a function that says whether a text occurs in the output of a tool. */
export function quotationsIn(messages: readonly AgentMessage[]): (text: string) => boolean {
  const answers = messages.filter(({ role }) => role === "tool").map(({ text }) => squeezed(text));
  return (text) => answers.some((answer) => answer.includes(squeezed(text)));
}
