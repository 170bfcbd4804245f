// Shows what a command wrote, line by line within a bound: text only, each line with a link of its own.
import { memo, useState } from "react";
import { printable } from "../../domain/printable.ts";
import { DownloadButton } from "./buttons.tsx";
import { byteCount } from "./text.ts";

type Props = {
  /** What its lines are linked by. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** What the command wrote in all. */
  readonly bytes: number;
  readonly file: string;
};

const EVERYTHING = 5_000;

export const Output = memo(function Output({ id, label, text, bytes, file }: Props) {
  const [most, setMost] = useState<number | undefined>(undefined);
  const { head, left_out, tail, total } = shownLines(text, most);
  return (
    <figure className="output">
      <figcaption className="output-head">
        <span>{label}</span>
        <span className="muted number">{byteCount(bytes)}</span>
        <DownloadButton text={text} file={file} label="Download what is kept" />
      </figcaption>
      <section className="output-lines" aria-label={label}>
        {head.map((line) => (
          <Line key={line.number} id={id} line={line} />
        ))}
        {left_out > 0 && (
          <p className="output-gap">
            {`${left_out} lines left out `}
            {most === undefined && total <= EVERYTHING && (
              <button type="button" className="button quiet small" onClick={() => setMost(EVERYTHING)}>
                Show them
              </button>
            )}
          </p>
        )}
        {tail.map((line) => (
          <Line key={line.number} id={id} line={line} />
        ))}
      </section>
    </figure>
  );
});

const shown = (text: string): string => text.split("\t").map(printable).join("\t");

const Line = ({ id, line: { number, text, left_out } }: { readonly id: string; readonly line: OutputLine }) => (
  <div className="output-line" id={`${id}-${number}`}>
    <a href={`#${id}-${number}`} className="output-number" aria-label={`Line ${number}`}>
      {number}
    </a>
    <span className="output-text">
      {shown(text)}
      {left_out > 0 && <span className="output-cut">{` [${left_out} characters left out]`}</span>}
    </span>
  </div>
);

// What a command wrote, as the lines that a page shows: the beginning and the end, each line within a bound.

type OutputLine = { readonly number: number; readonly text: string; readonly left_out: number };
export type ShownLines = {
  readonly head: readonly OutputLine[];
  readonly left_out: number;
  readonly tail: readonly OutputLine[];
  readonly total: number;
};

const MOST_LINES = 400;
const MOST_OF_LINE = 2_000;

/** A final line end begins no line. */
export function shownLines(text: string, most = MOST_LINES): ShownLines {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const lineAt = (line: string, at: number): OutputLine => ({
    number: at + 1,
    text: line.length > MOST_OF_LINE ? line.slice(0, MOST_OF_LINE) : line,
    left_out: Math.max(0, line.length - MOST_OF_LINE),
  });
  if (lines.length <= most) return { head: lines.map(lineAt), left_out: 0, tail: [], total: lines.length };
  const half = Math.floor(most / 2);
  const from = lines.length - half;
  return {
    head: lines.slice(0, half).map(lineAt),
    left_out: lines.length - 2 * half,
    tail: lines.slice(from).map((line, at) => lineAt(line, from + at)),
    total: lines.length,
  };
}
