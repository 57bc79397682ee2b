import { createEndings } from "../core/endings.ts";
import type { Measures } from "./assemble-measures.ts";
import type { Places } from "./assemble-places.ts";
import type { FollowTools } from "./assemble-tools.ts";
import { createFollowChange } from "./follow-change.ts";
import type { Ground } from "./open-ground.ts";
import type { CommandLineChannel } from "../channels/terminal/command-line-channel.ts";
import type { Kurisu } from "../cli/types.ts";
import type { Configuration } from "../config.ts";
import type { LiveConfiguration } from "../config/live-configuration.ts";
import { type ConfigFault, formatFault } from "../core/yaml-file.ts";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import type { Gateway } from "../kernel/gateway.ts";
import type { HttpServer } from "../kernel/http/http-server.ts";
import { createControlSocket, type ToolReports } from "../kernel/socket/control-socket.ts";
import type { AnswerRequest } from "../kernel/socket/answer-request.ts";
import type { CompleteLine } from "../kernel/socket/complete-line.ts";
import type { FindQuestionEnd, ReadConversation } from "../kernel/socket/read-conversation.ts";
import { createAnnounceNewServers } from "../features/mcp/pins/announce-new-servers.ts";
import type { TellOwners } from "../kernel/outbox/tell-owners.ts";
import { createConfigurationNotices } from "../features/oversight/configuration-notices.ts";
import type { Watchdog } from "../kernel/recovery/watchdog.ts";
import type { ServedToolsAtWork } from "../features/mcp/served/served-tools.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";
import type { Sandbox } from "../sandbox/types.ts";
import { listAnchorFiles } from "../store/audit-anchor.ts";
import { createAuditAnchors } from "../store/keep-audit-anchor.ts";
import type { ToolExecutor } from "../kernel/tools/executor.ts";

const drainMs = 20_000;

