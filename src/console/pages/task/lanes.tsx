// Shows what took the time of a task: a lane each for the queue, people, the steps and the model.
import { createSignal, useSignal } from "../../live/signal.ts";
import { duration } from "../../parts/text.ts";
import { type LaneSpan, type TaskLane, timeScale } from "./run-of.ts";

const LANES: readonly (readonly [TaskLane, string])[] = [
  ["queue", "Queue"],
  ["people", "People"],
  ["steps", "Steps"],
  ["model", "Model"],
];

const second = createSignal(Date.now());
setInterval(() => second.set(Date.now()), 1_000);

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

type LanesProps = { readonly spans: readonly LaneSpan[]; readonly ended_at: string | null };

export function Lanes({ spans, ended_at }: LanesProps) {
  const ticking = useSignal(second);
  if (spans.length === 0) return null;
  const now_ms = ended_at === null ? ticking : Date.parse(ended_at);
  const scale = timeScale(spans, now_ms);
  const lanes = LANES.map(([lane, word]) => ({ lane, word, of: spans.filter((span) => span.lane === lane) }));
  return (
    <section className="lanes card" aria-label="What took the time">
      {lanes
        .filter(({ of }) => of.length > 0)
        .map(({ lane, word, of }) => (
          <div className="lane" key={lane}>
            <span className="lane-name">{word}</span>
            <svg className="lane-track" aria-hidden="true">
              {of.map((span) => (
                <Bar key={`${span.from} ${span.label}`} span={span} now_ms={now_ms} at={scale.at} />
              ))}
              {scale.breaks.map((at) => (
                <line key={at} className="lane-break" x1={percent(at)} x2={percent(at)} y1="0" y2="100%" />
              ))}
            </svg>
            <span className="lane-sum number">{duration(sumOf(of, now_ms))}</span>
          </div>
        ))}
    </section>
  );
}

function Bar({
  span,
  now_ms,
  at,
}: {
  readonly span: LaneSpan;
  readonly now_ms: number;
  readonly at: (ms: number) => number;
}) {
  const { from, to, lane, end: ended = "done", label } = span;
  const end = to ?? now_ms;
  const width = Math.max(0.004, at(end) - at(from));
  return (
    <rect
      className="lane-bar"
      data-lane={lane}
      data-state={to === null ? "open" : ended}
      x={percent(Math.min(at(from), 1 - width))}
      width={percent(width)}
      y="3"
      height="14"
      rx="2"
    >
      <title>{`${label}: ${duration(Math.max(0, end - from))}`}</title>
    </rect>
  );
}

const sumOf = (spans: readonly LaneSpan[], now_ms: number): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now_ms) - from), 0);
