// Builds the console for the browser into src/console/built (npm run generate, and after npm install): one page, its script in
// chunks, one style sheet, each with the hash of its content in its name and a gzip copy beside it. `--watch` builds anew after
// each change.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type BuildOptions, build, context, type Metafile, type Plugin } from "esbuild";
import { SHAPES } from "../api/operations/shapes.ts";
import { layOut } from "./graph/lay-out.ts";

const ROOT = import.meta.dirname;
const BUILT = join(ROOT, "built");
const ASSETS = join(BUILT, "assets");

/** What the browser has to know of an operation in order to call it; its types come from the table itself. */
const routes = Object.fromEntries(SHAPES.map(({ name, method, path }) => [name, [method, path]]));

const OPTIONS: BuildOptions = {
  entryPoints: [join(ROOT, "main.tsx")],
  outdir: ASSETS,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2023", "chrome120", "firefox120", "safari17"],
  minify: true,
  jsx: "automatic",
  define: {
    __OPERATIONS__: JSON.stringify(routes),
    __GRAPH__: JSON.stringify(await layOut()),
    "process.env.NODE_ENV": '"production"',
  },
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

const packed = promisify(gzip);

const PRELOAD = '<link rel="modulepreload" href="/console/assets/{chunk}" />';

/** What the script needs before it runs: the browser asks for all of it at once, and not for one after the other. */
function importedBy(path: string, outputs: Metafile["outputs"], found = new Set<string>()): Set<string> {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== "import-statement" || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, outputs, found);
  }
  return found;
}

async function finish({ outputs }: Metafile): Promise<void> {
  const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith("main.tsx") === true);
  if (entry === undefined) throw new Error("the console was built without its entry");
  const [script, { cssBundle = "" }] = entry;
  const page = await readFile(join(ROOT, "page.html"), "utf8");
  const preloads = [...importedBy(script, outputs)]
    .map((path) => PRELOAD.replace("{chunk}", basename(path)))
    .join("\n    ");
  const filled = page
    .replace("{script}", basename(script))
    .replace("{style}", basename(cssBundle))
    .replace("{chunks}", preloads);
  await writeFile(join(BUILT, "index.html"), filled);
  const current = new Set(Object.keys(outputs).map((path) => basename(path)));
  for (const name of await readdir(ASSETS)) {
    const path = join(ASSETS, name);
    if (!current.has(name.replace(/\.gz$/, ""))) await rm(path);
    else if (!name.endsWith(".gz")) await writeFile(`${path}.gz`, await packed(await readFile(path), { level: 9 }));
  }
}

const finishing: Plugin = {
  name: "finish",
  setup: ({ onEnd }) =>
    onEnd(async ({ metafile }) => {
      if (metafile !== undefined) await finish(metafile);
    }),
};

await mkdir(ASSETS, { recursive: true });
const options = { ...OPTIONS, plugins: [finishing] };
if (process.argv.includes("--watch")) await (await context(options)).watch();
else await build(options);
