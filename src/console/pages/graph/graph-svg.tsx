// Draws a picture of the pipeline. The node where a task is now is lit, and the one in which it ended is marked.
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { PipelineNode } from "../../../domain/pipeline.ts";
import type { GraphPicture, GraphPictures, PathName } from "../../graph/picture.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Time } from "../../parts/time.tsx";

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

// The pictures of the pipeline, as the build has laid them out.

/** Put in by the build. */
declare const __GRAPH__: GraphPictures;

export const pictureOf = (path: PathName): GraphPicture => __GRAPH__[path];

export const PATH_WORDS: Readonly<Record<PathName, string>> = {
  procedure: "A task by a procedure",
  replacement: "The replacement of a procedure",
  skill: "A task of a skill",
  agent: "A task of an agent",
};

const OF_NODE: Partial<Record<PipelineNode, PathName>> = {
  run_skill: "skill",
  await_skill_approval: "skill",
  await_skill_resolution: "skill",
};

type ShownTask = {
  readonly intent: string;
  readonly delegation_mode: string;
  readonly outcome: { readonly reason_code: string } | null;
};

/** The way that a task takes, as far as that is known. */
function pathOfTask({ intent, delegation_mode, outcome }: ShownTask, node: PipelineNode | null): PathName {
  if (intent === "update_sop") return "replacement";
  if (delegation_mode === "agent") return "agent";
  if (outcome?.reason_code.startsWith("skill_")) return "skill";
  return (node === null ? undefined : OF_NODE[node]) ?? "procedure";
}

// Shows where a task is in a picture of the pipeline.

type Place = NonNullable<OperationAnswer<"get_graph">["place"]>;
type Task = OperationAnswer<"get_task">;

export function WayOfTask({ task }: { readonly task: Task }) {
  const graph = useOperation("get_graph", { task_id: task.task_id });
  return (
    <Loaded query={graph}>
      {({ place }) => (place === null || place.task_id !== task.task_id ? null : <Way place={place} task={task} />)}
    </Loaded>
  );
}

function Way({ place: { way, current }, task }: { readonly place: Place; readonly task: Task }) {
  const [visit] = way;
  const path = pathOfTask(task, visit?.node ?? null);
  const place =
    visit === undefined ? null : ({ node: visit.node, state: current === null ? "passed" : "current" } as const);
  return (
    <div className="stack">
      {visit === undefined ? (
        <p className="muted">It has not begun.</p>
      ) : (
        <p className="row">
          {current === null ? "Its end:" : "Now in"} <code>{visit.node}</code>
          <span className="muted small" title={`Event ${visit.seq} of the journal`}>
            <Time at={visit.at} />
          </span>
        </p>
      )}
      <GraphSvg picture={pictureOf(path)} label={PATH_WORDS[path]} place={place} />
      <Link to="/graph">Every way that a task can take</Link>
    </div>
  );
}
