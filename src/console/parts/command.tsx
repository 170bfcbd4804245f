// A command of a procedure, with the parameters that it reads marked: they differ from run to run, and the text around them not.
import { Printable } from "./code.tsx";
import { parameterParts } from "./parameter-parts.ts";

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
