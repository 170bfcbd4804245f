// The bill of materials of the package in CycloneDX, as npm makes it from the shrinkwrap: no package is fetched and none has to be installed.
import { spawnSync } from "node:child_process";
import { z } from "zod";

const ARGS = "sbom --sbom-format=cyclonedx --sbom-type=application --package-lock-only --offline --loglevel=error";

const Bom = z.looseObject({ metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }) });

/** Of the package that is written in `directory`. Throws with what npm says where it cannot be made. */
export function bomOf(directory: string, name: string): unknown {
  const { status, stdout, stderr, error } = spawnSync("npm", ARGS.split(" "), {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm cannot make the bill of materials: ${stderr}`, { cause: error });
  const bom = Bom.parse(JSON.parse(stdout));
  // npm takes the name of the directory for that of the package.
  return { ...bom, metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } } };
}
