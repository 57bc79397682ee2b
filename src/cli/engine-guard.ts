import { once } from "node:events";
import { isAbsolute, join } from "node:path";
import { AppError } from "../core/errors.ts";
import { createLog } from "../core/log.ts";
import { chooseContainerIdentity, type ContainerIdentity } from "../sandbox/container-identity.ts";
import { createEngineGuard } from "../sandbox/engine-guard/engine-guard.ts";
import { nameInstallation } from "../sandbox/name-installation.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import type { Command } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} engine-guard --listen PATH [--engine PATH] [--user UID:GID]

Stands between Kurisu and the container engine, in a container of its own: passes on what the sandbox does and refuses
everything else. Image, limits and the data folder come from the same configuration as the gateway's.

--listen   the Unix socket to offer; Kurisu's DOCKER_HOST is then unix://PATH
--engine   the engine's socket, /var/run/docker.sock
--user     the numbers that the gateway runs under, this process's own or 1000:1000`;

export const engineGuardCommand: Command = {
  name: "engine-guard",
  help,
  async run(context) {
    const { values } = readOptions("engine-guard", context.arguments, {
      listen: { type: "string" },
      engine: { type: "string", default: "/var/run/docker.sock" },
      user: { type: "string" },
    });
    const { listen, engine, user } = values;
    if (listen === undefined || !isAbsolute(listen) || !isAbsolute(engine)) throw new AppError("USAGE", help);
    const identity = readIdentity(user);
    const { home, log: logOptions, sandbox, secrets, tools } = context.configuration();
    const log = createLog({ level: logOptions.level, secrets });
    const { image, limits, runtime } = sandbox;
    const policy = {
      image,
      limits,
      identity,
      installation: nameInstallation(home),
      workspaces: join(home, "workspaces"),
      ...(sandbox.network === "on" && { egress: join(home, "egress") }),
      ...(!tools.browser.host && { browser: { image: tools.browser.image, sockets: join(home, "browser") } }),
      ...(runtime === undefined ? {} : { runtime }),
    };
    const guard = createEngineGuard({ listen, engine, policy, log });
    const asked = Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
    await guard.start();
    log.info({ listen, engine, image, identity, workspaces: policy.workspaces }, "the engine guard listens");
    await asked;
    await guard.stop();
    return 0;
  },
};

function readIdentity(user: string | undefined): ContainerIdentity {
  if (user === undefined) return chooseContainerIdentity(process.getuid?.(), process.getgid?.());
  const [, uid, gid] = /^([1-9]\d{0,9}):([1-9]\d{0,9})$/.exec(user) ?? [];
  if (uid === undefined) throw new AppError("USAGE", "--user takes two numbers above zero, such as 1000:1000.");
  return { uid: Number(uid), gid: Number(gid) };
}
