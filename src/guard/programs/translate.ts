// `tr`: one set of characters for another, over known text.
import { UNKNOWN } from "../words/symbols.ts";

const CLASSES = new Map([
  ["[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["[:lower:]", "abcdefghijklmnopqrstuvwxyz"],
  ["[:digit:]", "0123456789"],
  ["[:space:]", " \t\n\r\v\f"],
  ["[:blank:]", " \t"],
]);
const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", "\\": "\\", "0": "\0" }));

export function translated(text: string, args: readonly string[]): string {
  const flags = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg)).join("");
  const [first = "", second = ""] = args.filter((arg) => !/^-[a-zA-Z]+$/.test(arg));
  const from = charactersOf(first);
  const to = charactersOf(second);
  if (/[cCt]/.test(flags) || from === null || to === null) return UNKNOWN;
  if (flags.includes("d")) return [...text].filter((char) => !from.includes(char)).join("");
  const result = [...text].map((char) => {
    const at = from.lastIndexOf(char);
    return at < 0 || to === "" ? char : to.charAt(Math.min(at, to.length - 1));
  });
  if (!flags.includes("s")) return result.join("");
  const squeezed = to === "" ? from : to;
  return result.filter((char, at) => char !== result[at - 1] || !squeezed.includes(char)).join("");
}

/** Ranges and classes written out; null for what is not understood. */
function charactersOf(set: string): string | null {
  let all = "";
  for (let at = 0; at < set.length; at += 1) {
    const name = [...CLASSES.keys()].find((known) => set.startsWith(known, at));
    if (name !== undefined) {
      all += CLASSES.get(name) ?? "";
      at += name.length - 1;
    } else if (set.startsWith("[:", at) || set.startsWith("[=", at)) return null;
    else if (set.charAt(at) === "\\") {
      at += 1;
      const escaped = ESCAPES.get(set.charAt(at));
      if (escaped === undefined && /\d/.test(set.charAt(at))) return null;
      all += escaped ?? set.charAt(at);
    } else if (set.charAt(at + 1) === "-" && at + 2 < set.length) {
      const last = set.charCodeAt(at + 2);
      for (let code = set.charCodeAt(at); code <= last && all.length < 512; code += 1) all += String.fromCharCode(code);
      at += 2;
    } else all += set.charAt(at);
  }
  return all;
}
