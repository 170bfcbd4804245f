// How a server has its database: alone, for as long as it has the lock of a SQLite file, or as one of several on PostgreSQL (D-313).
import { realpath } from "node:fs/promises";
import type { ServerSelf } from "../domain/server.ts";
import { reasonOf } from "./database-errors.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import { alone, join, type Peer, takeOver } from "./peers.ts";
import type { Heard, Session } from "./postgresql-session.ts";
import { makeShrinkable } from "./shrink.ts";
import { moveLog, quickCheck } from "./sql.ts";
import { damageOf, type FileWatch, type FoundFiles, missingPart, watchFile } from "./sqlite-file.ts";
import { type Lock, lockFile } from "./sqlite-lock.ts";

export type Owning = {
  readonly release: () => Promise<void>;
  /** Runs the migrations while no other server runs its own. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly own: (client: PrismaClient, given: Given) => Promise<Owner>;
};

type Given = { readonly owner: string; readonly self: ServerSelf; readonly warn: Warn };

/** Writes to the log what a server goes on without. */
export type Warn = (details: object, message: string) => void;

/** What a server has that a tool has not. */
export type Owner = FileWatch &
  Peer & {
    /** Calls `heard` with what servers announce; null when anything may have been. */
    readonly hear: (heard: Heard) => void;
    readonly release: () => Promise<void>;
  };

export const ownsOneOf = (session: Session): Owning => ({
  release: session.release,
  alone: session.alone,
  own: async (client, { owner, self }) => {
    const { beat, ...peer } = await join(client, owner, self);
    return {
      ...peer,
      beat: () => session.check().then(beat),
      release: session.release,
      hear: session.hear,
      ...NO_FILE,
    };
  },
});

export const ownsAlone = (lock: Lock, path: string, found: FoundFiles): Owning => ({
  release: lock.release,
  alone: (work) => work(),
  own: async (client, { owner, self, warn }) => {
    await ensureIntact(client, path);
    // A convenience, which needs the file alone and room for a second one: no start waits for it.
    await makeShrinkable(path, client).catch((error: unknown) =>
      warn(
        { why: reasonOf(error) },
        "the database was not rewritten: its file does not get shorter, and all else works",
      ),
    );
    const { beat, ...row } = await takeOver(client, { lock: lock.identity, self });
    const missing = missingPart(found, row.predecessor, self.data_dir);
    if (missing !== null) warn({ database: path }, missing);
    // The file says that a server has it, also to somebody who copies the file alone.
    await moveLog(client);
    return {
      ...row,
      ...watchFile(path),
      servers: alone({ owner, ...row, clock: () => new Date() }),
      beat: () => lock.check().then(async () => ((await beat()) ? { drains: false } : null)),
      release: lock.release,
      hear: () => undefined,
    };
  },
});

const NO_FILE: FileWatch = { ensureInPlace: async () => undefined, ensureRoom: async () => undefined };

/** One lock per file, also when links lead to it. */
export const lockDatabase = async (path: string): Promise<Lock> => lockFile(await realpath(path).catch(() => path));

/** A server that detects the damage later has run half of its tasks (D-052). */
async function ensureIntact(client: PrismaClient, path: string): Promise<void> {
  const fault = await quickCheck(client);
  if (fault !== "ok") throw damageOf(path, fault);
}
