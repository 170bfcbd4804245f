// What orch says of the text: the verdict, what is wrong or asks, which check proves which criterion, and each step resolved.
import type { RefObject } from "react";
import type { GoTo, Mark } from "../../editor/procedure-text.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code } from "../../parts/code.tsx";
import { speaksOfStep } from "../../parts/contract-of-sop.ts";
import { ChangeTag } from "../../parts/marks.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { Shape, Status, Tag, type Tone } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { stepKind, worthOf } from "../../parts/words.ts";
import type { TextVerdict } from "./use-verdict.ts";

type Props = {
  readonly verdict: TextVerdict;
  readonly has_contract: boolean;
  readonly goTo: RefObject<GoTo>;
};

type Would = OperationAnswer<"explain">["would"];

const WOULD: Readonly<Record<Would, readonly [sentence: string, tone: Tone]>> = {
  run: ["Policy lets every step run", "ok"],
  ask: ["It asks for an approval before it runs", "ask"],
  ask_model: ["The routing model decides whether it asks for an approval", "ask"],
  block: ["Policy blocks it", "bad"],
  need_input: ["It needs steps", "ask"],
};

export function VerdictPanel({ verdict, has_contract, goTo }: Props) {
  const { is_untouched, explained, marks, coverage, problem, procedure, warnings } = verdict;
  const at = (path: string) => goTo.current(procedure.rangeOf(path).from);
  return (
    <aside className="stack verdict" aria-label="What orch says of it">
      <section className="card card-body stack" aria-live="polite">
        <Summary explained={explained} marks={marks.marks} is_untouched={is_untouched} has_contract={has_contract} />
        {problem !== null && <ProblemNotice problem={problem} />}
        {marks.marks.length > 0 && <Marks marks={marks.marks} onGoTo={(from) => goTo.current(from)} />}
      </section>
      {coverage.length > 0 && (
        <Coverage coverage={coverage} is_untouched={is_untouched} onGoTo={(index) => at(`steps.${index}.value`)} />
      )}
      {explained !== null && explained.steps.length > 0 && (
        <JudgedSteps
          steps={explained.steps}
          warnings={warnings}
          has_contract={has_contract}
          onGoTo={(index) => at(`steps.${index}.value`)}
        />
      )}
    </aside>
  );
}

type Shown = Pick<Props, "has_contract"> & {
  readonly is_untouched: boolean;
  readonly explained: TextVerdict["explained"];
  readonly marks: readonly Mark[];
};

function Summary({ explained, marks, is_untouched, has_contract }: Shown) {
  const errors = marks.filter(({ severity }) => severity === "error").length;
  if (is_untouched) return <p className="muted">Write the steps: what orch says of them appears here.</p>;
  if (errors > 0) return <Status tone="bad">{`${count(errors, "thing is", "things are")} wrong`}</Status>;
  if (explained === null) return <p className="muted">Nothing is known of it yet.</p>;
  // What only a contract settles is left out where there is none.
  const blocked = explained.would === "block" && !has_contract && explained.why === null;
  const [sentence, tone] = WOULD[blocked ? "run" : explained.would];
  return (
    <>
      <Status tone={tone}>{sentence}</Status>
      {explained.why !== null && <p>{explained.why}</p>}
      {explained.ignored !== undefined && <p>Other fields of the contract are {explained.ignored}.</p>}
    </>
  );
}

type MarksProps = { readonly marks: readonly Mark[]; readonly onGoTo: (from: number) => void };

const Marks = ({ marks, onGoTo }: MarksProps) => (
  <ul className="stack verdict-found">
    {marks.map(({ from, severity, message }) => (
      <li key={`${from} ${message}`} data-tone={severity === "error" ? "bad" : "ask"}>
        <button type="button" className="verdict-mark" onClick={() => onGoTo(from)}>
          <Shape tone={severity === "error" ? "bad" : "ask"} />
          <span>{message}</span>
        </button>
      </li>
    ))}
  </ul>
);

type CoverageProps = {
  readonly is_untouched: boolean;
  readonly coverage: TextVerdict["coverage"];
  readonly onGoTo: (index: number) => void;
};

const Coverage = ({ coverage, is_untouched, onGoTo }: CoverageProps) => (
  <section className="card">
    <div className="card-head">
      <h2>Success criteria</h2>
    </div>
    <ul className="card-body stack">
      {coverage.map(({ criterion, step_index }) => {
        const tone = is_untouched ? "idle" : step_index === null ? "bad" : "ok";
        return (
          <li key={criterion} className="claim" data-tone={tone}>
            <Shape tone={tone} />
            <span>
              {criterion}
              {step_index === null ? (
                <span className="muted small"> no check proves it</span>
              ) : (
                <button type="button" className="link-button small" onClick={() => onGoTo(step_index)}>
                  step {step_index}
                </button>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  </section>
);

// Each step as policy sees it: whether it changes something, its verdict, and its commands with every word resolved.

type Judged = OperationAnswer<"explain">["steps"][number];
type Warnings = OperationAnswer<"explain">["warnings"] | null;

type JudgedStepsProps = {
  readonly steps: readonly Judged[];
  readonly warnings: Warnings;
  readonly has_contract: boolean;
  readonly onGoTo: (index: number) => void;
};

const JudgedSteps = ({ steps, warnings, has_contract, onGoTo }: JudgedStepsProps) => (
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
