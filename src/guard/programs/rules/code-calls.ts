// Finds code that starts a process, evaluates code or deletes a tree, and does not name in a literal what it runs or deletes, by
// one rule for all languages. Each language is data: its calls, and how its texts take values in.

// one rule for all languages. Each language is data: its calls, and how its texts take values in.
/** `calls`: names as they are spelled; `bare`: only where nothing comes before the name, as a method of it is another thing. */
export type CodeDialect = {
  readonly calls: RegExp;
  readonly bare?: RegExp;
  /** Only where the code also matches this. */
  readonly only?: readonly (readonly [RegExp, RegExp])[];
  /** Arguments may follow without parentheses. */
  readonly loose?: true;
  /** A text with this in it is no literal. */
  readonly interpolates?: RegExp;
  /** Texts in backquotes are run. */
  readonly backquotes?: true;
  /** Uses that need no argument to be unknown. */
  readonly always?: RegExp;
  /** Calls that only look. */
  readonly looks?: RegExp;
};

export const DELETING_CALLS =
  "rmtree|remove_tree|rimraf|rimrafSync|rmSync|removeSync|emptyDirSync|rm_rf|rm_r|remove_dir|remove_entry_secure";

/** Stand for a text that is written out, and for one that takes values in. */
const LITERAL = "\uE000";

const FILLED = "\uE001";

const TEXTS =
  /(?<=(?:^|[(,~{;!&|]|\b(?:if|unless|and|or|split|grep))\s*)\/(?:[^/\\\n]|\\.)+\/|(?:\b[rRbBuUfF]{1,2})?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(?:qx|qq|qw|qr|q|m)(?:\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|\/[^/]*\/)|%[xwWqQ](?:\{[^}]*\}|\([^)]*\)|\[[^\]]*\])|\[\[[^\]]*\]\]/gs;

/** The first argument: texts that are written out, joined, alone or at the head of a list or of more arguments. */
const WRITTEN = new RegExp(
  `^[\\s([{*&\\\\]*(?:\\w+\\s*[=:]\\s*)?[\\s([{]*(?:c\\()?${LITERAL}(?:\\s*[+.]{0,2}\\s*${LITERAL})*\\s*(?:$|[,\\])};\\n?]|=>|->|\\|\\||&&|>>?|(?:or|and|if|unless|do|then|end|for)\\b)`,
);

/** The name alone: a reference, a definition, a key, or a call without an argument. */
const NO_CALL = /^\s*(?:$|[=,;)\]}:?.<>|+*/%-]|\(\s*\)|(?:or|and|if|unless|import|from|as|in|is)\b)/;

const WALKS = /\b(?:rglob|walk|finddepth|opendir|scandir)\b|\bfind\s*\(\s*(?:sub\b|\{|\\&)/;

const UNLINKS = /\b(?:unlink\w*|os\.remove|rmdir|remove)\b/;

const UNKNOWN_ROOT =
  /\b(?:Path|walk|opendir|scandir)\s*\(?\s*(?:\w+\s*,\s*)?[$A-Za-z_](?!["'])|\bfind(?:depth)?\b[^;]*,\s*[$@]/;

/** Whether it deletes what it finds below a directory that is not in it as a literal. */
export const deletesUnknown = (code: string): boolean =>
  WALKS.test(code) && UNLINKS.test(code) && UNKNOWN_ROOT.test(code);

/** Whether the code runs, evaluates or deletes something that is not in it as a literal. */
export function callsUnknown(given: string, dialect: CodeDialect): boolean {
  const code = dialect.looks === undefined ? given : given.replace(dialect.looks, "1");
  if (dialect.always?.test(code) === true) return true;
  const { interpolates, backquotes } = dialect;
  let unknown = false;
  const masked = code.replace(TEXTS, (text) => {
    const filled = /[\uFDD0\uFDD8\uFDDA]/.test(text) || interpolates?.test(text) === true;
    if (filled && backquotes === true && /^(?:`|qx|%x)/.test(text)) unknown = true;
    return filled ? FILLED : LITERAL;
  });
  return unknown || [...masked.matchAll(/[A-Za-z_]\w*/g)].some((found) => isUnknownCall(found, masked, code, dialect));
}

function isUnknownCall(found: RegExpExecArray, masked: string, code: string, dialect: CodeDialect): boolean {
  const [name] = found;
  const before = masked.slice(Math.max(0, found.index - 16), found.index);
  const after = masked.slice(found.index + name.length, found.index + name.length + 400);
  if (/(?:\bdef|\bsub|\bfunction|\bimport|[$@%])\s*$/.test(before) || NO_CALL.test(after)) return false;
  const isMember = /(?:\.|->|::)\s*$/.test(before);
  const counts =
    dialect.calls.test(name) ||
    (!isMember && dialect.bare?.test(name) === true) ||
    dialect.only?.some(([names, where]) => names.test(name) && where.test(code)) === true;
  if (!counts || (dialect.loose !== true && !/^\s*\(/.test(after))) return false;
  return !WRITTEN.test(after);
}
