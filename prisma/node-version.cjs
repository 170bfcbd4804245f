// Runs before prisma/after-install.ts, prisma/generate.ts and src/orch.ts, also on a Node that cannot run TypeScript. `npm ci` brings a Node of its
// own; without the tools of development, and for the package, there is only that of the machine.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const programs = join(__dirname, "../node_modules/.bin");
  const next = existsSync(join(programs, "node"))
    ? `npm ci has brought Node 24: export PATH=${programs}:$PATH`
    : "in a checkout, npm ci without --omit=dev brings Node 24.";
  process.stderr.write(`error: orch needs Node 22.18 or later, and this is ${process.versions.node}; ${next}\n`);
  process.exit(2);
}
