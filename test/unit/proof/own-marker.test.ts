// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Promises 3.6: a check that looks only at what the agent has made as a mark that it was there.
import { expect, test } from "vitest";
import { ownMarker } from "../../../src/proof/own-marker.ts";

const CONTRACT = JSON.stringify([
  ["the port is 8080 in app.conf"],
  { service: "web" },
  { goal: "deploy release 2.4.0" },
]);
const markerIn = (check: string, ...commands: string[]) =>
  ownMarker({ check, commands, contract: CONTRACT, directory: "/srv/w" });

test.each([
  ["test -f .done", "touch .done"],
  ["[ -e ./.done ]", "touch /srv/w/.done"],
  ["[[ -f $ORCH_TARGET_COMPOSE_DIR/.done ]]", "true && touch .done"],
  ["test -d .marker", "mkdir -p .marker"],
  ["cat .done", ": > .done"],
  ['[ -z "$(cat .done)" ]', "> .done"],
  ["stat .done", "truncate -s 0 .done"],
  ["test -f .a && test -f .b", "touch .a .b"],
])("%s after %s", (check, command) => {
  expect(markerIn(check, command)).not.toBeNull();
});

test.each([
  ["grep -qx port=8080 app.conf", "echo port=8080 > app.conf"],
  ["test -f release.txt", "echo 2.4.0 > release.txt"],
  ["grep -qx port=8080 settings.ini", "sed -i s/8000/8080/ settings.ini"],
  ["test -f .done && curl -fsS http://127.0.0.1/", "touch .done"],
  ["test -f .done && grep -q x app.log", "touch .done"],
  ["test -f /etc/hosts", "touch .done"],
  ['test "$(cat .done)" = ok', "touch other"],
  ['[ "$(curl -s http://127.0.0.1/)" = ok ] && test -f .done', "touch .done"],
  ["docker ps | grep -q web", "touch .done"],
  ["test -s made", "echo one >> made"],
  ["grep -q ok status.txt", "echo ok > status.txt"],
  ["test -s dump.sql", "pg_dump db > dump.sql"],
  ['[ "$(readlink current)" = releases/2.4.0 ]', "ln -sfn releases/2.4.0 current"],
])("no marker: %s after %s", (check, command) => {
  expect(markerIn(check, command)).toBeNull();
});
