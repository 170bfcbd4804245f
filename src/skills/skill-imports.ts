// What a skill that lies outside of the checkout can import by name: zod, and orch itself, as in "orch/src/approval.ts".
import { realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const OFFERED = /^(zod|orch)\//;

/** For every module below these directories, wherever they are linked from, until the process ends. */
export function offerImports(directories: readonly string[]): void {
  const below = directories.map((directory) => `${pathToFileURL(realpathSync(directory)).href}/`);
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOffered = OFFERED.test(`${specifier}/`) && below.some((base) => context.parentURL?.startsWith(base));
      return next(specifier, isOffered ? { ...context, parentURL: import.meta.url } : context);
    },
  });
}
