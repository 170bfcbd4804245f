#!/usr/bin/env node
// The program `orch` as npm installs it: an older Node can read this file and says what is missing.
require("../prisma/node-version.cjs");
void import("./orch.ts");
