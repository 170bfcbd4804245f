// The package.json of the package. It can be published once a licence is chosen: by `npm run dist -- --license MIT`, or in the
// field `license` of the checkout's package.json.

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import metadata from "../../../package.json" with { type: "json" };
import { ROOT } from "../../own-file.ts";

const UNLICENSED = "UNLICENSED";

/** The types and the code of what the checkout exports as `.ts`: a skill imports both by one name, and nothing else (D-386). */
const exported = (path: string) => ({ types: path.replace(/\.ts$/, ".d.ts"), default: path.replace(/\.ts$/, ".js") });

/** What of the checkout's package.json is taken over where it is set. npm compares the repository with the one of the build. */
const About = z.object({ repository: z.unknown(), homepage: z.unknown(), author: z.unknown() }).partial();

type Packed = {
  readonly license: string;
  readonly documents: readonly string[];
  readonly about: z.infer<typeof About>;
};

export function manifest(packed: Partial<Packed> = {}) {
  const { license = metadata.license, documents = [], about = About.parse(metadata) } = packed;
  const { name, version, description, type, engines, bin, dependencies } = metadata;
  const files = [
    "src",
    "graphs",
    "capabilities",
    "prisma",
    "npm-shrinkwrap.json",
    "CHANGELOG.md",
    "LICENSE",
    ...documents,
  ];
  return {
    name,
    version,
    ...(license === UNLICENSED && { private: true }),
    description,
    license,
    ...about,
    type,
    engines,
    bin,
    exports: {
      ...Object.fromEntries(Object.entries(metadata.exports).map(([name, path]) => [name, exported(path)])),
      "./package.json": "./package.json",
    },
    files,
    dependencies,
    bundleDependencies: [...BUNDLED.keys()],
  };
}

/** The modules whose types the package needs, with those that they name. */
export const EXPORTED: readonly string[] = Object.values(metadata.exports);

// Packages that come inside of the package, without what it does not use (D-363). Taken from the registry, one of them would be
// compiled, one would bring a second database engine and compile that, and one would report the installation to its maker.

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
