// A task: why it is where it is and what comes next, what took its time, and everything that happened.
import { getRouteApi, Link } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useJournal } from "../../live/use-journal.ts";
import { useOperation } from "../../live/use-operation.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { WayOfTask } from "../graph/way-of-task.tsx";
import type { TaskTab } from "../tasks/task-search.ts";
import { AgentRun } from "./agent-run.tsx";
import { JournalList } from "./journal-list.tsx";
import { RunTab } from "./run-tab.tsx";
import { TaskHead } from "./task-head.tsx";

const route = getRouteApi("/inside/tasks/$task_id");

export function TaskPage() {
  const { task_id } = route.useParams();
  useTitle(task_id);
  const task = useOperation("get_task", { task_id });
  return (
    <>
      <p className="crumb">
        <Link to="/tasks">Tasks</Link>
      </p>
      <Loaded query={task}>{(view) => (view.task_id === task_id ? <Task key={task_id} task={view} /> : null)}</Loaded>
    </>
  );
}

function Task({ task }: { readonly task: OperationAnswer<"get_task"> }) {
  const { tab = "run" } = route.useSearch();
  const navigate = route.useNavigate();
  const journal = useJournal(task.task_id);
  const tabs: readonly (readonly [TaskTab, string])[] = [
    ["run", "Run"],
    ...(task.delegation_mode === "agent" ? ([["agent", "Agent"]] as const) : []),
    ["graph", "Way"],
    ["journal", "Journal"],
  ];
  const open = (next: string) => {
    const found = tabs.find(([name]) => name === next)?.[0];
    void navigate({ search: { tab: found === "run" ? undefined : found }, replace: true });
  };
  const rows = useListKeys<HTMLDivElement>();
  return (
    <div className="stack" ref={rows}>
      <TaskHead task={task} events={journal.events} />
      <Tabs.Root value={tab} onValueChange={open} className="stack">
        <Tabs.List className="tabs" aria-label="Parts of the task">
          {tabs.map(([name, word]) => (
            <Tabs.Trigger key={name} value={name} className="tab">
              {word}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="run">
          <RunTab task={task} journal={journal} />
        </Tabs.Content>
        <Tabs.Content value="agent">
          <AgentRun task={task} events={journal.events} />
        </Tabs.Content>
        <Tabs.Content value="graph">
          <WayOfTask task={task} />
        </Tabs.Content>
        <Tabs.Content value="journal">
          <JournalList task_id={task.task_id} events={journal.events} is_whole={journal.is_whole} />
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}
