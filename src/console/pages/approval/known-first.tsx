// What a person has to know before the steps: why a version lost its proof, whose steps come back, what warns of it, and what has
// to hold before it runs (D-200, D-293, D-294).
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProcedureContent } from "../../../domain/approval.ts";
import type { RecordOfVersion } from "../../../domain/set-back.ts";
import { Printable } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { Shown } from "./shown.ts";
import { StepDifference } from "./step-difference.tsx";

export function KnownFirst({ shown: { approval } }: { readonly shown: Shown }) {
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

const Lines = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul>
    {texts.map((text) => (
      <li key={text}>
        <Printable text={text} />
      </li>
    ))}
  </ul>
);

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
