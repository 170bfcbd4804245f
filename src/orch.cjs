#!/usr/bin/env node
// The program `orch` as npm installs it: an older Node can read this file and says what is missing.
require("../prisma/node-version.cjs");

// Node 22 says of each command that opens a database that its SQLite is experimental.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (!/^SQLite is an experimental feature/.test(String(warning))) emitWarning.call(process, warning, ...rest);
};
void import("./orch.ts");
