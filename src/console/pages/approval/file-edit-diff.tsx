// What an edit of an agent replaces in a file.
import type { FileEdit } from "../../../domain/agent-events.ts";
import { Code, InlineCode } from "../../parts/code.tsx";

export const FileEditDiff = ({ edit: { path, old_text, new_text } }: { readonly edit: FileEdit }) => (
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
