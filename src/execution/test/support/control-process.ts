// Runs controls of checks as the account that this process is of. Reads them as JSON from its arguments and prints what
// each look found.

import { createRunCommand } from "../../execution.ts";
import { createControl } from "../../local/control/control.ts";
import type { ControlCheck, ControlLook } from "../../local/control/world.ts";

const [, , order = ""] = process.argv;
const checks: ControlCheck[] = JSON.parse(order);
const run = createControl({ runCommand: createRunCommand() });
const looks: ControlLook[] = [];
for (const check of checks) looks.push(await run(check, new AbortController().signal));
process.stdout.write(JSON.stringify(looks));
