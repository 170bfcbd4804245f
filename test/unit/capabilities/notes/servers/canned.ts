// A notes server that has its answers ready, by tool, and keeps what it was sent.
import type { CallTool } from "../../../../../capabilities/notes/servers/read-reply.ts";
import type { ToolAnswer } from "../../../../../src/domain/tool.ts";

type Args = Parameters<CallTool>[1];
type Ready = ToolAnswer | readonly ToolAnswer[] | ((args: Args) => ToolAnswer);

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A result of the protocol with these texts: a string as it is, anything else as JSON. */
export const says = (...values: readonly unknown[]): ToolAnswer => ({
  ok: true,
  stdout: JSON.stringify({ content: values.map((value) => ({ type: "text", text: textOf(value) })) }),
});

export const fails = (stderr: string, executed: boolean | "unknown" = true): ToolAnswer => ({
  ok: false,
  stderr,
  executed,
  timed_out: false,
});

/** Of several answers each is given once, in order. */
export function canned(ready: { readonly [tool: string]: Ready }) {
  const sent: { readonly tool: string; readonly args: Args }[] = [];
  const given = new Map<string, number>();
  const call: CallTool = async (tool, args) => {
    sent.push({ tool, args });
    const answer = ready[tool];
    if (typeof answer === "function") return answer(args);
    const at = given.get(tool) ?? 0;
    given.set(tool, at + 1);
    const one = answer === undefined || "ok" in answer ? answer : answer[at];
    if (one === undefined) throw new Error(`nothing is ready for ${tool}`);
    return one;
  };
  return { call, sent, tools: () => sent.map(({ tool }) => tool) };
}
