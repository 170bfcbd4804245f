// The package.json of the package. It can be published once a licence is chosen: by `npm run dist -- --license MIT`, or in the
// field `license` of the checkout's package.json.
import { z } from "zod";
import metadata from "../../../package.json" with { type: "json" };
import { BUNDLED } from "./bundled.ts";

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
