// The steps that a skill has recorded, each with its name, its tool calls and its value.
import type { JournalEvent } from "../../../domain/journal.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Status } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";
import { skillStepsIn } from "./said-in-journal.ts";

export function SkillSteps({ events }: { readonly events: readonly JournalEvent[] }) {
  return (
    <section aria-label="Steps of the skill">
      <h2 className="steps-head">Steps of the skill</h2>
      <ol className="steps">
        {[...skillStepsIn(events)].map(([index, { name, end, cancelled }]) => (
          <li key={index} className="step card">
            <details>
              <summary className="step-head">
                <span className="step-number number">{index}</span>
                <span className="step-command">
                  <InlineCode text={name} />
                </span>
                <span className="step-facts">
                  <span className="muted small number step-time">{end === null ? "" : duration(end.duration_ms)}</span>
                  {end === null && <Status tone="busy">Begun</Status>}
                  {cancelled && <Status tone="cancelled">Cancelled</Status>}
                  {end !== null && !cancelled && (
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
