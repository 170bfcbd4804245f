// The account provider as far as the login library speaks with it: one HTTPS server for all its names. A scenario is a
// table of routes that answer otherwise.
import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Certificates } from "./certificates.ts";

type Received = {
  /** `GET www.amazon.co.jp/ap/signin` */
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Answer = (response: ServerResponse, request: Received, provider: { challenge: string }) => void;
export type Routes = Readonly<Record<string, Answer>>;

export type Provider = {
  readonly port: number;
  readonly received: readonly Received[];
  readonly routes: () => string[];
  readonly close: () => Promise<void>;
};

export const EMAIL = "taro@example.jp";
export const PASSWORD = "hirakegoma-0815";

/** What only the provider and its user know, and what must be seen nowhere but, in part, on standard output. */
export const SECRETS = [
  PASSWORD,
  "CODE123",
  "Atza|ACCESS",
  "Atnr|REFRESH",
  "DEVICEKEY",
  "ADPTOKEN",
  "Atza|LOCAL",
  "Atza|LOGIN",
  "111-222",
  "tok==",
  "sess-login",
  "ubid-login",
  "1234567890",
] as const;

export const COOKIE = "session-id=111-222; session-token=tok==; at-acbjp=Atza|LOCAL; csrf=1234567890";

export const SIGN_IN = "GET www.amazon.co.jp/ap/signin";
export const LOG_IN = "POST www.amazon.co.jp/ap/signin";
export const REGISTER = "POST api.amazon.co.jp/auth/register";
export const CAPABILITIES = "PUT api.amazonalexa.com/v1/devices/@self/capabilities";
export const USER = "GET alexa.amazon.co.jp/api/users/me";
export const EXCHANGE = "POST www.amazon.co.jp/ap/exchangetoken/cookies";
export const CSRF = "GET alexa.amazon.co.jp/api/language";
export const HAPPY = [SIGN_IN, LOG_IN, REGISTER, CAPABILITIES, USER, EXCHANGE, CSRF];

export const json = (value: unknown): Answer => {
  return (response) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
};
/** In the smallest encoding that is offered, and without a length: the library changes what pages hold. */
export const page = (body: string, status = 200, headers: OutgoingHttpHeaders = {}): Answer => {
  return (response, request) => {
    const offered = String(request.headers["accept-encoding"] ?? "");
    const [encoding, packed] = offered.includes("br")
      ? ["br", brotliCompressSync(body)]
      : offered.includes("gzip")
        ? ["gzip", gzipSync(body)]
        : [undefined, body];
    const encoded = encoding === undefined ? {} : { "content-encoding": encoding };
    response.writeHead(status, { "content-type": "text/html", ...encoded, ...headers }).end(packed);
  };
};
export const silence: Answer = () => undefined;
export const hangUp: Answer = (response) => void response.destroy();

/** A login with the right password leads there. */
export const loginTo = (location: string): Answer => {
  return (response, request, provider) => {
    if (new URLSearchParams(request.body).get("password") !== PASSWORD) {
      page(form("wrong password"))(response, request, provider);
      return;
    }
    const cookies = ['at-acbjp="Atza|LOGIN"', "x-acbjp=x-login"].map(
      (cookie) => `${cookie}; Domain=.amazon.co.jp; Secure`,
    );
    response.writeHead(302, { location, "set-cookie": cookies }).end();
  };
};

const form = (remark: string): string => `<html><body><p>${remark}</p>
<form method="post" action="https://www.amazon.co.jp/ap/signin">
<input type="hidden" name="openid.return_to" value="https://www.amazon.co.jp/ap/maplanding">
<input name="email"><input name="password" type="password"></form></body></html>`;

const register: Answer = (response, { body }, { challenge }) => {
  const { auth_data } = JSON.parse(body);
  const proven = createHash("sha256").update(String(auth_data.code_verifier)).digest("base64url") === challenge;
  if (auth_data.authorization_code !== "CODE123" || !proven) {
    response.end(JSON.stringify({ response: { error: { code: "InvalidValue" } } }));
    return;
  }
  const bearer = { access_token: "Atza|ACCESS", refresh_token: "Atnr|REFRESH", expires_in: "3600" };
  const mac_dms = { device_private_key: "DEVICEKEY", adp_token: "ADPTOKEN" };
  const tokens = { bearer, mac_dms, website_cookies: [{ Name: "session-id", Value: "sess-login" }] };
  response.end(JSON.stringify({ response: { success: { tokens } } }));
};

const USUAL: Routes = {
  [SIGN_IN]: (response, request, provider) => {
    provider.challenge = request.query.get("openid.oa2.code_challenge") ?? "";
    const cookies = ["session-id=sess-login", "ubid-acbjp=ubid-login"].map(
      (it) => `${it}; Domain=.amazon.co.jp; Secure`,
    );
    page(form("welcome"), 200, { "set-cookie": cookies })(response, request, provider);
  },
  [LOG_IN]: loginTo("https://www.amazon.co.jp/ap/maplanding?openid.mode=id_res&openid.oa2.authorization_code=CODE123"),
  [REGISTER]: register,
  [CAPABILITIES]: (response) => response.writeHead(204).end(),
  [USER]: json({ id: "A1TEST", email: EMAIL, fullName: "Taro", marketPlaceDomainName: "www.amazon.co.jp" }),
  [EXCHANGE]: json({
    response: {
      tokens: {
        cookies: {
          ".amazon.co.jp": [
            { Name: "session-id", Value: "111-222" },
            { Name: "session-token", Value: '"tok=="' },
            { Name: "at-acbjp", Value: '"Atza|LOCAL"' },
          ],
        },
      },
    },
  }),
  [CSRF]: (response) =>
    response.setHeader("set-cookie", "csrf=1234567890; Version=1; Domain=.amazon.co.jp; Path=/; Secure").end(),
};

export async function startProvider({ key, cert }: Certificates, routes: Routes = {}, port = 0): Promise<Provider> {
  const received: Received[] = [];
  const state = { challenge: "" };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", `https://${request.headers.host}`);
    const route = `${request.method} ${url.hostname}${url.pathname}`;
    const asked = { route, query: url.searchParams, headers: request.headers, body: await text(request) };
    received.push(asked);
    const known = routes[route] ?? USUAL[route] ?? page("nothing here", 404);
    known(response, asked, state);
  };
  const server = createServer({ key, cert }, (request, response) => void answer(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  return {
    port: address.port,
    received,
    routes: () => received.map(({ route }) => route),
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
