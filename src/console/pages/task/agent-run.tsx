// Shows the run of an agent: what it was given, what it thought, asked for and was answered, and how it ended; and makes a
// procedure of what it has done.
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AgentCallJudged, AgentReplied, AgentStep } from "../../../domain/agent-events.ts";
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";
import { printable } from "../../../domain/printable.ts";
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Empty } from "../../parts/loaded.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { count, duration } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { Attempt } from "./attempt.tsx";
import { contractIn } from "./run-of.ts";

type Props = { readonly task: OperationAnswer<"get_task">; readonly events: readonly JournalEvent[] };

export function AgentRun({ task, events }: Props) {
  const transcript = useMemo(() => transcriptOf(events), [events]);
  const { turns, finished, stopped } = transcript;
  const goal = contractIn(events)?.payload["goal"];
  if (turns.length === 0 && stopped === null)
    return (
      <Empty icon="tasks" title="The agent has not begun">
        <p>Each reply of its model appears here with its calls, as soon as it has one.</p>
      </Empty>
    );
  return (
    <div className="stack">
      <Given transcript={transcript} goal={typeof goal === "string" ? goal : null} />
      <ol className="turns" aria-label="Transcript">
        {turns.map((turn) => (
          <AgentTurn key={turn.turn} turn={turn} task_id={task.task_id} />
        ))}
      </ol>
      {finished !== null && (
        <section className="card card-body stack" aria-label="Its end">
          <Status tone={finished.done ? "ok" : "bad"}>
            {finished.done ? "It says that it is done" : "It gave up"}
          </Status>
          <Code text={finished.summary} label="Its summary" />
          <p className="muted">What counts is whether a check has proved it: the run shows that.</p>
        </section>
      )}
      {stopped !== null && (
        <section className="card card-body stack" aria-label="Its end">
          <Status tone="bad">Stopped</Status>
          <p>{stopped.message}</p>
        </section>
      )}
      {task.status === "ok" && <ProposeProcedure task_id={task.task_id} />}
    </div>
  );
}

