// Preloaded into servers of the tests (`node --import`): where an import leads is found once for all of them, as the compile cache keeps
// what is compiled. To resolve 6,000 imports is a fifth of the start of a server, and hundreds are started.
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, renameSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const PROJECT = join(import.meta.dirname, "../..");
const HERE = pathToFileURL(PROJECT).href;

type Resolved = readonly [url: string, format: string | null];

/** Other packages, or another Node, get a file of their own. */
function fileOf(): string {
  const hash = createHash("sha256").update(`${PROJECT} ${process.version}`);
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(PROJECT, name)));
  return join(PROJECT, "node_modules/.cache", `orch-tests-imports-${hash.digest("hex").slice(0, 16)}.json`);
}

function read(file: string): Map<string, Resolved> {
  try {
    return new Map(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return new Map();
  }
}

/** Some servers of the tests run as another account. */
function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const file = fileOf();
const known = read(file);
const before = known.size;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "", conditions } = context;
    const key = `${parentURL} ${specifier}`;
    const found = known.get(key);
    if (found !== undefined && conditions.includes("import"))
      return { url: found[0], format: found[1], shortCircuit: true };
    const resolved = next(specifier, context);
    const isOurs = parentURL.startsWith(HERE) && resolved.url.startsWith(HERE) && !resolved.url.includes("?");
    if (isOurs && conditions.includes("import")) known.set(key, [resolved.url, resolved.format ?? null]);
    return resolved;
  },
});

if (isMainThread)
  process.on("exit", () => {
    if (known.size === before || !isWritable(dirname(file))) return;
    const whole = `${file}.${process.pid}`;
    writeFileSync(whole, JSON.stringify([...read(file), ...known]));
    renameSync(whole, file);
  });
