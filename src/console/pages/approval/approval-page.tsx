// Shows an approval: exactly what would run, what it reaches, what is new in it, and every step in full; and takes the
// decision, which carries the digest of what was shown.
import { Link, useParams } from "@tanstack/react-router";
import type { SkillContent } from "../../../domain/approval.ts";
import { notCoveredText } from "../../../domain/tool.ts";
import { useOperation } from "../../live/use-operation.ts";
import { Code, InlineCode, Lines, Printable } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { count, shortDigest } from "../../parts/text.ts";
import { Circumstances } from "./circumstances.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { Checks } from "./done-checks.tsx";
import { questionOf, type Shown } from "./meaning.ts";
import { Record } from "./procedure-record.tsx";
import { Question } from "./question.tsx";
import { StepCard, StepDifference } from "./step-card.tsx";
import { ACTION, partsToSee, previewsIn, SCRIPTS, TOOLS } from "./to-see.ts";
import { type LookAtTarget, useLook } from "./use-look.ts";
import { useSeen, type Watch } from "./use-seen.ts";

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

// What a skill asks for: the action as a sentence, and every change that it makes.

type Props = { readonly content: SkillContent; readonly watch: Watch };

const SkillAction = ({ content: { action, details }, watch }: Props) => (
  <>
    <h2>What it does</h2>
    <div className="card" ref={watch(ACTION)}>
      <div className="card-head">
        <strong>
          <Printable text={action} />
        </strong>
        <span className="muted push">{count(details.length, "change")}</span>
      </div>
      <div className="card-body">
        <Code whole text={details.join("\n")} label="Every change" />
      </div>
    </div>
  </>
);

// What is new in it since the version that was approved last.

function Changed({ shown: { approval, compared_with } }: { readonly shown: Shown }) {
  if (!("steps" in approval.content)) return null;
  const is_itself = approval.kind !== "plan" && compared_with?.sop_id === approval.content.sop_id;
  return (
    <section className="card">
      <div className="card-head">
        <h2>What is new</h2>
      </div>
      <div className="card-body stack">
        {compared_with === null ? (
          <p>No version of this procedure has been approved before: all of it is new.</p>
        ) : (
          <Difference is_itself={is_itself} compared={compared_with} />
        )}
      </div>
    </section>
  );
}

type Compared = NonNullable<Shown["compared_with"]>;

function Difference({ is_itself, compared }: { readonly is_itself: boolean; readonly compared: Compared }) {
  const { sop_id, version, status, same, diff, terms } = compared;
  const earlier = (
    <>
      <Link to="/sops/$sop_id" params={{ sop_id }}>
        version {version}
      </Link>{" "}
      {is_itself ? "as it was in use" : `(${STATUSES[status]})`}
    </>
  );
  if (same) return <p>Nothing: its steps, criteria, preconditions and safety level are those of {earlier}.</p>;
  return (
    <>
      <p>Compared with {earlier}:</p>
      {diff.length === 0 ? <p>The steps are the same.</p> : <StepDifference diff={diff} />}
      <ul className="stack">
        {terms.map(({ is, of, text }) => (
          <li key={`${is} ${of} ${text}`} className={`diff ${is}`}>
            <span className="small">
              {is === "added" ? "Added" : "Removed"} {TERMS[of]}
            </span>
            <Code whole text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

const TERMS: Readonly<Record<Compared["terms"][number]["of"], string>> = {
  criteria: "what a check proves",
  safety_level: "as the safety level",
  preconditions: "as a precondition",
};

const STATUSES: Readonly<Record<Compared["status"], string>> = {
  active: "in use",
  deprecated: "not in use any more",
  candidate: "not in use any more",
};

// Every step in full, in the order in which they run.

type StepsProps = { readonly shown: Shown; readonly look: LookAtTarget; readonly watch: Watch };

function Steps({ shown: { approval, steps }, look, watch }: StepsProps) {
  const { content } = approval;
  const edits = new Map("calls" in content ? content.calls.map(({ index, edit }) => [index, edit]) : []);
  const previews = previewsIn(approval, look);
  const scripts = "scripts" in content ? (content.scripts ?? []) : [];
  const tools = "tools" in content ? (content.tools ?? []) : [];
  const files = steps.flatMap((step) => step.files ?? []);
  const unjudged = new Set(files.flatMap(({ path, judged }) => (judged ? [] : [path])));
  const uncovered = [...new Set(steps.flatMap(({ not_covered = [] }) => not_covered))];
  return (
    <>
      <h2>{approval.kind === "agent" ? "The calls" : "The steps"}</h2>
      <ol className="stack">
        {steps.map((step) => (
          <StepCard
            key={step.index}
            step={step}
            edit={edits.get(step.index)}
            preview={previews.get(step.index) ?? null}
            is_looking={look.is_running}
            watch={watch}
          />
        ))}
      </ol>
      {scripts.length > 0 && (
        <section className="card card-body stack" ref={watch(SCRIPTS)}>
          <h3>Files that they run, as they were judged</h3>
          <ul>
            {scripts.map(({ path, digest }) => (
              <li key={path} className="row">
                <InlineCode text={path} />
                <span className="muted mono">{shortDigest(digest)}</span>
                {unjudged.has(path) && <span className="small muted">content not judged</span>}
              </li>
            ))}
          </ul>
          <p className="small muted">When one of them changes before it runs, the approval does not hold.</p>
        </section>
      )}
      {tools.length > 0 && (
        <section className="card card-body stack" ref={watch(TOOLS)}>
          <h3>Tools that they call, as their servers define them</h3>
          {tools.map((tool) => (
            <div key={`${tool.server}.${tool.tool}`} className="stack">
              <p className="row">
                <InlineCode text={`${tool.server}.${tool.tool}`} />
                <span className="muted mono">
                  {tool.digest === null ? notCoveredText(tool) : shortDigest(tool.digest)}
                </span>
              </p>
              {tool.digest !== null && <p className="small muted">Its server says of it:</p>}
              <ul>
                {(tool.digest === null ? [] : tool.says).map((line) => (
                  <li key={line}>
                    <Printable text={line} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <p className="small muted">When one of them changes before it is called, the approval does not hold.</p>
        </section>
      )}
      {uncovered.length > 0 && (
        <section className="card card-body stack">
          <h3>What the approval does not cover</h3>
          <Lines texts={uncovered} />
        </section>
      )}
    </>
  );
}
