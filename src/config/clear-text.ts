// Which addresses a secret is sent to without TLS: only to loopback, where the listener is checked, unless the site says
// otherwise (D-247).
import type { FieldIssue } from "../domain/errors.ts";

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether what is sent there can be read on the way. */
export function isClearText(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

type Sent = {
  readonly url: string;
  /** `any`: the site sends it over plain http. */
  readonly peer: string | undefined;
  /** What is sent, and the settings of the address and of the peer. */
  readonly what: string;
  readonly address: string;
  readonly peer_setting: string;
};

export function clearTextIssues({ url, peer, what, address, peer_setting }: Sent): FieldIssue[] {
  if (peer === "any" || !isClearText(url)) return [];
  const message = `must be https or on loopback, because ${what} is sent there; ${peer_setting}=any sends it in clear text`;
  return [{ path: address, message }];
}
