// Lists, for each program, the words of its command line that name a file which decides what the program does. Files that a program
// only reads, such as a log, are not here: they may change between a question and its answer.

export type AppliedRow = {
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
export const APPLIED_BY_VARIABLE: readonly { readonly name: string; readonly of: RegExp; readonly paths: RegExp }[] = [
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
export const APPLIED: readonly AppliedRow[] = [
  ...DATABASES,
  ...CONTAINERS,
  ...DEFINITIONS,
  ...BUILDS,
  ...RUNNERS,
  ...SYSTEM,
];
