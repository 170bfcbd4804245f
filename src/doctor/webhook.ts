// Checks whether the receiver of messages can be reached. Nothing is sent: a receiver may act on any request.
import { once } from "node:events";
import { connect } from "node:net";
import { isLoopback } from "../config/clear-text.ts";
import type { Config } from "../config/config.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";

const LIMIT_MS = 3_000;
const FIX = "Check ORCH_WEBHOOK_URL, and whether the receiver runs. Messages are kept until it takes them.";

export async function examineWebhook({ webhook }: Pick<Config, "webhook">): Promise<Diagnosis> {
  if (webhook === null) return off("none: no ORCH_WEBHOOK_URL is set");
  const { protocol, hostname, port, host } = new URL(webhook.url);
  const name = hostname.replace(/^\[|\]$/g, "");
  const fault = await connectionFault(name, Number(port || (protocol === "https:" ? 443 : 80)));
  if (fault !== null) return broken(`the receiver at ${host} cannot be reached (${fault})`, FIX);
  if (protocol === "http:" && !isLoopback(name)) {
    return fallsBack(`a receiver listens at ${host}; messages travel in clear text`, "Use an https address.");
  }
  return works(`a receiver listens at ${host}`);
}

async function connectionFault(host: string, port: number): Promise<string | null> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(LIMIT_MS) });
    return null;
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return name === "AbortError" ? `no answer within ${LIMIT_MS / 1000} s` : (code ?? "no connection");
  } finally {
    socket.destroy();
  }
}
