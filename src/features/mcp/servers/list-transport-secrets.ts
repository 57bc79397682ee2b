import type { McpServer } from "./types.ts";

/** Values shorter than this are ordinary words. */
const minSecretLength = 6;

/**
 * Secrets in how a server is reached: its client secret, values of `env` and headers, and options and address parts whose
 * name sounds like a key. People write `--api-key ${KEY}`, and by then it is filled in.
 */
export function listTransportSecrets(transport: McpServer["transport"]): readonly string[] {
  const values =
    transport.kind === "http"
      ? [
          ...listOfAddress(transport.url, transport.headers),
          ...(transport.oauth.clientSecret === undefined ? [] : [transport.oauth.clientSecret]),
        ]
      : listOfCommand(transport.args, transport.env);
  return values.filter((value) => value.length >= minSecretLength);
}

function listOfAddress(address: string, headers: Readonly<Record<string, string>>): string[] {
  const { searchParams } = new URL(address);
  return [
    ...[...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
    ...Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]),
  ];
}

function listOfCommand(args: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  const options = args.flatMap((part, index) => {
    const [, name = "", value = ""] = /^([\w-]+)[=:]\s*(.*)$/s.exec(part) ?? [];
    if (isSecretName(name)) return [value, value.replace(/^\S+\s+/, "")];
    // `--env=API_KEY=…`, as container programs take variables.
    const [, inner = "", given = ""] = /^(\w+)=(.*)$/s.exec(value) ?? [];
    if (isSecretName(inner)) return [given];
    const before = args[index - 1] ?? "";
    return /^-{1,2}[\w-]+$/.test(before) && isSecretName(before) && !part.startsWith("-") ? [part] : [];
  });
  return [...named, ...options];
}

/** Wider than for our own variables: a named value for a server is rarely anything but a key or a place. */
function isSecretName(name: string): boolean {
  return /TOKEN|SECRET|PASS|KEY|AUTH|CREDENTIAL|COOKIE|SESSION/i.test(name);
}
