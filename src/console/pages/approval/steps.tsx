// Every step in full, in the order in which they run.
import { notCoveredText } from "../../../domain/tool.ts";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { shortDigest } from "../../parts/text.ts";
import type { Shown } from "./shown.ts";
import { StepCard } from "./step-card.tsx";
import { previewsIn, SCRIPTS, TOOLS } from "./to-see.ts";
import type { LookAtTarget } from "./use-look.ts";
import type { Watch } from "./use-seen.ts";

type Props = { readonly shown: Shown; readonly look: LookAtTarget; readonly watch: Watch };

export function Steps({ shown: { approval, steps }, look, watch }: Props) {
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
          <ul>
            {uncovered.map((what) => (
              <li key={what}>
                <Printable text={what} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
