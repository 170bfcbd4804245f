// Runs before prisma/after-install.ts, prisma/generate.ts and src/orch.ts, also on a Node that cannot run TypeScript. `npm ci` brings a Node of its
// own; without the tools of development, and for the package, there is only that of the machine.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `error: orch needs Node 22.18 or later, and this is ${process.versions.node}; in a checkout, npm ci without --omit=dev brings Node 24.\n`,
  );
  process.exit(2);
}
