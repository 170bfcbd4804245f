// The drawing of the trend. A chunk of its own, because uPlot draws on this page only. Colours are those of the legend, so that
// they follow the scheme; everything that it shows is in the table beside it too.
import { useEffect, useRef, useSyncExternalStore } from "react";
import UPlot from "uplot";
import type { TrendPoint } from "./measures-table.tsx";

type Props = {
  readonly points: readonly TrendPoint[];
  readonly wanted: number;
  /** Holds elements with the classes ink-verified, ink-true, ink-band, ink-wanted and ink-axis, each in its colour. */
  readonly inks: React.RefObject<HTMLElement | null>;
  /** The point under the pointer; null where it has left. */
  readonly onPoint: (at: number | null) => void;
};

const HEIGHT = 220;
const NAME_PX = 56;

const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = (changed: () => void) => {
  dark.addEventListener("change", changed);
  return () => dark.removeEventListener("change", changed);
};

export function TrendChart({ points, wanted, inks, onPoint }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useSyncExternalStore(followScheme, () => dark.matches);
  const heard = useRef(onPoint);
  heard.current = onPoint;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scheme has other colours
  useEffect(() => {
    const { current: element } = place;
    if (element === null) return;
    const options = optionsOf({ points, wanted, ink: inksIn(inks.current), width: element.clientWidth });
    const move = (plot: UPlot) => heard.current(plot.cursor.idx ?? null);
    const chart = new UPlot({ ...options, hooks: { setCursor: [move] } }, seriesOf(points), element);
    const sized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    return () => {
      sized.disconnect();
      chart.destroy();
    };
  }, [points, wanted, inks, isDark]);
  return <div ref={place} className="trend-chart" aria-hidden="true" />;
}

type Ink = (name: string) => string;

/** The value of a token is text for the style sheet; the colour of an element is one that a canvas takes. */
const inksIn =
  (element: HTMLElement | null): Ink =>
  (name) => {
    const found = element?.querySelector(`.ink-${name}`);
    return found === null || found === undefined ? "gray" : getComputedStyle(found).color;
  };

const seriesOf = (points: readonly TrendPoint[]): UPlot.AlignedData => [
  points.map((_, at) => at),
  points.map(({ upper }) => upper),
  points.map(({ lower }) => lower),
  points.map((point) => point.true_part),
  points.map((point) => point.verified_part),
];

type Drawn = {
  readonly points: readonly TrendPoint[];
  readonly wanted: number;
  readonly ink: Ink;
  readonly width: number;
};

function optionsOf({ points, wanted, ink, width }: Drawn): UPlot.Options {
  const axis = {
    stroke: ink("axis"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: ink("grid"), width: 1 },
    ticks: { show: false },
  };
  const line = { width: 2, points: { show: true, size: 5 } };
  const drawWanted = ({ ctx, bbox, valToPos }: UPlot) => {
    const y = valToPos(wanted, "y", true);
    ctx.save();
    ctx.strokeStyle = ink("wanted");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
    scales: { x: { time: false, range: (_, from, to) => [from - 0.3, to + 0.3] }, y: { range: [0, 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: () => shownAt(points.length, width),
        values: (_, splits) => splits.map((at) => points[at]?.name ?? ""),
      },
      {
        ...axis,
        size: 48,
        splits: () => [0, 0.25, 0.5, 0.75, 1],
        values: (_, splits) => splits.map((y) => `${y * 100} %`),
      },
    ],
    series: [
      {},
      { show: true, stroke: "transparent", points: { show: false } },
      { show: true, stroke: "transparent", points: { show: false } },
      { ...line, stroke: ink("true"), points: { ...line.points, fill: ink("true") } },
      { ...line, stroke: ink("verified"), dash: [2, 4], points: { ...line.points, fill: ink("surface") } },
    ],
    bands: [{ series: [1, 2], fill: ink("band") }],
    plugins: [{ hooks: { drawAxes: drawWanted } }],
  };
}

/** Which weeks are named under the axis: the last one, and as many before it as there is room for. */
function shownAt(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * NAME_PX) / Math.max(NAME_PX, width - NAME_PX)));
  return Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % step === 0);
}
