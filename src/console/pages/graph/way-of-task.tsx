// Shows where a task is in a picture of the pipeline.
import { Link } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { GraphSvg } from "./graph-svg.tsx";
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
