// One step: the command as it would be sent, what it resolves to, whether it changes something, and what it reaches.
import type { AgentContent } from "../../../domain/approval.ts";
import { Code, InlineCode, Printable } from "../../parts/code.tsx";
import { Tag } from "../../parts/status.tsx";
import { ChangeTag } from "../../parts/step-marks.tsx";
import { consequenceWord, stepKind } from "../../parts/words.ts";
import { FileEditDiff } from "./file-edit-diff.tsx";
import { PreviewOutput } from "./preview-output.tsx";
import { ReachList } from "./reach-list.tsx";
import { ResolvedTo } from "./resolved-to.tsx";
import type { ShownStep, StepPreview } from "./shown.ts";
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
