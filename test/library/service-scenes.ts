// Scenes of services in containers: an engine with a registry, and a page that is served as long as the container is sound.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OpenScene, Scene } from "./scene.ts";
import type { World } from "./world.ts";

const SERVICE = "web";
const TAG = "$" + "{TAG}";

/** A page that answers as the container of the service does: a version named `broken` answers 503. */
async function servePage(world: World) {
  const server = createServer((_request, response) => {
    const container = "state/docker/containers/web";
    const isSound = world.has(container) && !/^image=.*:broken$/m.test(world.read(container));
    response.writeHead(isSound ? 200 : 503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`, close };
}

type Containers = { readonly image: string; readonly registry: Readonly<Record<string, string>> };

/** A container of `image`, which was pulled before the registry had what it has now. */
async function containers(world: World, { image, registry }: Containers): Promise<Scene> {
  const compose_dir = world.directory("web");
  world.write("web/compose.yaml", `services:\n  web:\n    image: ${image}\n`);
  world.write("web/.env", "SECRET=keep\nTAG=2.3.1\n");
  world.directory("state/docker/images");
  for (const [name, digest] of Object.entries(registry))
    world.write(`state/docker/registry/lab_${name}`, `${digest}\n`);
  const now = image.replace(TAG, "2.3.1");
  world.write(`state/docker/images/${now.replaceAll(/[/:]/g, "_")}`, "100\n");
  world.write(
    "state/docker/containers/web",
    `id=web-1\nimage=${now}\ndigest=100\nstarted=2026-03-06T09:00:00.000000000Z\n`,
  );
  const { url, close } = await servePage(world);
  return { target: { compose_dir, service: SERVICE, health_url: url }, close };
}

const latest: OpenScene = (world) => containers(world, { image: "lab/web:latest", registry: { web_latest: "200" } });

export const deployed =
  (version: string): OpenScene =>
  async (world) => {
    const registry = { "web_2.3.1": "100", "web_2.4.0": "240", web_broken: "666" };
    return { ...(await containers(world, { image: `lab/web:${TAG}`, registry })), payload: { version } };
  };

const snapshotted: OpenScene = async (world) => {
  const scene = await latest(world);
  if (scene === null) return null;
  world.write("state/dataset", "tank/web");
  world.write("state/snapshots");
  return { ...scene, target: { ...scene.target, dataset: "tank/web" } };
};

export const SERVICE_SCENES: Readonly<Record<string, OpenScene>> = {
  "compose-deploy": deployed("2.4.0"),
  "compose-restart": latest,
  "compose-update": latest,
  "zfs-update": snapshotted,
};
