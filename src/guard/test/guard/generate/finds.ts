// Expressions of `find` from its grammar: tests and actions in any order, with every operator.
import { single } from "./quote.ts";
import type { Choices, Random } from "./random.ts";

/** `ordinary`: directories of a project, where a find may do anything. */
export type Roots = "protected" | "ordinary";

const ROOTS: Readonly<Record<Roots, Choices<string>>> = {
  protected: [
    ...(["/usr", "/etc", "/home", "/var", "~", "/ -xdev", "/usr /srv/app", "/srv/app /etc", "/home/../usr"] as const),
    ...(["/ -maxdepth 1", "/ -maxdepth 2", "/usr -maxdepth 1", '""', "/usr/", "/home -maxdepth 1", "/opt"] as const),
  ],
  ordinary: ["/srv/app", ".", "src dist", "/tmp/x", "/srv/app/", "./docs", "/srv/app/src /tmp"],
};
const NAMES: Choices<string> = ["usr", "etc", "USR", "lib", "op", "*", "u*", "*.txt", "[eu]*", "?sr", "x", "l?b"];
const PATHS: Choices<string> = ["/usr", "/usr/*", "*", "*/x", "/etc/*", "./*", "/home/op", "/*"];
const PATTERN_TESTS = ["-name", "-iname"] as const;
const TESTS: Choices<string> = [
  ...([
    "-type d",
    "-type f",
    "-true",
    "-false",
    "-empty",
    "-mtime -1",
    "-mtime +900",
    "-size +0",
    "-readable",
  ] as const),
  ...(["-newer /etc/hosts.d", "-user 0", "! -user 0", "-links +1", "-perm -1", "-regex '.*'", "-mindepth 1"] as const),
];
const ACTIONS: Choices<string> = [
  ...(["-exec rm -rf {} +", "-exec rm -r {} \\;", "-delete", "-print", "-prune", "-quit"] as const),
  ...(["-execdir rm -r {} +", "-exec sh -c 'rm -rf \"$1\"' _ {} \\;", "-ok rm -r {} \\;"] as const),
];

function test(random: Random): string {
  if (random.chance(0.5)) return `${random.pick(PATTERN_TESTS)} ${single(random.pick(NAMES))}`;
  return random.chance(0.3) ? `-path ${single(random.pick(PATHS))}` : random.pick(TESTS);
}

function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.25)) return random.chance(0.5) ? test(random) : random.pick(ACTIONS);
  const left = expression(random, depth - 1);
  const form = random.int(8);
  if (form === 0) return `${random.pick(["!", "-not"])} ${left}`;
  if (form === 1) return `\\( ${left} \\)`;
  const sign = random.pick(["", "", "", "-a", "-and", "-o", "-o", "-or", ","]);
  return `${left} ${sign} ${expression(random, depth - 1)}`;
}

const TAILS: Choices<string> = [
  "",
  "",
  "",
  " | xargs rm -rf",
  " -print0 | xargs -0 rm -r",
  ' | while read -r f; do rm -rf "$f"; done',
];
const OPTIONS: Choices<string> = ["", "", "", "", "-H ", "-P ", "-O2 ", "-- "];

/** A whole command. */
export function findCommand(random: Random, roots: Roots): string {
  const body = expression(random, 1 + random.int(3)).replace(/ +/g, " ");
  return `find ${random.pick(OPTIONS)}${random.pick(ROOTS[roots])} ${body}${random.pick(TAILS)}`;
}
