// Modules that the commands so far wrote and that Python code imports: `echo ... > m.py; python3 -c 'import m'`.
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";

const IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))/gm;
const MAX_MODULES = 32;

function namesIn(code: string): readonly string[] {
  const statements = code.replaceAll(";", "\n");
  const found = [...statements.matchAll(IMPORT)].flatMap(([, from, many = ""]) =>
    from === undefined ? many.split(",").map((one) => one.trim().replace(/\s.*$/, "")) : [from],
  );
  return [...new Set(found)].slice(0, MAX_MODULES);
}

/** Their texts. They are looked for in the working directory, as Python does. */
export const importedTexts = (code: string, state: State): readonly string[] =>
  state.io.files.size === 0
    ? []
    : namesIn(code)
        .map((name) => name.replaceAll(".", "/"))
        .flatMap((path) => [`${path}.py`, `${path}/__init__.py`])
        .filter((path) => isWritten(path, state))
        .flatMap((path) => contentsOf(path, state));
