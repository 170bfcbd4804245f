// What the end of a command says of the request that it made: it was never sent, its answer was lost, or it was answered.
import { expect, test } from "vitest";
import {
  deliveryOf,
  reportsLostAnswer,
  reportsNothingDone,
  type StepDelivery,
} from "../../../src/domain/failure-signs.ts";
import { consequencesOf } from "../../../src/guard/guard.ts";
import { cpuTimeOf } from "../../support/cpu-time.ts";

const CONTEXT = { home: "/root", cwd: "/srv", env: {} };

function ended(command: string, exit_code: number | null, stderr = "", stdout = "") {
  const { elsewhere } = consequencesOf(command, CONTEXT);
  return elsewhere.acts ? deliveryOf(elsewhere, { exit_code, stdout, stderr, timed_out: false }).delivery : null;
}

const POST = "curl -fsS -X POST http://h/x";

test.each<[StepDelivery | null, string, number | null, string]>([
  ["never_sent", POST, 7, "curl: (7) Failed to connect to h port 80: Connection refused"],
  ["never_sent", POST, 6, "curl: (6) Could not resolve host: h"],
  ["never_sent", POST, 35, "curl: (35) Recv failure: Connection reset by peer"],
  ["never_sent", POST, 28, "curl: (28) Connection timed out after 2001 milliseconds"],
  ["never_sent", POST, 22, "curl: (22) The requested URL returned error: 429"],
  ["never_sent", "git push https://h/r main", 128, "fatal: unable to access: Could not resolve host: h"],
  [
    "never_sent",
    "psql -h db -c 'delete from t'",
    2,
    "psql: error: connection to server at db failed: Connection refused",
  ],
  [
    "answered",
    "psql -h db -v ON_ERROR_STOP=1 -f x.sql",
    3,
    'psql:x.sql:2: ERROR:  could not connect to server "other"',
  ],
  [
    "answered",
    "mysql -h db -e 'call p()'",
    1,
    "ERROR 1429 (HY000) at line 1: Unable to connect to foreign data source: x",
  ],
  ["never_sent", "ssh nas 'touch f'", 255, "ssh: connect to host nas port 22: Connection refused"],
  ["never_sent", "kubectl delete pod x", 1, "dial tcp 10.0.0.1:6443: connect: connection refused"],
  ["answer_lost", POST, 28, "curl: (28) Operation timed out after 3000 milliseconds with 0 bytes received"],
  ["answer_lost", POST, 52, "curl: (52) Empty reply from server"],
  ["answer_lost", POST, 92, ""],
  ["answer_lost", POST, null, ""],
  ["answer_lost", POST, 143, ""],
  ["answer_lost", "ssh nas 'touch f'", 255, ""],
  ["answer_lost", "ssh nas 'touch f'", 255, "client_loop: send disconnect: Broken pipe"],
  ["answer_lost", "rsync -a a nas:/b", 12, "rsync error: error in rsync protocol data stream (code 12)"],
  ["answer_lost", "scp a nas:/b", 255, "scp: Connection closed"],
  ["answer_lost", "psql -h db -c 'insert into t values (1)'", 2, "server closed the connection unexpectedly"],
  ["answer_lost", "mysql -h db -e 'insert into t values (1)'", 1, "ERROR 2013: Lost connection to MySQL server"],
  ["answer_lost", "git push origin main", 128, "fatal: the remote end hung up unexpectedly"],
  ["answer_lost", "docker -H tcp://h restart web", 1, "error during connect: read: connection reset by peer"],
  ["answer_lost", "kubectl apply -f x.yaml", 1, "Error from server (Timeout): context deadline exceeded"],
  ["answer_lost", "redis-cli -h h incr x", 1, "Error: Server closed the connection"],
  ["answer_lost", "aws s3 cp a s3://b", 1, "Connection was closed before we received a valid response"],
  ["answer_lost", "python3 deploy.py", 1, "http.client.RemoteDisconnected: Remote end closed connection"],
  ["answer_lost", "./deploy.sh", 56, ""],
  ["answer_lost", "node deploy.mjs", 1, "fetch failed"],
  ["answer_lost", "node deploy.mjs", 1, "Error: socket hang up"],
  ["answer_lost", POST, 22, "curl: (22) The requested URL returned error: 408"],
  ["answer_lost", POST, 1, "curl: (1) Received HTTP/0.9 when not allowed"],
  // The name of a limit is no sign that it was reached.
  ["never_sent", "kubectl apply -f x.yaml", 1, 'Get "http://h:1/openapi/v2?timeout=32s": connect: connection refused'],
  [
    "never_sent",
    "kubectl delete pod x",
    1,
    "The connection to the server h:1 was refused - did you specify the right host?",
  ],
  ["answered", POST, 2, "curl: option --connect-timeout: requires parameter"],
  ["answer_lost", "python3 deploy.py", 1, "Read timed out. (read timeout=5)"],
  // A client that was not let in has run nothing.
  [
    "answered",
    "psql -h db -c 'delete from t'",
    2,
    'psql: error: connection to server at "db" failed: FATAL: no such role',
  ],
  [
    "answered",
    "mysql -h db -e 'delete from t'",
    1,
    "ERROR 2003 (HY000): Can't connect to MySQL server on 'db' (110 timed out)",
  ],
  ["answer_lost", "psql -h db -f x.sql", 2, "psql:x.sql:2: error: connection to server was lost"],
  ["answer_lost", "terraform apply -auto-approve", 1, "unexpected EOF"],
  ["answer_lost", "sftp nas <<< 'put a'", 255, "Connection closed"],
  ["answer_lost", "sftp -b orders nas", 255, "Connection closed"],
  ["answer_lost", "npm publish", 1, "npm error code ECONNRESET"],
  ["answer_lost", "gem push x.gem", 1, "execution expired: timed out"],
  ["answer_lost", "docker buildx build --push .", 1, "unexpected EOF"],
  ["answer_lost", "expect deploy.exp", 1, "Connection closed by remote host"],
  // Redirections, retries and further requests may have been sent before.
  ["answered", "curl -fsSL -X POST http://h/x", 7, "curl: (7) Failed to connect to other port 80: Connection refused"],
  ["answered", "curl -fsS --retry 3 -X POST http://h/x", 7, "curl: (7) Connection refused"],
  ["answered", "curl -fsS -X POST http://h/{a,b}", 7, "curl: (7) Connection refused"],
  ["answered", `${POST} && curl -fsS http://h/y`, 7, "curl: (7) Connection refused"],
  ["answered", "ssh nas ./deploy.sh", 255, "ssh: connect to host other port 22: Connection refused"],
  ["answered", "ssh nas 'touch f'", 255, "root@nas: Permission denied (publickey)."],
  ["answered", "ssh nas 'curl -X POST http://h/x'", 7, "curl: (7) Connection refused"],
  ["answered", "python3 deploy.py", 1, "ConnectionRefusedError: [Errno 111] Connection refused"],
  ["answered", POST, 22, "curl: (22) The requested URL returned error: 404"],
  ["answered", POST, 127, "bash: line 1: curl: command not found"],
  // Nothing of these changes another machine.
  [null, "curl -fsS http://h/x", 56, "curl: (56) Recv failure: Connection reset by peer"],
  [null, "curl -fsS -o f http://h/x", 56, ""],
  [null, "apt-get install -y nginx", 100, "Connection timed out"],
  [null, "ssh nas uptime", 255, ""],
  [null, "sftp nas:/etc/motd .", 255, "Connection closed"],
  [null, "npm install", 1, "npm error code ECONNRESET"],
  [null, "sqlite3 db 'insert into t values (1)'", 5, "database is locked"],
  [null, "docker compose up -d", 1, "TLS handshake timeout"],
])("%s: %s, exit code %s %s", (expected, command, exit_code, stderr) => {
  expect(ended(command, exit_code, stderr)).toBe(expected);
});

test("a command that was ended at its time limit leaves the outcome open, also where it said why", () => {
  const { elsewhere } = consequencesOf("ssh nas './deploy.sh'", CONTEXT);
  const ending = { exit_code: 1, stdout: "", stderr: "deploy: ended", timed_out: true };
  expect(deliveryOf(elsewhere, ending)).toEqual({ delivery: "answer_lost", still_runs: true });
  expect(deliveryOf(elsewhere, { ...ending, timed_out: false })).toEqual({ delivery: "answered", still_runs: false });
});

test.each([
  ["one word", "x".repeat(65_536)],
  ["dashes", "-".repeat(65_536)],
  ["options", "--a".repeat(21_845)],
  ["time limits", "--timeout".repeat(7_281)],
  ["protocols", "HTTP".repeat(16_384)],
])("an output that is all %s is looked through at once", (_what, text) => {
  expect(cpuTimeOf(() => [reportsLostAnswer(text), reportsNothingDone(text)])).toBeLessThan(1_000);
});
