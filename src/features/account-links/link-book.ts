import { createHash, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { createId, createPairingCode } from "../../core/ids.ts";
import {
  endLinks,
  listLinkedAccounts,
  listLinksAround,
  saveLink,
  type AccountLink,
} from "../../store/queries/account-links.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { giveTryBack, takeTry } from "../../store/queries/wrong-codes.ts";
import { answerLinkCode, listLinkCodes, saveLinkCode, takeLinkCode, type LinkCode } from "./queries/link-codes.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Admission } from "../../kernel/people/access.ts";
import type { InboundMessage } from "../../channels/types.ts";

/** An account that says something about its link, and where. */
export interface LinkSpeaker {
  /** `<platform>:<platform's user id>` */
  readonly account: string;
  readonly name: string;
  readonly session: string;
  readonly isPrivate: boolean;
  /** At the console. */
  readonly login?: string;
}

/**
 * taken = it is linked already; leaf = it was linked from a group, so it cannot link others; full = the human has the
 * maximum number of accounts; busy = others have begun too many links.
 */
type LinkRefusal = "taken" | "leaf" | "full" | "busy";

type LinkStep =
  | { readonly kind: "refused"; readonly why: LinkRefusal }
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many" }
  /** It was sent by the account that asked for it. */
  | { readonly kind: "own" }
  /** The first code was right. The second one is `back`'s to send, and shown to the other side only. */
  | { readonly kind: "answered"; readonly code: string; readonly first: LinkSide; readonly second: LinkSide }
  | { readonly kind: "linked"; readonly first: LinkSide; readonly second: LinkSide };

/** One of the two accounts of a link. */
export interface LinkSide {
  readonly account: string;
  readonly name: string;
  readonly session: string;
}

/**
 * Links accounts of one human. Each side sends what only the other was shown, so a code that a person was talked out of
 * is not enough. A group shows everything to all members: an account there is shown nothing, sends both codes, and
 * gives no rights.
 */
export interface LinkBook {
  begin(
    speaker: LinkSpeaker,
  ): Promise<
    { readonly kind: "begun"; readonly code: string } | { readonly kind: "refused"; readonly why: LinkRefusal }
  >;
  enter(speaker: LinkSpeaker, code: string): Promise<LinkStep>;
  /** Returns the accounts that are now unlinked; undefined = that account is none of theirs. */
  leave(speaker: LinkSpeaker, isOwner: boolean, account?: string): Promise<readonly string[] | undefined>;
  /** A code is heard from a stranger, and in a group that is not open if it is awaited. */
  admits(message: InboundMessage, account: string, db: Kysely<Database>): Promise<Admission | undefined>;
  /** Uses up a code that a whole group could read. */
  spoil(code: string): Promise<void>;
}

const codeMs = 10 * 60_000;
const maxBegun = 100;
const maxAccounts = 20;

export function createLinkBook(parts: { readonly store: Pick<Store, "main">; readonly clock: Clock }): LinkBook {
  const { store, clock } = parts;

  const tryCode = (db: Kysely<Database>, person: string) => takeTry(db, { person, kind: "link", now: clock.now() });

  /** Looks at every code that waits, whichever is meant. */
  async function findCode(db: Kysely<Database>, given: string): Promise<LinkCode | undefined> {
    const waiting = await listLinkCodes(db, clock.now());
    return waiting.filter(({ account, hash }) => isSameHash(hash, hashCode(account, given)))[0];
  }

  /** The first code was sent from somewhere else. */
  async function answer(tx: Kysely<Database>, begun: LinkCode, by: LinkSpeaker): Promise<LinkStep> {
    if (by.account === begun.account) return { kind: "own" };
    const why = await findRefusal(tx, begun.account, by.account, by.isPrivate);
    if (why) return { kind: "refused", why };
    const code = createPairingCode();
    const answered = await answerLinkCode(tx, begun, {
      hash: hashCode(begun.account, code),
      other: by.account,
      other_name: by.name,
      other_session: by.session,
      other_acts: by.isPrivate ? 1 : 0,
      expires_at: clock.now() + codeMs,
    });
    return answered ? { kind: "answered", code, first: begun, second: by } : { kind: "wrong" };
  }

  /** The second code: it counts from one account only, and once. */
  async function finish(tx: Kysely<Database>, begun: LinkCode, second: LinkSide, by: LinkSpeaker): Promise<LinkStep> {
    const acts = begun.other_acts === 1;
    const isTheirs = acts ? by.account === begun.account && by.isPrivate : by.account === second.account;
    const taken = await takeLinkCode(tx, begun);
    if (!isTheirs || !taken) return { kind: "wrong" };
    const why = await findRefusal(tx, begun.account, second.account, acts);
    if (why) return { kind: "refused", why };
    const now = clock.now();
    const known = await listLiving(tx, [begun.account, second.account]);
    const human = known[0]?.human ?? createId("u", now);
    if (!known.some(({ account }) => account === begun.account))
      await saveLink(tx, { account: begun.account, human, acts: true, now });
    if (!known.some(({ account }) => account === second.account))
      await saveLink(tx, { account: second.account, human, acts, now });
    const detail = { human, accounts: [begun.account, second.account], ...(!acts && { group: true }) };
    await appendAudit(tx, { actor: by.account, action: "account.linked", session: by.session, detail, now });
    return { kind: "linked", first: begun, second };
  }

  async function compare(tx: Kysely<Database>, speaker: LinkSpeaker, code: string): Promise<LinkStep> {
    const found = await findCode(tx, code);
    if (found === undefined) return { kind: "wrong" };
    const { other, other_name: name, other_session: session } = found;
    if (other === null || name === null || session === null) return answer(tx, found, speaker);
    return finish(tx, found, { account: other, name, session }, speaker);
  }

  /** Counts a wrong code here, because no command hears of it. */
  async function isExpected({ sender, text }: InboundMessage, account: string, db: Kysely<Database>): Promise<boolean> {
    const code = readLinkCode(text);
    if (code === undefined || sender.kind !== "person") return false;
    const tried = await tryCode(db, account);
    if (tried === undefined) return false;
    if ((await findCode(db, code)) === undefined) return false;
    await giveTryBack(db, tried);
    return true;
  }

  return {
    async admits(message, account, db) {
      if (message.chatKind === "group") return (await isExpected(message, account, db)) ? { only: "link" } : undefined;
      if (readLinkCode(message.text) === undefined) return undefined;
      const tried = await tryCode(db, account);
      if (tried === undefined) return { ignored: "too many wrong codes" };
      // The command takes it.
      await giveTryBack(db, tried);
      return { only: "link" };
    },

    begin(speaker) {
      return store.main.transaction().execute(async (tx) => {
        const { account, name, session } = speaker;
        const [link] = await listLiving(tx, [account]);
        if (link?.acts === 0) return { kind: "refused", why: "leaf" };
        const code = createPairingCode();
        const now = clock.now();
        const row = { account, name, session, hash: hashCode(account, code), expires_at: now + codeMs };
        const kept = await saveLinkCode(tx, row, now, maxBegun);
        return kept ? { kind: "begun", code } : { kind: "refused", why: "busy" };
      });
    },

    enter(speaker, code) {
      return store.main.transaction().execute(async (tx) => {
        const tried = await tryCode(tx, speaker.account);
        if (tried === undefined) return { kind: "too-many" };
        const step = await compare(tx, speaker, code);
        if (step.kind !== "wrong") await giveTryBack(tx, tried);
        return step;
      });
    },

    spoil(code) {
      return store.main.transaction().execute(async (tx) => {
        const found = await findCode(tx, code);
        if (found) await takeLinkCode(tx, found);
      });
    },

    leave(speaker, isOwner, account = speaker.account) {
      return store.main.transaction().execute(async (tx) => {
        const [own] = await listLiving(tx, [speaker.account]);
        const [meant] = await listLiving(tx, [account]);
        if (meant === undefined) return undefined;
        const isTheirs = account === speaker.account || (own?.human === meant.human && own.acts === 1);
        if (!isTheirs && !isOwner) return undefined;
        const left = (await listLinkedAccounts(tx, account)).filter((one) => one !== account);
        // A single account left over is not linked with itself.
        const ended = [account, ...(left.length === 1 ? left : [])];
        const now = clock.now();
        await endLinks(tx, ended, now);
        const { account: actor, login, session } = speaker;
        const detail = { human: meant.human, accounts: ended, ...(login !== undefined && { login }) };
        await appendAudit(tx, { actor, action: "account.unlinked", session, detail, now });
        return ended;
      });
    },
  };
}

/** `/link 8QJ4-M2XT`; the hyphen may be left out. */
export function readLinkCode(text: string): string | undefined {
  const [, first, last] = /^\/link\s+([a-z0-9]{4})-?([a-z0-9]{4})\s*$/i.exec(text.trim()) ?? [];
  return first === undefined || last === undefined ? undefined : `${first}-${last}`.toUpperCase();
}

/**
 * Two humans who have accounts already do not become one: unlinking comes first, so that neither brings others along.
 */
async function findRefusal(
  tx: Kysely<Database>,
  first: string,
  second: string,
  isPrivate: boolean,
): Promise<LinkRefusal | undefined> {
  const links = await listLiving(tx, [first, second]);
  const [one, two] = [first, second].map((account) => links.find((link) => link.account === account));
  if (one !== undefined && two !== undefined) return "taken";
  if (one?.acts === 0 || two?.acts === 0) return "leaf";
  if (!isPrivate && two !== undefined) return "taken";
  const human = one ?? two;
  return human !== undefined && (await listLinkedAccounts(tx, human.account)).length >= maxAccounts
    ? "full"
    : undefined;
}

async function listLiving(tx: Kysely<Database>, accounts: readonly string[]): Promise<readonly AccountLink[]> {
  const links = await listLinksAround(tx, accounts);
  return links.filter(({ account, ended_at: ended }) => ended === null && accounts.includes(account));
}

function hashCode(account: string, code: string): string {
  return createHash("sha256").update(`${account} ${code}`).digest("hex");
}

function isSameHash(one: string, two: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(two)];
  return a.length === b.length && timingSafeEqual(a, b);
}
