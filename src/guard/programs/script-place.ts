// Finds the word of a command line of an interpreter that names its script.

/** Options of interpreters with a value that is no script. */
const VALUED = /^(?:-r|--(?:require|import|loader|experimental-loader|env-file|conditions))$/;
/** Of some of them these have a value. */
const MAYBE_VALUED = /^-[WXC]$/;
/** Python's has none. */
const INCLUDES = "-I";

/** The verbs before a script of deno and bun. */
export const SCRIPT_VERB = /^(run|eval|repl|test|x|install|add)$/;

/** The first word that is no option, and neither the value of one nor a verb. */
export const placeOfScript = (args: readonly string[], verb = /^(?!)/): number =>
  args.findIndex((arg, at) => {
    const before = args[at - 1] ?? "";
    if (arg !== "-" && arg.startsWith("-")) return false;
    if (before === INCLUDES && !/\.py$/.test(arg)) return false;
    if (VALUED.test(before) || (MAYBE_VALUED.test(before) && !/[./]/.test(arg))) return false;
    return !verb.test(arg);
  });
