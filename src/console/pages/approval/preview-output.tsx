// What the preview of a step printed on the target: what the step would do now.
import { Code } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { StepPreview } from "./shown.ts";

export const PreviewOutput = ({ exit_code, output, obstacle }: StepPreview) =>
  obstacle === null ? (
    <div>
      <p className="small muted">Its preview printed{exit_code === 0 ? "" : `, with exit code ${exit_code}`}:</p>
      <Code text={output} label="Output of the preview" />
    </div>
  ) : (
    <Notice tone="idle">The preview was not run: {obstacle}</Notice>
  );
