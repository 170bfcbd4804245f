// What a tool has answered is data (spec section 7): a model that repeats it word for word quotes it, and calls nothing.
import type { AgentMessage } from "../agent-message.ts";

/** Answers may be written otherwise than they were found: escaped, twice, and as a data document. */
const squeezed = (text: string): string =>
  text
    .replace(/\\+u003c/gi, "<")
    .replace(/\\+u005b/gi, "[")
    .replace(/\\+[nrt]|[\s\\]+/g, "");

/** Whether a text stands in an answer of a tool. */
export function quotationsIn(messages: readonly AgentMessage[]): (text: string) => boolean {
  const answers = messages.filter(({ role }) => role === "tool").map(({ text }) => squeezed(text));
  return (text) => answers.some((answer) => answer.includes(squeezed(text)));
}
