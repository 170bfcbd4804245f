// Text of commands, tools and models: text nodes only, and what a terminal would obey is shown as an escape.
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { printableParts } from "../../domain/printable.ts";

const MOST_SHOWN = 64 * 1024;

/** A long text is shown by its beginning and its end. */
function shownParts(text: string, most: number): readonly [head: string, cut: number, tail: string] {
  if (text.length <= most) return [text, 0, ""];
  const half = most / 2;
  return [text.slice(0, half), text.length - most, text.slice(-half)];
}

export const Printable = ({ text }: { readonly text: string }) => (
  <>
    {printableParts(text).map((part, at) => {
      const key = `${at}`;
      if (!part.is_escape) return <Fragment key={key}>{part.text}</Fragment>;
      return (
        <span key={key} className="control">
          {part.text}
        </span>
      );
    })}
  </>
);

type CodeProps = {
  readonly text: string;
  readonly label?: string;
  /** Nothing is left out, however long it is. */
  readonly whole?: boolean;
};

export function Code({ text, label, whole = false }: CodeProps) {
  const [head, cut, tail] = shownParts(text, whole ? text.length : MOST_SHOWN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre className="code" tabIndex={0} {...(label !== undefined && { "aria-label": label, role: "group" })}>
      <Printable text={head} />
      {cut > 0 && <span className="cut">{`\n[... ${cut} characters left out ...]\n`}</span>}
      <Printable text={tail} />
    </pre>
  );
}

export const InlineCode = ({ text }: { readonly text: string }) => (
  <code>
    <Printable text={text} />
  </code>
);

// A command of a procedure, with the parameters that it reads marked: they differ from run to run, and the text around them not.

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

// The parameters in a command: variables of the target, the payload and the task, and the places of a tool's arguments.

const PARAMETER =
  /(\$\{?ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)(?:[^A-Za-z0-9_{}][^{}]*)?\}|\$ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)(?![A-Za-z0-9_])|\$\{(?:target|payload)\.[A-Za-z0-9_.]+\})/;

/** Text and parameters by turns, text first. */
export const parameterParts = (text: string): readonly string[] => text.split(PARAMETER);

/** A list of texts. */
export const Lines = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul>
    {texts.map((text) => (
      <li key={text}>
        <Printable text={text} />
      </li>
    ))}
  </ul>
);

export const TaskLink = ({ task_id }: { readonly task_id: string }) => (
  <Link to="/tasks/$task_id" params={{ task_id }}>
    <InlineCode text={task_id} />
  </Link>
);

type FactProps = { readonly name: string; readonly className?: string; readonly children: ReactNode };

/** A row of a list of facts. */
export const Fact = ({ name, className, children }: FactProps) => (
  <>
    <dt>{name}</dt>
    <dd className={className}>{children}</dd>
  </>
);
