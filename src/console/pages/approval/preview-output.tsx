// What the preview of a step printed on the target: what the step would do now. Its box has one height from the beginning, so that
// nothing moves under the reader when the output arrives.
import { Code } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { StepPreview } from "./shown.ts";

type Props = {
  readonly preview: StepPreview | null;
  readonly is_looking: boolean;
  readonly watch: (element: Element | null) => void;
};

export const PreviewOutput = ({ preview, is_looking, watch }: Props) => (
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
