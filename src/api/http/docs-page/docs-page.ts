// Serves the page that shows the OpenAPI document.
import { fileURLToPath } from "node:url";
import type { Handler } from "../context.ts";

const own = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

// The viewer draws its icons from data: addresses in its style sheet. Nothing else is loaded, and from nowhere else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const FILES: readonly (readonly [path: string, file: string])[] = [
  ["/docs", own("page.html")],
  ["/docs/page.js", own("page.js")],
  ["/docs/swagger-ui-bundle.js", fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"))],
  ["/docs/swagger-ui.css", fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui.css"))],
];

/**
 * GET /docs: the OpenAPI document for a human, by a packaged viewer (D-206). Page and viewer are files that are the same on every
 * server, so they need no token; the document that they show does. Each path of the page with its handler.
 */
export const docsPage = (): (readonly [path: string, handler: Handler])[] =>
  FILES.map(([path, file]) => [
    path,
    (_request, response, next) => {
      response.set({
        "Content-Security-Policy": POLICY,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
      });
      response.sendFile(file, { dotfiles: "allow" }, (error) => {
        if (error !== undefined && !response.headersSent) next(error);
      });
    },
  ]);
