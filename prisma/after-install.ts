// Runs after `npm ci`: puts the program beside those of the packages, and generates the database client and builds the console and the flow's script,
// each where the tools for it are installed. `--omit=dev` leaves out esbuild, and the server works without what it builds.
import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

const GENERATED = [
  { what: "The database client", by: "prisma/generate.ts", needs: "prisma/package.json" },
  { what: "The console", by: "src/console/build.ts", needs: "esbuild" },
  { what: "The script of the flow", by: "src/tools/flow-script/build.ts", needs: "esbuild" },
] as const;

function isInstalled(needs: string): boolean {
  try {
    createRequire(import.meta.url).resolve(needs);
    return true;
  } catch {
    return false;
  }
}

// One directory on the PATH has orch and the Node that it needs. npm links the program of a package for others, and `npm link` needs root (D-389).
const PROGRAM = join(ROOT, "node_modules/.bin/orch");
rmSync(PROGRAM, { force: true });
symlinkSync("../../src/orch.cjs", PROGRAM);

for (const { what, by, needs } of GENERATED) {
  if (!isInstalled(needs)) {
    const missing = `${needs.replace("/package.json", "")} is a tool of development, and those were left out`;
    process.stdout.write(`${what} is not made: ${missing}. For all of it: npm ci\n`);
    continue;
  }
  const { status } = spawnSync(process.execPath, [join(ROOT, by)], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
