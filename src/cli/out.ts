// The output of a command: answers to stdout, everything else to stderr; as text, or with --json as one document.
import { styleText } from "node:util";
import { printable, printableJson, printableLines, shellWord } from "../domain/printable.ts";
import type { Failure } from "./failure.ts";

export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
/** Makes text printable and colours it; without colours when the stream is no terminal or NO_COLOR is set. */
export type Paint = (style: Style, text: string) => string;

export type Out = {
  readonly json: boolean;
  /** Columns of the terminal; null without a terminal, and then no text is cut. */
  readonly width: number | null;
  readonly paint: Paint;
  /** How a printed command begins, so that it reaches the same server when it is pasted: `orch`, or `orch --url …`. */
  readonly program: string;
  /** Writes the answer of a command. `text` returns its lines, each printable. */
  readonly answer: (value: unknown, text: () => readonly string[]) => void;
  /** Writes one of many answers, with --json as one line. */
  readonly item: (value: unknown, text: () => readonly string[]) => void;
  /** Writes text that is itself the answer, unchanged. */
  readonly raw: (text: string) => void;
  /** Writes a note for people to stderr. With --json, stderr holds errors only. */
  readonly note: (text: string) => void;
  readonly failure: (failure: Failure) => void;
};

type OutDeps = {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly json: boolean;
  readonly url?: string | undefined;
};

export function createOut({ stdout, stderr, json, url }: OutDeps): Out {
  const program = url === undefined ? "orch" : `orch --url ${shellWord(url, "URL")}`;
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
    // A terminal that does not know its width says 0.
    width: stdout.isTTY === true ? stdout.columns || 80 : null,
    paint: paintOn(stdout),
    program,
    answer: (value, text) => write(value, text, 2),
    item: (value, text) => write(value, text),
    raw: (text) => void stdout.write(text),
    note: (text) => {
      if (!json) stderr.write(`${printableLines(text).join("\n")}\n`);
    },
    failure: (failure) => {
      // A remedy is a text of orch. A command in it follows a colon, and all but serve reach the server.
      const fix = failure.fix?.replaceAll(/: orch (?!serve)(?=[a-z])/g, () => `: ${program} `);
      const lines = json ? [documentOf({ ...failure, fix })] : sentencesOf({ ...failure, fix }, paintOn(stderr));
      stderr.write(`${lines.join("\n")}\n`);
    },
  };
}

const documentOf = ({ exit: _exit, ...document }: Failure): string => printableJson(document, 2);

function sentencesOf({ code, detail, fix, issues = [], current }: Failure, paint: Paint): string[] {
  const [first = "", ...more] = printableLines(detail);
  const remedy = fix === undefined ? [] : printableLines(fix);
  const fields = issues
    .filter(({ message }) => !detail.includes(message))
    .map(({ path, message }) => `  ${printable(path)} ${printable(message)}`.trimEnd());
  const state =
    current === undefined || issues.length > 0 ? [] : [`  current state: ${printable(printableJson(brief(current)))}`];
  return [`${paint("red", "error:")} ${first} ${paint("dim", `(${code})`)}`, ...more, ...remedy, ...fields, ...state];
}

const BRIEF = ["task_id", "approval_id", "status", "kind", "thread_id", "reason"];

/** The fields that identify a record. --json prints the whole record. */
function brief(current: unknown): unknown {
  if (Array.isArray(current)) return current.map(brief);
  if (typeof current !== "object" || current === null) return current;
  return Object.fromEntries(Object.entries(current).filter(([name]) => BRIEF.includes(name)));
}
