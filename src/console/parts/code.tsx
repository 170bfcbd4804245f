// Text of commands, tools and models: text nodes only, and what a terminal would obey is shown as an escape.
import { Fragment } from "react";

const MOST_SHOWN = 64 * 1024;

/** Everything that moves a cursor, changes the direction of writing, or is not seen. Tab and line feed are shown as they are. */
const CONTROL = /((?:(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u;

const escaped = (text: string): string =>
  Array.from(text, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`).join("");

/** A long text is shown by its beginning and its end. */
function shownParts(text: string, most = MOST_SHOWN): readonly [head: string, cut: number, tail: string] {
  if (text.length <= most) return [text, 0, ""];
  const half = most / 2;
  return [text.slice(0, half), text.length - most, text.slice(-half)];
}

export const Printable = ({ text }: { readonly text: string }) => (
  <>
    {text.split(CONTROL).map((part, at) => {
      const key = `${at}`;
      if (at % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
      return (
        <span key={key} className="control">
          {escaped(part)}
        </span>
      );
    })}
  </>
);

export function Code({ text, label }: { readonly text: string; readonly label?: string }) {
  const [head, cut, tail] = shownParts(text);
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
