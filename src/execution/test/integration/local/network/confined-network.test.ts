// A confined command in the network of its run, as each account that can confine commands here.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../../../../test/support/free-port.ts";
import { anAgentSandbox } from "../../../../../../test/support/sandboxes.ts";
import type { CommandEnd } from "../../../../local/run-command.ts";
import { confinedTo, isRoot, MODES, NOBODY, ordered } from "../confinement/confined-commands.ts";
import { contractOf, startEcho } from "./in-network.ts";

let app: Awaited<ReturnType<typeof startEcho>>;
let other: Awaited<ReturnType<typeof startEcho>>;
beforeAll(async () => {
  [app, other] = [await startEcho(), await startEcho()];
});
afterAll(() => {
  for (const server of [app, other]) server[Symbol.dispose]();
});

const said = (end: CommandEnd | undefined): string =>
  end?.ran === true ? `${end.stdout.text}${end.stderr.text}` : `${end?.reason}`;

describe.each(MODES)("a command of $name", ({ as_nobody, fault }) => {
  const runAll = (scripts: readonly string[]) => {
    const contract = contractOf([`localhost:${app.port}`]);
    const order = { sandbox: anAgentSandbox({ run: contract.task_id }), cwd: "/", env: {}, scripts, contract };
    return ordered(order, as_nobody);
  };

  test.skipIf(fault !== null)("reaches what its contract names and nothing else of this machine", async () => {
    const ends = await runAll([
      `curl -sS http://localhost:${app.port}/direct`,
      `curl -sS --noproxy none -p http://localhost:${app.port}/tunnel`,
      `curl -sS --noproxy none -p http://localhost:${other.port}/tunnel`,
      `curl -sS --max-time 5 http://127.0.0.1:${other.port}/direct`,
      "tail -n +3 /proc/net/dev | cut -d: -f1",
    ]);
    const [direct, tunnel, refused, silent] = ends.map(said);
    const [devices] = ends.slice(-1).map((end) => end.ran && end.stdout.text.trim());
    expect([direct, tunnel]).toEqual([expect.stringContaining("/direct"), expect.stringContaining("/tunnel")]);
    expect(refused, "a program that opens a tunnel shows no more than a number").toMatch(
      /403[\s\S]*orch refuses the connection to localhost:\d+: the contract does not name it\./,
    );
    expect(silent).toContain("Failed to connect");
    expect(devices).toBe("lo");
    expect(other.heard).toEqual([]);
  });

  test.skipIf(fault !== null)("listens on any port of its own, also a low one", async () => {
    const port = await freePort();
    const listen = (at: number) => `node -e 'require("node:net").createServer().listen(${at}, () => process.exit(7))'`;
    expect((await runAll([listen(port), listen(81)])).map((end) => end.ran && end.exit_code)).toEqual([7, 7]);
  });
});

test.skipIf(!isRoot || MODES[0]?.fault !== null)(
  "a command of the account of agents has the network of its run",
  async () => {
    const contract = contractOf([`localhost:${app.port}`]);
    const account = { uid: NOBODY, gid: NOBODY };
    const scripts = [
      `id -u; curl -sS http://localhost:${app.port}/account`,
      `curl -sS --max-time 5 http://127.0.0.1:${other.port}/account`,
      `nsenter --net=/proc/1/ns/net true`,
    ];
    const order = {
      sandbox: confinedTo({ run: contract.task_id, account }),
      cwd: "/",
      env: {},
      scripts,
      contract,
    };
    const [named, unnamed, left] = await ordered(order);
    expect(said(named)).toMatch(/^65534\n.*\/account/);
    expect(said(unnamed)).toContain("Failed to connect");
    expect(left).toMatchObject({ ran: true, exit_code: 1 });
    expect(other.heard).toEqual([]);
  },
);
