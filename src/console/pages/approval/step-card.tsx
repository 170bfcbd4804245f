// One step: the command as it would be sent, what it resolves to, whether it changes something, what it reaches, and what policy
// found.
import type { AgentContent } from "../../../domain/approval.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Tag } from "../../parts/status.tsx";
import { FileEditDiff } from "./file-edit-diff.tsx";
import { CHANGES, consequenceWord } from "./meaning.ts";
import { ReachList } from "./reach-list.tsx";
import type { ShownStep } from "./shown.ts";

type Props = {
  readonly step: ShownStep;
  readonly edit: AgentContent["calls"][number]["edit"];
  readonly watch: (element: Element | null) => void;
};

export function StepCard({ step, edit, watch }: Props) {
  const { index, kind, command, change, consequences, blast, findings, proves } = step;
  return (
    <li className="card" ref={watch}>
      <div className="card-head">
        <span className="step-number number">{index + 1}</span>
        <span className="muted">{kind}</span>
        <Tag tone={CHANGES[change].tone}>{CHANGES[change].word}</Tag>
        {consequences.map((code) => (
          <Tag key={code} tone="bad">
            {consequenceWord(code)}
          </Tag>
        ))}
      </div>
      <div className="card-body stack">
        {edit !== undefined && <FileEditDiff edit={edit} />}
        <Code text={command} label={`Step ${index + 1}`} />
        <ResolvedTo step={step} />
        {blast !== null && <ReachList reach={blast} />}
        {findings.map(({ code, verdict, reason, command: about }) => (
          <Notice key={`${code} ${about}`} tone={verdict === "block" ? "stop" : "ask"}>
            <p>{reason}</p>
            <p className="small muted">
              <code>{code}</code>
              {about !== null && about !== command && (
                <>
                  {" in "}
                  <InlineCode text={about} />
                </>
              )}
            </p>
          </Notice>
        ))}
        {proves.length > 0 && (
          <ul className="proves">
            {proves.map((criterion) => (
              <li key={criterion}>Proves: {criterion}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** Shown where it says more than the command itself. */
function ResolvedTo({ step: { command, saw, environment, preview, reconcile } }: { readonly step: ShownStep }) {
  const variables = Object.entries(environment);
  const resolved = saw.filter((line) => line !== command);
  if (variables.length === 0 && resolved.length === 0 && preview === undefined && reconcile === undefined) return null;
  return (
    <dl className="facts">
      {variables.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <InlineCode text={value} />
          </dd>
        </div>
      ))}
      {resolved.length > 0 && (
        <div className="fact">
          <dt>Runs</dt>
          <dd>
            <ul>
              {[...new Set(resolved)].map((line) => (
                <li key={line}>
                  <InlineCode text={line} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
      {preview !== undefined && <CommandFact label="Preview" text={preview} />}
      {reconcile !== undefined && <CommandFact label="If its outcome is unknown" text={reconcile} />}
    </dl>
  );
}

const CommandFact = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="fact">
    <dt>{label}</dt>
    <dd>
      <InlineCode text={text} />
    </dd>
  </div>
);
