// The end of what a running step has written, in a box of one height, so that nothing on the page moves.
import { useEffect, useRef } from "react";
import { printable } from "../../../domain/printable.ts";
import { liveKey, type WrittenText } from "../../live/use-journal.ts";
import { byteCount } from "../../parts/text.ts";

type Props = { readonly index: number; readonly attempt: number; readonly live: ReadonlyMap<string, WrittenText> };

const MOST_LINES = 200;

export function LiveTail({ index, attempt, live }: Props) {
  const found = (["stderr", "stdout"] as const).flatMap((stream) => {
    const text = live.get(liveKey(index, attempt, stream));
    return text === undefined ? [] : [{ stream, ...text }];
  });
  if (found.length === 0) return <div className="live-tail muted">It runs, and has written nothing yet.</div>;
  return found.map(({ stream, text, left_out }) => <Tail key={stream} {...{ stream, text, left_out }} />);
}

function Tail({ stream, text, left_out }: { readonly stream: string } & WrittenText) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  const lines = text.replace(/\n$/, "").split("\n").slice(-MOST_LINES);
  return (
    <div
      className="live-tail"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={`What it writes now (${stream})`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {left_out > 0 && (
        <p className="output-cut">{`${byteCount(left_out)} left out; all that is kept comes with its end`}</p>
      )}
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a moving tail has no name of its own
        <div key={at}>{line.split("\t").map(printable).join("\t") || " "}</div>
      ))}
    </div>
  );
}
