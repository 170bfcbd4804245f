// What to say of a page that is not true, and whether this machine can show what the pages show.
import { fault } from "../../../src/execution/test/integration/local/control/a-control.ts";
import type { Played } from "../../support/documents/play-page.ts";

/** The pages show checks in an empty world, which needs namespaces. */
export const needsWorld = fault !== null;

/** Null where everything came as the page says. */
export function faultOf(path: string, played: readonly Played[]): string | null {
  const last = played.at(-1);
  if (last === undefined || last.fault === null) return null;
  const { step, printed, fault: why } = last;
  return `${path}:${step.line}: ${why}\n${"script" in step ? step.script : ""}\nit printed:\n${printed}`;
}
