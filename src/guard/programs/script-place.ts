// Finds the word that names the script in the command line of an interpreter.

/** Options whose value is not the script. */
const VALUED = /^(?:-r|--(?:require|import|loader|experimental-loader|env-file|conditions))$/;
/** Options that have a value in some interpreters only. */
const MAYBE_VALUED = /^-[WXC]$/;
/** Has a value in Perl and Ruby, but not in Python. */
const INCLUDES = "-I";

/** The verbs before a script of deno and bun. */
export const SCRIPT_VERB = /^(run|eval|repl|test|x|install|add)$/;

/** Finds the first word that is not an option, a value of an option or a verb. */
export const placeOfScript = (args: readonly string[], verb = /^(?!)/): number =>
  args.findIndex((arg, at) => {
    const before = args[at - 1] ?? "";
    if (arg !== "-" && arg.startsWith("-")) return false;
    if (before === INCLUDES && !/\.py$/.test(arg)) return false;
    if (VALUED.test(before) || (MAYBE_VALUED.test(before) && !/[./]/.test(arg))) return false;
    return !verb.test(arg);
  });
