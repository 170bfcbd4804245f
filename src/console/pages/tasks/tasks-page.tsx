// The list of tasks, newest first. Ten thousand of them scroll: pages of 100 are read when they come near, and only the rows in view
// are in the page.
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import type { TaskStatus } from "../../../domain/outcome.ts";
import { Empty } from "../../parts/empty.tsx";
import { Reading } from "../../parts/loaded.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { TASK_WORDS } from "../../parts/status.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import { useNarrow } from "../../parts/use-window-width.ts";
import { Unreadable } from "../inbox/unreadable.tsx";
import { TaskFilters } from "./task-filters.tsx";
import { TaskRow } from "./task-row.tsx";
import type { TaskSearch } from "./task-search.ts";
import { type TaskQuery, useTaskRows } from "./use-task-rows.ts";
import { useWindow } from "./use-window.ts";

const route = getRouteApi("/inside/tasks");

/** As the style sheet has them. */
const [WIDE, NARROW] = [44, 108];

const isStatus = (status: string | undefined): status is TaskStatus =>
  status !== undefined && Object.hasOwn(TASK_WORDS, status);

const queryOf = ({ status, intent, q, verified }: TaskSearch): TaskQuery => ({
  ...(isStatus(status) && { status }),
  ...(intent !== undefined && { intent }),
  ...(q !== undefined && { q }),
  ...(verified !== undefined && { verified }),
});

export function TasksPage() {
  useTitle("Tasks");
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const found = useTaskRows(queryOf(filter));
  const { head, rows, is_read, problem } = found;
  return (
    <>
      <header className="page-head">
        <h1>Tasks</h1>
      </header>
      <div className="stack">
        <TaskFilters filter={filter} onChange={(search) => void navigate({ search, replace: true })} />
        {(head.error ?? problem) !== null && <ProblemNotice problem={head.error ?? (problem as never)} />}
        {head.data === undefined && head.error === null && <Reading />}
        {is_read && rows.length === 0 && <NoTasks filter={filter} />}
        {rows.length > 0 && <TaskList {...found} />}
        <Unreadable records={head.data?.quarantined ?? []} />
      </div>
    </>
  );
}

function TaskList({ rows, next_after, read, updated_at }: ReturnType<typeof useTaskRows>) {
  const list = useListKeys();
  const height = useNarrow() ? NARROW : WIDE;
  const { from, to } = useWindow(list, rows.length, height);
  const is_near_end = to >= rows.length - 20;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when the end comes near, not when the function is another
  useEffect(() => {
    if (is_near_end && next_after !== null) void read(next_after);
  }, [is_near_end, next_after]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows in view are read anew when the first page was
  useEffect(() => {
    const before = rows[from - 1];
    if (before !== undefined && from > 60) void read(before.task_id);
  }, [updated_at]);
  return (
    <>
      <ul className="list task-list" ref={list} aria-label="Tasks">
        <li aria-hidden="true" className="room" style={{ height: from * height }} />
        {rows.slice(from, to).map((task) => (
          <li key={task.task_id}>
            <TaskRow task={task} />
          </li>
        ))}
        <li aria-hidden="true" className="room" style={{ height: (rows.length - to) * height }} />
      </ul>
      <p className="muted small" role="status">
        {next_after === null ? `${rows.length} in all` : `${rows.length} read; older ones follow as you scroll`}
      </p>
    </>
  );
}

const NoTasks = ({ filter }: { readonly filter: TaskSearch }) =>
  Object.values(filter).some((value) => value !== undefined) ? (
    <Empty icon="search" title="No task is like that">
      <p>Fewer filters show more. A part of the id, the intent or the target is enough.</p>
    </Empty>
  ) : (
    <Empty icon="tasks" title="No task yet">
      <p>
        A supervisor submits them over MCP or HTTP; <code>orch run health_check service=web</code> does so from a
        terminal.
      </p>
    </Empty>
  );
