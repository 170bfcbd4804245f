// Loaded by node before the cookie tool (--import): TLS connections to the provider's names go to the simulated provider, with
// name and certificate check as they were. Any other name is refused, so that nothing leaves this machine. And waits of
// the lengths in a table take another length instead.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import tls from "node:tls";

const port = Number(process.env["SIMULATED_PROVIDER_PORT"]);
const hosts = (process.env["SIMULATED_PROVIDER_HOSTS"] ?? "").split(",");
const connect = tls.connect;

function redirected(...args: unknown[]): unknown {
  const [options, ...rest] = args;
  if (typeof options !== "object" || options === null) throw new Error("the test knows connections by options only");
  const wanted: { host?: string; servername?: string } = options;
  const name = wanted.servername || wanted.host || "";
  if (!hosts.includes(name)) throw new Error(`a connection to ${name} would leave this machine`);
  const there = { ...options, host: "127.0.0.1", hostname: undefined, path: undefined, port, servername: name };
  return Reflect.apply(connect, tls, [there, ...rest]);
}

Object.assign(tls, { connect: redirected });

const lengths = new Map(Object.entries(JSON.parse(process.env["FAKE_DELAYS"] ?? "{}")));
const delay = timers.setTimeout;

Object.assign(timers, { setTimeout: (length: number) => delay(Number(lengths.get(String(length)) ?? length)) });
syncBuiltinESMExports();
