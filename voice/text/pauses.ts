// A line break is a pause to a reader. The provider speaks it as a blank, so a line without a mark at its end gets one.

/** After these a voice pauses by itself, also where a bracket closes after them. */
const PAUSES = /[。．.！!？?…‥、，,；;：:]["'”’」』】〕］〉》）)\]}]*$/u;
const OPENED = /[（(「『【〔［[{｛〈《“‘]$/u;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** The text on one line. */
export function withPauses(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${marked(line)}${after(line)}`)).join("");
}

const marked = (line: string): string => {
  if (PAUSES.test(line) || OPENED.test(line)) return line;
  return `${line}${JAPANESE.test(line) ? "。" : "."}`;
};

/** Western marks need a blank after them to be read as marks. */
const after = (line: string): string => (/[!-~]$/.test(line) || !JAPANESE.test(line) ? " " : "");
