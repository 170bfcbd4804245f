// What a procedure of the library finds in its world before it runs.
import type { World } from "./world.ts";

export type Scene = {
  /** In the place of the values of the example. */
  readonly target: Readonly<Record<string, string>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Of the engine: the addresses of tool servers. */
  readonly env?: Readonly<Record<string, string>>;
  /** Makes the servers of the scene lie; the programs of the world lie by themselves. */
  readonly lie?: () => void;
  /** Of a procedure that only looks: what it has to find. */
  readonly spoil?: () => void;
  readonly close?: () => Promise<void>;
};

/** Null where the machine lacks what the scene needs. */
export type OpenScene = (world: World) => Promise<Scene | null>;
