import { expect, test } from "vitest";
import { pickInherited } from "../../../src/features/mcp/connection/pick-inherited.ts";

test("a server gets the operator's own PATH, not the one with our Node and our packages in front", () => {
  const own = "/home/o/.nvm/versions/node/v22/bin:/usr/bin:/bin";
  const npm =
    "/k/node_modules/.bin:/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin";
  const ours = "/k/scripts/runtime/node_modules/.bin";
  expect(pickInherited({ PATH: `${ours}:${own}`, KURISU_OPERATOR_PATH: own })).toEqual({ PATH: own });
  expect(pickInherited({ PATH: `${ours}:${npm}:${own}`, KURISU_OPERATOR_PATH: `${npm}:${own}` })).toEqual({
    PATH: own,
  });
  expect(pickInherited({ PATH: own })).toEqual({ PATH: own });
  expect(pickInherited({})).toEqual({});
});

test("a server gets the settings of installers, proxies, certificates and languages", () => {
  const given = {
    HOME: "/home/o",
    LANG: "de_DE.UTF-8",
    LC_CTYPE: "C.UTF-8",
    npm_config_registry: "https://mirror.example/",
    NPM_CONFIG_CACHE: "/var/cache/npm",
    UV_DEFAULT_INDEX: "https://mirror.example/simple",
    PIP_INDEX_URL: "https://mirror.example/simple",
    XDG_CACHE_HOME: "/var/cache",
    NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
    SSL_CERT_FILE: "/etc/ca.pem",
    https_proxy: "http://proxy.example:3128",
    NO_PROXY: "nas.example",
    NIX_SSL_CERT_FILE: "/etc/ca.pem",
    NVM_DIR: "/home/o/.nvm",
    DISPLAY: ":0",
    WAYLAND_DISPLAY: "wayland-0",
    PLAYWRIGHT_BROWSERS_PATH: "/var/browsers",
    PUPPETEER_EXECUTABLE_PATH: "/usr/bin/chromium",
    PIP_EXTRA_INDEX_URL: "https://a.example/simple https://b.example/simple",
    UV_INDEX: "company=https://a.example/@scope/simple",
  };
  expect(pickInherited(given)).toEqual(given);
});

test.each([
  "OPENAI_API_KEY",
  "TELEGRAM_BOT_TOKEN",
  "KURISU_CONSOLE_PASSWORD",
  "KURISU_HOME",
  "DATABASE_URL",
  "NODE_OPTIONS",
  "NODE_AUTH_TOKEN",
  "npm_config__authToken",
  "npm_config_//registry.example/:_password",
  "UV_PUBLISH_TOKEN",
  "UV_INDEX_COMPANY_PASSWORD",
  "UV_INDEX_COMPANY_USERNAME",
  "npm_config_pass",
  "npm_config_otp",
  "XDG_SESSION_COOKIE",
  "AWS_SECRET_ACCESS_KEY",
])("no server gets %s", (name) => {
  expect(pickInherited({ [name]: "canary" })).toEqual({});
});

test.each([
  ["UV_INDEX_URL", "https://me:hush@mirror.example/simple"],
  ["UV_INDEX_URL", "https://hush@mirror.example/simple"],
  ["UV_INDEX_URL", "https:me:hush@mirror.example/simple"],
  ["UV_DEFAULT_INDEX", "company=https://me:hush@b.example/simple"],
  ["UV_EXTRA_INDEX_URL", "https://a.example/simple https://hush@b.example/simple"],
  ["PIP_EXTRA_INDEX_URL", "https://a.example/simple https://me:hush@b.example/simple"],
  ["PIP_EXTRA_INDEX_URL", "https://a.example/simple\nhttps://me:hush@b.example/simple"],
  ["npm_config_registry", "https://me:hush@mirror.example/"],
])("no server gets an index whose address holds a login: %s=%j", (name, value) => {
  expect(pickInherited({ [name]: value })).toEqual({});
});

test("npx does not look for programs in our own folder because npm has started us", () => {
  const byNpm = { npm_lifecycle_event: "start", npm_config_local_prefix: "/k", npm_config_noproxy: "" };
  const kept = { npm_config_registry: "https://mirror.example/", npm_config_userconfig: "/home/o/.npmrc" };
  expect(pickInherited({ ...byNpm, ...kept })).toEqual(kept);
});
