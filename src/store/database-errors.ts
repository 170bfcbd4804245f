// Reads the cause of a database error, which Prisma wraps around the driver's error, and says it to callers and operators.
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";

const DriverFault = z.object({
  kind: z.string(),
  originalCode: z.string().optional(),
  originalMessage: z.string().optional(),
});
type DriverFault = z.infer<typeof DriverFault>;

// The shapes of Prisma, of the adapter, and of SQLite when it cannot open the file.
const Shapes = z.union([
  z
    .object({ meta: z.object({ driverAdapterError: z.object({ cause: DriverFault }) }) })
    .transform(({ meta }) => meta.driverAdapterError.cause),
  z.object({ cause: DriverFault }).transform(({ cause }): DriverFault => cause),
  z
    .object({ code: z.string().startsWith("SQLITE_"), message: z.string() })
    .transform(({ code, message }): DriverFault => ({ kind: "sqlite", originalCode: code, originalMessage: message })),
]);

const faultOf = (error: unknown): DriverFault | undefined => Shapes.safeParse(error).data;

/** The driver adapter's name of the error, such as UniqueConstraintViolation; undefined when the driver did not raise it. */
export const kindOf = (error: unknown): string | undefined => faultOf(error)?.kind;

/** Two transactions conflicted and this one wrote nothing; the caller tries again. */
export const isWriteConflict = (error: unknown): boolean => kindOf(error) === "TransactionWriteConflict";

// A server that shuts down ends its sessions with 57P0x, and one that waits too long for a lock gives up with 55P03.
const LOST_CODE = /^(08...|57P0.|25P03|55P03)$/;
const LOST_KINDS: ReadonlySet<string> = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);
// What the driver and its pool say without a code, and what Prisma says of a transaction whose connection is gone.
const LOST_TEXT =
  /connection (terminated|ended|error)|has encountered a connection error|read timeout|timeout exceeded|not queryable|ECONNRESET|EPIPE|ECONNREFUSED|transaction (api error|already closed|not found)/i;

/** The database did not answer: what was asked may have been done, or may still be. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof OrchError) return false;
  const { kind = "", originalCode = "" } = faultOf(error) ?? {};
  if (originalCode !== "") return LOST_CODE.test(originalCode);
  return LOST_KINDS.has(kind) || (error instanceof Error && LOST_TEXT.test(error.message));
}

const REASONS = new Map([
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_IOERR", "the disk is full or broken"],
  // From the schema engine, which drops SQLite's code.
  ["disk I/O error", "the disk is full or broken"],
  ["SQLITE_READONLY", "the file or its folder cannot be written"],
  ["SQLITE_CANTOPEN", "the file or its folder cannot be opened or written"],
  ["SQLITE_CORRUPT", "the file is damaged or its disk fails; start orch again to find out which"],
  ["53100", "the disk is full"],
  ["58030", "the disk of the database server failed"],
  ["XX001", "the database is damaged; restore a backup"],
  ["DatabaseNotReachable", "the server cannot be reached"],
  ["DatabaseDoesNotExist", "there is no such database"],
  ["AuthenticationFailed", "the server refused the user or password"],
]);

/** One clause for the operator of the server. */
export function reasonOf(error: unknown): string {
  const { kind = "", originalCode = "", originalMessage } = faultOf(error) ?? {};
  const primaryCode = originalCode.split("_").slice(0, 2).join("_");
  const message = originalMessage ?? (error instanceof Error ? error.message : String(error));
  // The schema engine appends its own trace.
  const detail = (message.split(/\n\s+0: /)[0] ?? "").trim().replace(/\s+/g, " ");
  const known = [originalCode, primaryCode, kind, detail].map((name) => REASONS.get(name)).find(Boolean);
  return known === undefined ? detail : `${known} (${detail})`;
}

/** SQLite says the same of a file whose content is wrong and of one that the disk could not read. */
export const isCorrupt = (error: unknown): boolean =>
  faultOf(error)?.originalCode?.startsWith("SQLITE_CORRUPT") === true;

/** Why a database cannot be opened; `name` contains no password. */
export const cannotUse = (name: string, cause: unknown): OrchError =>
  cause instanceof OrchError
    ? cause
    : new OrchError("database_unusable", `cannot use the database ${name}: ${reasonOf(cause)}`, { cause });

/** Awaits a read or write. A failure becomes an error for the core, nothing of it was done; other errors stay as they are. */
export async function usable<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isPrisma = error instanceof Error && error.name.startsWith("Prisma");
    if (!isPrisma && faultOf(error) === undefined && !isUnanswered(error)) throw error;
    const message = `the database did not do what was asked: ${reasonOf(error)}`;
    throw new OrchError("database_unusable", message, { cause: error });
  }
}

/** The operation, with what `usable` says of its faults. */
export const guarded =
  <A extends unknown[], R>(operation: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
  (...args) =>
    usable(operation(...args));
