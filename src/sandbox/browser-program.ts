import { listLaunchArguments } from "../web/browser/launch-arguments.ts";
import { egressPlace } from "./egress/egress-place.ts";
import type { SandboxLimits } from "./types.ts";

const mebibyte = 1024 * 1024;

/** Limits of Chromium's container; those of commands are too small for it. */
export const browserLimits = {
  memoryBytes: 1024 * mebibyte,
  cpus: 1,
  pids: 512,
  fileBytes: 128 * mebibyte,
} as const satisfies Partial<SandboxLimits>;

/** Bytes of its /tmp, where the profile is. */
export const browserScratchBytes = 256 * mebibyte;

const chromiumArguments = [
  "--headless",
  // Its own sandbox needs namespaces, which no container of ours may make: the container is the wall.
  "--no-sandbox",
  "--remote-debugging-pipe",
  "--user-data-dir=/tmp/profile",
  "--disable-dev-shm-usage",
  "--disable-breakpad",
  "--hide-scrollbars",
  "--force-color-profile=srgb",
  "--no-default-browser-check",
  "--password-store=basic",
  // The loopback holds the relay to our proxy and nothing else.
  ...listLaunchArguments({
    proxy: `http://127.0.0.1:${egressPlace.port}`,
    resolverRules: "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  }),
  "about:blank",
];

/** Bash that becomes Chromium, which takes its orders from the container's standard input (CDP, messages end with NUL). */
export const browserScript = `exec 3<&0 4>&1 </dev/null >/dev/null; exec chromium ${chromiumArguments.map((one) => `'${one}'`).join(" ")}`;
