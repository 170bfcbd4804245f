// The question: what is asked, about what, what a yes means, what it reaches, who asks, and until when.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProcedureContent, RecordOfVersion } from "../../../domain/approval.ts";
import { InlineCode, Lines, Printable } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Status, Tag, type Tone } from "../../parts/status.tsx";
import { absoluteTime, count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { consequenceWord } from "../../parts/words.ts";
import { meaningOf, questionOf, reachOf, reasonsOf, type Shown, stepsText } from "./meaning.ts";
import { ReachList, StepDifference } from "./step-card.tsx";

export function Question({ shown }: { readonly shown: Shown }) {
  const { approval, steps, asked_by } = shown;
  const { target_signature } = approval.content;
  const reach = reachOf(steps);
  return (
    <header className="question">
      <p className="row small muted">
        <State shown={shown} />
        <span>
          asked <Time at={approval.created_at} />
        </span>
        {approval.status === "pending" && (
          <span>
            expires <Time at={approval.expires_at} />, {absoluteTime(approval.expires_at)}
          </span>
        )}
      </p>
      <h1>{questionOf(approval)}</h1>
      <p className="question-target">
        {target_signature.split(/(?<!\\);/).map((attribute) => (
          <InlineCode key={attribute} text={attribute} />
        ))}
      </p>
      <div className="card card-body stack">
        <p className="meaning">{meaningOf(shown)}</p>
        {reach.consequences.length > 0 && (
          <p className="row">
            {reach.consequences.map((code) => (
              <Tag key={code} tone="bad">
                {consequenceWord(code)}
              </Tag>
            ))}
          </p>
        )}
        <ReachList reach={reach} />
        <WhyAsked shown={shown} />
        <p className="muted small">
          <Printable text={asked_by} />
        </p>
      </div>
      <KnownFirst shown={shown} />
    </header>
  );
}

const STATES: Readonly<Record<Shown["approval"]["status"], readonly [word: string, tone: Tone]>> = {
  pending: ["Waits for a decision", "ask"],
  approved: ["Approved", "ok"],
  rejected: ["Rejected", "bad"],
  expired: ["Expired", "idle"],
  superseded: ["Superseded", "idle"],
};

function State({ shown: { approval } }: { readonly shown: Shown }) {
  const [word, tone] = STATES[approval.status];
  return <Status tone={tone}>{word}</Status>;
}

// Why it is asked at all: what policy found, each reason once.

function WhyAsked({ shown: { approval, steps } }: { readonly shown: Shown }) {
  const reasons = reasonsOf(steps);
  if (reasons.length === 0)
    return (
      <p className="muted">
        <Printable text={approval.reason} />
      </p>
    );
  return (
    <ul className="stack tight">
      {reasons.map(({ code, verdict, reason, steps: numbers }) => (
        <li key={`${code} ${reason}`}>
          <Notice tone={verdict === "block" ? "stop" : "ask"}>
            <p className="sentence">
              <Printable text={reason} />
            </p>
            <p className="small muted">
              <code>{code}</code> ·{" "}
              {numbers.length === steps.length && numbers.length > 1 ? "all steps" : stepsText(numbers)}
            </p>
          </Notice>
        </li>
      ))}
    </ul>
  );
}

// What a person has to know before the steps: why a version lost its proof, whose steps come back, what warns of it, and what has
// to hold before it runs (D-200, D-293, D-294).

function KnownFirst({ shown: { approval } }: { readonly shown: Shown }) {
  const { content } = approval;
  if (!("steps" in content)) return null;
  const { set_back, rollback, proof, preconditions } = content;
  return (
    <>
      {set_back !== undefined && <SetBackNotice set_back={set_back} />}
      {rollback !== undefined && <RollbackNotice rollback={rollback} is_shown={proof?.diff != null} />}
      {proof !== undefined && proof.warnings.length > 0 && (
        <Notice tone="ask">
          <Lines texts={proof.warnings} />
        </Notice>
      )}
      {preconditions.length > 0 && (
        <Notice tone="ask">
          <strong>Before it runs, this has to hold. orch does not look at it.</strong>
          <Lines texts={preconditions} />
        </Notice>
      )}
    </>
  );
}

/** A version that was in use and has lost its proof. */
function SetBackNotice({ set_back }: { readonly set_back: NonNullable<ProcedureContent["set_back"]> }) {
  const { why, holds, record, refutations, failures, earlier } = set_back;
  return (
    <Notice tone="bad">
      <strong>It was in use and has lost its proof.</strong> <Printable text={why} />
      {!holds && " Since then its record has become better."}
      <p className="small">{recordText(record)}</p>
      <ul className="small">
        {refutations.map(({ task_id, verification: { source, note, recorded_at } }) => (
          <Fault key={`refuted ${task_id}`} task_id={task_id} at={recorded_at}>
            found wrong by <Printable text={note === null ? source : `${source}: ${note}`} />
          </Fault>
        ))}
        {failures.map(({ task_id, ended_at, reason_code }) => (
          <Fault key={`failed ${task_id}`} task_id={task_id} at={ended_at}>
            failed, <Printable text={reason_code} />
          </Fault>
        ))}
      </ul>
      {earlier !== null && (
        <p className="small">
          In use before it: <VersionLink {...earlier} />
        </p>
      )}
    </Notice>
  );
}

type FaultProps = { readonly task_id: string; readonly at: string; readonly children: ReactNode };

const Fault = ({ task_id, at, children }: FaultProps) => (
  <li>
    <Link to="/tasks/$task_id" params={{ task_id }}>
      {task_id}
    </Link>{" "}
    {children}, <Time at={at} />
  </li>
);

type RollbackProps = { readonly rollback: NonNullable<ProcedureContent["rollback"]>; readonly is_shown: boolean };

/** The difference to the version in use is among what is new, where there is one. */
function RollbackNotice({ rollback: { to, from, diff, record }, is_shown }: RollbackProps) {
  return (
    <Notice tone="ask">
      <p>
        It brings back the steps of <VersionLink {...to} />
        {from !== null && (
          <>
            , instead of <VersionLink {...from} />
          </>
        )}
        . Their record: {recordText(record)}
      </p>
      {!is_shown && diff !== null && diff.length > 0 && <StepDifference diff={diff} />}
    </Notice>
  );
}

const VersionLink = ({ sop_id, version }: { readonly sop_id: string; readonly version: number }) => (
  <Link to="/sops/$sop_id" params={{ sop_id }}>
    version {version}
  </Link>
);

/** As the command line has it. */
const recordText = ({ since, runs, passed, streak, verified, refuted }: RecordOfVersion): string =>
  `${passed} of ${count(runs, "run")} passed, ${verified} found right and ${refuted} found wrong outside` +
  `${streak > 0 ? `, the last ${streak} failed` : ""}${since === null ? "" : `, since ${since}`}.`;
