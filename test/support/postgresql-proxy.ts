// A proxy in front of a PostgreSQL server that loses answers: the next message of a client that contains a text is done and its
// answer is lost, is not done, or is answered late. It may also fall silent, as a network does that has lost a connection, or cut
// the client off for a while.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Fault = "done_answer_lost" | "not_done_answer_lost" | "slow";

export type PostgresqlProxy = {
  readonly url: string;
  /** The next message that contains the text meets the fault. Resolves when it has. */
  readonly arm: (text: string, fault: Fault) => Promise<void>;
  /** Nothing passes any more on the connections of now, without an end that could be heard. New ones pass. */
  readonly silence: () => void;
  /** Nothing passes on any connection, new or not, and none ends, until `heal`: then what has waited passes. */
  readonly cutOff: () => void;
  readonly heal: () => void;
  readonly stop: () => Promise<void>;
};

const SLOW_MS = 1_500;
// ReadyForQuery: the server has answered the message.
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

type Armed = { readonly text: string; readonly fault: Fault; readonly met: () => void };

export async function postgresqlProxy(target: string): Promise<PostgresqlProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pairs = new Set<{ isSilent: boolean }>();
  let armed: Armed | null = null;
  let isCutOff = false;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const pair = { isSilent: false };
    const statements = new Map<string, string>();
    pairs.add(pair);
    let losing = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        if (!pair.isSilent) end();
      });
    }
    client.on("data", (chunk) => {
      if (pair.isSilent) return;
      const fault = take(wordsOf(chunk, statements));
      if (fault === "not_done_answer_lost") return end();
      losing ||= fault === "done_answer_lost";
      if (fault === "slow") setTimeout(() => upstream.write(chunk), SLOW_MS);
      else upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (pair.isSilent) return;
      if (!losing) client.write(chunk);
      else if (chunk.includes(READY)) end();
    });
    if (isCutOff) for (const socket of [client, upstream]) socket.pause();
  });

  function take(words: string): Fault | null {
    if (armed === null || !words.includes(armed.text)) return null;
    const { fault, met } = armed;
    armed = null;
    met();
    return fault;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    arm: (text, fault) =>
      new Promise((met) => {
        armed = { text, fault, met };
      }),
    silence: () => {
      for (const pair of pairs) pair.isSilent = true;
    },
    cutOff: () => {
      isCutOff = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isCutOff = false;
      for (const socket of sockets) socket.resume();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a client sends, with the texts of the statements that it names: a text is sent once on a connection (D-394). */
function wordsOf(chunk: Buffer, statements: Map<string, string>): string {
  const words = chunk.toString("latin1");
  for (const [, name = "", sql = ""] of words.matchAll(PARSE)) statements.set(name, sql);
  const named = [...words.matchAll(BIND)].map(([, name = ""]) => statements.get(name) ?? "");
  return [words, ...named].join("\n");
}

/** Messages of the protocol, with the names of `src/store/postgresql-session.ts`. */
const PARSE = /P[\s\S]{4}(orch_[0-9a-f]+)\0([^\0]*)/g;
const BIND = /B[\s\S]{4}\0(orch_[0-9a-f]+)\0/g;
