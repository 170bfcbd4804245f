// What statements are sent through.
import type { Prisma, PrismaClient } from "./generated/sqlite/client.ts";

export type Client = PrismaClient;
/** The client or an open transaction. */
export type Session = Prisma.TransactionClient;
