// An approval: exactly what would run, what it reaches, what is new in it, and what is known of it; and the decision, which carries
// the digest of what was shown.
import { useParams } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { Changed } from "./changed.tsx";
import { Checks } from "./checks.tsx";
import { Circumstances } from "./circumstances.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { questionOf } from "./meaning.ts";
import { Question } from "./question.tsx";
import { Record } from "./record.tsx";
import type { Shown } from "./shown.ts";
import { SkillAction } from "./skill-action.tsx";
import { Steps } from "./steps.tsx";
import { partsToSee } from "./to-see.ts";
import { useLook } from "./use-look.ts";
import { useSeen } from "./use-seen.ts";

export function ApprovalPage() {
  const { approval_id } = useParams({ from: "/inside/approvals/$approval_id" });
  const shown = useOperation("get_approval", { approval_id });
  useTitle(shown.data === undefined ? "Approval" : questionOf(shown.data.approval));
  return <Loaded query={shown}>{(data) => <ApprovalBody key={data.approval.digest} shown={data} />}</Loaded>;
}

/** With another digest it is another question: what was seen of the one before does not count. */
export function ApprovalBody({ shown }: { readonly shown: Shown }) {
  const { approval } = shown;
  const { seen, watch } = useSeen();
  const look = useLook(approval);
  const left = partsToSee(shown, look).filter((part) => !seen.has(part)).length;
  return (
    <article className="approval">
      <Question shown={shown} />
      <div className="approval-parts">
        <section className="stack" aria-label="What would run">
          {"details" in approval.content ? (
            <SkillAction content={approval.content} watch={watch} />
          ) : (
            <Steps shown={shown} look={look} watch={watch} />
          )}
        </section>
        <aside className="stack" aria-label="What is known of it">
          <Changed shown={shown} />
          <Checks shown={shown} look={look} />
          <Record shown={shown} />
          <Circumstances shown={shown} />
        </aside>
      </div>
      <DecisionBar shown={shown} left={left} is_looking={look.is_running} />
    </article>
  );
}
