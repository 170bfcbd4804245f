// A simulated provider, the cookie tool and a browser, started for one test and stopped after it.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Certificates, makeCertificates } from "../../simulators/login-provider/certificates.ts";
import { type Provider, type Routes, startProvider } from "../../simulators/login-provider/login-provider.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type CookieProcess, type Start, startCookieProcess } from "./cookie-process.ts";

export type Scene = { readonly provider: Provider; readonly tool: CookieProcess; readonly browser: Browser };
type Wanted = Partial<Pick<Start, "args" | "env" | "port" | "stderr">> & { readonly routes?: Routes };
type Cleanup = { readonly onTestFinished: (fn: () => Promise<void>) => void };

let certificates: Certificates | undefined;

/** Resolves once the tool is started; the caller waits for its prompt. */
export async function setScene({ onTestFinished }: Cleanup, { routes, port, ...start }: Wanted = {}): Promise<Scene> {
  certificates ??= makeCertificates();
  const { authority } = certificates;
  const provider = await startProvider(certificates, routes);
  onTestFinished(provider.close);
  const chosen = port ?? (await quietPort());
  const tool = startCookieProcess({ authority, provider_port: provider.port, port: chosen, ...start });
  onTestFinished(tool.remove);
  return { provider, tool, browser: createBrowser(chosen) };
}

export async function setPromptedScene(cleanup: Cleanup, wanted?: Wanted): Promise<Scene> {
  const scene = await setScene(cleanup, wanted);
  await scene.tool.says("Please open");
  return scene;
}

/** Files share this module: the next one makes its own. */
export function removeCertificates(): void {
  certificates?.remove();
  certificates = undefined;
}

/** A free port below those that the system gives to outgoing connections, which other tests make at the same time. */
async function quietPort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  const server = createServer();
  try {
    await once(server.listen(port, "0.0.0.0"), "listening");
  } catch {
    return quietPort();
  }
  server.close();
  await once(server, "close");
  return port;
}
