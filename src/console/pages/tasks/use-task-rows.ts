// The rows of the list of tasks, as far as they were read: the first page follows what happens, older ones are read when they come near.
import { useEffect, useRef, useState } from "react";
import type { TaskSummary } from "../../../operations/shapes/task-view.ts";
import { useOperation } from "../../live/use-operation.ts";
import { call } from "../../operations.ts";
import type { CallProblem } from "../../request.ts";
import type { Input } from "../../typed-operations.ts";
import { mergePage, type Rows } from "./merge-page.ts";

const PAGE = 100;

export type TaskQuery = Omit<Input<"list_tasks">, "limit" | "after">;

const NONE: Rows = { tasks: [], next_after: null };

export function useTaskRows(query: TaskQuery) {
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
