import { accessSync, constants } from "node:fs";

/** Where packages put Chromium and its relatives. */
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/usr/local/bin/chromium",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export type FoundBrowser =
  | { readonly ok: true; readonly executable: string }
  /** Why there is none, and what to do about it. */
  | { readonly ok: false; readonly reason: string };

/** The browser that is set, and no other in its stead; without a setting one that lies in a usual place. */
export function findBrowser(set?: string): FoundBrowser {
  const executable = (set === undefined ? usualPlaces : [set]).find(isExecutable);
  if (executable !== undefined) return { ok: true, executable };
  const reason =
    set === undefined
      ? "No Chromium is on this machine: install it (Debian: apt install chromium fonts-noto-cjk), or name it in tools.yaml: tools.browser.executable."
      : `tools.yaml: tools.browser.executable is ${set}, which cannot be run.`;
  return { ok: false, reason };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
