// Whether the jail works here. Where it does not, the tests that need it are skipped, and one line says why.
import { jailProblem } from "./jail.ts";

const problem = jailProblem();
if (problem !== null) process.stdout.write(`skipped, nothing was proved by running: ${problem}\n`);

export const jailWorks = problem === null;
