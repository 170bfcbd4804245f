// Packages that come inside of the package, without what it does not use (D-363). Taken from the registry, one of them would be
// compiled, one would bring a second database engine and compile that, and one would report the installation to its maker.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../../own-file.ts";

/**
 * What is kept of each. They need nothing but what the package itself needs: npm takes a package that one of them names for one that comes
 * inside too, and does not install it.
 */
export const BUNDLED: ReadonlyMap<string, RegExp> = new Map([
  // Its sources are for a compiler, and orch needs bash.
  ["better-sqlite3", /^(LICENSE|lib|prebuilds(\/(linux|darwin).*)?)($|\/)/],
  ["@prisma/adapter-better-sqlite3", /^(LICENSE|README\.md|dist)($|\/)/],
  ["swagger-ui-dist", /^(LICENSE|NOTICE|swagger-ui-bundle\.js(\.LICENSE\.txt)?|swagger-ui\.css)$/],
]);

const Manifest = z.record(z.string(), z.unknown());

/** Copies them below `target`, as npm packs and installs them. */
export async function copyBundled(target: string): Promise<void> {
  for (const [name, kept] of BUNDLED) {
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
      dependencies: ___,
      ...manifest
    } = Manifest.parse(JSON.parse(await readFile(join(from, "package.json"), "utf8")));
    await writeFile(join(to, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}
