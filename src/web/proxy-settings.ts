import { isIP, isIPv4 } from "node:net";

/** A proxy, and the variable that names it. */
export interface ProxyPlace {
  /** With user and password, if it has them: never for a log or a screen. */
  readonly url: string;
  readonly variable: string;
}

/** The proxies that every request to the outside goes through. */
export interface ProxySettings {
  readonly http?: ProxyPlace;
  /** Where none is set for https, that for http serves both. */
  readonly https: ProxyPlace;
  /** The entries of NO_PROXY, in small letters. */
  readonly excluded: readonly string[];
}

/** The target of a connection: a name or an address without brackets. */
export interface OutboundTarget {
  readonly host: string;
  readonly port: number;
  /** TLS is spoken there. */
  readonly secure: boolean;
}

/** Servers of this machine are reached directly, whatever NO_PROXY says: a proxy elsewhere cannot know them. */
const ownMachine = ["localhost", "127.0.0.1", "::1"];

/** The proxy for a target; undefined when it is reached directly. */
export function chooseProxy(settings: ProxySettings, { host, port, secure }: OutboundTarget): ProxyPlace | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  const isOwn = name === "::1" || (isIPv4(name) && name.startsWith("127."));
  if (isOwn || listEntries(settings).some((entry) => excludes(entry, name, port))) return undefined;
  return secure ? settings.https : settings.http;
}

/** The settings as Node's agents and undici's read them. */
export function describeForNode(settings: ProxySettings) {
  return {
    HTTP_PROXY: settings.http?.url ?? "",
    HTTPS_PROXY: settings.https.url,
    NO_PROXY: [...listEntries(settings), "127.0.0.0-127.255.255.255"].join(","),
  };
}

/** Entries that this program does not understand: networks and ranges. */
export function listUnreadEntries({ excluded }: ProxySettings): readonly string[] {
  return excluded.filter((entry) => entry.includes("/") || entry.split("-").every((part) => isIPv4(part)));
}

/** A proxy as it may be shown: without user and password. */
export function showProxy({ url }: ProxyPlace): string {
  return new URL(url).host;
}

/**
 * As curl reads them, a name includes the names below it, too. Node takes a name for itself alone and a dot before it
 * for both, undici takes both forms for both; so each name is given to them in both forms.
 */
function listEntries({ excluded }: ProxySettings): readonly string[] {
  return [...ownMachine, ...excluded].flatMap((entry) =>
    /^[*.[]/.test(entry) || isIP(entry) !== 0 ? [entry] : [entry, `.${entry}`],
  );
}

function excludes(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  const written = isIP(entry) === 0 ? /^(.+):(\d{1,5})$/.exec(entry) : null;
  if (written !== null && Number(written[2]) !== port) return false;
  const name = (written?.[1] ?? entry).replace(/^\[|\]$/g, "");
  if (name.startsWith("*.")) return host.endsWith(name.slice(1));
  return name.startsWith(".") ? host === name.slice(1) || host.endsWith(name) : host === name;
}
