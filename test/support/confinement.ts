// A confinement with everything left open that can be left open.
import type { Confinement } from "../../src/execution/local/containment/containment.ts";

export const aConfinement = (over: Partial<Confinement> = {}): Confinement => ({
  hidden: [],
  read_only: [],
  writable: [],
  private: true,
  run: null,
  account: null,
  ...over,
});
