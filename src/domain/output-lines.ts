// Cuts what arrives in chunks into lines, and keeps no line that is too long; and chooses the line of a step's output that
// outcomes quote.
import type { StepResult } from "./step.ts";
import { lastWords } from "./step-run.ts";

const NEWLINE = 0x0a;

/** Cuts chunks into lines without their ends. A line longer than `max_bytes` is not kept; `hear` gets null for it. */
export function createLines(max_bytes: number, hear: (line: string | null) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > max_bytes) parts = [];
    else parts.push(part);
  }

  function end(): void {
    const line = bytes > max_bytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    bytes = 0;
    hear(line);
  }

  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      add(rest.subarray(0, at));
      end();
      rest = rest.subarray(at + 1);
    }
    add(rest);
  };
}

/** Programs end with what went wrong. A tool's error begins with it, and ends with advice or the end of a page. */
export function quotedLine(result: StepResult): string {
  const isToolError = result.kind === "mcp_call" && result.status !== "passed";
  return isToolError ? firstWords(result.stderr) || firstWords(result.stdout) : lastWords(result);
}

const MAX_LINE = 200;

/** The first line with words. A page is reduced to its title, after what orch says of it: `HTTP 502 Bad Gateway`. */
function firstWords(text: string): string {
  const line = pageIn(text) ?? text.split(/\r?\n/).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return line.trim().slice(0, MAX_LINE).toWellFormed();
}

const PAGE = /^\s*(HTTP \d{3})?\s*<(?:!doctype\s+html|html|head|title|body|h1)\b/i;
const TITLE = /<(title|h1)\b[^>]*>([\s\S]*?)<\/\1\s*>/i;

/** Null where the text is no page. */
function pageIn(text: string): string | null {
  const page = PAGE.exec(text);
  if (page === null) return null;
  const [, status = ""] = page;
  const [, , title = ""] = TITLE.exec(text) ?? [];
  const words = [status, title.replace(/<[^>]*>/g, " ")]
    .join(" ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(HTTP (\d{3})) \2\b/, "$1");
  return words === "" ? null : words;
}
