// The way of a task through the pipeline: as a picture, and as a list of the nodes with the facts that chose the next.
import { Link } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { edgeKey, GraphSvg, type Marks } from "./graph-svg.tsx";
import { PATH_WORDS, pathOfTask, pictureOf } from "./pictures.ts";

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

function marksOf({ way, current }: Place): Marks {
  const taken = way.slice(1).flatMap(({ node, again }, at) => {
    const before = way[at];
    return again || before === undefined ? [] : [edgeKey(before.node, node, before.answer ?? "")];
  });
  return { current, passed: new Set(way.map(({ node }) => node)), taken: new Set(taken) };
}

function Way({ place, task }: { readonly place: Place; readonly task: Task }) {
  const path = pathOfTask(task, place.way);
  return (
    <div className="way">
      <GraphSvg picture={pictureOf(path)} label={PATH_WORDS[path]} marks={marksOf(place)} />
      {place.way.length === 0 ? (
        <Empty icon="graph" title="It has not begun">
          <p>Its way appears here once a server has taken it up.</p>
        </Empty>
      ) : (
        <ol className="way-list" aria-label="Its way">
          {place.way.map((visit, at) => (
            <WayStep
              key={`${visit.seq} ${visit.node} ${visit.answer}`}
              visit={visit}
              is_current={at === place.way.length - 1 && place.current !== null}
            />
          ))}
          <li className="way-all">
            <Link to="/graph">Every way that a task can take</Link>
          </li>
        </ol>
      )}
    </div>
  );
}

function WayStep({ visit, is_current }: { readonly visit: Place["way"][number]; readonly is_current: boolean }) {
  const { node, answer, at, seq, again } = visit;
  return (
    <li className="way-step" data-current={is_current} {...(is_current && { "aria-current": "step" as const })}>
      {again && <p className="muted small">Taken up again after a stop: it begins at its first node.</p>}
      <span className="row">
        <code>{node}</code>
        {answer !== null && <span className="way-answer">{answer.replaceAll("_", " ")}</span>}
        {is_current && <span className="way-answer">now</span>}
        <span className="muted small push" title={`Event ${seq} of the journal`}>
          <Time at={at} />
        </span>
      </span>
    </li>
  );
}
