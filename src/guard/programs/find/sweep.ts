// Deletes that are chosen by a name anywhere below a tree of programs: `find /usr -name '*.so*' -delete`.
import type { Report } from "../../interpreter/machine.ts";
import { unglobbed } from "../../words/symbols.ts";
import type { FindCall, Leaf } from "./expression.ts";

const PROGRAMS = /^\/(?:usr|boot|bin|sbin|lib\w*|usr\/(?:s?bin|lib\w*))\/?$/;
/** What editors, package managers and interpreters leave there. */
const LEFTOVER =
  /^\*?(?:\.(?:py[co]|bak|old|orig|rej|te?mp|sw[a-z]|log|gz|la|a|o|rpm\w+|dpkg-\w+|ucf-\w+|pacnew|pacsave|md|txt|html)|~|__pycache__|core|tests?|\.DS_Store|\.AppleDouble)\*?$/;
/** Without these nothing runs. */
const PROGRAM_FILE = /\.(?:so|ko|dylib)\b|^(?:vmlinuz|initr(?:d|amfs)|ld-)/;

const deletes = ({ word, value: [program = ""] }: Leaf): boolean =>
  word === "-delete" || (/^-exec/.test(word) && /(?:^|\/)(?:rm|unlink|shred)$/.test(program));

export function judgeSweep({ roots, actions }: FindCall, argv: readonly string[], report: Report): void {
  if (!actions.some(deletes)) return;
  const names = argv.filter((_, at) => /^-i?name$/.test(argv[at - 1] ?? "")).map(unglobbed);
  const isSwept = (root: string): boolean =>
    root === "/"
      ? names.some((name) => PROGRAM_FILE.test(name))
      : PROGRAMS.test(root) && names.some((name) => !LEFTOVER.test(name));
  if (!roots.map(unglobbed).some(isSwept)) return;
  const reason =
    "deletes by their name alone files anywhere below a tree of programs; name the directory of the package";
  report("ask", "rm.wide", reason, argv);
}
