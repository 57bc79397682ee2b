import { buildImageCommand } from "../core/kurisu-command.ts";
import { createRunId } from "./container-spec.ts";
import type { BrowserPlace } from "../web/browser/browser-place.ts";
import { connectOverPipe } from "../web/browser/connect-over-pipe.ts";
import { openSocketFolder, type SocketFolderPlace } from "./egress/socket-folder.ts";
import type { Sandbox } from "./types.ts";

const onHost =
  "Or let it run on this machine, where a page that breaks out of it reaches everything: tools.browser.host: true in tools.yaml.";

/**
 * Chromium in a container of its own for each call: no network but the proxy's socket, nothing of a workspace, and the
 * walls of every container here. A page that breaks out of it has the proxy, which lets it reach public sites.
 */
export function createContainerBrowser({
  sandbox,
  image,
  ...place
}: SocketFolderPlace & {
  readonly sandbox: Pick<Sandbox, "lastStatus" | "openBrowser">;
  readonly image: string;
}): BrowserPlace {
  return {
    availability() {
      const status = sandbox.lastStatus();
      if (status.state !== "ready")
        return { ok: false, reason: `The browser runs in a container. ${status.detail} ${status.remedy} ${onHost}` };
      if (status.hasBrowser) return { ok: true };
      const build = `Build it: ${buildImageCommand} -- --browser.`;
      return { ok: false, reason: `The container engine has no image ${image} for the browser. ${build} ${onHost}` };
    },
    async openBrowser({ proxy, signal, limitMs }) {
      const run = createRunId();
      const way = await openSocketFolder(place, run, proxy);
      let complaint = "";
      const onErrorOutput = (text: string): void => void (complaint = (complaint + text).slice(-200));
      try {
        const opening = await sandbox.openBrowser({ run, sockets: way.folder, onErrorOutput, signal });
        if (opening.kind === "unavailable") throw new Error(`${opening.reason} ${opening.remedy}`);
        const { streams } = opening;
        const stop = (): void => void streams.close();
        signal.addEventListener("abort", stop, { once: true });
        try {
          const { browser, release } = await connectOverPipe(streams, limitMs);
          const close = async (): Promise<void> => {
            await streams.close();
            await release();
            await way.close();
          };
          return { browser, close };
        } catch (error) {
          await streams.close();
          throw new Error(`Chromium did not start in its container (${complaint.trim()})`, { cause: error });
        } finally {
          signal.removeEventListener("abort", stop);
        }
      } catch (error) {
        await way.close();
        throw error;
      }
    },
  };
}
