// The steps of a version, each with what policy says of it on this target and what its check is worth.
import type { ReactNode } from "react";
import { isPause, isPolled, pollingText } from "../../../domain/step-run.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code, Command, InlineCode } from "../../parts/code.tsx";
import { contractOfSop, speaksOfStep } from "../../parts/contract-of-sop.ts";
import { Reading } from "../../parts/loaded.tsx";
import { ChangeTag, CheckNow, type CheckWorth, WorthTag } from "../../parts/marks.tsx";
import { Notice, ProblemNotice } from "../../parts/notice.tsx";
import { Shape } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { stepKind } from "../../parts/words.ts";
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

// One step: its kind, its command, whether it changes something, and what it proves.

type Step = OperationAnswer<"get_sop">["sop"]["steps"][number];
type Judged = OperationAnswer<"explain">["steps"][number];

type StepCardProps = {
  readonly index: number;
  readonly step: Step;
  readonly judged: Judged | undefined;
  readonly proves: readonly string[];
  readonly worth: CheckWorth | undefined;
  readonly preview: Proof["steps"][number]["preview"];
};

function StepCard({ index, step, judged, proves, worth, preview }: StepCardProps) {
  const findings = judged?.findings.filter(speaksOfStep) ?? [];
  return (
    <li className="card sop-step" id={`step-${index}`}>
      <div className="card-head">
        <span className="step-number">{index}</span>
        <strong>{stepKind(step.kind)}</strong>
        {isPause(step) && <span>{step.value}</span>}
        {isPolled(step) && <span>{pollingText(step)}</span>}
        <ChangeTag change={judged?.change} />
        <span className="push row">
          {worth !== undefined && <CheckNow worth={worth} />}
          {worth !== undefined && <WorthTag worth={worth} />}
        </span>
      </div>
      <div className="card-body stack" hidden={isPause(step) && findings.length === 0}>
        <StepText step={step} index={index} />
        {proves.map((criterion) => (
          <p key={criterion} className="claim" data-tone="ok">
            <Shape tone="ok" /> <span>{criterion}</span>
          </p>
        ))}
        {findings.map(({ code, verdict, reason }) => (
          <p key={`${code} ${reason}`} className="claim" data-tone={verdict === "block" ? "bad" : "ask"}>
            <Shape tone={verdict === "block" ? "bad" : "ask"} />
            <span>
              {reason} <InlineCode text={code} />
            </span>
          </p>
        ))}
        {worth?.reason != null && worth.class !== "proved" && <p className="muted small">{worth.reason}</p>}
        {preview !== null && (
          <Part name={preview.obstacle === null ? "The preview printed" : "The preview did not run"}>
            <Code text={preview.obstacle ?? (preview.output === "" ? "(nothing)" : preview.output)} />
          </Part>
        )}
        {judged !== undefined && judged.saw.length > 0 && (
          <details className="sop-saw">
            <summary>As policy reads it on this target</summary>
            <Code text={judged.saw.join("\n")} />
          </details>
        )}
      </div>
    </li>
  );
}

const Part = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="sop-step-part">
    <span className="muted small">{name}</span>
    {children}
  </div>
);

const MAY_REPEAT = "Idempotent: orch may run it again when its answer is lost.";

function StepText({ step, index }: { readonly step: Step; readonly index: number }) {
  if (isPause(step)) return null;
  if (step.kind === "check") return <Command text={step.value} label={`Check of step ${index}`} />;
  const reconcile = (
    <>
      {step.reconcile !== undefined && (
        <Part name="After a stop or a lost answer, this finds out whether it is done">
          <Command text={step.reconcile} label={`Reconcile command of step ${index}`} />
        </Part>
      )}
      {step.idempotent === true && <p className="muted small">{MAY_REPEAT}</p>}
    </>
  );
  if (step.kind === "cmd") {
    return (
      <>
        <Command text={step.value} label={`Command of step ${index}`} />
        {step.preview !== undefined && (
          <Part name="A preview that only looks">
            <Command text={step.preview} label={`Preview of step ${index}`} />
          </Part>
        )}
        {reconcile}
      </>
    );
  }
  return (
    <>
      <p>
        <InlineCode text={step.tool} /> of <InlineCode text={step.server} />
      </p>
      <Command text={JSON.stringify(step.arguments, null, 2)} label={`Arguments of step ${index}`} />
      {step.expect !== undefined && (
        <Part name="The answer has to be">
          <Code text={JSON.stringify(step.expect, null, 2)} />
        </Part>
      )}
      {reconcile}
    </>
  );
}
