// A task: why it is where it is and what comes next, what took its time, and everything that happened.
import { getRouteApi, Link } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useState } from "react";
import type { JournalEvent } from "../../../domain/journal.ts";
import type { ShownEvent } from "../../../domain/shown-event.ts";
import { type Journal, useJournal } from "../../live/use-journal.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { CopyButton, DownloadButton } from "../../parts/buttons.tsx";
import { Code, Fact } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Loaded, Reading } from "../../parts/loaded.tsx";
import { toneOfState } from "../../parts/status.tsx";
import { absoluteTime, count, shortDigest } from "../../parts/text.ts";
import { useFilterKey, useListKeys } from "../../parts/use-keys.ts";
import type { TaskTab } from "../../search.ts";
import { WayOfTask } from "../graph/graph-svg.tsx";
import { AgentRun } from "./agent-run.tsx";
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
          <JournalList task_id={task.task_id} journal={journal} />
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}

// Every event of the task, as a line and as it is recorded, with its hashes: the one before is in each, so none can be changed unseen.

const PAGE = 200;

type Props = { readonly task_id: string; readonly journal: Journal };

function JournalList({ task_id, journal: { events, shown: lines, is_whole } }: Props) {
  const [most, setMost] = useState(PAGE);
  const [wanted, setWanted] = useState("");
  const field = useFilterKey();
  if (events.length === 0 && !is_whole) return <Reading />;
  const found = events.filter((event) => isLike(event, lines.get(event.seq), wanted.trim().toLowerCase()));
  const shown = found.slice(0, most);
  const file = async () => events.map((event) => `${JSON.stringify(event)}\n`).join("");
  return (
    <section className="stack" aria-label="Journal">
      <div className="row">
        <input
          ref={field}
          type="search"
          className="input filter-text"
          aria-label="Filter by kind or content"
          placeholder="Kind or content  ( / )"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
        />
        <span className="muted number" role="status">
          {wanted.trim() === "" ? count(events.length, "event") : `${found.length} of ${count(events.length, "event")}`}
        </span>
        <DownloadButton text={file} file={`${task_id}.journal.jsonl`} label="Download" />
      </div>
      <ol className="list journal">
        {shown.map((event) => (
          <Event key={event.seq} event={event} line={lines.get(event.seq)} />
        ))}
      </ol>
      {found.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + PAGE)}>
          {`Show ${Math.min(PAGE, found.length - most)} more of ${found.length}`}
        </button>
      )}
    </section>
  );
}

const isLike = ({ kind, body }: JournalEvent, line: ShownEvent | undefined, text: string): boolean =>
  text === "" ||
  kind.includes(text) ||
  `${line?.about} ${line?.text}`.toLowerCase().includes(text) ||
  JSON.stringify(body).toLowerCase().includes(text);

type EventProps = { readonly event: JournalEvent; readonly line: ShownEvent | undefined };

function Event({ event, line }: EventProps) {
  const [open, setOpen] = useState(false);
  const { seq, kind, at, hash, prev_hash, body } = event;
  return (
    <li id={`e${seq}`}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="journal-row" data-row="">
          <span className="muted number journal-seq">{seq}</span>
          <span className="journal-line">
            <b className="journal-about" data-tone={toneOfState(line?.state)}>
              {line?.about}
            </b>{" "}
            {line?.text}
          </span>
          <code className="muted journal-kind">{kind}</code>
          <time className="muted small number" dateTime={at}>
            {absoluteTime(at)}
          </time>
          <code className="muted journal-hash">{shortDigest(hash)}</code>
        </summary>
        {open && (
          <div className="stack journal-body">
            {line?.more !== undefined && <Code text={line.more.join("\n")} label={`More of event ${seq}`} />}
            <dl className="facts">
              <Fact name="Hash">
                <code>{hash}</code> <CopyButton text={hash} label="Copy" />
              </Fact>
              <Fact name="Hash before">
                <code>{prev_hash}</code>
              </Fact>
            </dl>
            <Code text={JSON.stringify(body, null, 2)} label={`Event ${seq}`} />
          </div>
        )}
      </details>
    </li>
  );
}
