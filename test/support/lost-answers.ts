// Servers on loopback that act and then lose their answer: over HTTP, and over ssh.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const WAYS = ["resets", "closes", "cuts", "waits", "500", "502", "503", "504", "429", "200"] as const;
export type LosingWay = (typeof WAYS)[number];

/** Counts the effects of each path `/WAY/NAME`, and then answers in that way. */
export async function startLosingServer(onEffect: (name: string, way: string) => void = () => undefined) {
  const effects = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.once("data", (data) => {
      const [, way = "", name = ""] = /^\S+ \/(\w+)\/([\w-]+)/.exec(String(data)) ?? [];
      effects.set(name, (effects.get(name) ?? 0) + 1);
      onEffect(name, way);
      if (way === "resets") socket.resetAndDestroy();
      else if (way === "closes") socket.destroy();
      else if (way === "cuts") socket.end("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhal");
      else if (way !== "waits") socket.end(`HTTP/1.1 ${way} It is\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: (way: LosingWay, name: string) => `http://127.0.0.1:${port}/${way}/${name}`,
    effectsOf: (name: string) => effects.get(name) ?? 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const SSHD = "/usr/sbin/sshd";
export const hasSshd = existsSync(SSHD) && process.getuid?.() === 0;

/** A real sshd for the account of this process. */
export async function startSshd(within: string) {
  const directory = mkdtempSync(join(within, "sshd-"));
  const at = (name: string) => join(directory, name);
  for (const key of ["host", "user"]) spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  writeFileSync(at("authorized"), readFileSync(at("user.pub")), { mode: 0o600 });
  mkdirSync("/run/sshd", { recursive: true });
  const port = await freePort();
  const config = [
    ...[`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${at("host")}`, `AuthorizedKeysFile ${at("authorized")}`],
    ...["StrictModes no", "UsePAM no", "PermitRootLogin yes", `PidFile ${at("pid")}`],
  ];
  writeFileSync(at("config"), `${config.join("\n")}\n`);
  const server: ChildProcess = spawn(SSHD, ["-D", "-e", "-f", at("config")], { stdio: "ignore" });
  const options = `-F /dev/null -p ${port} -i ${at("user")} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`;
  const command = (text: string) => `ssh ${options} ${userInfo().username}@127.0.0.1 ${JSON.stringify(text)}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (spawnSync("bash", ["-c", command("true")]).status === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  /** The processes that serve connections: what they have started goes on without them. */
  const serving = () =>
    spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
      .stdout.split("\n")
      .filter((line) => /sshd(?:-session)?: /.test(line) && !line.includes("listener"))
      .map((line) => Number(line.trim().split(" ")[0]))
      .filter((pid) => isBelow(pid, server.pid ?? -1));
  return {
    command,
    /** How many processes it has killed. */
    cut: () => {
      const pids = serving();
      for (const pid of pids) process.kill(pid, "SIGKILL");
      return pids.length;
    },
    [Symbol.asyncDispose]: async () => {
      for (const pid of serving()) process.kill(pid, "SIGKILL");
      server.kill("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    const stat = existsSync(`/proc/${at}/stat`) ? readFileSync(`/proc/${at}/stat`, "utf8") : "";
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }
  return false;
}
