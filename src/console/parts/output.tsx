// What a command wrote, line by line: text only, each line with a link of its own.
import { memo, useState } from "react";
import { printable } from "../../domain/printable.ts";
import { DownloadButton } from "./download-button.tsx";
import { type OutputLine, shownLines } from "./output-lines.ts";
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
