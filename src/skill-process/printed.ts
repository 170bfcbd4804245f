// What the code of a skill prints goes to the log of the server as text of that skill, line by line: it is never a line of the log
// itself, and what is secret in it is redacted there.
import type { Readable } from "node:stream";
import { createLines } from "../domain/printable.ts";

/** Hears each line that is not empty, of a number of lines. */
export type Printed = (line: string) => void;

const MAX_LINE_BYTES = 65_536;
const MAX_LINES = 1_000;

export function hearPrinted(streams: readonly Readable[], printed: Printed): void {
  let lines = 0;
  const hear = (line: string | null): void => {
    lines += 1;
    if (lines === MAX_LINES + 1) printed(`[no more than ${MAX_LINES} lines of a run are kept]`);
    else if (lines <= MAX_LINES && line !== "") printed(line ?? `[a line of more than ${MAX_LINE_BYTES} bytes]`);
  };
  for (const stream of streams) {
    const cut = createLines(MAX_LINE_BYTES, hear);
    // What is not kept is not cut into lines either.
    const take = (chunk: Buffer): void => void (lines <= MAX_LINES && cut(chunk));
    stream.on("data", take);
    // A last line without its end.
    stream.once("end", () => take(Buffer.from("\n")));
    stream.once("error", () => undefined);
  }
}
