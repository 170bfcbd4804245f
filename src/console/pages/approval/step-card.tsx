// One step: the command as it would be sent, what it resolves to, whether it changes something, and what it reaches.
import type { FileEdit } from "../../../domain/agent-events.ts";
import type { AgentContent } from "../../../domain/approval.ts";
import { TASK_VARIABLES } from "../../../domain/step-run.ts";
import { Code, Fact, InlineCode, Printable } from "../../parts/code.tsx";
import { ChangeTag } from "../../parts/marks.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Tag } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { consequenceWord, stepKind } from "../../parts/words.ts";
import type { ReachedThings, Shown, ShownStep, StepPreview } from "./meaning.ts";
import { previewPart, stepPart } from "./to-see.ts";
import type { Watch } from "./use-seen.ts";

type Props = {
  readonly step: ShownStep;
  readonly edit: AgentContent["calls"][number]["edit"];
  readonly preview: StepPreview | null;
  readonly is_looking: boolean;
  readonly watch: Watch;
};

export function StepCard({ step, edit, preview, is_looking, watch }: Props) {
  const { index, kind, command, change, consequences, blast, findings, proves } = step;
  const parts = new Set(findings.flatMap(({ command: about }) => (about === null || about === command ? [] : [about])));
  return (
    <li className="card" ref={watch(stepPart(index))} data-change={change}>
      <div className="card-head">
        <span className="step-number number">{index}</span>
        <strong>{stepKind(kind)}</strong>
        {step.polled !== undefined && <span>{step.polled}</span>}
        <ChangeTag change={change} />
        {consequences.map((code) => (
          <Tag key={code} tone="bad">
            {consequenceWord(code)}
          </Tag>
        ))}
      </div>
      <div className="card-body stack">
        {edit !== undefined && <FileEditDiff edit={edit} />}
        <Code whole text={command} label={`Step ${index}`} />
        <ResolvedTo step={step} />
        {parts.size > 0 && (
          <p className="small muted">
            Asked because of{" "}
            {[...parts].map((part) => (
              <InlineCode key={part} text={part} />
            ))}
          </p>
        )}
        {step.not_probed !== undefined && <p className="small muted">{step.not_probed}</p>}
        {blast !== null && <ReachList reach={blast} />}
        {(preview !== null || step.preview !== undefined) && (
          <PreviewOutput preview={preview} is_looking={is_looking} watch={watch(previewPart(index))} />
        )}
        {proves.length > 0 && (
          <ul className="proves">
            {proves.map((criterion) => (
              <li key={criterion}>
                Proves: <Printable text={criterion} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

// What an edit of an agent replaces in a file.

const FileEditDiff = ({ edit: { path, old_text, new_text } }: { readonly edit: FileEdit }) => (
  <div className="stack">
    <p>
      {old_text === "" ? "Creates " : "Edits "}
      <InlineCode text={path} />
    </p>
    {old_text !== "" && (
      <div className="diff removed">
        <span className="unseen">removed</span>
        <Code whole text={old_text} />
      </div>
    )}
    <div className="diff added">
      <span className="unseen">added</span>
      <Code whole text={new_text} />
    </div>
  </div>
);

// What the preview of a step printed on the target: what the step would do now. Its box has one height from the beginning, so that
// nothing moves under the reader when the output arrives.

type PreviewOutputProps = {
  readonly preview: StepPreview | null;
  readonly is_looking: boolean;
  readonly watch: (element: Element | null) => void;
};

const PreviewOutput = ({ preview, is_looking, watch }: PreviewOutputProps) => (
  <div className="preview">
    {preview === null ? (
      <p className="small muted">{is_looking ? "Its preview runs …" : "Its preview was not run."}</p>
    ) : (
      // Another output is another element, which has not been seen.
      <div key={JSON.stringify(preview)} className="preview-seen" ref={watch}>
        <Printed {...preview} />
      </div>
    )}
  </div>
);

const Printed = ({ exit_code, output, obstacle }: StepPreview) =>
  obstacle === null ? (
    <>
      <p className="small muted">Its preview printed{exit_code === 0 ? "" : `, with exit code ${exit_code}`}:</p>
      <Code text={output} label="Output of the preview" />
    </>
  ) : (
    <Notice tone="idle">The preview was not run: {obstacle}</Notice>
  );

// What a step resolves to, where that says more than its own text: the variables that it names, and the commands in it.

function ResolvedTo({ step }: { readonly step: ShownStep }) {
  const { kind, command, saw, environment, preview, reconcile, idempotent } = step;
  const text = [command, preview, reconcile].join("\n");
  const variables = Object.entries(environment);
  const named = variables.filter(([name]) => text.includes(name));
  const others = variables.filter(([name]) => !text.includes(name));
  const unset =
    kind === "mcp_call" && reconcile === undefined
      ? []
      : TASK_VARIABLES.filter((name) => !(name in environment) && text.includes(name));
  const resolved = [...new Set(saw)].filter((line) => line !== command);
  return (
    <>
      {(named.length > 0 ||
        unset.length > 0 ||
        resolved.length > 0 ||
        preview !== undefined ||
        reconcile !== undefined) && (
        <dl className="facts">
          {named.map(([name, value]) => (
            <ResolvedFact key={name} label={name} texts={[value]} />
          ))}
          {unset.map((name) => (
            <div key={name} className="fact">
              <dt className="mono">{name}</dt>
              <dd>set by each task; here it is resolved without one</dd>
            </div>
          ))}
          {resolved.length > 0 && <ResolvedFact label="Programs it starts" texts={resolved} />}
          {preview !== undefined && <ResolvedFact label="Preview" texts={[preview]} />}
          {reconcile !== undefined && <ResolvedFact label="If its outcome is unknown" texts={[reconcile]} />}
        </dl>
      )}
      {idempotent === true && <p className="small">Idempotent: orch may run it again when its answer is lost.</p>}
      {others.length > 0 && (
        <details className="small muted">
          <summary>It is given {count(others.length, "variable")} that its text does not name</summary>
          <dl className="facts">
            {others.map(([name, value]) => (
              <ResolvedFact key={name} label={name} texts={[value]} />
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

const ResolvedFact = ({ label, texts }: { readonly label: string; readonly texts: readonly string[] }) => (
  <div className="fact">
    <dt className={/^[A-Z_]+$/.test(label) ? "mono" : ""}>{label}</dt>
    <dd>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <InlineCode text={text} />
          </li>
        ))}
      </ul>
    </dd>
  </div>
);

// The paths, containers and hosts that the steps reach.

const PARTS = [
  ["paths", "Paths"],
  ["containers", "Containers"],
  ["hosts", "Hosts"],
] as const;

export function ReachList({ reach }: { readonly reach: ReachedThings }) {
  const known = PARTS.filter(([name]) => reach[name].length > 0);
  if (known.length === 0) return null;
  return (
    <dl className="facts reach">
      {known.map(([name, label]) => (
        <div key={name} className="fact">
          <dt>{label}</dt>
          <dd>
            {reach[name].map((text) => (
              <InlineCode key={text} text={text} />
            ))}
          </dd>
        </div>
      ))}
      {reach.more > 0 && (
        <div className="fact">
          <Fact name="Not shown">{reach.more} more</Fact>
        </div>
      )}
    </dl>
  );
}

// The steps that one version has and another has not.

type DifferenceProps = { readonly diff: NonNullable<Shown["compared_with"]>["diff"] };

export const StepDifference = ({ diff }: DifferenceProps) => (
  <ul className="stack">
    {diff.map(({ is, step_index, step }) => (
      <li key={`${is} ${step_index} ${step}`} className={`diff ${is}`}>
        <span className="small">
          {is === "added" ? "Added" : "Removed"} as step {step_index}
        </span>
        <Code whole text={step} />
      </li>
    ))}
  </ul>
);
