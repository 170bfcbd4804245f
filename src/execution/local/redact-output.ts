// Removes secrets from truncated output (D-064). The runner process knows no secret and hands over more than is shown. Both
// sides of the gap are searched together with the text next to them, which is then dropped, so that no half of a secret
// remains at the cut.
import type { Redact } from "../../redact/redact.ts";
import type { StreamOutput } from "./output-ring.ts";
import type { RunCommand } from "./run-command.ts";

export const withoutMargins =
  (runCommand: RunCommand, redact: Redact): RunCommand =>
  async (command, abort) => {
    const end = await runCommand(command, abort);
    if (!end.ran) return end;
    return { ...end, stdout: withoutMargin(end.stdout, redact), stderr: withoutMargin(end.stderr, redact) };
  };

/** StreamOutput that was not truncated is returned unchanged; it is redacted with the rest of the step's result. */
export function withoutMargin({ text, beyond, ...measures }: StreamOutput, redact: Redact): StreamOutput {
  if (beyond === undefined) return { text, ...measures };
  const { start, end, after_head, before_tail } = beyond;
  const head = redact(text.slice(0, start) + after_head, { start: 0, end: start });
  const tail = before_tail + text.slice(end);
  const rest = redact(tail, { start: before_tail.length, end: tail.length });
  return { text: head + text.slice(start, end) + rest, ...measures };
}
