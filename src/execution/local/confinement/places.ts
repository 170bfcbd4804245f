// Directories that have a meaning of their own in every space.
import { isWithin } from "./mount-table.ts";

/** Mounted afresh in every space. */
const FRESH = ["/proc", "/dev"];

/** Programs write here, and the sockets of other programs are here: a private space has its own. */
export const OF_THE_COMMAND = ["/tmp", "/var/tmp", "/run"];

/** While a space is made, what must stay in reach is kept here. */
export const STAGE = "/sys";

export const isFresh = (path: string): boolean => FRESH.some((fresh) => isWithin(path, fresh));
