// The network of an agent's commands, in real namespaces, with real servers on the loopback of this machine.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../../../../../test/support/free-port.ts";
import type { TaskContract } from "../../../../../domain/contract.ts";
import { patternNamed, type WayOut } from "../../../../../domain/network-scope.ts";
import { createAgentNetworks, type EnteredNetwork } from "../../../../local/network/agent-networks.ts";
import { contractOf, runIn, startEcho } from "./in-network.ts";

type Echo = Awaited<ReturnType<typeof startEcho>>;

const stack = new DisposableStack();
const refused: string[] = [];
const site: WayOut[] = [];
let app: Echo;
let model: Echo;
let other: Echo;
const networks = createAgentNetworks({
  site,
  kept: () => [{ what: "the model server (AGENT_URL)", host: "127.0.0.1", port: model.port }],
  onRefused: ({ host, port }) => refused.push(`${host}:${port}`),
});

beforeAll(async () => {
  app = stack.use(await startEcho());
  model = stack.use(await startEcho());
  other = stack.use(await startEcho());
  stack.defer(networks.close);
});
afterAll(() => stack.dispose());

async function entered(contract: TaskContract): Promise<EnteredNetwork> {
  const network = await networks.enter(contract);
  if ("fault" in network) throw new Error(network.fault);
  return network;
}

const PROXIED = "curl -sS --max-time 5 --noproxy none";

describe("a command reaches what its contract names", () => {
  test("on this machine, by the same port, with any program", async () => {
    const network = await entered(contractOf([], { health_url: `http://127.0.0.1:${app.port}/health` }));
    const bash = `exec 3<>/dev/tcp/127.0.0.1/${app.port}; printf 'GET /raw HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3`;
    expect((await runIn(network, `curl -sS http://localhost:${app.port}/health`)).said).toContain("/health");
    expect((await runIn(network, bash)).said).toContain("/raw");
    network.leave();
  });

  test("with a program that closes its side once it has sent its request", async () => {
    const late = createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume().on("end", () => setTimeout(() => socket.end("answered after the end"), 50));
    }).listen(0, "127.0.0.1");
    await once(late, "listening");
    const { port } = late.address() as AddressInfo;
    const network = await entered(contractOf([`localhost:${port}`]));
    const ask = (to: number, first: string) =>
      `${process.execPath} -e 'require("node:net").connect({ port: ${to}, host: "127.0.0.1", allowHalfOpen: true }).end("${first}").pipe(process.stdout)'`;
    const tunnel = `CONNECT localhost:${port} HTTP/1.1\\r\\n\\r\\nasked`;
    for (const script of [ask(port, "asked"), ask(3128, tunnel)])
      expect((await runIn(network, script)).said).toContain("answered after the end");
    network.leave();
    late.close();
  });

  test("by the proxy, as a request and as a tunnel", async () => {
    const network = await entered(contractOf([`localhost:${app.port}`]));
    const url = `http://localhost:${app.port}`;
    expect((await runIn(network, `${PROXIED} -i -d sent ${url}/asked`)).said).toMatch(
      /x-from: echo[\s\S]*POST .*\/asked sent/,
    );
    expect((await runIn(network, `${PROXIED} -p -d sent ${url}/tunnel`)).said).toContain("/tunnel sent");
    expect(network.refused()).toEqual([]);
    network.leave();
  });

  test("by a name that the site opens to every agent", async () => {
    site.push({ host: "", port: null, ...patternNamed(`127.0.0.1:${other.port}`), from: "AGENT_NETWORK" });
    const network = await entered(contractOf([]));
    expect((await runIn(network, `curl -sS http://127.0.0.1:${other.port}/site`)).said).toContain("/site");
    network.leave();
    site.pop();
  });
});

