// Finds code that starts a process, evaluates code or deletes a tree, and does not name in a literal what it runs or deletes, by
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

const DELETING_CALLS =
  "rmtree|remove_tree|rimraf|rimrafSync|rmSync|removeSync|emptyDirSync|rm_rf|rm_r|remove_dir|remove_entry_secure";

const PYTHON: CodeDialect = {
  calls: new RegExp(
    `^(?:system|popen|Popen|exec[lv]p?e?|spawn\\w*|posix_spawnp?|check_call|check_output|getoutput|getstatusoutput|create_subprocess_\\w+|run_path|${DELETING_CALLS})$`,
  ),
  bare: /^(?:exec|eval)$/,
  only: [[/^(?:run|call)$/, /\bsubprocess\s*\.\s*(?:run|call)\s*\(|\bfrom\s+subprocess\s+import\b/]],
  always:
    /\b(?:map|starmap|submit|apply_async|filter)\s*\([^;\n]*\b(?:os\.system|os\.popen|subprocess\.\w+|rmtree)\s*[,)]/,
  interpolates: /^[a-zA-Z]*[fF][a-zA-Z]*["'][\s\S]*\{/,
};

const SCRIPT: CodeDialect = {
  calls: new RegExp(
    `^(?:execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync|execaCommand|Command|runIn\\w*Context|${DELETING_CALLS})$`,
  ),
  bare: /^(?:eval|Function)$/,
  only: [
    [/^exec$/, /child_process|execa|shelljs/],
    [/^rm$/, /\brecursive\b/],
    [/^run$/, /\bDeno\s*\.\s*run\b/],
    [/^(?:remove|removeAll)$/, /\bDeno\b|fs-extra/],
  ],
  interpolates: /^`[\s\S]*\$\{/,
  always: /(?:^|[^\w$)\]])\$`[^`]*\$\{|\b(?:fs|cp|child_process|require\([^)]*\))\s*\[\s*(?!["'`\d])[^\]]*\]\s*\(/,
};

const PERL: CodeDialect = {
  calls: /^(?:rmtree|remove_tree|open[23]|capture|capturex|systemx)$/,
  bare: /^(?:system|exec)$/,
  loose: true,
  interpolates: /^(?:"|`|q[qx])[\s\S]*(?<!\\)[$@][\w{]/,
  backquotes: true,
  always:
    /\b(?:eval|do)\s*\(?\s*(?:[$@]|shift\b|lc\b|join\b|pack\b|reverse\b)|\bopen\b[^;\n]*(?:["']\s*\|\s*[$@]|(?:-\||\|-)["']\s*,\s*[$@]|[$@]\w+\s*\|\s*["'])/,
};

const RUBY: CodeDialect = {
  calls: new RegExp(
    `^(?:popen|popen[23]e?|capture[23]e?|pipeline\\w*|instance_eval|class_eval|module_eval|${DELETING_CALLS})$`,
  ),
  bare: /^(?:system|exec|spawn|eval)$/,
  only: [[/^(?:system|exec|spawn)$/, /\b(?:Kernel|Process)\s*\./]],
  loose: true,
  interpolates: /^(?:"|`|%)[\s\S]*#\{/,
  backquotes: true,
  always: /\b(?:send|public_send|__send__|method)\b\s*\(?\s*[:"'](?:system|exec|spawn|`|eval|rm_rf)/,
};

const PHP: CodeDialect = {
  calls: /^(?!)$/,
  bare: /^(?:system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec|eval|assert|create_function)$/,
  interpolates: /^["`][\s\S]*(?<!\\)[$][\w{]/,
  backquotes: true,
  always:
    /\b(?:call_user_func\w*|array_map|array_walk|array_filter|usort)\s*\(\s*["'](?:system|exec|shell_exec|passthru|popen|unlink|rmdir|assert)["']|["'](?:system|exec|shell_exec|passthru|popen)["']\s*;|\b(?:include|require)(?:_once)?\s*\(?\s*\$/,
};

const LUA: CodeDialect = { calls: /^(?:execute|popen)$/, bare: /^(?:load|loadstring)$/, loose: true };

const AWK: CodeDialect = {
  calls: /^system$/,
  // `system("[ -e /lib/" $1 " ]")`.
  looks: /\bsystem\s*\(\s*"(?:\[|test)\s[^"\\;|&`$()<>]*"(?:\s*\$\w+\s*"[^"\\;|&`$()<>]*")*\s*\)/g,
  always: /\|\s*(?!getline)[A-Za-z_$]\w*\s*(?:[;}\n]|$)|(?:^|[{;(]\s*)[A-Za-z_]\w*\s*\|\s*getline/,
};

const R: CodeDialect = {
  calls: /^(?:system2?|shell)$/,
  only: [[/^unlink$/, /\brecursive\s*=\s*T/]],
  always: /\beval\s*\(\s*(?:str2lang|str2expression|parse)\s*\(\s*text\s*=\s*(?!["'])/,
};

const JULIA: CodeDialect = {
  calls: /^(?!)$/,
  only: [[/^rm$/, /\brecursive\b/]],
  always: /\b(?:run|read|pipeline)\s*\(\s*`[^`]*\$/,
};

const ELIXIR: CodeDialect = {
  calls: /^(?:cmd|shell|rm_rf)$/,
  bare: /^eval_string$/,
  loose: true,
  interpolates: /^"[\s\S]*#\{/,
};

const GROOVY: CodeDialect = {
  calls: /^(?!)$/,
  interpolates: /^"[\s\S]*(?<!\\)\$/,
  always: /\b\w+\.execute\s*\(|\$[^"']*["']\s*\.execute\s*\(/,
};

export const DIALECTS = { PYTHON, SCRIPT, PERL, RUBY, PHP, LUA, AWK, R, JULIA, ELIXIR, GROOVY } as const;

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
