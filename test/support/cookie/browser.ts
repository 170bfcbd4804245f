// A browser that logs in: cookies as names and values, redirects followed, forms filled in as they come.
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { EMAIL, PASSWORD } from "../../simulators/login-provider/login-provider.ts";

type Page = { readonly url: string; readonly status: number; readonly body: string; readonly location: string };

export type Browser = {
  readonly get: (path: string) => Promise<Page>;
  /** Fills in the form of a page; the answer is not followed. */
  readonly submit: (form: Page, password?: string) => Promise<Page>;
  readonly follow: (page: Page) => Promise<Page>;
  /** The whole login, up to its last page. */
  readonly logIn: (password?: string) => Promise<Page>;
  /** Every page so far, with its headers. */
  readonly pages: readonly string[];
};

type Sent = { readonly method?: string; readonly body?: string; readonly referer?: string };

export function createBrowser(port: number): Browser {
  const home = `http://127.0.0.1:${port}`;
  const jar = new Map<string, string>();
  const pages: string[] = [];

  async function ask(path: string, { method = "GET", body = "", referer }: Sent = {}): Promise<Page> {
    const url = new URL(path, home);
    const headers = {
      "accept-encoding": "gzip, deflate, br, zstd",
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
      ...(referer === undefined ? {} : { referer }),
      ...(method === "POST" ? { "content-type": "application/x-www-form-urlencoded", origin: home } : {}),
    };
    const asked = request(url, { method, headers, agent: false });
    const answered = new Promise<Page>((resolve, reject) => {
      asked.on("error", reject).on("response", (response) => {
        for (const cookie of response.headers["set-cookie"] ?? []) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          jar.set(name, value);
        }
        const { statusCode: status = 0, headers } = response;
        buffer(response).then((packed) => {
          const body = unpack(packed, headers["content-encoding"]);
          pages.push(body);
          resolve({ url: url.href, status, body, location: headers.location ?? "" });
        }, reject);
      });
    });
    asked.end(body);
    return answered;
  }

  async function submit({ url, body }: Page, password = PASSWORD): Promise<Page> {
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(body) ?? [];
    const fields = new URLSearchParams({ email: EMAIL, password });
    for (const [, name = "", value = ""] of body.matchAll(/type="hidden" name="([^"]+)" value="([^"]+)"/g))
      fields.set(name, value);
    return ask(action, { method: "POST", body: fields.toString(), referer: url });
  }

  const get = (path: string) => ask(path);
  async function follow(page: Page): Promise<Page> {
    return page.location === "" ? page : follow(await ask(page.location, { referer: page.url }));
  }
  const logIn = async (password?: string) => follow(await submit(await get("/"), password));

  return { get, submit, follow, logIn, pages };
}

function unpack(packed: Buffer, encoding: string | undefined): string {
  if (encoding === "gzip") return gunzipSync(packed).toString();
  return (encoding === "br" ? brotliDecompressSync(packed) : packed).toString();
}
