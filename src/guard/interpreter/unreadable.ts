// Finds what a reader of a command's text cannot see: a here-document that never ends, characters that show nothing or look like a
// blank, and letters that look like others.
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import type { GuardVerdict, Report } from "./machine.ts";

/** `place` counts lines and columns from 1. */
type Place = { readonly line: number; readonly column: number };

function placeIn(text: string, at: number): Place {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

function visit(node: SyntaxNode, source: string, see: (node: SyntaxNode, source: string) => void): void {
  see(node, source);
  forEachChild(node, (child) => visit(child, child.type === "Script" ? (child.source ?? source) : source, see));
}

/** Bash only warns of it, and takes all that follows for its text. */
export function reportEndlessDocument(text: string, script: ParsedScript, report: Report): void {
  if (!text.includes("<<")) return;
  visit(script, text, (node, source) => {
    if (node.type !== "HereDoc" || node.closing !== undefined) return;
    const { line } = placeIn(source, node.pos);
    const word = node.delimiter?.value ?? "";
    const end = JSON.stringify(word);
    report(
      "block",
      "parse.error",
      `the here-document at line ${line} never ends: no line is exactly ${end}; put ${end} alone on a line, without blanks around it`,
    );
  });
}

/** All but blank, tab and line feed that is not seen, or is seen as a blank. */
const INVISIBLE = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const MAYBE_INVISIBLE = new RegExp(INVISIBLE.source, "u");

/** Quoted text, the text of a here-document and a comment may hold them. */
export function reportInvisible(text: string, report: Report, verdict: GuardVerdict = "block"): void {
  if (!MAYBE_INVISIBLE.test(text)) return;
  const free = shownAs(parse(text), text);
  const found = [...text.matchAll(INVISIBLE)].find(({ index }) => free[index] === 1);
  if (found === undefined) return;
  const { line, column } = placeIn(text, found.index);
  const code = codePoint(found[0]);
  report(
    verdict,
    "parse.error",
    `line ${line}, column ${column} has ${code}, which is not seen there; remove it, or quote the word where it is meant`,
  );
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const QUOTED = /^(SingleQuoted|DoubleQuoted|AnsiCQuoted|LocaleString|HereDocBody)$/;
const PLAIN =
  /^(Word|Literal|Assignment|HereDocDelimiter|Redirect|Function|CommandExpansion|SimpleExpansion|ParameterExpansion|ArithmeticExpansion|ArithmeticWord|ProcessSubstitution)$/;

/** For each position: 1 in a word of a command, 2 where it is quoted, 0 elsewhere, as in a comment. */
function shownAs(script: ParsedScript, text: string): Uint8Array {
  const kinds = new Uint8Array(text.length);
  // Outer nodes come first, so that the inner ones decide.
  visit(script, text, (node, source) => {
    if (source !== text) return;
    if (QUOTED.test(node.type)) kinds.fill(2, node.pos, node.end);
    else if (node.type === "Script" || node.type === "CompoundList") kinds.fill(0, node.pos, node.end);
    else if (PLAIN.test(node.type) && !isQuotedLiteral(node, kinds)) kinds.fill(1, node.pos, node.end);
  });
  return kinds;
}

/** The text within double quotes. */
const isQuotedLiteral = (node: SyntaxNode, kinds: Uint8Array): boolean =>
  node.type === "Literal" && kinds[node.pos] === 2;

/** Letters that a reader takes for Latin ones: Cyrillic, Greek, full-width, mathematical. */
const LOOKS_LATIN =
  "[аеорсухіјѕһԁԛԝгкмнтвАВЕЅІЈКМНОРСТУХҮԌԚԜαοινρτυχκγηΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡɑℓ\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}]";
const MIXED = new RegExp(
  `[\\p{L}\\p{N}_]*(?:[A-Za-z][\\p{L}\\p{N}_]*?${LOOKS_LATIN}|${LOOKS_LATIN}[\\p{L}\\p{N}_]*?[A-Za-z])[\\p{L}\\p{N}_]*`,
  "u",
);
const ONE = new RegExp(LOOKS_LATIN, "u");

/** A word that mixes them with Latin letters, or a program whose name has one. */
export function reportLookAlikes(text: string, report: Report): void {
  const sign = signIn(text);
  if (sign !== null) {
    const reason = `${sign} (${codePoint(sign)}) looks like an ASCII sign, and bash takes it for a letter; write the sign, or quote it`;
    report("ask", "parse.error", reason);
    return;
  }
  if (!ONE.test(text)) return;
  const word = MIXED.exec(text)?.[0] ?? programWith(parse(text), text);
  if (word === null) return;
  const letter = ONE.exec(word)?.[0] ?? "";
  report(
    "ask",
    "parse.error",
    `${JSON.stringify(word)} has ${letter} (${codePoint(letter)}), which looks like a Latin letter; write it in ASCII, or approve the name`,
  );
}

/** Quotation marks, full-width signs, and dashes that begin an option. */
const SIGN = /[“”„‘’＂＇；｜＆＜＞＄＝－／＃]|(?<![^\s])[‐‑‒–—−](?=[A-Za-z])/gu;

function signIn(text: string): string | null {
  const found = [...text.matchAll(SIGN)];
  if (found.length === 0) return null;
  const kinds = shownAs(parse(text), text);
  return found.find(({ index }) => kinds[index] === 1)?.[0] ?? null;
}

function programWith(script: ParsedScript, text: string): string | null {
  let found: string | null = null;
  visit(script, text, (node) => {
    if (node.type === "Command" && node.name !== undefined && ONE.test(node.name.value)) found ??= node.name.value;
  });
  return found;
}
