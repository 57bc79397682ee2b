import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { createPairingCode } from "../../core/ids.ts";
import { giveTryBack, takeTry } from "../../store/queries/wrong-codes.ts";
import { findPairing, findRole, savePairing, savePerson } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Person } from "../gate/types.ts";
import { acceptCode } from "./accept-code.ts";
import type { RoleRules, Roles } from "./find-role.ts";
import type { OwnerCode } from "./owner-code.ts";
import { readPairingCode, readTypedCode } from "./read-pairing-code.ts";
import { toPersonId, toSessionId } from "../../channels/session-id.ts";
import type { ChatAddress, InboundMessage, Sender, StoredEvent } from "../../channels/types.ts";

/** Whether this person may talk to the bot, and in which role. */
export type AccessResult =
  | {
      readonly kind: "admitted";
      readonly person: Person;
      /** Admitted for this one command only. */
      readonly only?: string;
    }
  | { readonly kind: "became-owner"; readonly person: Person }
  /** A stranger's first message, and the only one that gets a reply. */
  | { readonly kind: "hint"; readonly code: string }
  /** The same while no owner exists who could accept a code. */
  | { readonly kind: "no-owner" }
  | { readonly kind: "wrong-code" }
  | { readonly kind: "group-off" }
  | { readonly kind: "ignored"; readonly rule: string };

/** A person without access, or in a group that is not open, may get one command or no reply. */
export type Admission = { readonly only: string } | { readonly ignored: string };

export interface AccessRules extends RoleRules {
  /** Groups that the bot takes part in, by platform. */
  readonly groups: (platform: string) => readonly string[];
  readonly mentionOnly: (platform: string) => boolean;
  /** Whether the bot reacts to every message of a group that does not use `mentionOnly`. */
  readonly answerAll: (platform: string) => boolean;
  /** Whether group messages that do not address the bot become context for the model. */
  readonly observe: (platform: string) => boolean;
  readonly ownerCode: OwnerCode;
}

const pairingHours = 1;
const waitingStrangers = 3;
const maxInformed = 100;

type InGroup = Pick<StoredEvent, "address" | "movedTo">;

export interface Access {
  /** Runs in the transaction that also queues the reply, so that no code is issued without its reply. */
  admit(message: InboundMessage, db: Kysely<Database>): Promise<AccessResult>;
  /**
   * The same for a known person, without replies and outside a transaction: it writes at most what a feature counts
   * while it admits. Returns undefined when `admit` must decide.
   */
  recognize(message: InboundMessage): Promise<Extract<AccessResult, { kind: "admitted" | "ignored" }> | undefined>;
  /** Returns the sender with their role in the chat. Queries the platform, so never call it in a transaction. */
  identify(event: Pick<StoredEvent, "address" | "sender">): Promise<Person>;
  /** Whether the bot takes part in a group. */
  isGroupOpen(event: InGroup): Promise<boolean>;
  /** An owner accepts a stranger's code. Returns the session in which to inform them. */
  acceptCode(code: string): ReturnType<typeof acceptCode>;
  openGroup(address: ChatAddress): Promise<void>;
}

