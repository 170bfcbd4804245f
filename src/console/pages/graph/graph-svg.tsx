// Draws a picture of the pipeline. The node where a task is now is lit, and the one in which it ended is marked.
import { useEffect, useRef } from "react";
import type { GraphPicture } from "../../graph/picture.ts";

type ShownPlace = { readonly node: string; readonly state: "current" | "passed" };

type Props = { readonly picture: GraphPicture; readonly label: string; readonly place?: ShownPlace | null };

export function GraphSvg({ picture, label, place = null }: Props) {
  const { width, height, nodes, edges } = picture;
  const box = useRef<HTMLElement>(null);
  const node = place?.node;
  // On a narrow page the picture is wider than its box: the place of the task is what is looked for. It moves within the box only.
  useEffect(() => {
    const found = node === undefined ? null : box.current?.querySelector("[data-state=passed], [data-state=current]");
    if (found == null || box.current === null) return;
    const [place, around] = [found.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollLeft += place.left + place.width / 2 - around.left - around.width / 2;
  }, [node]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="graph-scroll card" ref={box} tabIndex={0} aria-label={label}>
      <svg
        className="graph"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={label}
      >
        {edges.map((edge) => (
          <Edge key={`${edge.source} ${edge.answer} ${edge.target}`} edge={edge} />
        ))}
        {nodes.map(({ id, x, y, width: wide, height: high }) => (
          <g key={id} className="graph-node" data-state={id === node ? place?.state : "idle"} data-end={ENDS.has(id)}>
            <rect x={x} y={y} width={wide} height={high} rx={WAITS.test(id) ? high / 2 : 5} />
            <text x={x + wide / 2} y={y + high / 2} dy="0.36em">
              {id}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

const ENDS: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled"]);
const WAITS = /^await_/;

type DrawnEdge = GraphPicture["edges"][number];

const ARROW = 5;

function Edge({ edge: { points, label, answer } }: { readonly edge: DrawnEdge }) {
  const [to, before] = [points.at(-1), points.at(-2)];
  if (to === undefined || before === undefined) return null;
  const angle = Math.atan2(to[1] - before[1], to[0] - before[0]);
  const corner = (turn: number) =>
    `${(to[0] - ARROW * 1.6 * Math.cos(angle + turn)).toFixed(1)},${(to[1] - ARROW * 1.6 * Math.sin(angle + turn)).toFixed(1)}`;
  return (
    <g className="graph-edge">
      <polyline points={points.map(([x, y]) => `${x},${y}`).join(" ")} />
      <polygon points={`${to[0]},${to[1]} ${corner(0.45)} ${corner(-0.45)}`} />
      {label !== null && (
        <text x={label[0]} y={label[1]} dy="0.34em">
          {answer}
        </text>
      )}
    </g>
  );
}
