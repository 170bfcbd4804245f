// Converts a word of a command to a path relative to the task's directory.
import type { Word } from "unbash";

export function pathOf({ text }: Word, directory: string | undefined): string {
  const plain = text.replace(/["']/g, "").replace(/^\$\{?(ORCH_TARGET_COMPOSE_DIR|PWD)\}?\//, "");
  const here = directory !== undefined && plain.startsWith(`${directory}/`) ? plain.slice(directory.length + 1) : plain;
  return here.replace(/^(\.\/)+/, "").replace(/(?<=.)\/\.?$/, "");
}
