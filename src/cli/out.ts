// Where a command writes: answers to stdout, everything else to stderr; text for people, or with --json one document.
import { styleText } from "node:util";
import type { Failure } from "./failure.ts";
import { printable, printableJson, printableLines } from "./printable.ts";

export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
/** Text made printable and marked; without marks where the stream is no terminal or NO_COLOR is set. */
export type Paint = (style: Style, text: string) => string;

export type Out = {
  readonly json: boolean;
  /** Columns of the terminal; null where there is none, and nothing is cut. */
  readonly width: number | null;
  readonly paint: Paint;
  /** The answer of a command. `text` gives its lines, every one printable. */
  readonly answer: (value: unknown, text: () => readonly string[]) => void;
  /** One of many answers: a line of JSON each. */
  readonly item: (value: unknown, text: () => readonly string[]) => void;
  /** Bytes that are the answer as they are. */
  readonly raw: (text: string) => void;
  /** For the person at the terminal, on stderr; with --json nothing but an error stands there. */
  readonly note: (text: string) => void;
  readonly failure: (failure: Failure) => void;
};

type OutDeps = { readonly stdout: Terminal; readonly stderr: Terminal; readonly json: boolean };

export function createOut({ stdout, stderr, json }: OutDeps): Out {
  const paintOn =
    (stream: Terminal): Paint =>
    (style, text) =>
      styleText(style, printable(text), { stream, validateStream: true });
  const write = (value: unknown, text: () => readonly string[], indent?: number) => {
    const lines = json ? [printableJson(value, indent)] : text();
    if (lines.length > 0) stdout.write(`${lines.join("\n")}\n`);
  };
  return {
    json,
    width: stdout.isTTY === true ? (stdout.columns ?? 80) : null,
    paint: paintOn(stdout),
    answer: (value, text) => write(value, text, 2),
    item: (value, text) => write(value, text),
    raw: (text) => void stdout.write(text),
    note: (text) => {
      if (!json) stderr.write(`${printableLines(text).join("\n")}\n`);
    },
    failure: (failure) => {
      const lines = json ? [documentOf(failure)] : sentencesOf(failure, paintOn(stderr));
      stderr.write(`${lines.join("\n")}\n`);
    },
  };
}

const documentOf = ({ exit: _exit, ...told }: Failure): string => printableJson(told, 2);

function sentencesOf({ code, detail, fix, issues = [], current }: Failure, paint: Paint): string[] {
  const [first = "", ...more] = printableLines(detail);
  const remedy = fix === undefined ? [] : printableLines(fix);
  const fields = issues
    .filter(({ message }) => !detail.includes(message))
    .map(({ path, message }) => `  ${printable(path)} ${printable(message)}`.trimEnd());
  const stands =
    current === undefined || issues.length > 0 ? [] : [`  as it stands: ${printable(printableJson(brief(current)))}`];
  return [`${paint("red", "error:")} ${first} ${paint("dim", `(${code})`)}`, ...more, ...remedy, ...fields, ...stands];
}

const BRIEF = ["task_id", "approval_id", "status", "kind", "thread_id", "reason"];

/** Of a record what tells it apart; --json prints it whole. */
function brief(current: unknown): unknown {
  if (Array.isArray(current)) return current.map(brief);
  if (typeof current !== "object" || current === null) return current;
  return Object.fromEntries(Object.entries(current).filter(([name]) => BRIEF.includes(name)));
}