/** Starts the assembled parts in sequence, and stops them in reverse order. */
export function runKurisu(
  live: LiveConfiguration,
  ground: Ground,
  parts: {
    readonly commandLine: CommandLineChannel;
    readonly executor: Pick<ToolExecutor, "drain">;
    readonly followTools: FollowTools;
    readonly features: readonly MadeFeature[];
    readonly hooks: CallHooks;
    readonly gateway: Gateway;
    readonly http: HttpServer;
    readonly mcp: MCPBridge;
    readonly measures: Measures;
    readonly places: Pick<Places, "followSandbox">;
    readonly readiness: Kurisu["readiness"];
    /** The answers of features, by the kind of the request. */
    readonly requests: Readonly<Record<string, AnswerRequest>>;
    readonly sandbox: Sandbox;
    readonly served: ServedToolsAtWork;
    readonly tellOwners: TellOwners;
    readonly tools: ToolReports;
    readonly readConversation: ReadConversation;
    readonly findQuestionEnd: FindQuestionEnd;
    readonly completeLine: CompleteLine;
    /** Changed configuration keys that wait for a restart. */
    readonly waitingKeys: () => readonly string[];
    readonly watchdog: Watchdog;
    readonly httpOpened: () => void;
  },
): Pick<Kurisu, "start" | "stop"> {
  const { clock, log, secrets, store } = ground;
  const { commandLine, executor, gateway, http, mcp, measures, sandbox, served, tellOwners, watchdog } = parts;
  const { home, skills } = live.now();
  measures.mount(http, gateway.measures);
  const socket = createControlSocket({ ...parts, home, channel: commandLine, log });
  const anchors = createAuditAnchors({
    store,
    files: () => listAnchorFiles(home, live.now().audit.anchor),
    clock,
    log,
  });
  const announceNewServers = createAnnounceNewServers({
    bridge: mcp,
    leftOut: () => live.now().mcp.warnings,
    tellOwners,
  });
  const watching = new AbortController();
  const endings = createEndings((error) => log.error({ err: error }, "a part could not end; the others go on ending"));
  const last = [mcp.stop, sandbox.stop, executor.drain, measures.stop, anchors.write, anchors.raiseMark, ground.close];
  for (const end of last.toReversed()) endings.add(end);
  /** The unusable parts of the last change. */
  let kept: readonly string[] = [];

  async function run(start: () => Promise<void> | void, stop: () => Promise<void>): Promise<void> {
    await start();
    endings.add(stop);
  }

  async function repeat(work: () => Promise<unknown>, everyMs: number): Promise<void> {
    const timer = setInterval(() => void work(), everyMs).unref();
    await run(
      () => undefined,
      async () => clearInterval(timer),
    );
  }

  async function announceOrLog(): Promise<void> {
    try {
      await announceNewServers();
    } catch (error) {
      log.error({ err: error }, "owners could not be told of MCP servers");
    }
  }

  async function followConfiguration(): Promise<void> {
    const followChange = createFollowChange({
      ...parts,
      configurationChanged: parts.hooks.configurationChanged,
      secrets,
      log,
    });
    const follow = async (next: Configuration): Promise<void> => {
      try {
        kept = await followChange(next);
        if (kept.length > 0)
          log.error({ kept }, "a part cannot use the changed configuration; the old one stays in force");
        notices.kept(kept);
      } catch (error) {
        log.error({ err: error }, "the changed configuration could not be followed");
      }
    };
    const notices = createConfigurationNotices({ tellOwners, folder: live.now().configFolder, clock, log });
    // At startup a faulty skill is left out; later its last good version stays.
    const tellFaults = (faults: readonly ConfigFault[]) =>
      faults.length === 0 ? notices.good() : notices.faulty(faults.map(formatFault).join("\n"));
    tellFaults(skills.faults);
    live.follow({
      onChange(next) {
        tellFaults(next.skills.faults);
        void follow(next);
        const waiting = parts.waitingKeys();
        log.info(
          waiting.length > 0 ? { waiting } : {},
          waiting.length > 0
            ? "the configuration changed; it is followed but for keys that wait for the next start"
            : "the configuration changed and is followed",
        );
        notices.waiting(waiting);
      },
      onFault(faults) {
        log.error({ faults }, "the changed configuration has faults; the last good one stays");
        notices.faulty(faults);
      },
      onUnwatched: (problem) => log.error({ problem }, "changes there are not noticed"),
      signal: watching.signal,
    });
    // A missing requirement may become available later: an image, a restarted guard.
    await repeat(async () => (kept.length > 0 ? follow(live.now()) : undefined), 60_000);
  }

  return {
    async start(role) {
      if (role.kind === "server" || role.stays) await run(watchdog.start, watchdog.stop);
      await mcp.start();
      // Served calls of other processes go on.
      const isAlone = ground.cluster?.isAlone ?? true;
      await run(isAlone ? served.recover : () => undefined, served.stop);
      if (role.kind === "client") {
        await run(
          () => gateway.start(role.session),
          () => gateway.stop(drainMs),
        );
        if (!role.stays) return undefined;
        void announceOrLog();
        await run(socket.start, socket.stop);
        return undefined;
      }
      const address = await http.start();
      endings.add(http.stop);
      parts.httpOpened();
      await run(gateway.start, () => gateway.stop(drainMs));
      await run(socket.start, socket.stop);
      await followConfiguration();
      await repeat(() => sandbox.status(), 60_000);
      void announceOrLog();
      await repeat(announceOrLog, 30_000);
      await repeat(() => sandbox.sweep(), 300_000);
      await anchors.write();
      await repeat(gateway.prune, 24 * 3_600_000);
      await repeat(anchors.write, 3_600_000);
      await repeat(anchors.raiseMark, 5_000);
      return `http://${address.host}:${address.port}`;
    },
    async stop() {
      watching.abort();
      await endings.endAll();
    },
  };
}
