// Who listens on a port, from tables as the kernel prints them.
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { listenerCheck, listenersAt } from "../../../src/http-client/listener.ts";

const row = (local: string, uid: number, state = "0A", remote = "00000000:0000") =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 1471 1 0000000000000000 100 0 0 10 0`;

const LO_4 = "0100007F:2242";
const LO_6 = "00000000000000000000000001000000:2242";
const MAPPED = "0000000000000000FFFF00000100007F:2242";
const ANY_4 = "00000000:2242";
const ANY_6 = "00000000000000000000000000000000:2242";
const PORT = 0x2242;

describe("what listens there", () => {
  it.each([
    ["on the address itself", "127.0.0.1", LO_4],
    ["on the address itself, of version 6", "::1", LO_6],
    ["on the address within version 6", "127.0.0.1", MAPPED],
    ["where the connection says so too", "::ffff:127.0.0.1", LO_4],
    ["on every address", "127.0.0.1", ANY_4],
    ["on every address of both versions", "127.0.0.1", ANY_6],
    ["on another address of version 6", "2001:db8::7", "B80D0120000000000000000007000000:2242"],
  ])("is found %s", (_where, address, local) => {
    expect(listenersAt(address, PORT, row(local, 1001))).toEqual([1001]);
  });

  it.each([
    ["a listener on another address", "127.0.0.1", row("0200007F:2242", 1001)],
    ["a listener on another port", "127.0.0.1", row("0100007F:2243", 1001)],
    ["a connection", "127.0.0.1", row(LO_4, 1001, "01", "0100007F:9999")],
    ["a table that cannot be read", "127.0.0.1", ""],
  ])("is not %s", (_where, address, table) => {
    expect(listenersAt(address, PORT, table)).toEqual([]);
  });
});

describe("a connection is", () => {
  const PASSWD = "root:x:0:0::/root:/bin/sh\nnotes:x:998:998::/srv/notes:/bin/false\n";
  const own = process.getuid?.() ?? 0;
  const verdict = (account: string | null, uids: readonly number[]) => {
    const read = async (path: string) =>
      path === "/etc/passwd" ? PASSWD : path.endsWith("tcp") ? uids.map((uid) => row(LO_4, uid)).join("\n") : "";
    const verify = listenerCheck({ account, variable: "MCP_LAB_PEER" }, { read });
    const socket = { remoteAddress: "127.0.0.1", remotePort: PORT } as Socket;
    return verify?.(socket);
  };

  it.each([
    ["root", null, [0]],
    ["the account of orch", null, [own]],
    ["the account that is named", "notes", [998]],
    ["the account of that number", "998", [998]],
  ])("one to a listener of %s", async (_whose, account, uids) => {
    expect(await verdict(account, uids)).toBeNull();
  });

  it.each([
    ["of another account", null, [own + 4321], `belongs to account ${own + 4321} and neither to root nor this account`],
    ["of root where another is named", "notes", [0], "belongs to account 0 and not to the account notes"],
    ["of which one is another account's", null, [0, own + 4321], `belongs to account ${own + 4321}`],
    ["of an account that is unknown", "ghost", [998], "not to the account ghost"],
    ["that cannot be seen", null, [], "cannot be seen, so its token was not sent; MCP_LAB_PEER=any"],
  ])("refused to a listener %s", async (_whose, account, uids, reason) => {
    expect(await verdict(account, uids)).toContain(reason);
  });

  it("made without a look where the site sends the token to any listener", () => {
    expect(listenerCheck({ account: "any", variable: "MCP_LAB_PEER" })).toBeUndefined();
  });
});
