// Lists, for each program, the files that decide what its command does, besides scripts: definitions, settings, lists,
// statements. Files that a program only reads, such as a log, are not here: they may change between a question and its answer.
import { textAt } from "../interpreter/redirects.ts";
import { type State, valuesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { optionTable, optionValues, parseOptions, rowsByName, words } from "../words/options.ts";
import { globbed, isOpen } from "../words/symbols.ts";
import { namedComposeFiles } from "./compose-files.ts";
import { composeCommand, dockerCommand } from "./containers.ts";

type AppliedRow = {
  /** Base names, separated by blanks. */
  readonly of: string;
  /** Matches the words after the program. Without it, the row applies to every use. */
  readonly when?: RegExp;
  /** Options whose value is such a file. `valued` lists other options that have a value. */
  readonly options?: string;
  readonly valued?: string;
  /** Matches the operands that are such a file. `verbs` is the number of words before the operands. */
  readonly operands?: RegExp;
  readonly verbs?: number;
  /** Files that the program reads without being asked. `directory` is the option that names another directory for them. */
  readonly names?: string;
  readonly directory?: string;
  /** The program also obeys its standard input: `all` always, `redirected` only if a redirection opens it from a file. */
  readonly input?: "all" | "redirected";
  /** Finds the paths that such a file includes. They are relative to that file or to the working directory. */
  readonly includes?: RegExp;
  /** If the file is a directory: the names of the files in it that include others. */
  readonly includes_in?: string;
};

const ANY = /./;
const PATH = /\/|^\.$/;
const PATH_OR_NAME = /[./]/;
/** Matches paths in a YAML list. */
const RESOURCES = /^\s*-\s+["']?((?:\.{1,2}\/|[\w-]+\/)[\w./-]+|[\w./-]+\.(?:ya?ml|json))["']?\s*$/gm;
const KUSTOMIZATIONS = "kustomization.yaml kustomization.yml";
const PACKAGE = /(?:^|\/)[^/]+\.(?:deb|rpm|snap|apk|whl|flatpak|flatpakref|tgz|tar\.gz)$/;

const DATABASES: readonly AppliedRow[] = [
  {
    of: "psql",
    options: "f file",
    valued: "c d h p U v o F R T P command dbname host port username set",
    input: "all",
    includes: /^\s*\\ir?\s+["']?([^\s"';]+)/gm,
  },
  {
    of: "mysql mariadb",
    options: "init-file defaults-file defaults-extra-file",
    input: "all",
    includes: /^\s*(?:source|\\\.)\s+([^\s;]+)/gim,
  },
  { of: "sqlite3 sqlite litecli", options: "init", input: "all", includes: /^\s*\.read\s+["']?([^\s"']+)/gm },
  { of: "mongosh mongo", options: "f file", operands: /\.m?js$/, input: "all" },
  { of: "redis-cli valkey-cli keydb-cli", options: "eval", input: "all" },
  { of: "clickhouse-client clickhouse-local duckdb", options: "queries-file init", input: "all" },
  { of: "cqlsh influx cockroach mssql-cli sqlcmd osql usql", options: "f file i input-file", input: "all" },
  { of: "ldapadd ldapmodify ldapdelete slapadd", options: "f l", valued: "H D w b", input: "all" },
];

const CONTAINERS: readonly AppliedRow[] = [
  {
    of: "docker podman nerdctl",
    when: /(?:^|\s)(?:build|bake|run|exec|create|deploy|play|compose|import)(?:\s|$)/,
    options: "env-file c compose-file label-file cidfile seccomp",
    input: "all",
  },
  {
    of: "docker podman nerdctl",
    when: /(?:^|\s)bake(?:\s|$)/,
    options: "f file",
    names: "docker-bake.hcl docker-bake.json",
  },
  { of: "docker podman", when: /^(?:config|secret) create\s/, verbs: 2, operands: PATH_OR_NAME, input: "all" },
  { of: "docker podman nerdctl", when: /(?:^|\s)compose\s/, options: "f file", names: ".env" },
  { of: "docker-compose podman-compose", options: "f file env-file", names: ".env" },
  { of: "podman", when: /^(?:kube play|play kube)\s/, verbs: 2, operands: ANY },
  { of: "buildah", when: /^(?:bud|build)(?:\s|$)/, options: "f file", names: "Containerfile Dockerfile" },
  {
    of: "kubectl oc k3s microk8s",
    when: /(?:^|\s)(?:apply|create|replace|delete|patch|diff|set|scale|rollout|exec|run|label|annotate)(?:\s|$)/,
    options: "f filename k kustomize patch-file from-file from-env-file",
    valued: "n namespace c container l selector p patch o output",
    input: "all",
    includes: RESOURCES,
    includes_in: KUSTOMIZATIONS,
  },
  {
    of: "kustomize",
    when: /^build(?:\s|$)/,
    verbs: 1,
    operands: ANY,
    includes: RESOURCES,
    includes_in: KUSTOMIZATIONS,
  },
  {
    of: "helm",
    options: "f values set-file post-renderer",
    valued: "n namespace set set-string version",
    operands: PATH,
  },
  { of: "helmfile", options: "f file", names: "helmfile.yaml helmfile.yaml.gotmpl helmfile.d" },
  {
    of: "skaffold tilt garden devspace",
    options: "f file filename",
    names: "skaffold.yaml Tiltfile garden.yml devspace.yaml",
  },
  { of: "kubeadm k3d kind minikube eksctl kops talosctl clusterctl", options: "f file config config-patch p filename" },
  {
    of: "crictl nomad",
    when: /^(?:run|runp|create|job (?:run|plan)|plan)(?:\s|$)/,
    operands: /\.(?:nomad|hcl|json|ya?ml)$/,
    input: "all",
  },
  { of: "virsh", when: /(?:^|\s)(?:\w+-)?(?:define|create)\S*\s/, operands: /\.xml$|\// },
  { of: "lxc incus", when: /^(?:init|launch|profile|config|network|storage)\s/, input: "redirected" },
];

const DEFINITIONS: readonly AppliedRow[] = [
  {
    of: "terraform tofu",
    when: /(?:^|\s)(?:plan|apply|destroy|refresh|import)(?:\s|$)/,
    options: "var-file backend-config",
    valued: "var target chdir",
    verbs: 1,
    operands: ANY,
    names: "*.tf *.tf.json *.tofu *.tfvars *.tfvars.json modules",
    directory: "chdir",
  },
  { of: "terragrunt", names: "*.hcl *.tf *.tfvars modules", options: "terragrunt-config config" },
  { of: "packer", when: /^(?:build|validate)(?:\s|$)/, options: "var-file", verbs: 1, operands: ANY },
  { of: "pulumi", names: "Pulumi.yaml Main.yaml" },
  { of: "vagrant", names: "Vagrantfile" },
  {
    of: "ansible ansible-playbook",
    options: "i inventory vault-password-file e extra-vars",
    names: "ansible.cfg roles group_vars host_vars templates tasks handlers library vars",
  },
  { of: "salt-call salt-ssh", options: "file-root pillar-root config-dir roster-file" },
  { of: "puppet", when: /^apply(?:\s|$)/, verbs: 1, operands: ANY },
  { of: "chef-client chef-solo cinc-client", options: "c config j json-attributes", operands: /\.rb$/ },
  {
    of: "consul vault",
    when: /^(?:policy write|config write|kv put|write|services register|acl \w+ create)(?:\s|$)/,
    operands: /\.(?:hcl|json)$/,
    options: "rules config",
  },
  { of: "aws", options: "template-file template-body cli-input-json cli-input-yaml" },
  { of: "gcloud az", options: "flags-file template-file config parameters" },
  { of: "gh glab", options: "input F", valued: "R repo" },
  { of: "cloud-init", when: /(?:^|\s)(?:init|modules|single|clean)/, options: "f file" },
];

const BUILDS: readonly AppliedRow[] = [
  { of: "patch", options: "i input", operands: /\.(?:patch|diff)$/, input: "all" },
  { of: "git", when: /(?:^|\s)(?:apply|am)(?:\s|$)/, verbs: 1, operands: ANY, valued: "C c", input: "all" },
  {
    of: "pip pip3",
    when: /^install(?:\s|$)/,
    options: "r requirement c constraint",
    operands: PATH,
    includes: /^\s*(?:-[rc]|--requirement|--constraint)[\s=]+(\S+)/gm,
  },
  {
    of: "uv",
    when: /^(?:pip|sync|run|add)(?:\s|$)/,
    options: "r requirement requirements with-requirements env-file c constraint",
  },
  { of: "node nodejs tsx ts-node", options: "r require import loader experimental-loader env-file" },
  { of: "go", when: /^(?:run|build|generate|test|install)(?:\s|$)/, operands: /\.go$/, names: "*.go go.mod" },
  { of: "cargo", when: /^(?:run|build|test|install)(?:\s|$)/, names: "Cargo.toml build.rs src" },
  { of: "java", options: "jar cp classpath", operands: /\.(?:jar|java)$/ },
  { of: "dotnet mono wine", operands: /\.(?:dll|exe|csproj|sln)$/ },
  {
    of: "mvn gradle ant sbt gradlew mvnw",
    options: "f file b build-file",
    names: "pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.xml build.sbt",
  },
  {
    of: "cmake meson ninja bazel scons",
    options: "f P S C",
    names: "CMakeLists.txt meson.build SConstruct BUILD BUILD.bazel",
  },
  { of: "ruby jruby", options: "r" },
  {
    of: "jest vitest mocha playwright cypress",
    options: "c config",
    names: "jest.config.* vitest.config.* playwright.config.* cypress.config.*",
  },
  {
    of: "nix-build nix-shell nix nixos-rebuild home-manager",
    names: "default.nix shell.nix flake.nix",
    operands: /\.nix$/,
  },
];

/** Programs that run the tasks of a project file. */
const RUNNERS: readonly AppliedRow[] = [
  { of: "tox", options: "c conf", names: "tox.ini pyproject.toml setup.cfg" },
  { of: "nox", options: "f noxfile", names: "noxfile.py" },
  { of: "gulp", options: "f gulpfile", names: "gulpfile.js gulpfile.mjs gulpfile.cjs" },
  { of: "grunt", options: "gruntfile", names: "Gruntfile.js" },
  { of: "mage", names: "magefile.go" },
  { of: "earthly", names: "Earthfile" },
  { of: "act", options: "W workflows", names: ".github/workflows" },
  { of: "foreman overmind hivemind honcho", options: "f procfile", names: "Procfile .env" },
  { of: "serverless sls", options: "c config", names: "serverless.yml" },
  { of: "sam", options: "t template template-file", names: "template.yaml samconfig.toml" },
  { of: "cdk", names: "cdk.json" },
  { of: "pre-commit", options: "c config", names: ".pre-commit-config.yaml" },
  { of: "pyinfra", operands: /\.py$/ },
  { of: "just", names: "*.just" },
  { of: "rake", names: "*.rake lib/tasks" },
  { of: "rails", when: /(?:^|\s)db:/, names: "db/migrate db/schema.rb" },
  { of: "prisma", names: "prisma" },
  { of: "alembic", options: "c config", names: "alembic.ini alembic migrations" },
  { of: "flyway", options: "configFiles", names: "flyway.conf sql" },
  { of: "liquibase", options: "changelog-file changeLogFile defaults-file" },
];

const SYSTEM: readonly AppliedRow[] = [
  { of: "ssh", options: "F", valued: "B b c D E e I i J L l m O o p P Q R S W w", input: "all" },
  { of: "jq yq gojq", options: "f from-file L", valued: "arg argjson indent slurpfile rawfile" },
  { of: "xargs parallel", options: "a arg-file", valued: "d E I L n P s j jobs", input: "redirected" },
  { of: "cpio", input: "redirected" },
  { of: "rsync", options: "files-from include-from exclude-from filter", valued: "e rsh" },
  { of: "tar bsdtar gtar", options: "T files-from", valued: "f C" },
  {
    of: "restic rclone",
    options: "files-from files-from-raw files-from-verbatim exclude-file config include-from filter-from",
  },
  { of: "borgmatic duplicity", options: "c config" },
  { of: "sftp", options: "b F" },
  { of: "lftp", options: "f" },
  { of: "curl", options: "K config" },
  { of: "wget aria2c", options: "i input-file" },
  { of: "at batch crontab", input: "all" },
  {
    of: "pg_restore",
    operands: ANY,
    valued: "d h p U j F n t T I P dbname host port username jobs format schema table",
    input: "redirected",
  },
  { of: "nginx", options: "c", names: "/etc/nginx/nginx.conf", includes: /^\s*include\s+["']?([^\s"';]+)/gm },
  {
    of: "haproxy caddy traefik supervisord monit telegraf prometheus grafana-server dnsmasq unbound squid",
    options: "f c C config configfile configuration config.file conf-file",
  },
  { of: "apachectl apache2ctl httpd", options: "f" },
  { of: "systemctl", when: /(?:^|\s)(?:link|enable|reenable|preset)\s/, verbs: 1, operands: /\// },
  { of: "systemd-tmpfiles systemd-sysusers systemd-run", options: "EnvironmentFile", operands: /\.conf$/ },
  { of: "systemd-nspawn machinectl", options: "settings" },
  { of: "iptables-restore ip6tables-restore ipset ebtables-restore arptables-restore", operands: ANY, input: "all" },
  { of: "nft", options: "f file", input: "all", includes: /^\s*include\s+"([^"]+)"/gm },
  { of: "ip tc bridge devlink", options: "b batch force", input: "redirected" },
  { of: "sysctl", options: "p load", operands: /^[^=]*\/[^=]*$/ },
  { of: "wg-quick wg", when: /^(?:up|setconf|addconf|syncconf)\s/, operands: /\.conf$|\//, input: "redirected" },
  { of: "nmstatectl", when: /^(?:apply|set)\s/, verbs: 1, operands: ANY, input: "all" },
  { of: "netplan", names: "/etc/netplan/*.yaml" },
  { of: "logrotate", operands: ANY, valued: "s state l log" },
  { of: "certbot dehydrated lego", options: "c config f" },
  { of: "newusers chpasswd chgpasswd", operands: ANY, input: "all" },
  { of: "nsupdate", operands: ANY, valued: "k y t u r", input: "all" },
  { of: "debconf-set-selections preseed", operands: ANY, input: "all" },
  { of: "dpkg apt apt-get aptitude rpm dnf yum zypper snap flatpak apk", operands: PACKAGE },
  { of: "gdb lldb", options: "x s source command" },
  { of: "vim nvim vi ex ed", options: "S s", input: "redirected" },
  { of: "tmux", when: /^(?:source|source-file)\s/, verbs: 1, operands: ANY, options: "f" },
  { of: "screen", options: "c" },
  { of: "bc dc m4 gnuplot octave", operands: ANY, options: "f file", input: "all" },
  { of: "fio stress-ng", operands: /\.(?:fio|job|ini)$/ },
  { of: "sfdisk sgdisk fdisk parted gdisk", options: "l load-backup", input: "all" },
  { of: "udevadm modprobe kexec", options: "C config initrd" },
  { of: "openssl", options: "config extfile extensions-file" },
  { of: "ffmpeg", options: "filter_script filter_complex_script" },
  { of: "mosquitto nats-server rabbitmqctl", options: "c config", operands: /\.json$/ },
  { of: "borg", options: "patterns-from exclude-from" },
];

/** Variables that name files which a program (`of`) loads when it starts. */
const APPLIED_BY_VARIABLE: readonly { readonly name: string; readonly of: RegExp; readonly paths: RegExp }[] = [
  { name: "LD_PRELOAD", of: ANY, paths: /([^\s:]*\/[^\s:]+)/g },
  {
    name: "NODE_OPTIONS",
    of: /^(?:node|nodejs|npm|npx|pnpm|yarn|tsx)$/,
    paths: /(?:^|\s)(?:-r|--require|--import|--loader)[\s=]+(\S+)/g,
  },
  { name: "PYTHONSTARTUP", of: /^python[\d.]*$/, paths: /(.+)/g },
  { name: "MAKEFILES", of: /^g?make$/, paths: /(\S+)/g },
  { name: "GIT_CONFIG_GLOBAL", of: /^git$/, paths: /(.+)/g },
];

/** A program may have several rows. */
const APPLIED: readonly AppliedRow[] = [...DATABASES, ...CONTAINERS, ...DEFINITIONS, ...BUILDS, ...RUNNERS, ...SYSTEM];

const ROWS = rowsByName(APPLIED, ({ of }) => of);

const ENGINES = /^(?:docker|podman|nerdctl)$/;

/** Programs that run the text on their standard input, unless a word of the command names another text. */
const INTERPRETERS =
  /^(?:(?:ba|da|z|k|a|mk|fi)?sh|rbash|python|pypy|perl|ruby|node|nodejs|php|lua|luajit|Rscript|R|julia|tclsh|expect|awk|ed|ex)[\d.]*$/;

const rowsOf = ([name = "", ...args]: readonly string[]): readonly AppliedRow[] =>
  (ROWS.get(name) ?? []).filter(({ when }) => when?.test(args.join(" ")) !== false);

/**
 * Lists, for each program, the words of its command line that name a file which decides what the program does. Files that a
 * program only reads, such as a log, are not here: they may change between a question and its answer. Returns files, directories
 * and patterns, as the command names them.
 */
export function appliedBy(argv: readonly string[], state: State): readonly string[] {
  const files = rowsOf(argv).flatMap((row) => withIncluded(namedIn(argv.slice(1), row), row, state));
  return [
    ...files,
    ...readStatements(argv),
    ...builtFrom(argv, state),
    ...composedFrom(argv, state),
    ...namedByVariables(argv, state),
  ];
}

const namedByVariables = ([program = ""]: readonly string[], { bindings: { vars } }: State): readonly string[] =>
  APPLIED_BY_VARIABLE.flatMap(({ name, of, paths }) =>
    (of.test(program) ? (vars.get(name) ?? []) : []).flatMap((value) =>
      [...value.matchAll(paths)].map(([, path = ""]) => path),
    ),
  );

function namedIn(args: readonly string[], row: AppliedRow): readonly string[] {
  const { options = "", valued = "", operands, verbs = 0, names = "", directory } = row;
  // `-chdir=x` and `-jar x` are long names after one dash.
  const spelled = args.map((arg) =>
    /^-[a-zA-Z][\w-]{2,}(?:=|$)/.test(arg) && longAfterOne(arg, row) ? `-${arg}` : arg,
  );
  const parsed = parseOptions(spelled, optionTable(`${options} ${valued}`));
  const values = optionValues(parsed, ...words(options)).flatMap((value) => (value === null ? [] : value.split(",")));
  const given = values.map((value) => value.replace(/^@|^file:\/\/|^[\w.-]+=@?(?=.*[/.])/, ""));
  const base = directory === undefined ? null : (optionValues(parsed, directory).at(-1) ?? null);
  const found = words(names).map((name) => (base === null || name.startsWith("/") ? name : `${base}/${name}`));
  const picked = operands === undefined ? [] : parsed.operands.slice(verbs).filter((word) => operands.test(word));
  return [...given.filter((path) => path !== "-"), ...picked.filter((path) => path !== "-"), ...found.map(globbed)];
}

/** Adds the files that the named files include, and what those include. */
function withIncluded(named: readonly string[], { includes, includes_in }: AppliedRow, state: State) {
  if (includes === undefined) return named;
  const all = new Set(named);
  for (const file of all) {
    if (all.size > MAX_INCLUDED) break;
    const own = includes_in === undefined ? [file] : words(includes_in).map((name) => `${file}/${name}`);
    for (const from of own)
      for (const text of textsOf(from, state))
        for (const [, path = ""] of text.matchAll(includes)) {
          all.add(globbed(path));
          if (!path.startsWith("/")) all.add(globbed(`${folderOf(from)}/${path}`));
        }
  }
  return [...all];
}

const MAX_INCLUDED = 256;
const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");

function longAfterOne(arg: string, { options = "", valued = "" }: AppliedRow): boolean {
  const name = arg.slice(1).replace(/=.*$/, "");
  return words(`${options} ${valued}`).includes(name);
}

/** `sqlite3 x.db ".read y.sql"`, `psql -c '\i y.sql'`, `mysql -e 'source y.sql'`. */
function readStatements([name = "", ...args]: readonly string[]): readonly string[] {
  if (!/^(?:sqlite3|psql|mysql|mariadb|duckdb)$/.test(name)) return [];
  return args.flatMap((arg) =>
    [...arg.matchAll(/(?:^|\s|;)(?:\.read|\\ir?|source|\\\.)\s+["']?([^\s;"']+)/g)].map(([, path = ""]) => path),
  );
}

const BUILD = {
  short: "ftm",
  long: words("file tag build-arg target platform label network cache-from cache-to output secret ssh builder iidfile"),
};

/** Lists the Dockerfile of an image build and the files that it copies. */
function builtFrom(argv: readonly string[], state: State): readonly string[] {
  if (!ENGINES.test(argv[0] ?? "")) return [];
  const { verb, args } = dockerCommand(argv);
  if (!/^(?:build|image build|builder build|buildx build)$/.test(verb)) return [];
  const parsed = parseOptions(args, BUILD);
  const context = parsed.operands.at(-1) ?? ".";
  if (context === "-" || /:\/\//.test(context)) return [];
  const file = optionValues(parsed, "f", "file").at(-1) ?? `${context}/Dockerfile`;
  return imageFiles(context, file, state);
}

const textsOf = (file: string, state: State): readonly string[] =>
  state.location.cwd.flatMap((cwd) => textAt(absolute(file, cwd), state) ?? []);

const imageFiles = (context: string, file: string, state: State): readonly string[] => [
  file,
  `${context}/.dockerignore`,
  ...textsOf(file, state)
    .flatMap(copiedBy)
    .map((path) => `${context}/${path}`),
];

const NAMED = /^\s*(?:-\s*)?(?:env_file|file|path|include|extends|label_file):\s*["']?([^\s"'#[\]{}|>]+)/gm;
const LISTED = /^\s*(?:env_file|include|label_file):[^\S\n]*\n((?:\s*-\s+[^\n]+\n?)+)/gm;

/** Reads `docker compose`, `docker-compose` and their like in one form. For another program, the verb does not begin with `compose`. */
function composeCallOf(argv: readonly string[]): { readonly words: readonly string[]; readonly verb: string } {
  const [name = ""] = argv;
  const words = /^(?:docker|podman)-compose$/.test(name) ? composeCommand(argv) : argv;
  return { words, verb: ENGINES.test(words[0] ?? "") ? dockerCommand(words).verb : "" };
}

const composeFilesInVariable = (state: State): readonly string[] =>
  valuesOf(state, "COMPOSE_FILE").flatMap((paths) => paths.split(":").filter((path) => path !== "" && !isOpen(path)));

/** Lists the compose files of a command and what they name: files of variables, secrets and settings, and other compose files. */
function composedFrom(argv: readonly string[], state: State): readonly string[] {
  const { words, verb } = composeCallOf(argv);
  if (!/^compose (?:up|run|start|create|build|restart|exec|pull|push|watch)$/.test(verb)) return [];
  const files = [...namedComposeFiles(words), ...composeFilesInVariable(state)];
  return files.flatMap((file) => [file, ...textsOf(file, state).flatMap((text) => composedBy(text, file))]);
}

function composedBy(text: string, file: string): readonly string[] {
  const below = (path: string) => (path.startsWith("/") ? path : `${folderOf(file)}/${path}`);
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = ""]) =>
    [...list.matchAll(/-\s+["']?(?:path:\s*)?["']?([^\s"'#]+)/g)].map(([, path = ""]) => path),
  );
  const named = [...text.matchAll(NAMED)].map(([, path = ""]) => path);
  return [...[...named, ...listed].filter((path) => !path.includes("$")).map(below)];
}

/** `COPY --chown=x a b /app/`: all but the last word; what comes from another stage or from the network is not here. */
function copiedBy(text: string): readonly string[] {
  return [...text.replace(/\\\r?\n/g, " ").matchAll(/^\s*(?:COPY|ADD)\s+(.+)$/gim)].flatMap(([, line = ""]) => {
    if (/(?:^|\s)--from=/.test(line)) return [];
    const list = /^\s*(?:--\S+\s+)*(\[.*\])\s*$/.exec(line)?.[1];
    const all = list === undefined ? words(line) : [...list.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
    const paths = all.filter((word) => !word.startsWith("--")).slice(0, -1);
    return paths.filter((path) => !/:\/\/|\$|^<</.test(path)).map((path) => globbed(path.replace(/^\/+/, "")));
  });
}

/** Decides which files on standard input the program runs or applies. */
export function inputRunBy(argv: readonly string[]): "all" | "redirected" | "none" {
  const [name = "", ...args] = argv;
  if (INTERPRETERS.test(name)) return readsProgram(name, args) ? "all" : "none";
  const rows = rowsOf(argv);
  if (rows.some(({ input }) => input === "all")) return "all";
  return rows.some(({ input }) => input === "redirected") ? "redirected" : "none";
}

/** Decides whether an interpreter reads its program from standard input: no word and no option gives it. */
function readsProgram(name: string, args: readonly string[]): boolean {
  if (/^(?:awk|ed|ex)$/.test(name)) return name !== "awk";
  if (/sh$/.test(name) && args.some((arg) => /^-[a-zA-Z]*s/.test(arg))) return true;
  if (args.some((arg) => /^-\w*[ceErp]$|^--eval|^-m$/.test(arg))) return false;
  const first = args.find((arg) => arg === "-" || arg === "--" || !/^[-+]/.test(arg));
  return first === undefined || first === "-";
}

/** Returns a sentence if a compose file builds an image, because orch does not list what goes into that image. */
export function unfollowedBy(argv: readonly string[], state: State): string | null {
  const { words, verb } = composeCallOf(argv);
  const builds = verb === "compose build" || (/^compose (?:up|run|create)$/.test(verb) && words.includes("--build"));
  if (!builds) return null;
  const texts = namedComposeFiles(words).flatMap((file) => textsOf(file, state));
  return texts.some((text) => /^\s*build:/m.test(text))
    ? "what the images of the compose file are built from is not covered"
    : null;
}
