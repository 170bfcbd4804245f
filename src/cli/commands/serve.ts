// orch serve: runs the server in this process.
import { z } from "zod";
import { OrchError } from "../../domain/errors.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";

export const serve = command(z.object({}), async (context) => {
  try {
    await context.parts.serve();
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    const failure = failureOf(error);
    return fail(context, { ...failure, detail: `orch cannot start: ${failure.detail}` });
  }
});
