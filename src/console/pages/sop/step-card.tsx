// One step: its kind, its command, whether it changes something, and what it proves.
import type { ReactNode } from "react";
import { isPolled, pollingText } from "../../../domain/polling.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Command } from "../../parts/command.tsx";
import { speaksOfStep } from "../../parts/contract-of-sop.ts";
import { Shape } from "../../parts/status.tsx";
import { ChangeTag, CheckNow, type CheckWorth, WorthTag } from "../../parts/step-marks.tsx";
import { stepKind } from "../../parts/words.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import type { Proof } from "./use-look.ts";

type Step = OperationAnswer<"get_sop">["sop"]["steps"][number];
type Judged = OperationAnswer<"explain">["steps"][number];

type Props = {
  readonly index: number;
  readonly step: Step;
  readonly judged: Judged | undefined;
  readonly proves: readonly string[];
  readonly worth: CheckWorth | undefined;
  readonly preview: Proof["steps"][number]["preview"];
};

export function StepCard({ index, step, judged, proves, worth, preview }: Props) {
  const findings = judged?.findings.filter(speaksOfStep) ?? [];
  return (
    <li className="card sop-step" id={`step-${index}`}>
      <div className="card-head">
        <span className="step-number">{index}</span>
        <strong>{stepKind(step.kind)}</strong>
        {step.kind === "wait" && <span>{step.value}</span>}
        {isPolled(step) && <span>{pollingText(step)}</span>}
        <ChangeTag change={judged?.change} />
        <span className="push row">
          {worth !== undefined && <CheckNow worth={worth} />}
          {worth !== undefined && <WorthTag worth={worth} />}
        </span>
      </div>
      <div className="card-body stack" hidden={step.kind === "wait" && findings.length === 0}>
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
  if (step.kind === "wait") return null;
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
