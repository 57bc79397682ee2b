/**
 * The variables that every server process gets. Programs need them to find their way and installers their mirrors; none of
 * them is a key of Kurisu's.
 */
const everydayNames = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR"];
/** If the proxy is the only way out, a server needs it as much as we do. */
const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const certificateNames = [
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "NIX_SSL_CERT_FILE",
];
/** Where a server that drives a browser finds one, and the screen to show it on. */
const screenNames = ["DISPLAY", "WAYLAND_DISPLAY", "PLAYWRIGHT_BROWSERS_PATH", "PUPPETEER_EXECUTABLE_PATH"];
/** Folders of version managers and package managers. */
const homeNames = ["NVM_DIR", "FNM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "COREPACK_HOME", "PYENV_ROOT"];
const names = new Set([...everydayNames, ...proxyNames, ...certificateNames, ...screenNames, ...homeNames]);
const families = ["LC_", "XDG_", "UV_", "PIP_"];

/** Parts of a name, in capitals, behind which a key or one half of a login may stand. */
const keyParts = ["TOKEN", "PASS", "SECRET", "AUTH", "CREDENTIAL", "_KEY", "OTP", "COOKIE", "USERNAME", ":"];
/** An address with a login in it, anywhere: some variables hold several addresses, or a name in front of one. */
const loginInAddress = /\/\/[^/\s@]+@/;

/** Settings of npm that `npm start` makes for our own folder: with them npx would look for programs in it. */
const ofOurFolder = new Set(["local_prefix", "user_agent", "node_gyp", "npm_version", "init_module", "noproxy"]);

/** The part of our environment that every server process gets, with the operator's own PATH. */
export function pickInherited(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const path = findOperatorPath(environment);
  const given = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && isInherited(name, value, environment) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(given), ...(path !== undefined && { PATH: path }) };
}

function isInherited(name: string, value: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (names.has(name)) return true;
  // npm accepts its own names in any case. A login of npm is in ~/.npmrc, where npm finds it.
  const isNpm = name.slice(0, 11).toLowerCase() === "npm_config_";
  if (!isNpm && !families.some((start) => name.startsWith(start))) return false;
  if (mayBeKey(name) || holdsLogin(value)) return false;
  const byNpm = environment["npm_lifecycle_event"] !== undefined && name.startsWith("npm_config_");
  return !(byNpm && ofOurFolder.has(name.slice(11)));
}

function mayBeKey(name: string): boolean {
  const upper = name.toUpperCase();
  return keyParts.some((part) => upper.includes(part));
}

/** A token may be the user name. `URL` reads some addresses that the pattern does not, such as `https:me:hush@a.example`. */
function holdsLogin(value: string): boolean {
  const address = URL.parse(value);
  return loginInAddress.test(value) || Boolean(address?.username) || Boolean(address?.password);
}

/** Without the folders that scripts/node.mjs and `npm start` have put in front of it. */
function findOperatorPath(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = environment["KURISU_OPERATOR_PATH"] ?? environment["PATH"];
  const folders = path?.split(":");
  // npm puts the folders of packages first, and this one behind them.
  const last = folders?.findLastIndex((folder) => folder.endsWith("/node-gyp-bin")) ?? -1;
  return folders?.slice(last + 1).join(":");
}
