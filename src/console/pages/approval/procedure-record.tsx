// Shows the record of the procedure: how often it ran, how it ended, and what was found from outside.
import { Link } from "@tanstack/react-router";
import type { SopProof } from "../../../domain/sop.ts";
import { Fact, InlineCode } from "../../parts/code.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { worthOf } from "../../parts/words.ts";
import type { Shown } from "./meaning.ts";

const MOST_RUNS = 5;

const MARKS: Readonly<Record<NonNullable<Shown["sop"]>["record"]["mark"], readonly [word: string, tone: Tone]>> = {
  proven: ["Proven in use", "ok"],
  unproven: ["Too few runs were verified to say", "idle"],
  refuted: ["Refuted in use", "bad"],
};

export function Record({ shown: { approval, sop } }: { readonly shown: Shown }) {
  if (sop === null) return null;
  const proof = "proof" in approval.content ? approval.content.proof : undefined;
  const runs = proof?.runs ?? [];
  const { sop_id, version, level, trial_left, last_success_at, record } = sop;
  const [word, tone] = MARKS[record.mark];
  return (
    <section className="card">
      <div className="card-head">
        <h2>Its record</h2>
        <Link className="push small" to="/sops/$sop_id" params={{ sop_id }}>
          Version {version}
        </Link>
      </div>
      <div className="card-body stack">
        <Status tone={tone}>{word}</Status>
        <dl className="facts">
          <Fact name="Runs">
            {record.runs === 0 ? "none yet" : `${record.passed} of ${count(record.runs, "run")} passed`}
            {record.streak > 0 && `, the last ${record.streak} failed`}
          </Fact>
          <Fact name="Verified outside">
            {record.verified} right, {record.refuted} wrong
          </Fact>
          <Fact name="Last success">{last_success_at === null ? "never" : <Time at={last_success_at} />}</Fact>
          <Fact name="Level">
            {level}
            {trial_left > 0 && `, on trial for ${count(trial_left, "more run")}`}
          </Fact>
          {proof !== undefined && proof.proved_on !== null && (
            <Fact name="Proved on">
              <InlineCode text={proof.proved_on} />
            </Fact>
          )}
          {runs.length > 0 && <Runs runs={runs} />}
        </dl>
      </div>
    </section>
  );
}

type Ran = SopProof["runs"][number];

const Runs = ({ runs }: { readonly runs: readonly Ran[] }) => (
  <Fact name="Its runs">
    {runs.slice(0, MOST_RUNS).map((run) => (
      <Run key={run.task_id} {...run} />
    ))}
    {runs.length > MOST_RUNS && (
      <details>
        <summary>{runs.length - MOST_RUNS} older</summary>
        {runs.slice(MOST_RUNS).map((run) => (
          <Run key={run.task_id} {...run} />
        ))}
      </details>
    )}
  </Fact>
);

const Run = ({ task_id, ended_at, passed, checks, verified }: Ran) => (
  <p>
    <Link to="/tasks/$task_id" params={{ task_id }}>
      {task_id}
    </Link>{" "}
    {passed ? "passed" : "failed"}
    {verified !== null && `, found ${verified ? "right" : "wrong"} outside`}
    {ended_at !== null && (
      <>
        , <Time at={ended_at} />
      </>
    )}
    {checks.map((check) => (
      <span key={check.step_index} className="small muted">
        {" "}
        · check {check.step_index} {check.passed ? "held" : "did not hold"}: {worthOf(check.class).word}
      </span>
    ))}
  </p>
);
