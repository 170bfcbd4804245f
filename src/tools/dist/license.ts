// Whether a text is that of a licence, by its first lines: a package that names one licence and carries another is under neither.
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from "node:child_process";
import { z } from "zod";

const OPENINGS: ReadonlyMap<string, RegExp> = new Map([
  ["MIT", /^(the )?mit license\b/],
  ["ISC", /^isc license\b/],
  ["0BSD", /^(bsd zero clause|zero-clause bsd)( license)?\b/],
  // Without a title as OSI and SPDX have them.
  ["BSD-2-Clause", /^bsd 2-clause\b|^copyright .*\bredistribution and use in source and binary forms\b/],
  ["BSD-3-Clause", /^bsd 3-clause\b|^copyright .*\bredistribution and use in source and binary forms\b/],
  ["Apache-2.0", /^apache license,? version 2\.0\b/],
  ["MPL-2.0", /^mozilla public license,? version 2\.0\b/],
  ["EUPL-1.2", /^european union public licence v\. ?1\.2\b/],
  ...gnu("GPL", "2", "general"),
  ...gnu("GPL", "3", "general"),
  ...gnu("LGPL", "3", "lesser general"),
  ...gnu("AGPL", "3", "affero general"),
]);

function gnu(name: string, version: string, words: string) {
  const opening = new RegExp(`^gnu ${words} public license version ${version}\\b`);
  return ["only", "or-later"].map((which) => [`${name}-${version}.0-${which}`, opening] as const);
}

/** Their texts differ by clauses: of the name of the holder, and of advertisements. */
const CLAUSES: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["BSD-2-Clause", (text) => !ENDORSES.test(text)],
  ["BSD-3-Clause", (text) => ENDORSES.test(text) && !ADVERTISES.test(text)],
]);
const ENDORSES = /\bto endorse or promote products\b/;
const ADVERTISES = /\ball advertising materials\b/;

/** What npm has for every other licence. */
const IN_FILE = /^SEE LICENSE IN LICENSE$/;
const BLANK = /\[(year|yyyy|full ?name)\]|<(year|owner|copyright holders?)>/;
const FIRST_LINES = 5;

/** What is wrong with the text for that SPDX id, as a sentence; null where it fits. `text` is null where there is no file. */
export function licenseFault(id: string, text: string | null, file: string): string | null {
  const opening = OPENINGS.get(id);
  if (opening === undefined && !IN_FILE.test(id))
    return `orch does not know how the licence ${JSON.stringify(id)} begins. It knows ${[...OPENINGS.keys()].join(", ")}; for another one use --license "SEE LICENSE IN LICENSE".`;
  if (text === null || text.trim() === "")
    return `${file} is not there or is empty. Put the whole text of the licence into it: a package under ${id} has to carry it.`;
  const lines = text.split("\n").map((line) => line.trim());
  const begins = lines.filter((line) => line !== "").slice(0, FIRST_LINES);
  const remedy = `Put the text of ${id} into it, or name its licence with --license.`;
  if (opening !== undefined && !opening.test(inOneLine(begins)))
    return `${file} begins with ${JSON.stringify(begins[0])}, which is not how ${id} begins. ${remedy}`;
  if (CLAUSES.get(id)?.(inOneLine(lines)) === false)
    return `${file} has not the clauses of ${id}: it is cut off, or another BSD licence. ${remedy}`;
  if (BLANK.test(begins.join(" ").toLowerCase()))
    return `${file} still has a blank for the year or the name of who holds the copyright. Fill it in.`;
  return null;
}

const inOneLine = (lines: readonly string[]): string => lines.join(" ").replaceAll(/\s+/g, " ").toLowerCase();

// The bill of materials of the package in CycloneDX, as npm makes it from the shrinkwrap: no package is fetched and none has to be installed.

const ARGS = "sbom --sbom-format=cyclonedx --sbom-type=application --package-lock-only --offline --loglevel=error";

const Bom = z.looseObject({ metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }) });

/** With the npm of the PATH: the package `node`, which brings this checkout its Node, brings no npm. */
const npm = (args: readonly string[], options: Partial<SpawnSyncOptionsWithStringEncoding> = {}) =>
  spawnSync("npm", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, ...options });

/** Why no bill can be made here, in one line; null where it can. Debian brings an npm without the command (D-392). */
export function bomFault(): string | null {
  const { status, stdout } = npm(["--version"]);
  const version = status === 0 ? stdout.trim() : "";
  if (hasSbom(version)) return null;
  const found = version === "" ? "there is no npm on the PATH" : `npm ${version} has no command sbom`;
  return `${found}: npm 9.9, or 10.2 and later, makes the bill of materials`;
}

export function hasSbom(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 10 || (major === 10 && minor >= 2) || (major === 9 && minor >= 9);
}

/** Of the package that is written in `directory`. Throws with what npm says where it cannot be made. */
export function bomOf(directory: string, name: string): unknown {
  const { status, stdout, stderr, error } = npm(ARGS.split(" "), { cwd: directory });
  if (status !== 0) throw new Error(`npm cannot make the bill of materials: ${stderr}`, { cause: error });
  const bom = Bom.parse(JSON.parse(stdout));
  // npm takes the name of the directory for that of the package.
  return { ...bom, metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } } };
}
