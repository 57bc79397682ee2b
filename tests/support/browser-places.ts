import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { onTestFinished } from "vitest";
import { createContainerBrowser } from "../../src/sandbox/container-browser.ts";
import { chooseContainerIdentity } from "../../src/sandbox/container-identity.ts";
import { sandboxLabels } from "../../src/sandbox/container-spec.ts";
import type { BrowserPlace } from "../../src/web/browser/browser-place.ts";
import { createHostBrowser } from "../../src/web/browser/host-browser.ts";
import { chromiumIsThere } from "./chromium.ts";
import { dockerIsThere, requireDocker } from "./docker.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { createTestSandbox } from "./test-sandbox.ts";
import { tellLeftOut } from "./left-out.ts";

export const browserImage = "kurisu-browser:latest";

export interface BrowserBench {
  readonly place: BrowserPlace;
  /** Names of what the browsers of this test have left: containers or processes, and folders. */
  readonly leftovers: () => Promise<readonly string[]>;
}

export interface ContainerBrowserBench extends BrowserBench {
  readonly containers: () => Promise<Docker.ContainerInfo[]>;
}

/** For `describe.runIf(await browserImageIsThere())`: one loud line where it is not, a failure where it must be. */
export async function browserImageIsThere(): Promise<boolean> {
  if (!dockerIsThere()) return false;
  const images = await requireDocker().listImages({ filters: { label: ["kurisu.browser=1"] } });
  if (images.some(({ RepoTags }) => (RepoTags ?? []).includes(browserImage))) return true;
  const problem = `there is no image ${browserImage}; build it: npm run sandbox:image -- --browser`;
  if (process.env["KURISU_REQUIRE_CHROMIUM"] === "1") throw new Error(problem);
  tellLeftOut("tests of the browser's container", problem);
  return false;
}

/** The real engine, by `docker` of the caller where a guard stands before it. */
export async function createContainerBench(
  given: { readonly docker?: Docker; readonly installation?: string; readonly root?: string } = {},
): Promise<ContainerBrowserBench> {
  const root = given.root ?? join(await createTemporaryFolder(), "browser");
  const installation = given.installation ?? `browser-${randomBytes(6).toString("hex")}`;
  const { sandbox } = createTestSandbox({ docker: given.docker ?? requireDocker(), installation, browserImage });
  onTestFinished(() => sandbox.stop());
  await sandbox.status();
  const uid = process.getuid?.();
  const owner = uid === 0 ? { owner: chooseContainerIdentity(uid, process.getgid?.()) } : {};
  const filters = { label: [`${sandboxLabels.installation}=${installation}`] };
  const containers = () => requireDocker().listContainers({ all: true, filters });
  return {
    place: createContainerBrowser({ sandbox, image: browserImage, root, ...owner }),
    containers,
    leftovers: async () => [...(await containers()).flatMap(({ Names }) => Names), ...listSockets(root)],
  };
}

function listSockets(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}

/** Programs of browsers started by this process or its children, and their folders beside those that were there before. */
function createHostBench(): Promise<BrowserBench> {
  const before = listFolders();
  const place = createHostBrowser();
  const leftovers = () =>
    Promise.resolve([...listBrowserProcesses(), ...listFolders().filter((name) => !before.includes(name))]);
  return Promise.resolve({ place, leftovers });
}

const listFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^(?:kurisu-browser-|playwright)/.test(name));

function listBrowserProcesses(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes("kurisu-browser-") || line.includes("playwright_chromiumdev_profile"));
}

/** Both ways that a browser runs, and whether this machine has them. */
export async function listBrowserPlaces() {
  return [
    { name: "on this machine", isThere: chromiumIsThere(), create: createHostBench },
    {
      name: "in a container",
      isThere: await browserImageIsThere(),
      create: (): Promise<BrowserBench> => createContainerBench(),
    },
  ];
}
