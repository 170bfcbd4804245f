// The record of the procedure: how often it ran, how it ended, and what was found from outside.
import { Link } from "@tanstack/react-router";
import { Status } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { Shown } from "./shown.ts";

const MOST_RUNS = 5;

const MARKS: Readonly<Record<NonNullable<Shown["sop"]>["record"]["mark"], readonly [word: string, tone: Tone]>> = {
  proven: ["Proven in use", "ok"],
  unproven: ["Too few runs were verified to say", "idle"],
  refuted: ["Refuted in use", "bad"],
};

export function Record({ shown: { approval, sop } }: { readonly shown: Shown }) {
  if (sop === null) return null;
  const runs = "proof" in approval.content ? (approval.content.proof?.runs ?? []) : [];
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
          <dt>Runs</dt>
          <dd>
            {record.runs === 0 ? "none yet" : `${record.passed} of ${count(record.runs, "run")} passed`}
            {record.streak > 0 && `, the last ${record.streak} failed`}
          </dd>
          <dt>Verified outside</dt>
          <dd>
            {record.verified} right, {record.refuted} wrong
          </dd>
          <dt>Last success</dt>
          <dd>{last_success_at === null ? "never" : <Time at={last_success_at} />}</dd>
          <dt>Level</dt>
          <dd>
            {level}
            {trial_left > 0 && `, on trial for ${count(trial_left, "more run")}`}
          </dd>
          {runs.length > 0 && (
            <>
              <dt>Its runs</dt>
              <dd>
                {runs.slice(0, MOST_RUNS).map(({ task_id, passed }) => (
                  <Link key={task_id} className="row" to="/tasks/$task_id" params={{ task_id }}>
                    {task_id} {passed ? "" : "(failed)"}
                  </Link>
                ))}
              </dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}
