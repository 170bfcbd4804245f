// Keeps the file in the data directory with the address at which its server listens, for the commands of the same account:
// a server on a port of its own is found without a variable.
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import { Holder, hasEnded, runsHere, thisProcess } from "../process/holder.ts";

export const urlPath = (data_dir: string): string => join(data_dir, "url.json");

const Kept = z.object({ url: z.url({ protocol: /^https?$/ }), holder: Holder });

type Listener = {
  readonly start: () => Promise<{ readonly host: string; readonly port: number }>;
  readonly stop: () => Promise<void>;
};

/** A listener whose address is in the file while it listens. */
export function announced(listener: Listener, data_dir: string) {
  let forget = async () => {};
  return {
    start: async (): Promise<string> => {
      const { host, port } = await listener.start();
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
      forget = await writeUrlFile(data_dir, url);
      return url;
    },
    stop: async (): Promise<void> => {
      await listener.stop();
      await forget();
    },
  };
}

/** Resolves to the function that removes it. A file that cannot be written is no reason not to serve. */
async function writeUrlFile(data_dir: string, url: string): Promise<() => Promise<void>> {
  const path = urlPath(data_dir);
  const text = JSON.stringify({ url, holder: thisProcess() } satisfies z.infer<typeof Kept>);
  await rm(path, { force: true }).catch(() => undefined);
  await writeFile(path, `${text}\n`, { mode: 0o600, flag: "wx" }).catch(() => undefined);
  return async () => {
    const isOurs = (await readFile(path, "utf8").catch(() => "")).trim() === text;
    if (isOurs) await rm(path, { force: true }).catch(() => undefined);
  };
}

/** Throws `config_invalid` where another server that runs here has the directory, as far as its file says. */
export async function refuseSharedDirectory(data_dir: string): Promise<void> {
  const { data } = Kept.safeParse(parseJson(await readFile(urlPath(data_dir), "utf8").catch(() => "")));
  if (data === undefined || !runsHere(data.holder) || data.holder.pid === process.pid) return;
  const { pid } = data.holder;
  throw new OrchError("config_invalid", `The directory ${data_dir} is that of another orch server (pid ${pid}).`, {
    fix: "Give each server an ORCH_DATA_DIR of its own, or stop the other one.",
  });
}

/** Null where no server of this directory is known to run. */
export async function readUrlFile(data_dir: string): Promise<string | null> {
  // Who may write there could name another server, which would be sent the token.
  const { mode = 0o777 } = await stat(data_dir).catch(() => ({ mode: undefined }));
  if ((mode & 0o022) !== 0) return null;
  const text = await readFile(urlPath(data_dir), "utf8").catch(() => "");
  const { data } = Kept.safeParse(parseJson(text));
  return data === undefined || hasEnded(data.holder) ? null : data.url;
}
