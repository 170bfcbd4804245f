// A provider that prefers HTTP/2 is spoken to in HTTP/1.1: the client would send a request again by itself there.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startVoiceProcess } from "../../support/voice/voice-process.ts";
import { quick } from "../../support/voice/voice-server.ts";

async function certificateIn(directory: string) {
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", ["req", ...kind, ...named, "-keyout", key, "-out", cert]);
  return { path: cert, key: await readFile(key), cert: await readFile(cert) };
}

test("every request to a provider that offers HTTP/2 is one of HTTP/1.1", async () => {
  const directory = await mkdtemp(join(tmpdir(), "voice-"));
  const { path, key, cert } = await certificateIn(directory);
  const versions: string[] = [];
  const provider = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    versions.push(`${request.httpVersion} ${request.url}`);
    const login = { authentication: { authenticated: true, customerId: "A1" } };
    response.writeHead(200, { "set-cookie": "csrf=1", "content-type": "application/json" });
    response.end(JSON.stringify(login));
  });
  await once(provider.listen(0, "localhost"), "listening");
  const url = `https://localhost:${(provider.address() as AddressInfo).port}`;
  await using voice = await startVoiceProcess({ env: { ...quick({ url }), NODE_EXTRA_CA_CERTS: path } });
  const response = await fetch(`${voice.url}/speak`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ device: "居間", text: "やあ" }),
  });
  expect(response.status).toBe(200);
  expect(versions).toEqual(["1.1 /api/language", "1.1 /api/bootstrap", "1.1 /api/behaviors/preview"]);
  provider.close();
  await rm(directory, { recursive: true });
});
