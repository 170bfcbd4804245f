// One look that a wakeup asks for: bounded, and with every fault logged, because it is tried again.
import type { Looked, WakeupKind } from "../domain/wakeup.ts";
import { HANDLE_MS, inTime, type WakeupLog } from "./limits.ts";

export type Handle = (id: string) => Promise<Looked>;

/** Never rejects. */
export async function lookAt(
  { kind, id }: { readonly kind: WakeupKind; readonly id: string },
  handle: Handle,
  log: WakeupLog,
  limit_ms = HANDLE_MS,
): Promise<Looked> {
  let looked: Looked = "again";
  try {
    const look = async () => {
      looked = await handle(id);
    };
    if (await inTime(look(), limit_ms)) return looked;
    log.error({ kind, id }, "what a wakeup began does not end; it is tried again");
  } catch (error) {
    log.error({ kind, id, err: error }, "what a wakeup began has failed; it is tried again");
  }
  return "again";
}
