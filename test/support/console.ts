// A human at the console: logs in as its page does, and calls with the two parts of the session.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { TOKEN } from "./http-endpoint.ts";

export type ConsoleSession = {
  readonly cookie: string;
  readonly key: string;
  readonly answer: Record<string, unknown>;
  readonly headers: { readonly cookie: string; readonly "x-orch-key": string };
};

export const SCRIPT = "console.log('orch');\n".repeat(100);

/** What a build of the console leaves, in small. */
export async function buildConsole(directory: string): Promise<string> {
  const built = join(directory, "built");
  await mkdir(join(built, "assets", "inner"), { recursive: true });
  const page = '<!doctype html><meta name="csp-nonce" content="__NONCE__"><style nonce="__NONCE__"></style>';
  await writeFile(join(built, "index.html"), page);
  await writeFile(join(built, "assets", "app-AB12CD34.js"), SCRIPT);
  await writeFile(join(built, "assets", "app-AB12CD34.js.gz"), gzipSync(SCRIPT));
  await writeFile(join(built, "assets", "app.css"), "body { color: red }");
  await writeFile(join(built, "assets", "inner", "app.js"), "hidden");
  await writeFile(join(built, "secret.js"), "hidden");
  return built;
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

export async function logIn(url: string, body: object = { token: TOKEN, name: "ada" }): Promise<ConsoleSession> {
  const response = await postJson(`${url}/console/login`, body);
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status !== 200) throw new Error(`login: ${JSON.stringify(answer)}`);
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const key = String(answer["key"]);
  return { cookie, key, answer, headers: { cookie, "x-orch-key": key } };
}
