// Credentials that are known by their looks only.
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/find-secrets.ts";

describe("a well-known shape", () => {
  const redact = createRedactor([]);
  test.each([
    ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
    ["authorization: Basic dXNlcjpwYXNz, more", "authorization: Basic [redacted], more"],
    ["Proxy-Authorization: abc", "Proxy-Authorization: [redacted]"],
    ['Authorization: Digest username="u", response="0123"\nb', "Authorization: Digest [redacted]\nb"],
    ["Authorization: AWS4-HMAC-SHA256 Credential=a, Signature=b", "Authorization: AWS4-HMAC-SHA256 [redacted]"],
    ['{"Authorization":"Bearer abc"}', '{"Authorization":"Bearer [redacted]"}'],
    ['{\\"Authorization\\":[\\"Bearer abc\\"]}', '{\\"Authorization\\":[\\"Bearer [redacted]\\"]}'],
    ["sent bearer 0123456789abcdef0123", "sent bearer [redacted]"],
    ["id AKIAIOSFODNN7EXAMPLE end", "id [redacted] end"],
    [`token ghp_${"a".repeat(36)}.`, "token [redacted]."],
    [`github_pat_${"A1_".repeat(10)}`, "[redacted]"],
    [`glpat-${"a1-_".repeat(5)} b`, "[redacted] b"],
    [`key sk-proj-${"a1B_".repeat(8)} b`, "key [redacted] b"],
    ["xoxb-1234567890-abcdefghijkl b", "[redacted] b"],
    [`eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIi"}.c2ln b`, "[redacted] b"],
    ["DB_PASSWORD=hunter2 next", "DB_PASSWORD=[redacted] next"],
    ["AWS_SECRET_ACCESS_KEY=abc/def+g next", "AWS_SECRET_ACCESS_KEY=[redacted] next"],
    ["GITEA_TOKEN='a b' next", "GITEA_TOKEN='[redacted]' next"],
    ['"api_key": "abc", "b": 1', '"api_key": "[redacted]", "b": 1'],
    ["password='two words' next", "password='[redacted]' next"],
    ['{"password": "hun ter2"}', '{"password": "[redacted]"}'],
    ['{"password": "a\\"b c"} d', '{"password": "[redacted]"} d'],
    ['{\\"password\\": \\"hun ter2\\"}', '{\\"password\\": \\"[redacted]\\"}'],
    ['password="never closed', "password=[redacted] closed"],
    ['{\\"password\\":\\"hunter2', '{\\"password\\":[redacted]'],
    ["?password=a%20b&x=1", "?password=[redacted]&x=1"],
    ["GET /a?b=1&token=abc&c=2", "GET /a?b=1&token=[redacted]&c=2"],
    ["< Set-Cookie: sid=abc; Path=/\n< B: c", "< Set-Cookie: [redacted]\n< B: c"],
    ["curl -H 'Cookie: a=\"b c\"; d=e' url", "curl -H 'Cookie: [redacted]' url"],
    ['{"cookie":"a=b; c=\\"d\\"","e":1}', '{"cookie":"[redacted]","e":1}'],
    ["postgres://orch:hunter2@db/orch", "postgres://orch:[redacted]@db/orch"],
    ["redis://:p@ss@db/0", "redis://:[redacted]@db/0"],
    ["a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted]\nb"],
    ["a\n-----BEGIN PGP PRIVATE KEY BLOCK-----\nMIIE\n-----END PGP PRIVATE KEY BLOCK-----\nb", "a\n[redacted]\nb"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE and cut off", "[redacted]"],
    ["MIIE of which the beginning is cut off\n-----END PRIVATE KEY-----\nb", "[redacted]\nb"],
  ])("%j becomes %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected), "twice is as good as once").toBe(expected);
  });

  test.each([
    "Bearer tokens are needed",
    "the password was changed",
    "http://host:8080/path and me@example.com",
    '{"url":"http://host:8080","mail":"me@example.com"}',
    "-----BEGIN CERTIFICATE-----",
    "AKIA is a prefix",
    'DB_TOKEN="$(cat /run/token)" password=`cat /run/it`',
    "a cookie: with chocolate",
    "cat: /etc/passwd: Permission denied",
    "syntax error near unexpected token: }",
    "risk-assessment-of-the-task-at-hand",
  ])("%j stays as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("a key of which one end is missing takes no more with it than the longest key has", () => {
    const long = "line\n".repeat(10_000);
    expect(redact(`${long}-----END PRIVATE KEY-----${long}`).length).toBeGreaterThan(80_000);
    expect(redact(`${long}-----BEGIN PRIVATE KEY-----${long}`).length).toBeGreaterThan(80_000);
  });
});
