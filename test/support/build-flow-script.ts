// Builds the script of the flow before the tests run, from the modules as they are.
import { writeFile } from "node:fs/promises";
import { buildScript, SCRIPT } from "../../src/tools/flow-script/build.ts";

export const setup = async (): Promise<void> => writeFile(SCRIPT, await buildScript());
