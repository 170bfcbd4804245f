// Shows the checks that would say DONE: what each is worth, where it has been seen to fail, and what it answers on the
// target now.
import { Printable } from "../../parts/code.tsx";
import { CheckNow, WorthTag } from "../../parts/marks.tsx";
import { MissingScope, Notice, ProblemNotice } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { seenToFail } from "../../parts/words.ts";
import type { Shown, ShownCheck } from "./meaning.ts";
import type { LookAtTarget } from "./use-look.ts";

type ChecksProps = { readonly shown: Shown; readonly look: LookAtTarget };

export function Checks({ shown: { approval, checks }, look }: ChecksProps) {
  if (!("steps" in approval.content)) return null;
  const looked = new Map(look.seen?.checks.map((check) => [check.step_index, check]));
  return (
    <section className="card">
      <div className="card-head">
        <h2>Its checks</h2>
        {look.start !== null && (
          <button type="button" className="button small push" disabled={look.is_running} onClick={look.start}>
            {look.is_running ? "Looking …" : "Look at the target now"}
          </button>
        )}
      </div>
      <div className="card-body stack">
        <LookState look={look} />
        {checks.length === 0 && <Notice tone="bad">It has no check: nothing would verify it.</Notice>}
        <ul className="stack">
          {checks.map((check) => (
            <CheckRow key={check.step_index} {...(looked.get(check.step_index) ?? check)} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function LookState({ look: { seen, problem, lacks, is_running } }: Pick<ChecksProps, "look">) {
  if (problem !== null) return <ProblemNotice problem={problem} />;
  if (lacks !== null) return <MissingScope scope={lacks} what="A look at the target" />;
  return (
    <div className="small muted" role="status">
      {seen === null ? (
        is_running && <p>Runs what only looks on the target …</p>
      ) : (
        <p>
          Looked <Time at={seen.looked_at} />; nothing was changed.
        </p>
      )}
      {seen?.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}

function CheckRow(check: ShownCheck) {
  const { step_index, criterion, seen_red, reason } = check;
  return (
    <li>
      <p>
        <strong>
          <Printable text={criterion ?? "The procedure's own check"} />
        </strong>{" "}
        <span className="muted">step {step_index}</span>
      </p>
      <p className="row">
        <CheckNow worth={check} />
        <WorthTag worth={check} />
      </p>
      {seen_red.length > 0 && <p className="small muted">{seenToFail(seen_red)}</p>}
      {reason !== null && (
        <p className="small muted sentence">
          <Printable text={reason} />
        </p>
      )}
    </li>
  );
}
