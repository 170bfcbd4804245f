// The package.json of the package. It can be published once a licence is chosen: by `npm run dist -- --license MIT`, or in the
// field `license` of the checkout's package.json.
import metadata from "../../package.json" with { type: "json" };
import { BUNDLED } from "./bundled.ts";

const UNLICENSED = "UNLICENSED";

/** The types and the code of what the checkout exports as `.ts`: a skill imports both by one name. */
const exported = (path: string) => ({ types: path.replace(/\.ts$/, ".d.ts"), default: path.replace(/\.ts$/, ".js") });

export function manifest(license: string = metadata.license) {
  const { name, version, description, type, engines, bin, dependencies } = metadata;
  const { "./*": _, ...named } = metadata.exports;
  const documents = ["docs", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"];
  const files = ["src", "graphs", "capabilities", "prisma", "npm-shrinkwrap.json", ...documents];
  return {
    ...{ name, version, ...(license === UNLICENSED && { private: true }), description, license, type, engines, bin },
    exports: {
      ...Object.fromEntries(Object.entries(named).map(([from, to]) => [from, exported(to)])),
      "./src/*.ts": exported("./src/*.ts"),
      "./package.json": "./package.json",
    },
    ...{ files, dependencies, bundleDependencies: [...BUNDLED.keys()] },
  };
}
