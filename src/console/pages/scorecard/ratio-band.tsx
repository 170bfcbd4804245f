// A ratio with what is known of it: the interval as a band, the figure as a tick, and what is wanted as a line across.

type Props = {
  readonly lower: number;
  readonly upper: number;
  readonly value?: number | null;
  readonly wanted?: number | null;
  /** Of the axis: 0 to 1 unless given. */
  readonly from?: number;
};

const WIDTH = 200;
const HEIGHT = 14;

export function RatioBand({ lower, upper, value = null, wanted = null, from = 0 }: Props) {
  const x = (ratio: number): number => Math.max(0, Math.min(1, (ratio - from) / (1 - from))) * WIDTH;
  const [left, right] = [x(lower), x(upper)];
  return (
    <svg className="band" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="band-all" x="0" y="6" width={WIDTH} height="2" />
      <rect className="band-interval" x={left} y="3" width={Math.max(2, right - left)} height="8" />
      {wanted !== null && <line className="band-wanted" x1={x(wanted)} x2={x(wanted)} y1="0" y2={HEIGHT} />}
      {value !== null && <line className="band-value" x1={x(value)} x2={x(value)} y1="1.500" y2="12.500" />}
    </svg>
  );
}
