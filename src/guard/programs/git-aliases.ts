// Aliases in the text of a git configuration file.
import { entered, type State } from "../interpreter/state.ts";

/** Sections are not distinguished: an entry of another section is an alias that is never called. */
export function rememberAliases(text: string, state: State): void {
  if (!/^\s*\[alias\]/im.test(text)) return;
  for (const [, name = "", value = ""] of text.matchAll(/^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/gm)) {
    const plain = value
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replace(/\\(["\\])/g, "$1");
    state.bindings.gitAliases = entered(state.bindings.gitAliases, name.toLowerCase(), [plain]);
  }
}

/** `GIT_CONFIG_PARAMETERS="'alias.x=!rm' 'alias.y'='log'"`. */
export function rememberParameters(text: string, state: State): void {
  for (const [, name = "", value = ""] of text.matchAll(/alias\.([\w-]+)'?='?([^']*)/gi)) {
    state.bindings.gitAliases = entered(state.bindings.gitAliases, name.toLowerCase(), [value]);
  }
}

/** A repository's or the user's configuration file now holds the text. */
export function rememberConfiguration(path: string, texts: readonly string[], state: State): void {
  if (/(^|[/.])git\/?config$/.test(path)) for (const text of texts) rememberAliases(text, state);
}
