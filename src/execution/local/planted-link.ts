// A link that an agent could have made, on the way to a directory that a contract names: it may lead anywhere, so nothing runs there
// (D-248).
import { readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isBelow, isWithin } from "./confinement/mount-table.ts";

/** The first such link that leads out of the place in which it is; null where there is none. */
export async function plantedLink(path: string, places: readonly string[]): Promise<string | null> {
  let real = "/";
  // `..` follows the links before it.
  for (const name of path.split("/").slice(1)) {
    const next = join(real, name);
    const isLink = (await readlink(next).catch(() => null)) !== null;
    const place = places.find((one) => isBelow(next, one));
    const target = await realpath(next).catch(() => next);
    if (isLink && place !== undefined && !isWithin(target, place)) return next;
    real = target;
  }
  return null;
}
