import type { z } from "zod";
import type { Configuration } from "../../src/config.ts";
import type { ConsoleDoorPort } from "../../src/kernel/feature/console-hooks.ts";
import type { Feature } from "../../src/kernel/feature/define-feature.ts";
import type { TestAgent } from "./send-agents.ts";
import type { scheduleOptions } from "../../src/features/reminders/schedule-options.ts";
import type { busyOptions } from "../../src/kernel/turns/busy-options.ts";
import type { memoryOptions } from "../../src/features/memory/memory-options.ts";
import type { limitOptions } from "../../src/kernel/inbox/limit-options.ts";
import type { Channel } from "../../src/channels/types.ts";
import type { budgetOptions } from "../../src/models/budget-options.ts";
import type { StorePlace } from "../../src/store/open-store.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import type { FakeChannel } from "./fake-channel.ts";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import type { TestSkillsOptions } from "./test-skills.ts";

export interface TestGatewayOptions extends TestSkillsOptions {
  /** Commands run in real containers, by `shell` and `shell_output`. */
  readonly hasSandbox?: boolean;
  /** Milliseconds a question stays open. */
  readonly timeoutMs?: number;
  /** People who are members; `owner` is the owner. */
  readonly members?: readonly string[];
  /** What administrators of the platform's groups are. */
  readonly admins?: "trusted" | "member";
  readonly rounds?: { readonly chat: number; readonly working: number };
  /** Groups that are open; every one when left out. */
  readonly groups?: readonly string[];
  readonly mentionOnly?: boolean;
  readonly answerAll?: boolean;
  readonly observe?: boolean;
  /** Where the store is, kept afterwards; SQLite in a fresh folder when left out. */
  readonly place?: StorePlace;
  /** Works beside others of the same Postgres database. */
  readonly role?: NodeRole;
  /** Milliseconds between a fault of the store and the next try. */
  readonly retryMs?: number;
  /** As models.yaml may say. */
  readonly window?: { readonly tokens?: number; readonly messages: number };
  /** Sub-agents that `task` can start. */
  readonly agents?: readonly TestAgent[];
  /** Built-in tools as they are assembled, and others, beside those that only keep a list. */
  readonly builtin?: readonly string[];
  readonly tools?: readonly Tool[];
  /** Features beside those of the house. */
  readonly features?: readonly Feature[];
  /** As channels.yaml and models.yaml may say. */
  readonly limits?: z.input<typeof limitOptions>;
  readonly budget?: z.input<typeof budgetOptions>;
  readonly schedule?: z.input<typeof scheduleOptions>;
  /** Without it each message is answered by itself. */
  readonly busy?: z.input<typeof busyOptions>;
  readonly memory?: z.input<typeof memoryOptions>;
  readonly embeddings?: NonNullable<Configuration["embeddings"]>;
  /** Nothing but the built-in model is there. */
  readonly isOffline?: boolean;
  /** Values that nobody may be shown. */
  readonly secrets?: readonly string[];
  /** Further platforms beside the one that is called fake. */
  readonly also?: readonly FakeChannel[];
  /** Channels of real platforms. */
  readonly real?: readonly Channel[];
  /** The console's door for people who write /console. */
  readonly makeCodeFor?: ConsoleDoorPort["makeCode"];
  /** Names of the console, as console.yaml lists them. */
  readonly consoleHosts?: readonly string[];
  readonly fileLimits?: { readonly maxBytes: number; readonly maxCount: number };
  readonly personas?: () => Pick<Configuration, "persona" | "personas">;
}
