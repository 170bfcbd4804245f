// The steps that a skill has recorded, each with its name, its tool calls and its value.
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Status } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";

type Found = { readonly name: string; readonly attempt: number; readonly end: EventBody<"skill_step_finished"> | null };

function stepsOf(events: readonly JournalEvent[]): ReadonlyMap<number, Found> {
  const steps = new Map<number, Found>();
  for (const event of events) {
    if (event.kind === "skill_step_started") {
      const { index, name, attempt } = event.body;
      steps.set(index, { name, attempt, end: null });
    }
    if (event.kind === "skill_step_finished") {
      const { index, attempt } = event.body;
      steps.set(index, { name: steps.get(index)?.name ?? `step ${index}`, attempt, end: event.body });
    }
  }
  return steps;
}

export function SkillSteps({ events }: { readonly events: readonly JournalEvent[] }) {
  return (
    <section aria-label="Steps of the skill">
      <h2 className="steps-head">Steps of the skill</h2>
      <ol className="steps">
        {[...stepsOf(events)].map(([index, { name, end }]) => (
          <li key={index} className="step card">
            <details>
              <summary className="step-head">
                <span className="step-number number">{index}</span>
                <span className="step-command">
                  <InlineCode text={name} />
                </span>
                <span className="step-facts">
                  <span className="muted small number step-time">{end === null ? "" : duration(end.duration_ms)}</span>
                  {end === null ? (
                    <Status tone="busy">Begun</Status>
                  ) : (
                    <Status tone={end.ok ? "ok" : "bad"}>{end.ok ? "Passed" : "Failed"}</Status>
                  )}
                </span>
              </summary>
              <div className="step-body stack">
                {end?.message != null && <Code text={end.message} label="Message" />}
                {end !== null && end.calls.length > 0 && <Code text={end.calls.join("\n")} label="Tool calls" />}
                {end !== null && <Code text={JSON.stringify(end.value, null, 2)} label="Value" />}
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
