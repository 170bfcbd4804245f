// The requests that the provider gets, byte for byte.
import { expect, test } from "vitest";
import { readPreview } from "../../simulators/voice-provider/preview.ts";
import { COOKIE, CUSTOMER_ID } from "../../simulators/voice-provider/voice-provider.ts";
import { startReady } from "../../support/voice/voice-server.ts";

test("a speech makes three calls in order: csrf, customer id, preview [1.B.2]", async () => {
  await using both = await startReady();
  expect((await both.voice.speak("こんにちは")).status).toBe(200);
  expect(both.upstream.paths()).toEqual(["GET /api/language", "GET /api/bootstrap", "POST /api/behaviors/preview"]);
});

test("a preview is pure ASCII with its charset, and has its csrf once in the cookie and once as a header [1.B.1] [4.upstream.language] [4.upstream.bootstrap] [4.upstream.preview] [5.2]", async () => {
  await using both = await startReady({ VOICE_COOKIE: `csrf=1; ${COOKIE}; csrf=2` });
  const text = "お湯が沸きました 🐟 葛󠄀 <b>&";
  await both.voice.speak(text);
  const [preview] = both.upstream.previews();
  expect(preview?.bytes.every((byte) => byte < 0x80)).toBe(true);
  expect(preview?.bytes.toString()).toMatchInlineSnapshot(
    `"{"behaviorId":"PREVIEW","sequenceJson":"{\\"@type\\":\\"com.amazon.alexa.behaviors.model.Sequence\\",\\"startNode\\":{\\"@type\\":\\"com.amazon.alexa.behaviors.model.OpaquePayloadOperationNode\\",\\"type\\":\\"Alexa.Speak\\",\\"skillId\\":\\"amzn1.ask.1p.saysomething\\",\\"operationPayload\\":{\\"deviceType\\":\\"A32DOYMUN6DTXA\\",\\"deviceSerialNumber\\":\\"G0LIVING\\",\\"locale\\":\\"ja-JP\\",\\"customerId\\":\\"A1CUSTOMERX\\",\\"textToSpeak\\":\\"\\u304a\\u6e6f\\u304c\\u6cb8\\u304d\\u307e\\u3057\\u305f \\ud83d\\udc1f \\u845b\\udb40\\udd00 &lt;b&gt;&amp;\\"}}}","status":"ENABLED"}"`,
  );
  const names = preview?.raw_headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  expect(names).toEqual([...new Set(names)]);
  const { host, "content-length": length, ...headers } = preview?.headers ?? {};
  expect([`http://${host}`, Number(length)]).toEqual([both.upstream.url, preview?.bytes.length]);
  expect(headers).toEqual({
    accept: "application/json; charset=utf-8",
    "accept-language": "ja-JP",
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    cookie: `${COOKIE}; csrf=-1168781950`,
    csrf: "-1168781950",
    dnt: "1",
    origin: both.upstream.url,
    referer: `${both.upstream.url}/spa/index.html`,
    "user-agent": expect.stringMatching(/^Mozilla/),
  });
  expect(both.upstream.spoken.map((spoken) => spoken.text)).toEqual([text]);
});

test("the simulator decodes Latin-1 when no charset is given, as the provider does", () => {
  const speak = {
    "@type": "com.amazon.alexa.behaviors.model.OpaquePayloadOperationNode",
    type: "Alexa.Speak",
    operationPayload: {
      deviceType: "A",
      deviceSerialNumber: "G",
      locale: "ja-JP",
      customerId: CUSTOMER_ID,
      textToSpeak: "あ",
    },
  };
  const sequenceJson = JSON.stringify({ "@type": "com.amazon.alexa.behaviors.model.Sequence", startNode: speak });
  const bytes = Buffer.from(JSON.stringify({ behaviorId: "PREVIEW", sequenceJson, status: "ENABLED" }));
  expect(readPreview(bytes, "application/json; charset=utf-8")).toEqual([[speak]]);
  expect(readPreview(bytes, "application/json")).not.toEqual([[speak]]);
});

test("a GET has the cookie and no csrf", async () => {
  await using both = await startReady({ VOICE_COOKIE: `${COOKIE}; csrf=7` });
  expect(both.upstream.asked.map(({ headers }) => headers.cookie)).toEqual([COOKIE, COOKIE]);
  expect(both.upstream.asked.map(({ headers }) => headers["csrf"])).toEqual([undefined, undefined]);
});
