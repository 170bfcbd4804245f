// A command of a procedure, with the parameters that it reads marked: they differ from run to run, and the text around them not.
import { Printable } from "./code.tsx";

const PARAMETER =
  /(\$\{?ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)(?:[^A-Za-z0-9_{}][^{}]*)?\}|\$ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)|\$\{(?:target|payload)\.[A-Za-z0-9_.]+\})/;

/** Text and parameters by turns, text first. */
export const parameterParts = (text: string): readonly string[] => text.split(PARAMETER);

export const Command = ({ text, label }: { readonly text: string; readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
  <pre className="code" tabIndex={0} {...{ role: "group", "aria-label": label }}>
    {parameterParts(text).map((part, at) => {
      const key = `${at}`;
      if (at % 2 === 0) return <Printable key={key} text={part} />;
      return (
        <span key={key} className="parameter">
          <Printable text={part} />
        </span>
      );
    })}
  </pre>
);
