// Holds the records of programs that show and set hardware, firmware and power.
import { parseOptions } from "../../words/options.ts";
import type { Consequences, EffectRule, ProgramRecord } from "../record.ts";
import { ACTING, MACHINE, onThisMachine, options, WRITING } from "../rules/effects.ts";

/** Its options are words after one dash. */
const nvidia: EffectRule = ([, ...args]) => {
  const sets =
    /^-(r|pm|pl|e|c|ac|rac|lgc|rgc|lmc|rmc|am|caa|mig|dm|fdm|p)$|^--(gpu-reset|persist|power-limit|compute|lock|reset)/;
  if (args.some((arg) => sets.test(arg))) return { changes: MACHINE };
  return args[0]?.startsWith("-") === false ? "unknown" : "reads";
};

const ipmi: EffectRule = ([, ...args]) => {
  const text = parseOptions(args, { short: "IHUPfEpLCkyKNRtTe", long: [] }).operands.join(" ");
  const looks =
    /^(sdr|fru|fru print|sensor|sel|user list|user summary|lan print|lan stats get|mc info|mc getenables|mc guid|mc selftest|chassis status|chassis power status|power status|chassis bootparam get|chassis poh|chassis restart_cause|dcmi power reading|dcmi sensors|dcmi discover|dcmi asset_tag|sol info|channel info|session info|pef (?:info|status|list)|event)( |$)/;
  return looks.test(text) &&
    !/ (clear|thresh|set|delete|writeraw|write|edit|dump|fill|read|upgEkey|save|add|\d+ (?:assert|deassert))( |$)|^event ./.test(
      text,
    )
    ? "reads"
    : "unknown";
};

