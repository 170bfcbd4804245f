// Writes a word of a command as a path from the directory of its task.
import type { Word } from "unbash";

export function pathOf({ text }: Word, directory: string | undefined): string {
  const plain = text.replace(/["']/g, "").replace(/^\$\{?(ORCH_TARGET_COMPOSE_DIR|PWD)\}?\//, "");
  const here = directory !== undefined && plain.startsWith(`${directory}/`) ? plain.slice(directory.length + 1) : plain;
  return here.replace(/^(\.\/)+/, "").replace(/(?<=.)\/\.?$/, "");
}
