import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { chooseContainerIdentity } from "../sandbox/container-identity.ts";
import { createContainerBrowser } from "../sandbox/container-browser.ts";
import { createEgress } from "../sandbox/egress/open-egress.ts";
import { nameInstallation } from "../sandbox/name-installation.ts";
import { openSandbox, type SandboxChoice } from "../sandbox/open-sandbox.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { SystemReplies } from "../kernel/outbox/system-replies.ts";
import type { Store } from "../store/open-store.ts";
import type { Database } from "../store/schema/database.ts";
import { createHostBrowser } from "../web/browser/host-browser.ts";
import { createBrowser, type Browser } from "../web/browser/open-page.ts";
import { createGuardedDial } from "../web/guarded-dial.ts";
import { createChosenFiles } from "../workspace/container/choose-files.ts";
import { createContainerFiles } from "../workspace/container/container-files.ts";
import { createWorkspace } from "../workspace/create-workspace.ts";
import { createFolderWriters, type FolderWriters } from "../workspace/folder-writers.ts";
import { createKnownContents, type KnownContents } from "../workspace/known-contents.ts";
import type { SessionSnapshots, SnapshotParts } from "../workspace/snapshots/session-snapshots.ts";
import type { Workspace } from "../workspace/types.ts";

/** The sandbox, the browser and the workspace, as the rooms above get them. */
export interface Places {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** The contents of files when last seen. */
  readonly contents: KnownContents;
  readonly writers: FolderWriters;
  /** The folder that contains the workspaces of all sessions. */
  readonly workspaceRoot: string;
  readonly browser: Browser;
  /** The files of sessions in the database, where several processes share one; else absent. */
  readonly snapshots?: SessionSnapshots;
  /** Applies changed container settings. Returns why the old ones stay, and the remedy. */
  followSandbox(next: Configuration): Promise<string | undefined>;
  /** Removes what a dead process left. Only for the holder of the data folder: another process's may be in use. */
  sweep(): Promise<void>;
}

export async function assemblePlaces(
  configuration: () => Configuration,
  parts: {
    readonly database: () => Kysely<Database>;
    /** Absent where tools are only looked at. */
    readonly store?: Store;
    readonly systemReplies?: Pick<SystemReplies, "tell">;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<Places> {
  const { database, clock, log } = parts;
  const { home } = configuration();
  const root = join(home, "workspaces");
  const uid = process.getuid?.();
  // Only root can change a socket's owner; other users run containers under their own uid.
  const owner = uid === 0 ? { owner: chooseContainerIdentity(uid, process.getgid?.()) } : {};
  const browserRoot = join(home, "browser");
  const egress = createEgress({ root: join(home, "egress"), dial: createGuardedDial(), log, ...owner });
  const choose = ({ sandbox: wanted, tools: { browser: chosen } }: Configuration): SandboxChoice => ({
    ...wanted,
    ...(wanted.network === "on" && { egress }),
    ...(!chosen.host && { browserImage: chosen.image }),
  });
  const { dockerHost } = configuration().sandbox;
  const sandbox = await openSandbox({
    choice: choose(configuration()),
    ...(dockerHost !== undefined && { dockerHost }),
    workspaces: root,
    seccompFile: join(home, "seccomp.json"),
    installation: nameInstallation(home),
    instance: randomUUID(),
    clock,
    log,
  });
  const writers = createFolderWriters();
  const workspace = createWorkspace({
    root,
    writers,
    trash: join(home, "trash"),
    limits: () => configuration().sandbox.workspaceLimits,
    files: (host) => createChosenFiles({ sandbox, host, container: createContainerFiles({ sandbox }), log }),
  });
  const snapshots =
    parts.store?.engine === "postgres"
      ? await openSnapshots(home, {
          store: parts.store,
          onTooLarge: async (session, version) =>
            parts.systemReplies?.tell(`files-stay:${session}:${version}`, session, ({ access }) => access.filesStay),
          ...owner,
          root,
          workspace,
          writers,
          clock,
          log,
        })
      : undefined;
  const findPlace = keepLast((chosen: Configuration["tools"]["browser"]) =>
    chosen.host
      ? createHostBrowser(chosen)
      : createContainerBrowser({ sandbox, image: chosen.image, root: browserRoot, ...owner }),
  );
  const place = () => findPlace(configuration().tools.browser);
  const browser = createBrowser({
    place: { availability: () => place().availability(), openBrowser: (wanted) => place().openBrowser(wanted) },
  });
  return {
    sandbox,
    workspace,
    contents: createKnownContents({ database, writers }),
    writers,
    workspaceRoot: root,
    browser,
    ...(snapshots && { snapshots }),
    followSandbox: (next) => sandbox.follow(choose(next)),
    async sweep() {
      await workspace.sweepTrash();
      await snapshots?.sweep();
      await egress.sweep();
      await rm(browserRoot, { recursive: true, force: true });
      if (sandbox.lastStatus().state === "ready") await sandbox.sweep();
    },
  };
}

/** Loaded only where several processes share the store: one process alone has all files. */
async function openSnapshots(home: string, parts: Omit<SnapshotParts, "node">): Promise<SessionSnapshots> {
  const [{ createSessionSnapshots }, { namePlace }] = await Promise.all([
    import("../workspace/snapshots/session-snapshots.ts"),
    import("../workspace/snapshots/name-place.ts"),
  ]);
  return createSessionSnapshots({ ...parts, node: await namePlace(home) });
}

/** Creates again only when the input has changed. */
function keepLast<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  let last: { readonly given: Given; readonly made: Made } | undefined;
  return (given) => {
    if (!last || !isDeepStrictEqual(last.given, given)) last = { given, made: make(given) };
    return last.made;
  };
}