describe("a command does not reach", () => {
  test("a server on this machine that nothing names, and learns what would open it", async () => {
    const network = await entered(contractOf([`localhost:${app.port}`]));
    expect((await runIn(network, `curl -sS --max-time 5 http://127.0.0.1:${other.port}/direct`)).code).not.toBe(0);
    const { said } = await runIn(network, `${PROXIED} http://127.0.0.1:${other.port}/asked`);
    expect(said).toContain(`orch refuses the connection to 127.0.0.1:${other.port}: the contract does not name it.`);
    expect(said).toContain(`"localhost:${other.port}" in constraints.implicit_scope opens it, or in AGENT_NETWORK`);
    expect((await runIn(network, `${PROXIED} -p http://127.0.0.1:${other.port}/tunnel`)).said).toContain("403");
    expect(other.heard.join()).not.toMatch(/direct|asked|tunnel/);
    expect(network.refused()).toEqual([expect.stringContaining(`127.0.0.1:${other.port}`)]);
    expect(refused).toContain(`127.0.0.1:${other.port}`);
    network.leave();
  });

  test("a server of orch, although its contract names it, by any spelling and on any way", async () => {
    const network = await entered(contractOf([`127.0.0.1:${model.port}`, `http://[::1]:${model.port}/`]));
    const hosts = ["127.0.0.1", "localhost", "127.1", "2130706433", "0.0.0.0", "127.9.9.9", "[::ffff:127.0.0.1]"];
    const ways = ["curl -sS --max-time 5", PROXIED, `${PROXIED} -p`];
    const calls = hosts.flatMap((host) => ways.map((way) => `${way} -d '{}' http://${host}:${model.port}/api/create`));
    await runIn(network, calls.join("\n"));
    expect(model.heard).toEqual([]);
    const { said } = await runIn(network, `curl -sS http://127.0.0.1:${model.port}/api/create`);
    expect(said).toContain("it is the model server (AGENT_URL), which no contract and no setting opens");
    network.leave();
  });

  test("this machine by another of its addresses", async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const outer = own.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    const everywhere = await startEcho("0.0.0.0");
    const network = await entered(contractOf([`localhost:${everywhere.port}`]));
    for (const address of outer === undefined ? [] : [outer]) {
      await runIn(network, `curl -sS --max-time 5 --noproxy '*' http://${address}:${everywhere.port}/direct`);
      await runIn(network, `${PROXIED} http://${address}:${everywhere.port}/asked`);
    }
    expect(everywhere.heard).toEqual([]);
    network.leave();
    everywhere[Symbol.dispose]();
  });

  test("an abstract socket of this machine", async () => {
    const name = `\0orch-test-${process.pid}`;
    const server = createServer((socket) => socket.end("reached")).listen(name);
    await once(server, "listening");
    const network = await entered(contractOf([]));
    const script = `require("node:net").connect("\\0orch-test-${process.pid}").on("error", (e) => console.log(e.code)).pipe(process.stdout)`;
    expect((await runIn(network, `${process.execPath} -e '${script}'`)).said).toContain("ECONNREFUSED");
    network.leave();
    server.close();
  });
});

test("what a command listens on is reached by itself only, and takes no port of this machine", async () => {
  const port = await freePort();
  const network = await entered(contractOf([]));
  const script = `require("node:net").createServer((s) => s.end("own")).listen(${port}, () => console.log("listens"));
    setTimeout(() => process.exit(), 3000)`;
  const running = runIn(
    network,
    `${process.execPath} -e '${script}' & sleep 1; curl -sS --http0.9 http://127.0.0.1:${port}/; kill %1`,
  );
  const server = createServer((socket) => socket.end("outside")).listen(port, "127.0.0.1");
  await once(server, "listening");
  const [answer] = await once(connect(port, "127.0.0.1"), "data");
  expect(String(answer)).toBe("outside");
  expect((await running).said).toMatch(/listens[\s\S]*own/);
  server.close();
  network.leave();
});

test("the commands of a run share its network, and runs do not", async () => {
  const contract = contractOf([]);
  const [first, again, another] = [await entered(contract), await entered(contract), await entered(contractOf([]))];
  expect(again.entry.id).toBe(first.entry.id);
  expect(another.entry.id).not.toBe(first.entry.id);
  const space = async (network: EnteredNetwork) => (await runIn(network, "readlink /proc/self/ns/net")).said;
  expect(await space(again)).toBe(await space(first));
  expect(await space(another)).not.toBe(await space(first));
});

test("a network that is given up ends its connections", async () => {
  const own = createAgentNetworks({ site: [], kept: () => [], onRefused: () => undefined });
  const network = await own.enter(contractOf([`localhost:${app.port}`]));
  if ("fault" in network) throw new Error(network.fault);
  const tunnel = `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT localhost:${app.port} HTTP/1.1\\r\\n\\r\\n' >&3
    printf 'GET /held HTTP/1.1\\r\\nhost: app\\r\\n\\r\\n' >&3; cat <&3; echo ended`;
  const running = runIn(network, tunnel);
  await vi.waitUntil(() => app.heard.includes("GET /held"), { timeout: 10_000 });
  own.close();
  expect((await running).said).toMatch(/200[\s\S]*GET app \/held[\s\S]*ended/);
});
