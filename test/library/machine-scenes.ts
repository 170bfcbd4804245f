// Scenes of a machine: packages, units, disks, snapshots, a certificate, a peer, a router.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { createSecureContext, createServer } from "node:tls";
import type { OpenScene } from "./scene.ts";
import type { World } from "./world.ts";

const KEY = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";
const OTHER = "gN65BkIKy1eCE9pP1wdc8ROUtkHLF2PfAqYdyYBz6EA=";
const PACKAGES = "bash 5.2-1 5.2-2\nopenssl 3.0.1 3.0.2\n";
const CONFIG = "package system\n\nconfig system\n\toption hostname 'router'\n";

function packages(world: World, lists: string, cached: readonly string[]): void {
  world.write("state/apt/archive", PACKAGES);
  world.write("state/apt/lists", lists);
  world.write("state/apt/installed");
  world.directory("state/apt/cache");
  for (const name of cached) world.write(`state/apt/cache/${name}.deb`);
}

const PLAN = "Inst bash [5.2-1] (5.2-2 Debian:12 [amd64])\nInst openssl [3.0.1] (3.0.2 Debian:12 [amd64])\n";
export const PLAN_DIGEST = createHash("sha256").update(PLAN).digest("hex");

const fetchable: OpenScene = async (world) => {
  packages(world, PACKAGES, []);
  return { target: { host: hostname() } };
};

const upgradable: OpenScene = async (world) => {
  packages(world, PACKAGES, ["bash_5.2-2", "openssl_3.0.2"]);
  return { target: { host: hostname() }, payload: { plan: PLAN_DIGEST } };
};

const disk: OpenScene = async (world) => {
  const mount = world.directory("data");
  world.write("data/logs/big.log", "x".repeat(10_000));
  world.write("state/used", "40");
  world.write("state/iused", "12");
  return { target: { mount }, spoil: () => void world.write("state/used", "97") };
};

const units: OpenScene = async (world) => {
  world.write("state/units/docker.service", "active\n");
  world.write("state/units/backup.service", "active\n");
  return {
    target: { unit: "docker.service" },
    spoil: () => void world.write("state/units/backup.service", "failed\n"),
  };
};

const snapshots: OpenScene = async (world) => {
  world.write("state/dataset", "tank/web");
  const all = ["daily-1", "orch-a", "orch-b", "daily-2", "orch-c", "orch-d"];
  world.write("state/snapshots", all.map((name) => `tank/web@${name}\n`).join(""));
  return { target: { dataset: "tank/web" }, payload: { keep: 2 } };
};

const peers: OpenScene = async (world) => {
  const config_file = world.write(
    "etc/wg0.conf",
    `[Interface]\nAddress = 10.8.0.1/24\nPrivateKey = not-for-anybody\n\n[Peer]\nPublicKey = ${OTHER}\nAllowedIPs = 10.8.0.2/32\n`,
  );
  world.write("state/wg/wg0", `${OTHER}\t10.8.0.2/32\n`);
  return { target: { config_file, interface: "wg0" }, payload: { public_key: KEY, allowed_ip: "10.8.0.7/32" } };
};

const router: OpenScene = async (world) => {
  world.write("state/routers/gateway", CONFIG);
  return { target: { router: "gateway", backup_dir: world.directory("backup") } };
};

/** A web server that presents the certificate that it had read when it was last reloaded; it ends in five days. */
const certificate: OpenScene = async (world) => {
  for (const name of ["live", "served"]) world.directory(`state/${name}`);
  world.write("state/units/nginx", "active\n");
  const [key, cert] = [world.at("state/live/key.pem"), world.at("state/live/cert.pem")];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "5"];
  execFileSync("openssl", [...made, "-subj", "/CN=localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
  for (const name of ["key.pem", "cert.pem"]) world.write(`state/served/${name}`, world.read(`state/live/${name}`));
  const read = () =>
    createSecureContext({ key: world.read("state/served/key.pem"), cert: world.read("state/served/cert.pem") });
  const server = createServer({ SNICallback: (_name, done) => done(null, read()) }, (socket) => socket.end());
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = String((server.address() as AddressInfo).port);
  return {
    target: { cert_file: cert, cert_name: "lab", host: "localhost", port, unit: "nginx" },
    close: async () => void server.close(),
  };
};

export const MACHINE_SCENES: Readonly<Record<string, OpenScene>> = {
  "apt-fetch": fetchable,
  "apt-upgrade": upgradable,
  "certificate-renew": certificate,
  "disk-triage": disk,
  "failed-units": units,
  "router-backup": router,
  "wireguard-peer": peers,
  "zfs-prune": snapshots,
};
