// A reply of the model: what it thought and said, and its calls in their order.
import { Code } from "../../parts/code.tsx";
import { duration } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { AgentCallCard } from "./agent-call.tsx";
import type { ShownTurn } from "./transcript.ts";

export function AgentTurn({ turn, task_id }: { readonly turn: ShownTurn; readonly task_id: string }) {
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