function Given({ transcript, goal }: { readonly transcript: Transcript; readonly goal: string | null }) {
  const { equipped, turns, spent_ms } = transcript;
  const calls = turns.flatMap((turn) => turn.calls);
  const refused = calls.filter(({ judged }) => judged?.verdict === "refuse").length;
  return (
    <section className="card card-body stack" aria-label="What it was given">
      {goal !== null && (
        <p>
          <InlineCode text={goal} />
        </p>
      )}
      <ul className="task-facts muted">
        {equipped !== null && (
          <li>
            <InlineCode text={equipped.model} /> on {equipped.agent_backend}
          </li>
        )}
        <li>{count(turns.length, "reply", "replies")}</li>
        <li>{count(calls.length, "call")}</li>
        {refused > 0 && <li>{refused} refused</li>}
        <li>{duration(spent_ms)} of model and calls</li>
      </ul>
      {equipped !== null && (
        <Budget budget={equipped.budget} used={{ turns: turns.length, calls: calls.length, spent_ms }} />
      )}
      {equipped !== null && (
        <details>
          <summary className="muted">{count(equipped.tools.length, "tool")}</summary>
          <p className="agent-tools">
            <InlineCode text={equipped.tools.join(", ")} />
          </p>
          {equipped.missing.map((line) => (
            <p key={line}>
              <InlineCode text={line} />
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

type Budgets = NonNullable<Transcript["equipped"]>["budget"];
type Used = { readonly turns: number; readonly calls: number; readonly spent_ms: number };

const MINUTE_MS = 60_000;

/** How much of what it may take it has taken. */
function Budget({ budget, used }: { readonly budget: Budgets; readonly used: Used }) {
  if (budget === undefined) return null;
  const bars = [
    ["Replies", used.turns, budget.turns],
    ["Calls", used.calls, budget.calls],
    ["Minutes", Math.round((used.spent_ms / MINUTE_MS) * 10) / 10, budget.minutes],
  ] as const;
  return (
    <ul className="budget">
      {bars.map(([name, value, most]) => (
        <li key={name}>
          <span className="muted small">{name}</span>
          <span className="number small">{`${value} of ${most}`}</span>
          <meter aria-label={name} min={0} max={most} high={most * 0.8} value={Math.min(value, most)} />
        </li>
      ))}
    </ul>
  );
}

// A reply of the model: what it thought and said, and its calls in their order.

function AgentTurn({ turn, task_id }: { readonly turn: ShownTurn; readonly task_id: string }) {
  const { turn: number, at, text, thinking, calls, fault, latency_ms, left_out, quoted } = turn;
  return (
    <li className="turn" id={`t${number}`}>
      <p className="turn-head">
        <strong>Reply {number}</strong>
        <span className="muted small">
          <Time at={at} />
          {`, after ${duration(latency_ms)}`}
        </span>
      </p>
      {thinking !== null && thinking !== "" && (
        <details className="thought">
          <summary className="muted">What it thought</summary>
          <Code text={thinking} label={`Thought of reply ${number}`} />
        </details>
      )}
      {text !== "" && <Code text={text} label={`Text of reply ${number}`} />}
      {fault !== null && <p className="turn-fault">There was no reply: {fault}</p>}
      {calls.map((call) => (
        <AgentCallCard key={call.index} call={call} task_id={task_id} />
      ))}
      {left_out !== undefined && <p className="muted">{left_out} more calls were not read.</p>}
      {quoted !== undefined && (
        <p className="muted">{quoted} calls in the text were not made: they only repeat what was read.</p>
      )}
    </li>
  );
}

// Makes a procedure of what an agent has done: a draft that a person reads before it is taught.

function ProposeProcedure({ task_id }: { readonly task_id: string }) {
  const propose = useAction("propose_sop");
  const { data, error, isPending } = propose;
  return (
    <section className="card card-body stack" aria-label="A procedure of it">
      <h2>Next time without a model</h2>
      <p>
        The calls that led to the result can become a procedure: the same steps, proved by the same checks, and no model
        decides anything when it runs.
      </p>
      {error !== null && <ProblemNotice problem={error} />}
      {data === undefined ? (
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={isPending}
            onClick={() => propose.mutate({ task_id })}
          >
            Make a procedure of it
          </button>
        </div>
      ) : (
        <>
          <Code text={JSON.stringify(data, null, 2)} label="The draft" />
          <div className="row">
            <Link className="button primary" to="/teach" search={{ task_id }}>
              Read and teach it
            </Link>
          </div>
        </>
      )}
    </section>
  );
}

// A call of an agent: what it asked for, what policy and people said, and what came of it.

function stateOf({ judged, decision, started, result, name, is_end }: ShownCall): readonly [Tone, string] {
  if (decision?.decision === "reject") return ["stop", decision.status === "expired" ? "Expired" : "Rejected"];
  if (is_end) return ["ok", "Finished"];
  if (result !== null) return RESULTS[result.status] ?? ["idle", result.status];
  if (judged?.verdict === "refuse") return ["stop", "Refused"];
  if (judged?.verdict === "fault") return ["bad", name === "finish" ? "Does not count" : "No call"];
  if (started) return ["busy", "Running"];
  if (judged?.verdict === "ask" && decision === null) return ["ask", "Asks"];
  if (judged?.verdict === "allow" || decision?.decision === "approve") return ["ok", "Allowed"];
  return ["idle", "Not judged yet"];
}

const RESULTS: Readonly<Record<string, readonly [Tone, string]>> = {
  passed: ["ok", "Passed"],
  failed: ["bad", "Failed"],
  outcome_unknown: ["ask", "Outcome unknown"],
};

function AgentCallCard({ call, task_id }: { readonly call: ShownCall; readonly task_id: string }) {
  const { index, name, judged, decision, approval_id, result, resolved, added, arguments: given } = call;
  const [tone, word] = stateOf(call);
  return (
    <div className="card call" data-tone={tone} id={`c${index}`}>
      <p className="call-head">
        <span className="step-number number">{index}</span>
        <code>{name}</code>
        {judged !== null && <span className="muted small">{EFFECTS[judged.effect]}</span>}
        {added === true && <span className="muted small">added by orch</span>}
        <span className="push">
          <Status tone={tone}>{word}</Status>
        </span>
      </p>
      <Code text={shownStep(judged?.step ?? null) ?? JSON.stringify(given, null, 2)} label={`Call ${index}`} />
      {judged?.reason != null && <p className="sentence">{printable(judged.reason)}</p>}
      {decision?.reason != null && <p>A person: {printable(decision.reason)}</p>}
      {approval_id !== null && decision === null && (
        <Link to="/approvals/$approval_id" params={{ approval_id }}>
          Look at what it asks
        </Link>
      )}
      {resolved !== null && <p>Resolved as {resolved.resolution}.</p>}
      {result !== null && (
        <details open={result.status !== "passed"}>
          <summary className="muted">
            {result.exit_code === null ? "What it wrote" : `What it wrote, exit code ${result.exit_code}`}
          </summary>
          <Attempt
            task_id={task_id}
            attempt={{ index, attempt: result.attempt, started_at: result.started_at, seq: 0, result }}
            is_only
            is_last
          />
        </details>
      )}
    </div>
  );
}

const EFFECTS = { reads: "only reads", unknown: "may change something", changes: "changes something" } as const;

function shownStep(step: AgentStep | null): string | null {
  if (step === null) return null;
  if (step.kind === "mcp_call") return `${step.server} ${step.tool} ${JSON.stringify(step.arguments, null, 2)}`;
  if (step.kind === "skill_tool") return `${step.skill} ${step.tool} ${JSON.stringify(step.arguments, null, 2)}`;
  return step.value;
}

// The run of an agent as a conversation: each reply of the model with its calls, and what became of each call.

type ShownCall = AgentReplied["calls"][number] & {
  readonly judged: AgentCallJudged | null;
  readonly decision: EventBody<"approval_decided"> | null;
  readonly approval_id: string | null;
  readonly started: boolean;
  /** The finish that counted. */
  readonly is_end: boolean;
  readonly result: EventBody<"step_finished"> | null;
  readonly resolved: EventBody<"step_resolved"> | null;
};

type Reply = Pick<AgentReplied, "turn" | "text" | "thinking" | "left_out" | "quoted" | "fault" | "latency_ms"> & {
  readonly at: string;
};
type ShownTurn = Reply & { readonly calls: readonly ShownCall[] };

type Transcript = {
  readonly equipped: EventBody<"agent_equipped"> | null;
  readonly turns: readonly ShownTurn[];
  readonly finished: EventBody<"agent_finished"> | null;
  readonly stopped: EventBody<"agent_stopped"> | null;
  /** The time of the model and of the calls; that of a person's decision does not count. */
  readonly spent_ms: number;
};

const NEW = {
  judged: null,
  decision: null,
  approval_id: null,
  started: false,
  is_end: false,
  result: null,
  resolved: null,
} as const;

function transcriptOf(events: readonly JournalEvent[]): Transcript {
  const calls = new Map<number, ShownCall>();
  const turns: (Reply & { readonly of: readonly number[] })[] = [];
  const ends: { -readonly [K in "equipped" | "finished" | "stopped"]: Transcript[K] } = {
    equipped: null,
    finished: null,
    stopped: null,
  };
  let spent_ms = 0;
  const change = (index: number, changed: Partial<ShownCall>) => {
    const call = calls.get(index);
    if (call !== undefined) calls.set(index, { ...call, ...changed });
  };
  const changeWaiting = (changed: Partial<ShownCall>) => {
    for (const [index, call] of calls)
      if (call.judged?.verdict === "ask" && call.decision === null) change(index, changed);
  };
  for (const event of events) {
    switch (event.kind) {
      case "agent_equipped":
        ends.equipped = event.body;
        break;
      case "agent_replied": {
        const { calls: asked, ...reply } = event.body;
        for (const call of asked) calls.set(call.index, { ...call, ...NEW });
        turns.push({ ...reply, at: event.at, of: asked.map(({ index }) => index) });
        spent_ms += reply.latency_ms;
        break;
      }
      case "agent_call_judged":
        change(event.body.index, { judged: event.body });
        break;
      case "approval_requested":
        changeWaiting({ approval_id: event.body.approval_id });
        break;
      case "approval_decided":
        changeWaiting({ decision: event.body });
        break;
      case "step_started":
        change(event.body.index, { started: true, result: null });
        break;
      case "step_finished":
        change(event.body.index, { result: event.body });
        spent_ms += event.body.duration_ms;
        break;
      case "step_resolved":
        change(event.body.index, { resolved: event.body });
        break;
      case "agent_finished":
        ends.finished = event.body;
        change(event.body.index, { is_end: true });
        break;
      case "agent_stopped":
        ends.stopped = event.body;
        break;
    }
  }
  const shown = turns.map(({ of, ...turn }) => ({ ...turn, calls: of.flatMap((index) => calls.get(index) ?? []) }));
  return { ...ends, turns: shown, spent_ms };
}
