// Runs after `npm ci`: generates the database client and builds the console, each where the tools for it are installed. `--omit=dev`
// leaves out those of the console, and the server works without it.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

const GENERATED = [
  { what: "The database client", by: "prisma/generate.ts", needs: "prisma/package.json" },
  { what: "The console", by: "src/console/build.ts", needs: "esbuild" },
] as const;

function isInstalled(needs: string): boolean {
  try {
    createRequire(import.meta.url).resolve(needs);
    return true;
  } catch {
    return false;
  }
}

for (const { what, by, needs } of GENERATED) {
  if (!isInstalled(needs)) {
    const missing = `${needs.replace("/package.json", "")} is a tool of development, and those were left out`;
    process.stdout.write(`${what} is not made: ${missing}. For all of it: npm ci\n`);
    continue;
  }
  const { status } = spawnSync(process.execPath, [join(ROOT, by)], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
