// `openssl`: it encodes and decodes, and may write keys.
import { encoder } from "./encoders.ts";
import { type EffectRule, isFile, type ProgramRecord } from "./record.ts";

const OPENSSL_LOOKS =
  /^(version|s_client|x509|verify|ciphers|crl|asn1parse|req|rsa|ec|pkey|pkcs7|pkcs12|dgst|md5|sha\d+|enc|base64|rand|list|errstr|speed|ocsp|dhparam|genrsa|passwd|s_time|crl2pkcs7|-?v)$/;

const openssl: EffectRule = ([, verb = "help", ...args]) => {
  const written = args.some((arg, at) => /^-(key|CAserial)?out$|^-writerand$/.test(arg) && isFile(args[at + 1]));
  if (written) return { changes: "writes files" };
  if (verb === "req" && args.some((arg) => /^-(newkey|new|x509)$/.test(arg))) return "unknown";
  return verb === "help" || OPENSSL_LOOKS.test(verb) ? "reads" : "unknown";
};

export const OPENSSL: readonly ProgramRecord[] = [{ names: "openssl", runs: encoder, effect: openssl }];
