// The npm-shrinkwrap.json of the package: the part of the checkout's lockfile that the program needs. npm reads it for a package
// of a registry, so that an installation has the versions that were tested, and compiles nothing (D-363).
import { z } from "zod";
import { BUNDLED } from "./manifest.ts";

const Names = z.record(z.string(), z.string()).default({});
const Entry = z.looseObject({
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
});
export const Lockfile = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type Lockfile = z.infer<typeof Lockfile>;

/** What comes inside of the package needs nothing besides. */
function asBundled(packages: Lockfile["packages"]): Lockfile["packages"] {
  const entries = Object.entries(packages).map(([path, entry]) => {
    const { dependencies: _, ...alone } = entry;
    return [path, BUNDLED.has(path.replace(/^node_modules\//, "")) ? { ...alone, inBundle: true } : entry] as const;
  });
  return Object.fromEntries(entries);
}

type Root = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

export function shrinkwrapOf({ lockfileVersion, packages: locked }: Lockfile, root: Root) {
  const packages = asBundled(locked);
  const needed = reached(packages, Object.keys(root.dependencies), false);
  const all = reached(packages, Object.keys(root.dependencies), true);
  const entries = [...all].sort().map((path) => {
    const { dev: _, devOptional: __, optional: ___, ...entry } = packages[path] ?? {};
    return [path, needed.has(path) ? entry : { ...entry, optional: true }] as const;
  });
  const { name, version } = root;
  return { name, version, lockfileVersion, requires: true, packages: { "": root, ...Object.fromEntries(entries) } };
}

/** The paths in the lockfile of all that `names` need, one through another. */
function reached(packages: Lockfile["packages"], names: readonly string[], withOptional: boolean): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string, isOptional: boolean): void => {
    const path = pathOf(packages, name, from);
    // npm leaves out of the lockfile what is optional and for no platform that it knows.
    if (path === null && isOptional) return;
    if (path === null) throw new Error(`package-lock.json has no ${name}, which ${from || "the program"} needs`);
    if (found.has(path)) return;
    found.add(path);
    const entry = Entry.parse(packages[path]);
    const optional = Object.keys(entry.optionalDependencies);
    const peers = Object.keys(entry.peerDependencies).filter((peer) => !entry.peerDependenciesMeta[peer]?.optional);
    const needed = [...Object.keys(entry.dependencies), ...peers].filter((needs) => !optional.includes(needs));
    for (const needs of needed) visit(needs, path, false);
    if (withOptional) for (const needs of optional) visit(needs, path, true);
  };
  for (const name of names) visit(name, "", false);
  return found;
}

/** As Node resolves it: the nearest node_modules upwards. */
function pathOf(packages: Lockfile["packages"], name: string, from: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const path = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (base === "") return null;
  }
}
