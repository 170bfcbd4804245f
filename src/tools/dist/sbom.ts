// The bill of materials of the package in CycloneDX, as npm makes it from the shrinkwrap: no package is fetched and none has to be installed.
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from "node:child_process";
import { z } from "zod";

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
