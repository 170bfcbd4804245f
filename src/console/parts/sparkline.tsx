// A ratio over the last weeks, as a line without axes: whether it holds, rises or falls. A week without a value is a gap.

const WIDTH = 72;
const HEIGHT = 20;
const EDGE = 2.5;

type Point = { readonly x: number; readonly y: number };

/** The points, in runs without a gap; 1 is at the top. */
function runsOf(values: readonly (number | null)[]): readonly (readonly Point[])[] {
  const step = values.length > 1 ? (WIDTH - 2 * EDGE) / (values.length - 1) : 0;
  const runs: Point[][] = [[]];
  values.forEach((value, at) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ x: EDGE + at * step, y: EDGE + (1 - value) * (HEIGHT - 2 * EDGE) });
  });
  return runs.filter((run) => run.length > 0);
}

type Props = { readonly values: readonly (number | null)[]; readonly label: string };

export function Sparkline({ values, label }: Props) {
  const runs = runsOf(values);
  const last = runs.at(-1)?.at(-1);
  return (
    <svg className="sparkline" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{label}</title>
      <line className="sparkline-floor" x1={EDGE} x2={WIDTH - EDGE} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {runs.map((run) => (
        <polyline key={run[0]?.x} points={run.map(({ x, y }) => `${x},${y}`).join(" ")} />
      ))}
      {runs
        .filter((run) => run.length === 1)
        .map(([point]) => point !== undefined && <circle key={point.x} cx={point.x} cy={point.y} r="1.25" />)}
      {last !== undefined && <circle className="sparkline-last" cx={last.x} cy={last.y} r="2.25" />}
    </svg>
  );
}

// A ratio with what is known of it: the interval as a band, the figure as a tick, and what is wanted as a line across.

type BandProps = {
  readonly lower: number;
  readonly upper: number;
  readonly value?: number | null;
  readonly wanted?: number | null;
  /** Of the axis: 0 to 1 unless given. */
  readonly from?: number;
};

const BAND_WIDTH = 200;
const BAND_HEIGHT = 14;

export function RatioBand({ lower, upper, value = null, wanted = null, from = 0 }: BandProps) {
  const x = (ratio: number): number => Math.max(0, Math.min(1, (ratio - from) / (1 - from))) * BAND_WIDTH;
  const [left, right] = [x(lower), x(upper)];
  return (
    <svg className="band" viewBox={`0 0 ${BAND_WIDTH} ${BAND_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="band-all" x="0" y="6" width={BAND_WIDTH} height="2" />
      <rect className="band-interval" x={left} y="3" width={Math.max(2, right - left)} height="8" />
      {wanted !== null && <line className="band-wanted" x1={x(wanted)} x2={x(wanted)} y1="0" y2={BAND_HEIGHT} />}
      {value !== null && <line className="band-value" x1={x(value)} x2={x(value)} y1="1.500" y2="12.500" />}
    </svg>
  );
}
