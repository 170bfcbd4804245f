// The provider's web API on loopback, as far as it has been seen from outside: what it wants of a request, what it answers, and
// every way in which it has been seen to refuse. It keeps each request to the byte, with the times of its beginning and end.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, empty, html, json, sendAnswer, text } from "../../support/request-recorder.ts";
import { heard, type Node, readPreview } from "./preview.ts";

export const COOKIE = 'session-id=111-222; session-token="tok=="; at-acbjp=Atza|LOCAL; ubid-acbjp=1-2-3';
export const CUSTOMER_ID = "A1CUSTOMERX";
export const LIVING_ROOM = { serial_number: "G0LIVING", device_type: "A32DOYMUN6DTXA" };
export const KITCHEN = { serial_number: "G0KITCHEN", device_type: "A3S5BH2HU6VAYF" };

export type Asked = {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, as they came. */
  readonly raw_headers: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
  readonly began_at: number;
  ended_at: number;
};

type Spoken = {
  readonly serial: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly at: number;
};

/** An answer in place of the usual one; "reset" breaks the connection, "silent" never answers. */
export type Fault = Answer | "reset" | "silent";

const CSRF_PATHS = [
  "/api/language",
  "/spa/index.html",
  "/api/devices-v2/device?cached=false",
  "/templates/oobe/d-device-pick.handlebars",
  "/api/strings",
];

const DEVICE_LIST = "/api/devices-v2/device?cached=false";
const listed = (accountName: string, { serial_number, device_type }: typeof KITCHEN, deviceFamily = "ECHO") => ({
  accountName,
  serialNumber: serial_number,
  deviceType: device_type,
  deviceFamily,
  online: true,
});
/** The devices of the account, as the provider lists them. */
const LISTED = [listed("Echo 居間", LIVING_ROOM), listed("Echo Kitchen", KITCHEN)];

const ACCEPTED: Answer = { status: 200, type: "application/octet-stream", body: "" };
const INVALID = json({ message: "Input failed to validate." }, 400);

export const THROTTLED = {
  status: text("", 429),
  exception: {
    ...json({ message: "Rate exceeded" }, 400),
    headers: {
      "x-amzn-ErrorType": "ThrottlingException:http://internal.amazon.com/coral/com.amazon.coral.availability/",
    },
  },
  words: text("Rate exceeded: Too many requests.", 400),
};
export const TO_SIGN_IN = empty(302, { location: "https://www.amazon.co.jp/ap/signin?openid.return_to=x" });
export const NOT_FOUND_PAGE = html("<html>not found</html>", 404);

export type VoiceProvider = Awaited<ReturnType<typeof startVoiceProvider>>;

export async function startVoiceProvider({
  csrf = "-1168781950",
  port = 0,
}: {
  readonly csrf?: string;
  readonly port?: number;
} = {}) {
  const state = { csrf, cookie: COOKIE, csrf_path: CSRF_PATHS[0] as string | undefined, slow_ms: 0, devices: LISTED };
  const asked: Asked[] = [];
  const spoken: Spoken[] = [];
  const faults: { path: string; fault: Fault; times: number }[] = [];

  const usual = (one: Asked): Answer => {
    const { path } = one;
    if (path === state.csrf_path) return { ...text("ja-JP"), headers: { "set-cookie": csrfCookie(state.csrf) } };
    if (path === DEVICE_LIST && signedIn(one, state.cookie)) return json({ devices: state.devices });
    if (CSRF_PATHS.includes(path)) return text("");
    if (!signedIn(one, state.cookie)) return empty(401, { loginUrl: "https://www.amazon.co.jp/ap/signin?x=y" });
    if (path === "/api/bootstrap") return json({ authentication: { authenticated: true, customerId: CUSTOMER_ID } });
    if (path.startsWith("/api/users/me?")) return json({ id: CUSTOMER_ID, marketPlaceDomainName: "www.amazon.co.jp" });
    if (one.method !== "POST" || path !== "/api/behaviors/preview") return NOT_FOUND_PAGE;
    if (one.headers["csrf"] !== state.csrf || csrfIn(one) !== state.csrf) return empty(401);
    return preview(one, spoken);
  };

  const server = createServer(async (request, response) => {
    const one = await receive(request);
    asked.push(one);
    const fault = faults.find(({ path, times }) => one.path.startsWith(path) && times > 0);
    if (fault !== undefined) fault.times -= 1;
    await sleep(state.slow_ms);
    one.ended_at = performance.now();
    give(response, fault?.fault ?? usual(one));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Which csrf and cookie it takes, where it sets the csrf, how long each answer takes. */
    state,
    asked: asked as readonly Asked[],
    paths: () => asked.map(({ method, path }) => `${method} ${path}`),
    previews: () => asked.filter(({ path }) => path === "/api/behaviors/preview"),
    spoken: spoken as readonly Spoken[],
    /** Answers the next `times` requests whose path begins so with it. */
    fault: (path: string, fault: Fault, times = Number.POSITIVE_INFINITY) => void faults.push({ path, fault, times }),
    mend: () => void faults.splice(0),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function receive(request: IncomingMessage): Promise<Asked> {
  const began_at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url: path = "", rawHeaders: raw_headers, headers } = request;
  return { method, path, raw_headers, headers, bytes: Buffer.concat(chunks), began_at, ended_at: began_at };
}

function give(response: ServerResponse, fault: Fault): void {
  if (fault === "reset") response.socket?.resetAndDestroy();
  else if (fault !== "silent") sendAnswer(response, fault);
}

const csrfCookie = (csrf: string): string => `csrf=${csrf}; Version=1; Domain=.amazon.co.jp; Path=/; Secure`;

const pairsIn = ({ headers }: Asked): string[] => (headers.cookie ?? "").split("; ");

/** Null when there is none, or more than one. */
function csrfIn(one: Asked): string | null {
  const all = pairsIn(one).filter((pair) => pair.startsWith("csrf="));
  return all.length === 1 ? (all[0]?.slice("csrf=".length) ?? null) : null;
}

const signedIn = (one: Asked, cookie: string): boolean =>
  cookie.split("; ").every((pair) => pair.startsWith("csrf=") || pairsIn(one).includes(pair));

function preview({ bytes, headers, ended_at: at }: Asked, spoken: Spoken[]): Answer {
  const branches = readPreview(bytes, headers["content-type"] ?? "");
  if (branches === null) return INVALID;
  for (const { operationPayload: payload } of branches.flat()) {
    const device = [LIVING_ROOM, KITCHEN].find(({ serial_number }) => serial_number === payload.deviceSerialNumber);
    if (device?.device_type !== payload.deviceType) return INVALID;
    if (payload.customerId !== CUSTOMER_ID) return text("Invalid request. Please check your input and try again", 400);
  }
  for (const nodes of branches) {
    const serial = nodes[0]?.operationPayload.deviceSerialNumber ?? "";
    spoken.push({ serial, text: nodes.map(heard).join(""), nodes, at });
  }
  return ACCEPTED;
}
