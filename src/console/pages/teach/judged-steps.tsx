// Each step as policy sees it: whether it changes something, its verdict, and its commands with every word resolved.

import { Code } from "../../parts/code.tsx";
import { speaksOfStep } from "../../parts/contract-of-sop.ts";
import { Status, Tag } from "../../parts/status.tsx";
import { ChangeTag } from "../../parts/step-marks.tsx";
import { stepKind, worthOf } from "../../parts/words.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

type Judged = OperationAnswer<"explain">["steps"][number];
type Warnings = OperationAnswer<"explain">["warnings"] | null;

type Props = {
  readonly steps: readonly Judged[];
  readonly warnings: Warnings;
  readonly has_contract: boolean;
  readonly onGoTo: (index: number) => void;
};

export const JudgedSteps = ({ steps, warnings, has_contract, onGoTo }: Props) => (
  <section className="card">
    <div className="card-head">
      <h2>Steps as policy reads them</h2>
    </div>
    <ol className="judged">
      {steps.map((step) => (
        <li key={step.index} className="judged-step">
          <div className="row">
            <button type="button" className="link-button" onClick={() => onGoTo(step.index)}>
              {step.index} {stepKind(step.kind)}
            </button>
            {step.polled !== undefined && <span className="small">{step.polled}</span>}
            <StepVerdict step={step} has_contract={has_contract} />
            <ChangeTag change={step.change} />
            {step.kind === "check" && <Worth index={step.index} warnings={warnings} />}
          </div>
          <Code text={step.saw.length > 0 ? step.saw.join("\n") : step.command} label={`Step ${step.index} resolved`} />
        </li>
      ))}
    </ol>
  </section>
);

function StepVerdict({
  step: { verdict, findings },
  has_contract,
}: {
  readonly step: Judged;
  readonly has_contract: boolean;
}) {
  const own = findings.filter((finding) => has_contract || speaksOfStep(finding));
  if (verdict === "allow" || own.length === 0) return null;
  const blocks = own.some((finding) => finding.verdict === "block");
  return <Status tone={blocks ? "bad" : "ask"}>{blocks ? "Blocked" : "Asks"}</Status>;
}

function Worth({ index, warnings }: { readonly index: number; readonly warnings: Warnings }) {
  if (warnings === null) return null;
  const warning = warnings.find(({ step_index }) => step_index === index);
  const { word, tone } = worthOf(warning?.proof ?? "sensitive");
  return <Tag tone={tone}>{word}</Tag>;
}
