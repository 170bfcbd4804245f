// Throw-away certificates for the names of the provider, made by openssl for one run: no key is stored anywhere.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PROVIDER_HOSTS = [
  "www.amazon.co.jp",
  "alexa.amazon.co.jp",
  "api.amazon.co.jp",
  "api.amazonalexa.com",
  // Of an account of another site.
  "www.amazon.com",
  "alexa.amazon.com",
] as const;

const OPENSSL = process.env["OPENSSL"] ?? "openssl";

export type Certificates = {
  /** The file of the authority, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
  readonly remove: () => void;
};

export function makeCertificates(): Certificates {
  const directory = mkdtempSync(join(tmpdir(), "cookie-certificates-"));
  const file = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: directory, stdio: "pipe" });
  const key = (name: string) => openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name);

  key("ca.key");
  const authority = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"];
  const extensions = authority.flatMap((extension) => ["-addext", extension]);
  openssl(
    "req",
    "-x509",
    "-key",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=test authority",
    ...extensions,
  );
  key("leaf.key");
  openssl("req", "-new", "-key", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=test provider");
  writeFileSync(file("leaf.ext"), `subjectAltName=${PROVIDER_HOSTS.map((host) => `DNS:${host}`).join(",")}\n`);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "leaf.ext"];
  openssl("x509", "-req", "-in", "leaf.csr", "-out", "leaf.pem", "-days", "2", ...signed);
  return {
    authority: file("ca.pem"),
    key: readFileSync(file("leaf.key"), "utf8"),
    cert: readFileSync(file("leaf.pem"), "utf8"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
