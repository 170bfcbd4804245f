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
