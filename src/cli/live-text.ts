// Shows what a step writes while it runs, under its line. When the step has ended, only what is missing of its output is
// added, so that nothing is shown twice.
import type { z } from "zod";
import { EVENT_BODIES, type EventRecord } from "../domain/journal.ts";
import type { LivePiece } from "../domain/live-output.ts";
import { printableLines } from "../domain/printable.ts";
import type { StepResult } from "../domain/step.ts";
import { LAST_LINES } from "./event-text.ts";
import { INDENT } from "./format-event.ts";
import type { Out } from "./out.ts";

type Stream = LivePiece["stream"];
type At = Pick<LivePiece, "index" | "attempt">;

const STREAMS: readonly Stream[] = ["stdout", "stderr"];
const PREFIX = `${INDENT}| `;
/** So much of the shown text finds its place in the whole output. */
const COMPARED = 512;
/** Longer output is recorded with a gap in any case. */
const KEPT = 128 * 1024;

export type LiveText = {
  readonly show: (piece: LivePiece) => void;
  /** To be called before anything else is written; adds what is missing of a step that has ended. */
  readonly before: (event: z.infer<typeof EventRecord>) => void;
  readonly wasShown: (step: At) => boolean;
  /** Ends a line that has no end yet. To be called before a note is written. */
  readonly close: () => void;
  /** The text will be sent again. */
  readonly restart: () => void;
};

export function createLiveText({ raw, json, item }: Out): LiveText {
  let step: At | null = null;
  let shown = new Map<Stream, string>();
  // The stream whose last line has not ended yet.
  let open: Stream | null = null;

  const wasShown = ({ index, attempt }: At) => step?.index === index && step.attempt === attempt;
  const close = () => {
    if (open !== null) raw("\n");
    open = null;
  };
  const leaveOut = (what: string) => {
    close();
    raw(`${PREFIX}[... ${what} ...]\n`);
  };
  const write = (stream: Stream, text: string) => {
    if (open !== stream) close();
    const [first = "", ...more] = text.split("\n").map((line) => printableLines(line).join(""));
    const lines = [open === stream || text === "" ? first : `${PREFIX}${first}`];
    for (const [at, line] of more.entries())
      lines.push(at === more.length - 1 && line === "" ? "" : `${PREFIX}${line}`);
    raw(lines.join("\n"));
    open = text.endsWith("\n") || text === "" ? null : stream;
  };

  const finish = (result: StepResult) => {
    for (const stream of STREAMS) {
      const before = shown.get(stream) ?? "";
      const whole = rest(result[stream], before);
      // A line that was cut by an event has its end already.
      const missing = before === "" || before.endsWith("\n") || open === stream ? whole : whole.replace(/^\n/, "");
      const lines = missing.replace(/\n$/, "").split("\n");
      if (lines.length > LAST_LINES) leaveOut(`${lines.length - LAST_LINES} lines left out`);
      if (missing !== "") write(stream, lines.slice(-LAST_LINES).join("\n"));
    }
  };

  return {
    wasShown,
    close,
    show: (piece) => {
      if (json) return item({ kind: "live_output", ...piece }, () => []);
      if (!wasShown(piece)) shown = new Map();
      step = piece;
      const { stream, text, missed_bytes } = piece;
      if (missed_bytes > 0) leaveOut(`${missed_bytes} bytes left out`);
      write(stream, text);
      shown.set(stream, ((shown.get(stream) ?? "") + text).slice(-KEPT));
    },
    before: ({ kind, body }) => {
      const result = kind === "step_finished" ? EVENT_BODIES.step_finished.safeParse(body).data : undefined;
      if (!json && result !== undefined && wasShown(result)) finish(result);
      close();
    },
    restart: () => {
      close();
      if (step !== null) leaveOut("the connection was lost; the last output may follow again");
      step = null;
      shown = new Map();
    },
  };
}

/** What follows the shown text in the whole; it is not the end of a stream of which a part was missed. */
function rest(whole: string, shown: string): string {
  if (whole.startsWith(shown)) return whole.slice(shown.length);
  const last = shown.slice(-COMPARED);
  const at = whole.lastIndexOf(last);
  return at === -1 ? whole : whole.slice(at + last.length);
}
