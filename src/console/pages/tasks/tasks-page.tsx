// The list of tasks, newest first. Ten thousand of them scroll: pages of 100 are read when they come near, and only the rows in view
// are in the page.
import { getRouteApi, Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TaskSummary } from "../../../api/operations/shapes/task-view.ts";
import type { TaskStatus } from "../../../domain/outcome.ts";
import { printable } from "../../../domain/printable.ts";
import { useOperation } from "../../live/use-operation.ts";
import { call, type Input } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { useTitle, useTypedFilter } from "../../parts/hooks.ts";
import { Empty, Reading } from "../../parts/loaded.tsx";
import { ProblemNotice, Unreadable } from "../../parts/notice.tsx";
import { TASK_WORDS, TaskStatusMark } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { useFilterKey, useListKeys } from "../../parts/use-keys.ts";
import { useNarrow } from "../../parts/use-window-width.ts";
import type { CallProblem } from "../../request.ts";
import type { TaskSearch } from "../../search.ts";
import { mergePage, type Rows } from "./merge-page.ts";

const route = getRouteApi("/inside/tasks");

/** As the style sheet has them. */
const [WIDE, NARROW] = [44, 108];

const isStatus = (status: string | undefined): status is TaskStatus =>
  status !== undefined && Object.hasOwn(TASK_WORDS, status);

type TaskQuery = Pick<Input<"list_tasks">, "status" | "intent" | "q" | "verified">;

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

// A task in the list: its status, what it is about, why it is there, and since when.

const TaskRow = ({ task }: { readonly task: TaskSummary }) => (
  <Link to="/tasks/$task_id" params={{ task_id: task.task_id }} className="list-row task-row">
    <TaskStatusMark status={task.status} />
    <span className="task-about">
      <strong>{task.intent}</strong> <InlineCode text={targetText(task.target)} />
    </span>
    <span className="task-id muted">
      <InlineCode text={task.task_id} />
    </span>
    <span className="task-line muted">{printable(task.outcome?.message ?? task.waiting_text ?? "")}</span>
    <span className="muted small task-time">
      <Time at={task.created_at} />
    </span>
  </Link>
);

/** The directory of its commands says least of what a task is about. */
const targetText = (target: TaskSummary["target"]): string =>
  Object.entries(target)
    .sort(([a], [b]) => Number(a === "compose_dir") - Number(b === "compose_dir") || a.localeCompare(b))
    .map(([name, value]) => `${name}=${value}`)
    .join(";");

// The rows of the list of tasks, as far as they were read: the first page follows what happens, older ones are read when they come near.

const PAGE = 100;

const NONE: Rows = { tasks: [], next_after: null };

function useTaskRows(query: TaskQuery) {
  const key = JSON.stringify(query);
  const head = useOperation("list_tasks", { ...query, limit: PAGE });
  const [rows, setRows] = useState<Rows & { readonly key: string }>({ ...NONE, key });
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const reading = useRef<string | null>(null);
  const { data, isPlaceholderData } = head;

  useEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    setRows((before) => ({ ...mergePage(before.key === key ? before : NONE, data, null), key }));
  }, [data, isPlaceholderData, key]);

  /** Reads on after this task: the next page, or what is in view, anew. */
  const read = async (after: string): Promise<void> => {
    const about = `${key} ${after}`;
    if (reading.current === about) return;
    reading.current = about;
    try {
      const page = await call("list_tasks", { ...query, limit: PAGE, after });
      setProblem(null);
      setRows((before) => (before.key === key ? { ...mergePage(before, page, after), key } : before));
    } catch (error) {
      setProblem(error as CallProblem);
    } finally {
      reading.current = null;
    }
  };

  const is_read = rows.key === key && data !== undefined && !isPlaceholderData;
  const shown: readonly TaskSummary[] = rows.tasks;
  return { head, rows: shown, next_after: rows.next_after, read, is_read, problem, updated_at: head.dataUpdatedAt };
}

// What the list of tasks is narrowed to. It is in the address, so that a filtered list is a link.

type Props = { readonly filter: TaskSearch; readonly onChange: (filter: TaskSearch) => void };

const STATUSES = Object.keys(TASK_WORDS) as TaskStatus[];

const LEAST = 2;

const LOOKED = { none: "never looked at from outside", true: "verified", false: "refuted" } as const;

function TaskFilters({ filter, onChange }: Props) {
  const [typed, setTyped] = useTypedFilter(filter.q, (q) => onChange({ ...filter, q }), { least: LEAST });
  const field = useFilterKey();
  return (
    <search className="filters row">
      <label className="unseen" htmlFor="tasks-q">
        Id, intent or target
      </label>
      <input
        id="tasks-q"
        ref={field}
        className="input filter-text"
        type="search"
        placeholder="Id, intent or target  ( / )"
        value={typed}
        maxLength={256}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      />
      <label className="unseen" htmlFor="tasks-status">
        Status
      </label>
      <select
        id="tasks-status"
        className="input filter-status"
        value={filter.status ?? ""}
        onChange={({ target }) => onChange({ ...filter, status: target.value === "" ? undefined : target.value })}
      >
        <option value="">Every status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {TASK_WORDS[status]}
          </option>
        ))}
      </select>
      {Object.values(filter).some((value) => value !== undefined) && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            setTyped("");
            onChange({});
          }}
        >
          Show all
        </button>
      )}
      {filter.intent !== undefined && <span className="muted">intent {filter.intent}</span>}
      {filter.verified !== undefined && <span className="muted">{LOOKED[filter.verified]}</span>}
    </search>
  );
}

// Which rows of a long list are in view: only they are in the page, in the room that all of them take.

const AROUND = 12;

type Window = { readonly from: number; readonly to: number };

/** All rows have one height, which the style sheet gives by the width of the page. */
export function useWindow(list: RefObject<HTMLElement | null>, rows: number, height: number): Window {
  const [shown, setShown] = useState<Window>({ from: 0, to: 3 * AROUND });
  useLayoutEffect(() => {
    const look = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const first = Math.floor(-top / height) - AROUND;
      const last = Math.ceil((innerHeight - top) / height) + AROUND;
      const from = Math.max(0, Math.min(rows, first));
      const to = Math.max(from, Math.min(rows, last));
      setShown((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [list, rows, height]);
  return shown;
}
