// Listens on the ports of its arguments and hands each socket on to the process that has started it. A port of version 6 may be missing
// on this machine.
const { createServer } = require("node:net");
const all = process.argv.slice(1).flatMap((port) => ["127.0.0.1", "::1"].map((host) => ({ port: Number(port), host })));
const next = () => {
  const place = all.shift();
  if (place === undefined) return process.send({ done: true });
  const server = createServer();
  server.on("error", (error) => (place.host === "::1" ? next() : process.send({ error: error.message }, next)));
  server.listen({ ...place, backlog: 128 }, () => process.send({ port: place.port }, server, () => server.close(next)));
};
next();
