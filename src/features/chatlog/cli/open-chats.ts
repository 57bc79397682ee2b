import { systemClock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { findReadableChats } from "../log-scope.ts";
import { findSenders } from "../find-senders.ts";
import { nameChat } from "../name-places.ts";
import type { Store } from "../../../store/open-store.ts";
import { findStanding, listActingAccounts } from "../../../store/queries/account-links.ts";
import type { LogChat } from "../queries/chat-log.ts";
import { listAllLogChats } from "../queries/chat-log-people.ts";
import type { CommandContext } from "../../../kernel/command-line/command.ts";
import type { MemoryOptions } from "../../memory/memory-options.ts";

export type ChatlogCommandContext = CommandContext<MemoryOptions>;

/** The chats of the log that one command looks into. */
export interface OpenChats {
  readonly db: Store["main"];
  readonly chats: readonly LogChat[];
  readonly zone: string;
  /** Her names. */
  readonly her: string;
  /** Throws AppError USAGE unless the name matches exactly one person. */
  readonly findPeople: (name: string) => Promise<readonly number[]>;
}

/**
 * The one who runs the command owns the data folder, so it sees every chat; with `as` those that this person sees in private.
 * `chat` is a number or a part of the name.
 */
export async function withChats<Result>(
  context: ChatlogCommandContext,
  wanted: { readonly as?: string | undefined; readonly chat?: string | undefined },
  use: (open: OpenChats) => Promise<Result>,
): Promise<Result> {
  const { owners, persona, zone } = context.configuration();
  const store = await context.openStore();
  try {
    const db = store.main;
    const { as, chat } = wanted;
    const isOwner = async (person: string) =>
      owners.some(({ platform, user }) => `${platform}:${user}` === person) ||
      (await findStanding(db, person)).role === "owner";
    const accounts = as === undefined ? [] : await listActingAccounts(db, as);
    const readable =
      as === undefined
        ? undefined
        : await findReadableChats(db, {
            person: as,
            accounts,
            role: (await Promise.all(accounts.map(isOwner))).includes(true) ? "owner" : "member",
            session: "",
            chatKind: "private",
            spokenSince: Math.max(0, systemClock.now() - context.settings().chatlog.seenWithin),
          });
    const chats = (await listAllLogChats(db)).filter(
      (one) =>
        (readable?.includes(one.id) ?? true) &&
        (chat === undefined || String(one.id) === chat || nameChat(one).toLowerCase().includes(chat.toLowerCase())),
    );
    const ids = chats.map(({ id }) => id);
    const findPeople = async (person: string): Promise<readonly number[]> => {
      const found = await findSenders(db, ids, { person, accounts, her: Object.values(persona.name) });
      if (found.kind === "found") return found.senders.map(({ id }) => id);
      throw new AppError(
        "USAGE",
        found.kind === "none"
          ? `Nobody called ${person} has said anything there.`
          : `Several people are called that: ${found.names.join(", ")}. Name one with the # and what follows.`,
      );
    };
    return await use({ db, chats, zone, her: persona.name.zh, findPeople });
  } finally {
    await store.close();
  }
}
