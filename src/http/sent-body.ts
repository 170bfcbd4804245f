// Gives the body of a request that is refused: what was read of it, then the rest as it arrives.
import type { Reply } from "./context.ts";

/** A caller without a token gets an answer before its body is read. */
export async function* sentBody({ req, locals }: Reply): AsyncGenerator<Uint8Array> {
  if (locals.token === null) return;
  yield* locals.chunks;
  if (!req.readableEnded) yield* req.iterator({ destroyOnReturn: false });
}
