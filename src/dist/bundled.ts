// Packages that come inside of the package, without what it does not use (D-368). Taken from the registry, one of them would be
// compiled, one would bring a second database engine and compile that, and one would report the installation to its maker.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import metadata from "../../package.json" with { type: "json" };
import { ROOT } from "../own-file.ts";

type Bundled = { readonly kept: RegExp; readonly dependencies: Readonly<Record<string, string>> };

const { "better-sqlite3": engine, "@prisma/driver-adapter-utils": adapter_utils } = metadata.dependencies;

export const BUNDLED: ReadonlyMap<string, Bundled> = new Map([
  // Its sources are for a compiler, and orch needs bash.
  ["better-sqlite3", { kept: /^(LICENSE|lib|prebuilds(\/(linux|darwin).*)?)($|\/)/, dependencies: {} }],
  [
    "@prisma/adapter-better-sqlite3",
    {
      kept: /^(LICENSE|README\.md|dist)($|\/)/,
      dependencies: { "better-sqlite3": engine, "@prisma/driver-adapter-utils": adapter_utils },
    },
  ],
  [
    "swagger-ui-dist",
    { kept: /^(LICENSE|NOTICE|swagger-ui-bundle\.js(\.LICENSE\.txt)?|swagger-ui\.css)$/, dependencies: {} },
  ],
]);

const Manifest = z.record(z.string(), z.unknown());

/** Copies them below `target`, as npm packs and installs them. */
export async function copyBundled(target: string): Promise<void> {
  for (const [name, { kept, dependencies }] of BUNDLED) {
    const from = join(ROOT, "node_modules", name);
    const to = join(target, "node_modules", name);
    await mkdir(to, { recursive: true });
    await cp(from, to, {
      recursive: true,
      filter: (path) => path === from || kept.test(path.slice(from.length + 1)),
    });
    const {
      scripts: _,
      devDependencies: __,
      ...manifest
    } = Manifest.parse(JSON.parse(await readFile(join(from, "package.json"), "utf8")));
    await writeFile(join(to, "package.json"), `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`);
  }
}
