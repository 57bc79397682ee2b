import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { createConsoleChannel, type ConsoleChannel } from "../channels/own-chats/console-channel.ts";
import { createCommandLineChannel, type CommandLineChannel } from "../channels/terminal/command-line-channel.ts";
import type { Channel } from "../channels/types.ts";
import type { Configuration } from "../config.ts";
import { listCommandMenus, listCommands } from "../kernel/commands/command-table.ts";
import { features } from "./features.ts";
import type { HttpServer } from "../kernel/http/http-server.ts";
import type { Ground } from "./open-ground.ts";

/** The terminal, the console, and the configured chat platforms. */
export async function assembleChannels(
  configuration: () => Configuration,
  {
    http,
    isPreviewRunning,
    ...ground
  }: Ground & { readonly http: HttpServer; readonly isPreviewRunning: (session: string) => boolean },
): Promise<{
  readonly commandLine: CommandLineChannel;
  readonly ownChats: ConsoleChannel;
  readonly channels: readonly Channel[];
}> {
  const { channels: configured, home, language } = configuration();
  const { store, clock, log } = ground;
  const commandLine = createCommandLineChannel({ clock, home, language: () => configuration().terminalLanguage });
  const ownChats = createConsoleChannel({ home, clock, log });
  const menus = listCommandMenus(listCommands(features), language);
  const parts = { home, http, store, isPreviewRunning, menus, clock, log };
  const platforms = channelDefinitions.flatMap((channel) => {
    const settings = configured[channel.name];
    // A channel that was disabled since keeps its settings until the next start.
    return settings ? [channel.create(() => configuration().channels[channel.name] ?? settings, parts)] : [];
  });
  return { commandLine, ownChats, channels: [commandLine, ownChats, ...(await Promise.all(platforms))] };
}
