import { join } from "node:path";
import { afterAll } from "vitest";
import { temporaryFolder } from "../support/database.ts";
import { rowSumSuite } from "./row-sum-suite.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

let made = 0;
rowSumSuite(async () => `file:${join(folder.path, `${++made}.db`)}`);
