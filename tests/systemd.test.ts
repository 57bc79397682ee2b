import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorCatalogue } from "../src/core/errors.ts";

/** The units in packaging/, which `npm run release` hands out, and what docs/operation.md says of them. */

const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const gateway = parseUnit(read("packaging/kurisu.service"));
const guard = parseUnit(read("packaging/kurisu-guard.service"));

type Section = ReadonlyMap<string, readonly string[]>;

/** Sections with the values of each option, in order; throws on a line that is neither. */
function parseUnit(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string[]>>();
  let section: Map<string, string[]> | undefined;
  for (const line of text.split("\n")) {
    if (line.trim() === "" || /^[#;]/.test(line)) continue;
    const head = /^\[(\w+)\]$/.exec(line)?.[1];
    if (head !== undefined) sections.set(head, (section = new Map<string, string[]>()));
    else {
      const [, name, value = ""] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
      if (name === undefined || section === undefined) throw new Error(`no line of a unit: ${line}`);
      section.set(name, [...(section.get(name) ?? []), value]);
    }
  }
  return sections;
}

/** The options of systemd 252 that these units may use, by systemd.unit(5), .service(5), .exec(5), .kill(5) and .resource-control(5). */
const known: Readonly<Record<string, readonly string[]>> = {
  Unit: ["After", "Before", "Description", "Documentation", "Requires", "Wants"],
  Service: `
    ExecStart Restart RestartPreventExitStatus RestartSec TimeoutStopSec Type KillMode Environment Group
    User UMask WorkingDirectory ConfigurationDirectory RuntimeDirectory RuntimeDirectoryMode
    StateDirectory StateDirectoryMode AmbientCapabilities CapabilityBoundingSet KeyringMode
    LockPersonality NoNewPrivileges PrivateDevices PrivateNetwork PrivateTmp ProtectClock
    ProtectControlGroups ProtectHome ProtectHostname ProtectKernelLogs ProtectKernelModules
    ProtectKernelTunables ProtectProc ProtectSystem RemoveIPC RestrictAddressFamilies RestrictNamespaces
    RestrictRealtime RestrictSUIDSGID SystemCallArchitectures SystemCallErrorNumber SystemCallFilter
    InaccessiblePaths MemoryMax TasksMax`
    .trim()
    .split(/\s+/),
  Install: ["WantedBy"],
};

const units = [
  ["kurisu.service", gateway],
  ["kurisu-guard.service", guard],
] as const;

const valueOf = (unit: ReadonlyMap<string, Section>, name: string): string | undefined =>
  unit.get("Service")?.get(name)?.join(" ");

describe.each(units)("%s", (_, unit) => {
  it("the unit has the three sections, with options that exist", () => {
    expect([...unit.keys()]).toEqual(["Unit", "Service", "Install"]);
    const unknown = [...unit].flatMap(([section, options]) =>
      [...options.keys()].filter((name) => known[section]?.includes(name) !== true),
    );
    expect(unknown).toEqual([]);
  });

  it("the unit keeps its walls", () => {
    const walls = {
      NoNewPrivileges: "yes",
      PrivateTmp: "yes",
      ProtectHome: "yes",
      ProtectSystem: "strict",
      RestrictSUIDSGID: "yes",
      SystemCallFilter: "@system-service",
      SystemCallArchitectures: "native",
    };
    for (const [name, value] of Object.entries(walls)) expect([name, valueOf(unit, name)]).toEqual([name, value]);
    // V8 could not run, so that its absence is a decision.
    expect(valueOf(unit, "MemoryDenyWriteExecute")).toBeUndefined();
  });

  it("systemd starts the unit again after every end but a fault of the configuration", () => {
    const { CONFIG_INVALID, DATABASE_UNREACHABLE } = errorCatalogue;
    expect([valueOf(unit, "Restart"), valueOf(unit, "RestartPreventExitStatus")]).toEqual([
      "always",
      String(CONFIG_INVALID.exit),
    ]);
    expect(DATABASE_UNREACHABLE.exit).not.toBe(CONFIG_INVALID.exit);
  });
});

describe("the two units together", () => {
  it("only the guard has rights of root, and it has no network", () => {
    expect([valueOf(gateway, "User"), valueOf(gateway, "CapabilityBoundingSet")]).toEqual(["kurisu", ""]);
    expect([valueOf(gateway, "SupplementaryGroups"), valueOf(gateway, "ExecStartPre")]).toEqual([undefined, undefined]);
    expect(valueOf(guard, "CapabilityBoundingSet")).toBe("CAP_DAC_READ_SEARCH");
    expect([valueOf(guard, "PrivateNetwork"), valueOf(guard, "RestrictAddressFamilies")]).toEqual(["yes", "AF_UNIX"]);
    expect(valueOf(guard, "InaccessiblePaths"), "it needs no keys").toBe("-/etc/kurisu/.env");
  });

  it("both share the program, the folders, the socket and the number of the user that the page creates", () => {
    const start = valueOf(gateway, "ExecStart")?.replace(/ start$/, "");
    const [program, given] = valueOf(guard, "ExecStart")?.split(" engine-guard ") ?? [];
    expect(program).toBe(start);
    const [, socket, number] = /^--listen (\S+) --user (\d+):\2$/.exec(given ?? "") ?? [];
    expect(valueOf(gateway, "Environment")).toContain(`DOCKER_HOST=unix://${socket}`);
    expect(socket).toBe(`/run/${valueOf(guard, "RuntimeDirectory")}/engine.sock`);
    const page = read("docs/operation.md");
    expect(page).toContain(`--uid ${number} `);
    const folders = /KURISU_HOME=\S+ KURISU_CONFIG=\S+/;
    const [shared] = folders.exec(valueOf(gateway, "Environment") ?? "") ?? [];
    expect(folders.exec(valueOf(guard, "Environment") ?? "")?.[0]).toBe(shared);
    expect(shared).toBe(
      `KURISU_HOME=/var/lib/${valueOf(gateway, "StateDirectory")} KURISU_CONFIG=/etc/${valueOf(gateway, "ConfigurationDirectory")}`,
    );
    // The folder in which the page installs the package.
    expect(page).toContain(
      `npm install ./kurisu-VERSION.tgz --prefix ${/ (\S+)\/node_modules\/kurisu\//.exec(start ?? "")?.[1]}\n`,
    );
  });
});
