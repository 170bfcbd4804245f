#!/usr/bin/env node
// Starts the command: from the package its compiled form, from the checkout its source.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const compiled = join(__dirname, "dist", "command.js");
void import(existsSync(compiled) ? compiled : join(__dirname, "command.ts"));
