// Files that the configuration of git includes: their aliases and commands count as those of the configuration itself.
import { contentsOf } from "../interpreter/redirects.ts";
import { entered, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { UNKNOWN } from "../words/symbols.ts";

const INCLUDES = "include.path";

/** Files that the configuration includes, as they are named in it; kept with the aliases under a name that no alias can have. */
export function rememberInclude(value: string, directory: string | null, state: State): void {
  const home = state.bindings.vars.get("HOME")?.[0] ?? UNKNOWN;
  const path = value
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^~(?=\/)/, home);
  const from = directory === null ? state.location.cwd.flatMap((cwd) => [cwd, `${cwd}/.git`, home]) : [directory];
  const before = includes(state.bindings);
  const paths = from.map((one) => absolute(path, one));
  state.bindings.gitAliases = entered(state.bindings.gitAliases, INCLUDES, [...new Set([...before, ...paths])]);
}

export const includes = ({ gitAliases }: State["bindings"]): readonly string[] => gitAliases.get(INCLUDES) ?? [];

/** The texts of all that is included. */
export const includedTexts = (state: State): readonly string[] =>
  includes(state.bindings).flatMap((path) => contentsOf(path, state).filter((text) => text !== UNKNOWN));

export function rememberIncludes(text: string, file: string, state: State): void {
  let within = false;
  for (const line of text.split("\n")) {
    const [, section] = /^\s*\[\s*([\w.-]+)/.exec(line) ?? [];
    if (section !== undefined) within = /^include(if)?$/i.test(section);
    const [, path] = /^(?:\s*\[[^\]]*\])?\s*path\s*=\s*(.+)$/i.exec(line) ?? [];
    if (within && path !== undefined) rememberInclude(path, absolute("..", file), state);
  }
}
