import type { IsOwnVariable } from "../store/skill-rights.ts";
import type { RegistryPackage, ServerEntry } from "./registry-entry.ts";

/** Plans the entry of config/mcp.json for a registered server. */
export interface ServerPlan {
  /** Its name there. */
  readonly name: string;
  readonly entry:
    | { readonly command: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }
    | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };
  /** Variables that must be set for it to work. */
  readonly variables: readonly string[];
}

type Planned = { readonly ok: true; readonly plan: ServerPlan } | { readonly ok: false; readonly problem: string };

const exactVersion = /^\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]{1,60})?$/;
const npmName = /^(?:@[a-z0-9][\w.-]{0,100}\/)?[a-z0-9][\w.-]{0,100}$/;
const pypiName = /^[A-Za-z0-9](?:[\w.-]{0,100}[A-Za-z0-9])?$/;
/** One word that programs can only read as plain text. */
const plainArgument = /^[^\p{C}]{1,500}$/u;

/** The way to a server that needs nothing but an approval: a package of an exact version, or an address. */
export function planServer(server: ServerEntry, isOwnVariable: IsOwnVariable): Planned {
  const name = nameServer(server.name);
  const problems: string[] = [];
  for (const one of server.packages) {
    const planned = planPackage(one, isOwnVariable);
    if (typeof planned !== "string") return { ok: true, plan: { name, ...planned } };
    problems.push(planned);
  }
  for (const { type, url, headers } of server.remotes) {
    const address = URL.parse(url);
    const mode = { "streamable-http": "http", http: "http", sse: "sse" }[type];
    if (
      mode === undefined ||
      address?.protocol !== "https:" ||
      `${address.username}${address.password}` !== "" ||
      /[{}\s\p{C}]/u.test(url)
    ) {
      problems.push(`${type} at ${url.slice(0, 100)} is no plain https address`);
      continue;
    }
    const needed = headers.filter(({ isRequired }) => isRequired === true);
    const variables = needed.map((header) => `${name}_${header.name}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"));
    const filled = Object.fromEntries(needed.map((header, index) => [header.name, `\${${variables[index] ?? ""}:-}`]));
    if (variables.some(isOwnVariable)) return { ok: false, problem: "it asks for one of Kurisu's own variables" };
    const entry = { type: mode as "http" | "sse", url: address.href, ...(needed.length > 0 && { headers: filled }) };
    return { ok: true, plan: { name, entry, variables } };
  }
  const why = problems[0] ?? "it names no package and no address";
  return { ok: false, problem: `${server.name} cannot be installed by itself: ${why}.` };
}

/** Returns one sentence that says why the package is not installed, or its entry. */
function planPackage(one: RegistryPackage, isOwnVariable: IsOwnVariable): Omit<ServerPlan, "name"> | string {
  const { registryType, identifier, version = "", transport, runtimeArguments, packageArguments } = one;
  if (transport.type !== "stdio") return `its package speaks ${transport.type}, not stdio`;
  if (!exactVersion.test(version)) return `its package has no exact version (${version.slice(0, 40)})`;
  if (runtimeArguments.length > 0) return "it wants arguments for the program that starts it";
  const args = packageArguments.map(readArgument);
  if (args.some((part) => part === undefined)) return "it needs settings that only a person can give";
  const given = args.flatMap((part) => part ?? []);
  const variables = one.environmentVariables.filter(({ isRequired }) => isRequired === true).map(({ name }) => name);
  if (one.environmentVariables.some(({ name }) => isOwnVariable(name)))
    return "it asks for one of Kurisu's own variables";
  const env = Object.fromEntries(variables.map((name) => [name, `\${${name}:-}`]));
  const more = { ...(variables.length > 0 && { env }) };
  switch (registryType) {
    case "npm":
      if (!npmName.test(identifier)) return "its package has no plain name";
      // No script of the package or its dependencies runs while it is fetched.
      return {
        entry: { command: "npx", args: ["--yes", "--ignore-scripts", `${identifier}@${version}`, ...given], ...more },
        variables,
      };
    case "pypi":
      if (!pypiName.test(identifier)) return "its package has no plain name";
      return { entry: { command: "uvx", args: [`${identifier}@${version}`, ...given], ...more }, variables };
    default:
      return `packages of the kind ${registryType.slice(0, 20)} are not installed by themselves`;
  }
}

/** Returns undefined if a person would have to fill it in. */
function readArgument(one: RegistryPackage["packageArguments"][number]): readonly string[] | undefined {
  const value = one.value ?? one.default;
  if (value === undefined) return one.type === "named" && one.isRequired !== true ? [] : undefined;
  if (/\{[^}]*\}|\$/.test(value) || !plainArgument.test(value)) return undefined;
  if (one.type !== "named") return [value];
  return one.name !== undefined && /^-{0,2}[\w-]{1,60}$/.test(one.name) ? [one.name, value] : undefined;
}

/** The last part of a registered name, as tools can carry it: `mcp__NAME__tool`. */
function nameServer(registered: string): string {
  const last = registered.slice(registered.lastIndexOf("/") + 1);
  const plain = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return plain === "" ? "server" : plain;
}
