// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Promises 3.6: a check that looks only at what the agent has made as a mark that it was there.
import { expect, test } from "vitest";
import { editCommand } from "../../../features/agents/catalogue.ts";
import { ownMarker } from "../../own-marker.ts";

const CONTRACT = JSON.stringify([
  ["the port is 8080 in app.conf"],
  { service: "web" },
  { goal: "deploy release 2.4.0" },
]);
const markerIn = (check: string, ...commands: string[]) =>
  ownMarker({ check, commands, changes: null, contract: CONTRACT, directory: "/srv/w" });

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

/** Promises 3.6: an irrelevant change, and a check of what the agent left as it was. */
const leftIn = (check: string, ...changes: string[]) =>
  ownMarker({ check, commands: changes, changes, contract: CONTRACT, directory: "/srv/w" });

test.each([
  ["grep -q port app.conf", "echo x > note"],
  ["grep -q 'port' ./app.conf", "echo x > note"],
  ["cat app.conf | grep -q port", "echo x > note"],
  ["grep -qx port=8080 app.conf || test -f app.conf", "touch note"],
  ["test -f .done && grep -q port app.conf", "touch .done"],
  ["test -f /etc/hosts", "mkdir -p sub && echo x > sub/note"],
  ["grep -q port app.conf", "sed -i s/a/b/ notes.txt"],
  ["grep -q port app.conf", "cp a.txt b/ && mv b/a.txt c.txt && rm -f d.txt"],
  ["grep -q port app.conf", editCommand({ path: "notes.txt", old_text: "a", new_text: "b" })],
  ["grep -q port app.conf", editCommand({ path: "/srv/w/notes.txt", old_text: "", new_text: "b" })],
])("left as it was: %s after %s", (check, command) => {
  expect(leftIn(check, command)?.is).toBe("untouched");
});

test.each([
  ["grep -q port app.conf", "sed -i s/80/8080/ app.conf"],
  ["grep -q port app.conf", editCommand({ path: "app.conf", old_text: "80", new_text: "8080" })],
  ["grep -q port app.conf", "./deploy.sh"],
  ["grep -q port app.conf", "docker compose up -d"],
  ["grep -q port app.conf", "cp new/app.conf ."],
  ["grep -q port app.conf", "cp new/app.conf /srv/w"],
  ["grep -q port app.conf", "cp new/app.conf /srv/"],
  ["grep -q port conf/app.conf", "cp -r new/. conf/"],
  ["test -d conf", "echo x > conf/app.conf"],
  ["grep -q port app.conf", 'for f in *.conf; do echo x >> "$f"; done'],
  ["grep -q port app.conf", "cd /srv/w && echo x > note"],
  ["grep -q port app.conf", "echo x > ../w/app.conf"],
  ["grep -q port $FILE", "echo x > note"],
  ["grep -q port *.conf", "echo x > note"],
  ["grep -rq port .", "echo x > note"],
  ["curl -fsS http://127.0.0.1/", "echo x > note"],
  ["grep -q port app.conf", "sed -n 's/x/y/w app.conf' note"],
])("perhaps changed: %s after %s", (check, command) => {
  expect(leftIn(check, command)).toBeNull();
});
