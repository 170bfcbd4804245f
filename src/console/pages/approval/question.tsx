// The question: what is asked, about what, what a yes means, what it reaches, who asks, and until when.
import { InlineCode, Printable } from "../../parts/code.tsx";
import { Status, Tag } from "../../parts/status.tsx";
import { absoluteTime } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import { consequenceWord } from "../../parts/words.ts";
import { KnownFirst } from "./known-first.tsx";
import { meaningOf, questionOf, reachOf } from "./meaning.ts";
import { ReachList } from "./reach-list.tsx";
import type { Shown } from "./shown.ts";
import { WhyAsked } from "./why-asked.tsx";

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
