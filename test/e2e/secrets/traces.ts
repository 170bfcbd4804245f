// Finds traces of secrets in what a server stores or sends: also half of a secret, in any encoding, across lines and
// inside JSON. It shares no code with the redactor that it checks.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { sqlRows } from "../../support/database.ts";

const PIECE = 12;
const EVERY = 6;
const TABLES = [
  "task",
  "journal_event",
  "sop",
  "approval",
  "checkpoint",
  "checkpoint_blob",
  "checkpoint_write",
  "check_look",
];

const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");

/** Base64 of a text with the secret in it depends on the offset of the secret. Its edges are left out. */
const encoded = (secret: string, before: number): string =>
  Buffer.from("\0".repeat(before) + secret)
    .toString("base64")
    .slice(Math.ceil((before * 4) / 3), -4);

const formsOf = (secret: string): string[] => {
  const base64 = [0, 1, 2].map((before) => encoded(secret, before));
  const base64url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    secret,
    encodeURIComponent(secret),
    percent(secret),
    Buffer.from(secret).toString("hex"),
    ...base64,
    ...base64url,
  ];
};

const piecesOf = (form: string): string[] =>
  Array.from({ length: Math.ceil((form.length - PIECE + 1) / EVERY) }, (_, n) =>
    form.slice(n * EVERY, n * EVERY + PIECE),
  );

/** Removes blanks, escapes and backslashes, to find a text that was broken over lines. */
const dense = (text: string): string => text.replace(/\\+[nrt]|[\s\\]/g, "");

export function expectNoTrace(where: string, text: string, secrets: readonly string[]): void {
  // The filler in the output of the steps.
  const short = text.replace(/x{99,}/g, "x");
  for (const searched of [short, dense(short)]) {
    for (const secret of secrets) {
      const found = formsOf(secret)
        .flatMap(piecesOf)
        .find((piece) => searched.includes(piece));
      const around = found === undefined ? "" : searched.slice(Math.max(0, searched.indexOf(found) - 60)).slice(0, 130);
      expect(found, `${where} holds a piece of ${secret}: ${around}`).toBeUndefined();
    }
  }
}

/** Every row of every table, with bytes as text. */
export async function rowsOf(url: string): Promise<string> {
  const database = await openDatabase({ url });
  const rows = await Promise.all(TABLES.map((table) => sqlRows(database, `SELECT * FROM ${table}`)));
  await database.close();
  return JSON.stringify(rows, (_key, held: unknown) =>
    held instanceof Uint8Array ? Buffer.from(held).toString("latin1") : held,
  );
}

/** Every file below the directory except the named ones, as stored: the database, its log, files of steps. */
export const filesIn = (directory: string, except: readonly string[]): [string, string][] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !except.some((other) => name === other || name.startsWith(`${other}/`)))
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, "latin1")]);
