// orch serve: runs the server in this process.
import { resolve } from "node:path";
import { z } from "zod";
import { OrchError } from "../../domain/errors.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, failureOf } from "../failure.ts";

const Given = z.object({ port: z.string().optional(), host: z.string().optional(), dataDir: z.string().optional() });

export const serve = command(Given, async (context, { port, host, dataDir }) => {
  const environment = {
    ...context.environment,
    ...(port !== undefined && { ORCH_PORT: port }),
    ...(host !== undefined && { ORCH_HOST: host }),
    ...(dataDir !== undefined && { ORCH_DATA_DIR: resolve(context.cwd, dataDir) }),
  };
  try {
    await context.parts.serve(environment);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    const failure = failureOf(error);
    // A fault is named as it was given: the option, where it took the place of the variable.
    const named = (text: string) => asGiven({ "--port": port, "--host": host, "--data-dir": dataDir }, text);
    const issues = failure.issues?.map((issue) => ({ ...issue, path: named(issue.path) }));
    return failed({ ...failure, detail: `orch cannot start: ${named(failure.detail)}`, issues });
  }
});

function asGiven(given: Readonly<Record<string, string | undefined>>, text: string): string {
  const options = Object.entries(given).filter(([, value]) => value !== undefined);
  return options.reduce(
    (named, [option]) => named.replaceAll(`ORCH_${option.slice(2).replace("-", "_").toUpperCase()}`, option),
    text,
  );
}
