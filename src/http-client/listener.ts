// Who listens on a port of this machine: a secret goes over plain http only to a listener of a known account (D-247). A server
// that is down may have left its port to another program.
import { readFile } from "node:fs/promises";
import { isIP, type Socket } from "node:net";

/** A sentence why nothing may be sent over this connection, or null. */
export type VerifyConnection = (socket: Socket) => Promise<string | null>;

type Expected = {
  /** By name or number. `any`: nothing is checked. Null: root, or the account of this process. */
  readonly account: string | null;
  /** The setting with the account, for the sentence. */
  readonly variable: string;
};

type Files = { readonly read?: (path: string) => Promise<string> };

/** The connection must be one to this machine. */
export function listenerCheck(
  { account, variable }: Expected,
  { read = (path) => readFile(path, "utf8") }: Files = {},
): VerifyConnection | undefined {
  if (account === "any") return undefined;
  return async ({ remoteAddress = "", remotePort = 0 }) => {
    const expected = account === null ? [0, process.getuid?.() ?? 0] : await accountsNamed(account, read);
    const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => read(path).catch(() => "")));
    const found = listenersAt(remoteAddress, remotePort, tables.join("\n"));
    if (found.length > 0 && found.every((uid) => expected.includes(uid))) return null;
    const port = `port ${remotePort} of this machine`;
    if (found.length === 0)
      return `who listens on ${port} cannot be seen, so its token was not sent; ${variable}=any sends it to any listener`;
    const whose = account === null ? "root nor this account" : `the account ${account}`;
    const is = account === null ? "neither" : "not";
    const others = found.filter((uid) => !expected.includes(uid));
    return `what listens on ${port} belongs to account ${others[0]} and ${is} to ${whose}, so the token was not sent; where that is right, set ${variable} to it`;
  };
}

async function accountsNamed(account: string, read: (path: string) => Promise<string>): Promise<number[]> {
  if (/^\d+$/.test(account)) return [Number(account)];
  const lines = (await read("/etc/passwd").catch(() => "")).split("\n").map((line) => line.split(":"));
  return lines.filter(([name]) => name === account).map(([, , uid]) => Number(uid));
}

const LISTEN = "0A";
const LINE = /^\s*\d+: ([\dA-F]+):([\dA-F]{4}) [\dA-F]+:[\dA-F]+ ([\dA-F]{2}) \S+ \S+ \S+\s+(\d+)/;

/** The accounts of the sockets that listen there, in the form of /proc/net/tcp. */
export function listenersAt(address: string, port: number, table: string): number[] {
  const addresses = new Set(["0".repeat(8), "0".repeat(32), ...spellingsOf(address)]);
  return table.split("\n").flatMap((line) => {
    const [, local = "", digits = "", state, uid] = LINE.exec(line) ?? [];
    const isThere = state === LISTEN && Number.parseInt(digits, 16) === port && addresses.has(local);
    return isThere ? [Number(uid)] : [];
  });
}

/** As the kernel prints it: words of four bytes, the lowest byte first. An address of version 4 may be within one of 6. */
function spellingsOf(address: string): string[] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) === 4) {
    const word = wordOf(plain.split(".").map(Number));
    return [word, `${"0".repeat(16)}FFFF0000${word}`];
  }
  const bytes = bytesOf6(plain);
  return bytes === null ? [] : [[0, 4, 8, 12].map((at) => wordOf(bytes.slice(at, at + 4))).join("")];
}

const wordOf = (bytes: readonly number[]): string =>
  bytes
    .toReversed()
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();

function bytesOf6(address: string): number[] | null {
  if (isIP(address) !== 6) return null;
  const [head = "", tail = ""] = new URL(`http://[${address.replace(/%.*$/, "")}]/`).hostname.slice(1, -1).split("::");
  const groups = [head, tail].map((half) =>
    half === "" ? [] : half.split(":").map((word) => Number.parseInt(word, 16)),
  );
  const [first = [], last = []] = groups;
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return all.flatMap((group) => [group >> 8, group & 255]);
}