const FWUPDMGR_CONSEQUENCES: Consequences = {
  writes_device: /^(?:update|upgrade|install|reinstall|downgrade)(?:\s|$)/,
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "dmidecode", effect: "reads", sideEffects: { long: "dump-bin", effect: WRITING } },
    {
      names: "vcgencmd",
      effect: "reads",
      sideEffects: {
        when: /^(?!(?:measure_|get_|version|vcos|bootloader_version|readmr|read_ring_osc|mem_|codec_enabled|commands|pmic_read_adc|hdmi_timings|dispmanx_list|display_power$))/,
        effect: ACTING,
      },
    },
    { names: "hwinfo", effect: "reads", sideEffects: { long: "log dump-db save-config", effect: WRITING } },
    { names: "sensors", effect: options({ why: MACHINE, changes: "s set" }) },
    { names: "nvidia-smi", effect: nvidia },
    {
      names: "ipmitool",
      valued: "I H U P f E p L e k y K N R t T",
      effect: ipmi,
      consequences: { reboots: /^(?:chassis )?power (?:off|cycle|reset|soft|diag)(?:\s|$)|^mc reset/ },
      hosts: { options: "H", valued: "I U P f E p L e k y K N R t T", stops: true },
    },
  ]),
  { names: "upower", looks: "-d, -e, -i, --dump, --enumerate, --show-info, -w, -b" },
  {
    names: "mmcli",
    looks:
      "-L, -m * $, -i * $, -b * $, -s * $, -m * --signal-get|--location-status|--location-get|--messaging-list-sms|--list-bearers|--3gpp-scan|--messaging-status",
  },
  {
    names: "bootctl",
    valued: "esp-path boot-path root p",
    looks: "status, list, is-installed, systemd-efi-options $, reboot-to-firmware $",
  },
  { names: "bluetoothctl", looks: "devices, show, list, info, paired-devices, --version" },
  { names: "platformio pio", looks: "device list, boards, system info, project config, pkg list|outdated|show|search" },
  {
    names: "arduino-cli",
    looks:
      "board list|listall|details|search, core list|search, lib list|search|examples|deps, config dump|get, version",
  },
  { names: "rtl_test", looks: "*" },
  { names: "lpstat lpq lpinfo", looks: "*" },
  { names: "cupsctl", looks: "$, -h * $, -U * $" },
  { names: "pactl", valued: "s n server", looks: "list, info, stat, get-*, subscribe" },
  { names: "aplay arecord", looks: "-l, -L, --list-devices, --list-pcms, --version" },
  {
    names: "amixer",
    valued: "c D card device",
    looks: "$, scontrols, scontents, controls, contents, get, sget, cget, info, events",
  },
  { names: "wpctl", looks: "status, get-volume, inspect" },
  { names: "ipmi-sensors ipmi-fru", looks: "*", unless: "flush-cache" },
  { names: "ipmi-sel", looks: "*", unless: "c clear delete delete-range clear-sel post-clear d D" },
  {
    names: "racadm",
    valued: "r u p",
    looks:
      "getsysinfo, getsel, getraclog, getsensorinfo, getversion, getniccfg, getsvctag, gettracelog, getractime, get, getconfig -g, raid get, hwinventory $, swinventory, storage get, nicstatistics, coredump $, lclog view, jobqueue view",
    unless: "f",
  },
  { names: "upsrw", looks: "-l, $, * $", unless: "s" },
  { names: "upscmd", looks: "-l, $, * $", unless: "s", consequences: { reboots: /\b(?:load\.off|shutdown\.\w+)\b/ } },
  { names: "pwrstat", looks: "-status, -config, -version" },
  {
    names: "rocm-smi amd-smi",
    looks: "--show*, -a, -t, -u, -P, -i, list, static, metric, monitor, topology",
    unless: "save load",
  },
  { names: "intel_gpu_top", looks: "*", unless: "o" },
  { names: "radeontop", looks: "-d -, -v" },
  { names: "vainfo clinfo vulkaninfo vdpauinfo glxinfo eglinfo", looks: "*", unless: "html json j" },
  { names: "pinctrl", looks: "get, funcs, poll, lev, $" },
  { names: "raspi-config", looks: "nonint get_*, nonint is_*" },
  { names: "rpi-eeprom-update", looks: "$, -l" },
  { names: "dtoverlay", looks: "-l, -a, -h, -H" },
  { names: "dtparam", looks: "-l, -a, -h" },
  { names: "i2cdetect", looks: "-l, -y, -F" },
  { names: "gpioinfo gpiodetect gpioget gpiofind gpiomon", looks: "*" },
  { names: "cpupower", valued: "c", looks: "frequency-info, idle-info, info, monitor -l, -c * frequency-info" },
  { names: "cpufreq-info x86_info cpuid", looks: "*" },
  {
    names: "ras-mc-ctl",
    looks: "--summary, --errors, --status, --mainboard, --layout, --error-count, --guess-labels, --print-labels",
  },
  { names: "edac-util", looks: "*" },
  { names: "mcelog", looks: "--client, --ping, --version, --is-cpu-supported" },
  { names: "inxi", looks: "*", unless: "U" },
  { names: "acpi tlp-stat powerstat", looks: "*" },
  { names: "dkms", looks: "status" },
  { names: "efibootmgr", looks: "$, -v $, --verbose $" },
  {
    names: "mokutil",
    looks:
      "--sb-state, --list-enrolled, -l, --list-new, -N, --list-delete, -D, --test-key, -t, --kek, --pk, --db, --dbx, --list-sbat-revocations",
  },
  { names: "grubby", looks: "--info, --default-kernel, --default-index, --default-title" },
  { names: "grub-editenv grub2-editenv", looks: "list, - list, * list" },
  {
    names: "fwupdmgr",
    looks:
      "get-devices, get-updates, get-upgrades, get-history, get-releases, get-remotes, get-topology, get-plugins, get-results, get-details, get-approved-firmware, get-blocked-firmware, get-bios-setting, security, check-reboot-needed, get-device-flags",
    consequences: FWUPDMGR_CONSEQUENCES,
  },
  { names: "turbostat", valued: "show hide interval i n num_iterations", looks: "*", unless: "o out" },
  { names: "bpftool", looks: "prog|map|link|btf|net|cgroup|feature|perf|struct_ops show|list|tree|probe|dump" },
  {
    names: "rtcwake",
    consequences: {
      reboots: /^(?!.*(?:^|\s)(?:-\w*m\s*|--mode[=\s])(?:no|show|disable|on)(?:\s|$))(?!.*(?:-n|--dry-run)(?:\s|$))/,
    },
  },
  { names: "upsmon", consequences: { reboots: /(?:^|\s)-c\s*fsd/ } },
  { names: "upsdrvctl", consequences: { reboots: /^shutdown/ } },
  { names: "fwupdtool", consequences: FWUPDMGR_CONSEQUENCES },
];
