import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";
import { matchPattern } from "./match-pattern.ts";
import { fitAll, fitAny, type ArgumentTest, type Fit } from "./rule.ts";

/** Whether a value passes a test. `undefined` means that the call has no such argument. */
export function testArgument(test: ArgumentTest, value: unknown): Fit {
  const { above, below, host, is, matches, under } = test;
  return fitAll([
    ...(under ? [testPath(value, under)] : []),
    ...(host ? [testHost(value, host)] : []),
    ...(above === undefined ? [] : [testNumber(value, (number) => number > above)]),
    ...(below === undefined ? [] : [testNumber(value, (number) => number < below)]),
    ...(is ? [fitAny(is.map((wanted) => testEquality(value, wanted)))] : []),
    ...(matches ? [testText(value, matches)] : []),
  ]);
}

/** Uses the rules of the one path resolver, so that `..`, link names and other spellings cannot bypass it. */
function testPath(value: unknown, folders: readonly string[]): Fit {
  const parsed = typeof value === "string" ? parseWorkspacePath(value) : undefined;
  if (!parsed?.ok) return "unknown";
  return fitAny(folders.map((folder) => isUnder(parsed.relative, folder)));
}

/**
 * Some file systems ignore case or Unicode form. A path that is inside the folder only under those rules has an unknown
 * fit.
 */
function isUnder(path: string, folder: string): Fit {
  const parsed = parseWorkspacePath(folder);
  if (!parsed.ok) return "unknown";
  const wanted = parsed.relative;
  const lies = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`);
  if (wanted === "." || lies(path, wanted)) return "yes";
  return lies(fold(path), fold(wanted)) ? "unknown" : "no";
}

function fold(path: string): string {
  return path
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase();
}

function testHost(value: unknown, hosts: readonly string[]): Fit {
  const host = typeof value === "string" ? readHost(value) : undefined;
  if (host === undefined) return "unknown";
  return fitAny(hosts.map((wanted) => (isHost(host, wanted) ? "yes" : "no")));
}

/** `wanted` is a host, or `*.example.com` for every name below it. */
export function isHost(host: string, wanted: string): boolean {
  return wanted.startsWith("*.")
    ? host.endsWith(wanted.slice(1).toLowerCase()) && host.length > wanted.length - 1
    : host === wanted.toLowerCase();
}

/**
 * The host of a web address as browsers read it. Returns undefined when there is none, or when parsers disagree about
 * it.
 */
function readHost(address: string): string | undefined {
  if (/[\s\\]|\p{C}/u.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password } = new URL(address);
  if (!["http:", "https:"].includes(protocol) || username !== "" || password !== "") return undefined;
  return hostname.replace(/\.$/, "");
}

function testNumber(value: unknown, holds: (number: number) => boolean): Fit {
  if (typeof value !== "number" || Number.isNaN(value)) return "unknown";
  return holds(value) ? "yes" : "no";
}

function testEquality(value: unknown, wanted: string | number | boolean): Fit {
  if (typeof value !== typeof wanted) return "unknown";
  return value === wanted ? "yes" : "no";
}

function testText(value: unknown, patterns: readonly string[]): Fit {
  if (typeof value !== "string") return "unknown";
  return patterns.some((pattern) => matchPattern(pattern, value)) ? "yes" : "no";
}