export function createAccess(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly rules: AccessRules;
  readonly roles: Roles;
  /** Asks the features for an admission. */
  readonly admits: (message: InboundMessage, account: string, db: Kysely<Database>) => Promise<Admission | undefined>;
}): Access {
  const { store, clock, roles, rules } = parts;
  /** People who were informed that there is no owner, with the message and the time. */
  const informed = new Map<string, { readonly key: string; readonly at: number }>();

  async function identifySender(platform: string, sender: Sender, db: Kysely<Database>): Promise<Person> {
    const id = toPersonId(platform, sender.id);
    const base = { id, name: sender.name };
    if (sender.kind !== "person") return { ...base, role: "guest" };
    return { ...base, ...(await roles.look(platform, sender.id, db)) };
  }

  async function admit(message: InboundMessage, db: Kysely<Database>): Promise<AccessResult> {
    if (message.sender.kind === "bot") return { kind: "ignored", rule: "written by a bot" };
    const person = await identifySender(message.address.platform, message.sender, db);
    if (message.chatKind === "group") return admitInGroup(message, person, db);
    if (person.role !== "guest") return { kind: "admitted", person };
    if (message.sender.kind !== "person") return { kind: "ignored", rule: "no person behind it" };
    // The person has written nothing yet: the one reply is for their first words.
    if (message.opening) return { kind: "ignored", rule: "stranger opened the chat" };
    return greetStranger(message, person, db);
  }

  async function isGroupOpen({ address, movedTo }: InGroup, db: Kysely<Database>): Promise<boolean> {
    const listed = rules.groups(address.platform);
    if ([address.chat, movedTo, "*"].some((id) => id !== undefined && listed.includes(id))) return true;
    return (await findRole(db, groupId(address))) !== undefined;
  }

  async function admitInGroup(message: InboundMessage, person: Person, db: Kysely<Database>): Promise<AccessResult> {
    const open = await isGroupOpen(message, db);
    if (open) return { kind: "admitted", person };
    const opens = person.role === "owner" && mayCommand(message) && /^\/pair\s*$/i.test(message.text);
    if (opens) return { kind: "admitted", person, only: "pair" };
    const exception = await findException(message, person, db);
    if (exception) return exception;
    return message.addressed && person.role === "owner"
      ? { kind: "group-off" }
      : { kind: "ignored", rule: "group is not open" };
  }

  async function findException(message: InboundMessage, person: Person, db: Kysely<Database>) {
    const found = mayCommand(message) ? await parts.admits(message, person.id, db) : undefined;
    if (found === undefined) return undefined;
    return "only" in found
      ? ({ kind: "admitted", person, only: found.only } as const)
      : ({ kind: "ignored", rule: found.ignored } as const);
  }

  async function greetStranger(message: InboundMessage, person: Person, db: Kysely<Database>): Promise<AccessResult> {
    const now = clock.now();
    const exception = await findException(message, person, db);
    if (exception) return exception;
    // A chosen name does not prove the same person later.
    const mayOwn = !rules.namedByClients(message.address.platform);
    const isAwaited = mayOwn && (await rules.ownerCode.isOpen(db));
    const given = isAwaited && mayCommand(message) ? readTypedCode(message.text) : readPairingCode(message.text);
    if (given !== undefined) {
      const tried = await takeTry(db, { person: person.id, kind: "pairing", now });
      if (tried === undefined) return { kind: "ignored", rule: "too many wrong codes" };
      if (mayOwn && (await rules.ownerCode.claim(given, db))) {
        await giveTryBack(db, tried);
        await savePerson(db, { id: person.id, name: person.name, role: "owner", now });
        return { kind: "became-owner", person: { ...person, role: "owner" } };
      }
      return { kind: "wrong-code" };
    }
    if (isAwaited) return tellNoOwner(person.id, message.key);
    if (await findPairing(db, person.id, now)) return { kind: "ignored", rule: "stranger was told already" };
    const code = createPairingCode();
    const kept = await savePairing(
      db,
      {
        person: person.id,
        name: person.name,
        code,
        session: toSessionId(message.address),
        created_at: now,
        expires_at: now + pairingHours * 3_600_000,
      },
      waitingStrangers,
    );
    return kept ? { kind: "hint", code } : { kind: "ignored", rule: "too many strangers wait" };
  }

  /** Issues no code: only the one of the start screen is of use now. */
  function tellNoOwner(person: string, key: string): AccessResult {
    const now = clock.now();
    for (const [id, { at }] of informed) if (now - at >= pairingHours * 3_600_000) informed.delete(id);
    const before = informed.get(person);
    // The same message arrives again when its reply could not be stored.
    if (before !== undefined && before.key !== key) return { kind: "ignored", rule: "stranger was told already" };
    if (before === undefined && informed.size >= maxInformed)
      return { kind: "ignored", rule: "too many strangers wait" };
    informed.set(person, { key, at: now });
    return { kind: "no-owner" };
  }

  return {
    admit,
    async recognize(message) {
      const { address, chatKind, sender } = message;
      if (sender.kind === "bot") return undefined;
      const person = await identifySender(address.platform, sender, store.main);
      if (chatKind === "private") return person.role === "guest" ? undefined : { kind: "admitted", person };
      const found = await admitInGroup(message, person, store.main);
      return found.kind === "admitted" || found.kind === "ignored" ? found : undefined;
    },
    async identify({ address, sender }) {
      const person = await identifySender(address.platform, sender, store.main);
      if (sender.kind !== "person") return person;
      return { ...person, role: await roles.inChat(person.role, address, sender) };
    },
    isGroupOpen: (event) => isGroupOpen(event, store.main),
    acceptCode: (text) => acceptCode(store, clock, text),
    async openGroup(address) {
      await savePerson(store.main, { id: groupId(address), name: address.chat, role: "member", now: clock.now() });
    },
  };
}

/** A message that was forwarded, sent through another bot or edited is never a command. */
function mayCommand({ edited, forwarded, viaBot }: InboundMessage): boolean {
  return !edited && !forwarded && !viaBot;
}

/** Groups that an owner opened are stored in the table of people. */
function groupId(address: ChatAddress): string {
  return `${address.platform}:group:${address.chat}`;
}
