// Writes the units of systemd: the server, a backup and its timer. What hardens a service and is left out here has a
// comment in the unit: steps deploy, use sudo and start containers, and their sandbox needs namespaces (D-367).

export type Service = {
  /** The program and its first arguments, as absolute paths. */
  readonly program: readonly string[];
  readonly user: string;
  readonly drain_seconds: number;
  /** Files by the names of the secrets that they hold. */
  readonly credentials: Readonly<Record<string, string>>;
};

/** A word of a command line in a unit, where % and $ have a meaning. */
const word = (text: string): string => {
  const escaped = text.replaceAll("%", "%%").replaceAll("$", "$$$$").replaceAll(/["\\]/g, "\\$&");
  return /[^\w%./:@+=,$-]/.test(text) ? `"${escaped}"` : escaped;
};

const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join("\n")}\n`;

/** What the server and the backup have in common. */
const account = ({ user, credentials }: Service): string[] => {
  const loaded = Object.entries(credentials).map(([name, file]) => `LoadCredential=${name}:${word(file)}`);
  return [
    `User=${user}`,
    "# /var/lib/orch, for this account only.",
    "StateDirectory=orch",
    "StateDirectoryMode=0700",
    "CacheDirectory=orch",
    "CacheDirectoryMode=0700",
    "UMask=0077",
    "Environment=ORCH_DATA_DIR=%S/orch NODE_COMPILE_CACHE=%C/orch",
    "# Settings: one NAME=value a line. They are in docs/configuration.md.",
    "EnvironmentFile=-/etc/orch/orch.env",
    "# Secrets: files of root in /etc/orch/credentials with the names of their variables. Install again after a new one.",
    ...(loaded.length > 0 ? loaded : ["#LoadCredential=ORCH_TOKEN:/etc/orch/credentials/ORCH_TOKEN"]),
  ];
};

const HARDENING = [
  "ProtectKernelTunables",
  "ProtectKernelModules",
  "ProtectClock",
  "LockPersonality",
  "RestrictRealtime",
];

function serverUnit(service: Service): string {
  const program = service.program.map(word).join(" ");
  return lines(
    "[Unit]",
    "Description=orch, which operates what an LLM supervisor delegates",
    "Wants=network-online.target",
    "After=network-online.target postgresql.service docker.service",
    ["", "[Service]", "Type=exec"],
    account(service),
    `ExecStart=${program} serve`,
    "# The start is over when it serves. A server that needs longer, because its database is away, goes on trying: hence the -.",
    `ExecStartPost=-${program} ready --wait 30`,
    "# orch lets running steps finish, and then ends them; systemd ends what is left.",
    "KillMode=mixed",
    "# Longer than ORCH_DRAIN_SECONDS: install again after a change of it.",
    `TimeoutStopSec=${service.drain_seconds + 30}`,
    [
      "Restart=on-failure",
      "RestartSec=5",
      "# Another server has taken over the database.",
      "RestartPreventExitStatus=8",
    ],
    "# Not ProtectSystem, ProtectHome, PrivateTmp: steps deploy into the files of this machine.",
    "# Not PrivateDevices: steps look at disks.",
    "# Not RestrictNamespaces, SystemCallFilter: the sandbox of steps makes namespaces.",
    "# Not MemoryDenyWriteExecute: Node compiles while it runs.",
    "# Not NoNewPrivileges, CapabilityBoundingSet: steps use sudo where the account may. Before systemd 254, each of the following",
    "# implies NoNewPrivileges for a service with User=. Where no step needs sudo, use them:",
    HARDENING.map((setting) => `#${setting}=yes`),
    ["", "[Install]", "WantedBy=multi-user.target"],
  );
}

function backupUnit(service: Service): string {
  const program = service.program.map(word).join(" ");
  const file = "%S/orch/backups/orch-$$(date +%%Y%%m%%d-%%H%%M%%S).backup";
  return lines(
    ["[Unit]", "Description=a backup of orch", "", "[Service]", "Type=oneshot"],
    account(service).map((line) => (line === "StateDirectory=orch" ? "StateDirectory=orch orch/backups" : line)),
    "# In the file it is for the server: it loads an SDK for traces, which would be loaded here too.",
    "UnsetEnvironment=NODE_OPTIONS",
    `ExecStart=/bin/sh -c 'exec "$$@" "${file}"' sh ${program} backup`,
    "# Two weeks are kept. A copy on another machine is yours to make.",
    "ExecStartPost=/usr/bin/find %S/orch/backups -name orch-*.backup -mtime +14 -delete",
    ["Nice=10", "IOSchedulingClass=idle"],
  );
}

const backupTimer = (): string =>
  lines(
    ["[Unit]", "Description=a backup of orch every night", "", "[Timer]", "OnCalendar=*-*-* 03:17"],
    ["# A night in which the machine was off is made up for.", "Persistent=true", "RandomizedDelaySec=10m"],
    ["", "[Install]", "WantedBy=timers.target"],
  );

export const unitsOf = (service: Service): Readonly<Record<string, string>> => ({
  "orch.service": serverUnit(service),
  "orch-backup.service": backupUnit(service),
  "orch-backup.timer": backupTimer(),
});
