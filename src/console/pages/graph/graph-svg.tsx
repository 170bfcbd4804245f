// A picture of the pipeline. The nodes that a task was in are marked, the one where it is now is lit, and the edges that it took are
// drawn strong with the fact that chose them.
import { useEffect, useRef } from "react";
import type { GraphPicture } from "../../graph/picture.ts";

export type Marks = {
  readonly current: string | null;
  readonly passed: ReadonlySet<string>;
  /** As `edgeKey` names them. */
  readonly taken: ReadonlySet<string>;
};

export const edgeKey = (source: string, target: string, answer: string): string => `${source} ${answer} ${target}`;

const NOTHING: Marks = { current: null, passed: new Set(), taken: new Set() };

type Props = { readonly picture: GraphPicture; readonly label: string; readonly marks?: Marks };

export function GraphSvg({ picture, label, marks = NOTHING }: Props) {
  const { width, height, nodes, edges } = picture;
  const box = useRef<HTMLElement>(null);
  const { current } = marks;
  // On a narrow page the picture is wider than its box: the place of the task is what is looked for. It moves within the box only.
  useEffect(() => {
    const found = box.current?.querySelector(current === null ? "[data-state=passed]" : "[data-state=current]");
    if (found == null || box.current === null) return;
    const [node, around] = [found.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollLeft += node.left + node.width / 2 - around.left - around.width / 2;
  }, [current]);
  // What was taken is drawn over what was not.
  const ordered = [...edges].sort((a, b) => Number(isTaken(a, marks)) - Number(isTaken(b, marks)));
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
        {ordered.map((edge) => (
          <Edge key={edgeKey(edge.source, edge.target, edge.answer)} edge={edge} taken={isTaken(edge, marks)} />
        ))}
        {nodes.map(({ id, x, y, width: wide, height: high }) => (
          <g key={id} className="graph-node" data-state={stateOf(id, marks)} data-end={ENDS.has(id)}>
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

const isTaken = ({ source, target, answer }: DrawnEdge, { taken }: Marks): boolean =>
  taken.has(edgeKey(source, target, answer));

const stateOf = (id: string, { current, passed }: Marks): string =>
  id === current ? "current" : passed.has(id) ? "passed" : "idle";

const ARROW = 5;

function Edge({ edge: { points, label, answer }, taken }: { readonly edge: DrawnEdge; readonly taken: boolean }) {
  const [to, before] = [points.at(-1), points.at(-2)];
  if (to === undefined || before === undefined) return null;
  const angle = Math.atan2(to[1] - before[1], to[0] - before[0]);
  const corner = (turn: number) =>
    `${(to[0] - ARROW * 1.6 * Math.cos(angle + turn)).toFixed(1)},${(to[1] - ARROW * 1.6 * Math.sin(angle + turn)).toFixed(1)}`;
  return (
    <g className="graph-edge" data-taken={taken}>
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
