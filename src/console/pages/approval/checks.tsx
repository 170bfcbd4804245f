// The checks that would say DONE: what each is worth, where it has been seen to fail, and what it answers now.

import type { useAction } from "../../live/use-operation.ts";
import { Printable } from "../../parts/code.tsx";
import { Notice, ProblemNotice } from "../../parts/notice.tsx";
import { Status } from "../../parts/status.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { Shown, ShownCheck } from "./shown.ts";

const WORTH: Readonly<Record<NonNullable<ShownCheck["class"]>, readonly [word: string, tone: Tone]>> = {
  proved: ["It can fail, and was seen to", "ok"],
  sensitive: ["It fails where the target is missing", "ok"],
  unproved: ["Never seen to fail", "bad"],
  cannot_tell: ["Cannot tell whether it can fail", "stop"],
  not_possible: ["Could not be tried", "idle"],
};

const PLACES: Readonly<Record<ShownCheck["seen_red"][number], string>> = {
  before: "on the target before the change",
  history: "in an earlier run",
  decoy: "with a decoy in the place of the target",
  control: "in a world without the target",
};

const ANSWERS: Readonly<Record<NonNullable<ShownCheck["now"]>, readonly [word: string, tone: Tone]>> = {
  green: ["passes now", "ok"],
  red: ["fails now", "ask"],
  cannot_tell: ["cannot tell", "stop"],
  not_possible: ["could not be run", "idle"],
};

type Props = { readonly shown: Shown; readonly prove: ReturnType<typeof useAction<"prove_sop">> };

export function Checks({ shown: { approval, checks }, prove }: Props) {
  const sop_id = "sop_id" in approval.content ? approval.content.sop_id : null;
  if ("details" in approval.content) return null;
  const looked = new Map(prove.data?.proof.checks.map(({ step_index, now }) => [step_index, now]) ?? []);
  return (
    <section className="card">
      <div className="card-head">
        <h2>Its checks</h2>
        {sop_id !== null && (
          <button
            type="button"
            className="button small push"
            disabled={prove.isPending}
            onClick={() => prove.mutate({ sop_id })}
          >
            {prove.isPending ? "Looking …" : "Look at the target now"}
          </button>
        )}
      </div>
      <div className="card-body stack">
        {prove.error !== null && <ProblemNotice problem={prove.error} />}
        {checks.length === 0 && <Notice tone="bad">It has no check: nothing would verify it.</Notice>}
        <ul className="stack">
          {checks.map((check) => (
            <CheckRow key={check.step_index} {...check} now={looked.get(check.step_index) ?? check.now} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function CheckRow({ step_index, criterion, class: worth, seen_red, reason, now }: ShownCheck) {
  const [word, tone] = worth === null ? (["Not looked at", "idle"] as const) : WORTH[worth];
  return (
    <li>
      <p>
        <strong>
          <Printable text={criterion ?? "The procedure's own check"} />
        </strong>{" "}
        <span className="muted">step {step_index}</span>
      </p>
      <p className="row">
        <Status tone={tone}>{word}</Status>
        {now !== null && <Status tone={ANSWERS[now][1]}>{ANSWERS[now][0]}</Status>}
      </p>
      {seen_red.length > 0 && (
        <p className="small muted">Seen to fail {seen_red.map((at) => PLACES[at]).join(", ")}.</p>
      )}
      {reason !== null && (
        <p className="small muted sentence">
          <Printable text={reason} />
        </p>
      )}
    </li>
  );
}
