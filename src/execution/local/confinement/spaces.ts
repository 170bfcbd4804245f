// Keeps the spaces of agents' runs, so that a command enters one that is made already (D-249). One that was not used for an hour
// is given up, and with it the /tmp and the home directory of its run.
import type { Confinement, NeverBegan } from "../containment/containment.ts";
import { entriesAt } from "./hidden-paths.ts";
import { makeSpace, type Space } from "./space.ts";
import { planSpace, type SpacePlan } from "./space-plan.ts";

const IDLE_MS = 3_600_000;
const MAX_KEPT = 64;

type Place = { readonly cwd: string; readonly home: string };
export type Prepared = Pick<SpacePlan, "home" | "isVisible"> & {
  readonly space: Space;
  /** Called when the command has ended. */
  readonly release: () => void;
};
type Kept = { readonly prepared: Promise<Prepared | NeverBegan>; used_at: number };

export type Spaces = {
  readonly spaceFor: (confinement: Confinement, place: Place) => Promise<Prepared | NeverBegan>;
};

export function createSpaces(now: () => number = () => performance.now()): Spaces {
  // In the order of last use.
  const kept = new Map<string, Kept>();
  const giveUp = (key: string, { prepared }: Kept) => {
    kept.delete(key);
    void prepared.then((made) => "fault" in made || made.space.close());
  };
  return {
    spaceFor: async (confinement, place) => {
      if (confinement.private && confinement.run === null) return prepare(confinement, place, true);
      for (const [key, one] of kept) if (now() - one.used_at > IDLE_MS || kept.size > MAX_KEPT) giveUp(key, one);
      const key = await keyOf(confinement, place);
      const found = kept.get(key);
      if (found !== undefined) kept.delete(key);
      const one = found ?? { prepared: prepare(confinement, place, false), used_at: 0 };
      one.used_at = now();
      kept.set(key, one);
      const made = await one.prepared;
      if ("fault" in made && kept.get(key) === one) kept.delete(key);
      return made;
    },
  };
}

/** A directory that was replaced is another one: the space of the run has the old one. */
async function keyOf(confinement: Confinement, place: Place): Promise<string> {
  const open = await entriesAt([...confinement.writable, place.cwd]);
  return JSON.stringify([confinement, place, open]);
}

async function prepare(confinement: Confinement, place: Place, once: boolean): Promise<Prepared | NeverBegan> {
  const plan = await planSpace(confinement, place);
  if ("fault" in plan) return plan;
  const { network } = confinement;
  const making = { identity: "root_inside", devices: true, mountings: plan.mountings } as const;
  const space = await makeSpace({ ...making, ...(network !== undefined && { network }) });
  if ("fault" in space) return space;
  return { ...plan, space, release: once ? space.close : () => undefined };
}
