// GET /console and what is below it: the page, whose routes are its own, and its assets. They are the same for all, so they
// need no session; what the page shows does.
import { randomBytes } from "node:crypto";
import type { Handler, Reply } from "../context.ts";
import { problem, sendProblem } from "../problem.ts";
import type { Asset, BuiltFiles } from "./built-files.ts";
import { pageHeaders } from "./page-headers.ts";

type Files = () => Promise<BuiltFiles | null>;

const NONCE = "__NONCE__";

const MISSING =
  "<!doctype html><title>orch</title><p>The console has not been built. Run <code>npm ci</code>, without <code>--omit=dev</code>, in the directory of orch, and load this page again.</p>\n";

/** The routes of the page are its own: each gets the same page. */
export const servePage =
  (files: Files): Handler =>
  async (_request, response) => {
    const nonce = randomBytes(16).toString("base64");
    response.set(pageHeaders(nonce)).type("text/html; charset=utf-8");
    const built = await files();
    if (built === null) return void response.status(503).send(MISSING);
    response.send(built.page.replaceAll(NONCE, nonce));
  };

const YEAR_SECONDS = 31_536_000;

export const serveAsset =
  (files: Files): Handler =>
  async (request, response) => {
    const { params, headers } = request;
    const asset = (await files())?.assets.get(String(params["file"]));
    if (asset === undefined) return sendProblem(response, problem("route_not_found", "The console has no such file."));
    const cached = asset.is_hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache";
    response.set({
      ...pageHeaders(null),
      ...{ "Cache-Control": cached, ETag: asset.tag, Vary: "Accept-Encoding", "Content-Type": asset.type },
    });
    if (headers["if-none-match"]?.includes(asset.tag) === true) return void response.status(304).end();
    send(response, asset, request.acceptsEncodings("gzip") === "gzip");
  };

function send(response: Reply, { body, gzip }: Asset, takes_gzip: boolean): void {
  const sent = takes_gzip && gzip !== null ? gzip : body;
  if (sent === gzip) response.set("Content-Encoding", "gzip");
  response.set("Content-Length", String(sent.length)).end(sent);
}
