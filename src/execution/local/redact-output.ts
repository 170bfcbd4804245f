// Takes secrets out of output that was cut (spec section 2: the credential is never printed). The runner process knows no
// secret and hands over more than is shown; here both sides of the gap are searched with what lies next to it, and the
// rest is dropped, so that a secret at the cut does not show its half.
import type { Redact } from "../../redact/redact.ts";
import type { Output } from "./output-ring.ts";
import type { RunCommand } from "./run-command.ts";

export const withoutMargins =
  (runCommand: RunCommand, redact: Redact): RunCommand =>
  async (command, abort) => {
    const end = await runCommand(command, abort);
    if (!end.ran) return end;
    return { ...end, stdout: withoutMargin(end.stdout, redact), stderr: withoutMargin(end.stderr, redact) };
  };

/** Output that was not cut is given as it is: it is redacted with the rest of the step's result. */
export function withoutMargin({ text, beyond, ...measures }: Output, redact: Redact): Output {
  if (beyond === undefined) return { text, ...measures };
  const { start, end, after_head, before_tail } = beyond;
  const head = redact(text.slice(0, start) + after_head, { start: 0, end: start });
  const tail = before_tail + text.slice(end);
  const rest = redact(tail, { start: before_tail.length, end: tail.length });
  return { text: head + text.slice(start, end) + rest, ...measures };
}
