// A call of an agent: what it asked for, what policy and people said, and what came of it.
import { Link } from "@tanstack/react-router";
import type { AgentStep } from "../../../domain/agent-events.ts";
import { printable } from "../../../domain/printable.ts";
import { Code } from "../../parts/code.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { Attempt } from "./attempt.tsx";
import type { ShownCall } from "./transcript.ts";

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

export function AgentCallCard({ call, task_id }: { readonly call: ShownCall; readonly task_id: string }) {
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
