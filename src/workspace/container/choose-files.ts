import type { Logger } from "pino";
import type { Sandbox } from "../../sandbox/types.ts";
import type { FileActions } from "../file-actions.ts";

/**
 * Files in the session's container as soon as there has been an engine with a runner, guarded on the host until then. There
 * is no way back while the process lives: when the engine goes away, an action says so instead of being done on the host.
 */
export function createChosenFiles(parts: {
  readonly sandbox: Pick<Sandbox, "lastStatus">;
  readonly host: FileActions;
  readonly container: FileActions;
  readonly log: Pick<Logger, "info">;
}): FileActions {
  const { sandbox, host, container, log } = parts;
  let chosen = host;

  function choose(): FileActions {
    if (chosen === container) return chosen;
    const status = sandbox.lastStatus();
    if (status.state !== "ready" || !status.keepsContainers) return chosen;
    log.info("file tools work in the conversations' containers from now on");
    chosen = container;
    return chosen;
  }

  return {
    read: (...given) => choose().read(...given),
    readMany: (...given) => choose().readMany(...given),
    replace: (...given) => choose().replace(...given),
    append: (...given) => choose().append(...given),
    stat: (...given) => choose().stat(...given),
    list: (...given) => choose().list(...given),
  };
}
