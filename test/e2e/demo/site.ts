// What is operated on: a git repository with one page, a checkout of it, and a web server for the published page.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const GIT_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "demo",
  GIT_AUTHOR_EMAIL: "demo@example.org",
  GIT_COMMITTER_NAME: "demo",
  GIT_COMMITTER_EMAIL: "demo@example.org",
};

const git = (cwd: string, ...args: string[]) => run("git", args, { cwd, env: GIT_ENVIRONMENT });

export type Site = Awaited<ReturnType<typeof createSite>>;

export async function createSite(directory: string) {
  const repository = join(directory, "repository");
  const checkout = join(directory, "site");
  const web_root = join(directory, "www");
  await Promise.all([mkdir(repository), mkdir(web_root)]);

  /** A colleague pushes a new page. */
  const push = async (page: string) => {
    await writeFile(join(repository, "index.html"), `${page}\n`);
    await git(repository, "add", "index.html");
    await git(repository, "commit", "--quiet", "--message", page);
  };

  await git(repository, "init", "--quiet", "--initial-branch", "main");
  await push("<h1>Soon</h1>");
  await git(directory, "clone", "--quiet", repository, checkout);
  await push("<h1>Hello, version 1</h1>");
  const web = await serve(join(web_root, "index.html"));
  return {
    checkout,
    web_root,
    target: { service: "web", compose_dir: checkout, web_root },
    url: web.url,
    push,
    /** The page as a visitor gets it, over HTTP. */
    visit: async () => (await fetch(web.url)).text(),
    [Symbol.asyncDispose]: async () => web.close(),
  };
}

async function serve(page: string) {
  const server = createServer((_request, response) => {
    readFile(page).then(
      (content) => response.end(content),
      () => response.writeHead(404).end("nothing is published"),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}
