// Compiles a workspace into its directory `dist`, before npm packs it: Node runs no TypeScript below a node_modules.
// node workspace.ts DIRECTORY ENTRY...: the entries are those of its package.json.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../own-file.ts";
import { compileWorkspace } from "./compile.ts";

const [directory = "", ...entries] = process.argv.slice(2);
const target = join(ROOT, directory, "dist");
await rm(target, { recursive: true, force: true });
await compileWorkspace(directory, target, entries);
