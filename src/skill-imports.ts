// What a skill that lies outside of the checkout can import by name: zod, and orch itself, as in "orch/src/approval.ts".
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const OFFERED = /^(zod|orch)\//;

/** For every module below these directories, from now on and until the process ends. */
export function offerImports(directories: readonly string[]): void {
  const below = directories.map((directory) => `${pathToFileURL(resolve(directory)).href}/`);
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOffered = OFFERED.test(`${specifier}/`) && below.some((base) => context.parentURL?.startsWith(base));
      return next(specifier, isOffered ? { ...context, parentURL: import.meta.url } : context);
    },
  });
}
