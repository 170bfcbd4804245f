// The steps of a version, each with what policy says of it on this target and what its check is worth.
import { useOperation } from "../../live/use-operation.ts";
import { contractOfSop } from "../../parts/contract-of-sop.ts";
import { Reading } from "../../parts/loaded.tsx";
import { Notice, ProblemNotice } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { StepCard } from "./step-card.tsx";
import type { Looking, Proof } from "./use-look.ts";

type Sop = OperationAnswer<"get_sop">["sop"];
type Props = { readonly sop: Sop; readonly look: Looking };

export function SopSteps({ sop, look }: Props) {
  const { steps, safety_level, criteria, preconditions } = sop;
  const explained = useOperation("explain", { contract: contractOfSop(sop), steps, safety_level });
  const worth = useLastChecks(sop.sop_id);
  const judged = new Map(explained.data?.steps.map((step) => [step.index, step]));
  const proves = Map.groupBy(criteria, ({ step_index }) => step_index);
  const seen = look.seen?.proof;
  return (
    <div className="stack">
      {look.is_running && <Reading />}
      {look.problem !== null && <ProblemNotice problem={look.problem} />}
      {look.seen !== null && <Looked {...look.seen} />}
      {preconditions.length > 0 && (
        <Notice tone="idle">
          <strong>Has to hold before it starts; orch does not check it</strong>
          <ul>
            {preconditions.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
      {explained.error !== null && <ProblemNotice problem={explained.error} />}
      {/* What policy says of a step is in its card: shown later, it would move the cards below. */}
      {explained.isPending && <Reading />}
      <ol className="sop-steps" hidden={explained.isPending}>
        {steps.map((step, index) => {
          const key = `${index}`;
          return (
            <StepCard
              key={key}
              index={index}
              step={step}
              judged={judged.get(index)}
              proves={(proves.get(index) ?? []).map(({ criterion }) => criterion)}
              worth={seen?.checks.find(({ step_index }) => step_index === index) ?? worth.get(index)}
              preview={seen?.steps.find(({ step_index }) => step_index === index)?.preview ?? null}
            />
          );
        })}
      </ol>
    </div>
  );
}

/** What the checks were worth in the last run that was proved. */
function useLastChecks(sop_id: string) {
  const ran = useOperation("list_tasks", { sop_id, status: "ok", limit: 1 });
  const task_id = ran.data?.tasks[0]?.task_id;
  const task = useOperation("get_task", { task_id: task_id ?? "" }, { enabled: task_id !== undefined });
  const checks = task_id === undefined ? [] : (task.data?.checks ?? []);
  return new Map(checks.map(({ proof, ...check }) => [check.step_index, { ...check, class: proof, now: null }]));
}

function Looked({ proof, at }: { readonly proof: Proof; readonly at: string }) {
  const reds = proof.checks.filter(({ now }) => now === "red").length;
  const previews = proof.steps.filter(({ preview }) => preview !== null).length;
  const ran = proof.checks.filter(({ now }) => now !== null).length;
  return (
    <Notice tone={reds > 0 ? "ask" : "ok"}>
      <p>
        Looked <Time at={at} />: {count(ran, "check")} ran on the target
        {ran > 0 &&
          (reds === 0 ? ", and what is asked holds" : `, and ${reds} of them ${reds === 1 ? "does" : "do"} not hold`)}
        ; {count(previews, "preview")} ran. Nothing was changed.
      </p>
      {proof.warnings.length > 0 && (
        <ul>
          {proof.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
