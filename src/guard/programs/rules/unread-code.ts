// Asks about code on the command line of languages that the guard does not read, where it calls a shell, starts a program or deletes.
import type { BlockRule } from "../record.ts";

/** As calls: `system("x")`, `shell "x"`. */
const FUNCTIONS =
  /\b(?:system|shell\w*|popen|unlink|rmdir|rmtree|remove|run|exec|spawn|open_port|delete_(?:file|directory\w*)|unix)\s*(?:\(\s*\S|["'<])/;

/** As the first word of a list. */
const LISP =
  /\(\s*(?:[\w.-]+[:/]+)?(?:system\*?|sh|shell|exec\w*|spawn|popen|delete-(?:file|directory\S*)|run-(?:program|process|shell-command)|subprocess\*?|process\*?|open-(?:input-)?pipe\*?|\.exec|os\/(?:shell|execute|rm))(?=[\s")])/;

/** By names that nothing else has. */
const NAMES =
  /\bos:cmd\b|\bfile:del\w*|\b(?:callCommand|callProcess|rawSystem|createProcess|readProcess\w*|spawnProcess|spawnCommand|removeDirectoryRecursive|removePathForcibly|removeFile)\b|\bSys\.(?:command|remove)\b|\bUnix\.(?:exec\w*|system|open_process\w*|unlink|rmdir)\b|\bgetRuntime\b|\bProcessBuilder\b|\bsys\.process\b|\bdeleteRecursively\b|\bProcess\.run\b|\bFileUtils\b|\bqq?x\b/;

/** A command between backquotes, or one whose output is a file of settings. */
const OF_SHELL = /`[^`]+`|\bsource\s+["']?[^"'\n]*\|\s*["']?\s*$/m;

const WHY =
  "orch does not read the language of this code, which starts a program or deletes files; write it out as a command";

const asks =
  (...calls: readonly RegExp[]): BlockRule =>
  (argv, _state, report) => {
    if (argv.slice(1).some((word) => calls.some((call) => call.test(word)))) report("ask", "dyn.operand", WHY, argv);
  };

export const asksAboutCode = asks(FUNCTIONS, LISP, NAMES);

/** Where backquotes run a command as well. */
export const asksAboutCodeWithQuotes = asks(FUNCTIONS, NAMES, OF_SHELL);

export const asksAboutSettings = asks(OF_SHELL);

export const deletesByLisp = asks(/\(\s*delete-directory\s/);
