// The events of what servers record of a task beyond its run, as text.
import { EVENT_BODIES } from "../domain/journal.ts";
import { printableLines } from "../domain/printable.ts";
import { format, LAST_LINES } from "./event-text.ts";

export const SERVER_FORMATS = {
  trace_joined: format(EVENT_BODIES.trace_joined, ({ traceparent }) => ({ about: "trace", text: traceparent })),
  no_server: format(EVENT_BODIES.no_server, ({ message }) => ({ about: "no server", text: message })),
  late_result: format(EVENT_BODIES.late_result, ({ message, stdout, stderr }) => ({
    about: "late result",
    text: message,
    more: printableLines((stderr.trim() === "" ? stdout : stderr).trimEnd())
      .slice(-LAST_LINES)
      .map((line) => `| ${line}`),
  })),
} as const;
