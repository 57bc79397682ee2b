import type { Kysely } from "kysely";
import { forgetMemory } from "../../src/features/memory/people/forget-memory.ts";
import { remember } from "../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../src/features/memory/scope.ts";
import { saveLink } from "../../src/store/queries/account-links.ts";
import { appendToLog } from "../../src/features/chatlog/queries/append-to-log.ts";
import { addLogReader } from "../../src/features/chatlog/queries/log-readers.ts";
import type { Database } from "../../src/store/schema/database.ts";

/** Numbers from 0 up to `most`, not itself: the same ones for the same seed (mulberry32). */
export function createDice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Something that was said once, under a word that is nowhere else. */
export interface Secret {
  readonly word: string;
  readonly kind: "memory" | "log";
  readonly account: string;
  /** "" = in private or in an import; else the session of the group. */
  readonly group: string;
  readonly persona: string;
  /** Of talk: who took part where it was said, or brought it along. */
  readonly readers: readonly string[];
  readonly isForgotten: boolean;
}

/** Somebody who asks, somewhere. */
export interface Asking {
  readonly account: string;
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly persona: string;
  readonly role: "owner" | "member" | "guest";
}

const personas = ["kurisu", "amadeus"] as const;
const groups = ["fake:bot:lab", "fake:bot:club", "fake:bot:family"] as const;
/** Everybody speaks of the same few things, so that every question could find everybody's words. */
const subjects = [
  "我喜欢喝咖啡",
  "我住在北京",
  "我的猫叫",
  "I work in a lab",
  "我对花生过敏",
  "明天要去搬家",
  "周末的旅行",
] as const;

export interface LeakWorld {
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly humans: readonly (readonly string[])[];
  ask(dice: (most: number) => number): Asking;
  /** Whether somebody may be told it: written down here once more, by itself. */
  mayKnow(asking: Asking, secret: Secret): boolean;
}

/** People with one account or several, groups, two personas, talk of all kinds, memories that were replaced or forgotten. */
export async function createLeakWorld(db: Kysely<Database>, seed: number, size: number): Promise<LeakWorld> {
  const dice = createDice(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[dice(items.length)] as Item;
  const humans = Array.from({ length: 7 }, (_, at) =>
    at % 3 === 0 ? [`fake:p${at}`, `other:p${at}`] : at === 4 ? ["fake:p4", "fake:p1234", "other:p4"] : [`fake:p${at}`],
  );
  for (const accounts of humans)
    if (accounts.length > 1)
      for (const account of accounts) await saveLink(db, { account, human: `h-${accounts[0]}`, acts: true, now: 1 });
  const secrets = new Map<string, Secret>();
  const chats = new Map<string, { readonly id: number; readonly readers: Set<string> }>();

  async function openChat(session: string, kind: "private" | "group" | "import") {
    const known = chats.get(session);
    if (known) return known;
    const { id } = await db
      .insertInto("log_chats")
      .values({ session: kind === "import" ? null : session, name: "chat", kind, created_at: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    const made = { id, readers: new Set<string>() };
    chats.set(session, made);
    return made;
  }

  for (let at = 0; at < size; at += 1) {
    const word = `zq${seed}x${at}`;
    const account = pick(pick(humans));
    const isGroup = dice(2) === 0;
    const group = isGroup ? pick(groups) : "";
    const session = isGroup ? group : toPrivate(account);
    const persona = pick(personas);
    const base = { word, account, group, persona };
    if (dice(3) === 0) {
      const chatKind = isGroup ? "group" : "private";
      const scope = await findMemoryScope(db, { person: { id: account, name: account }, session, chatKind, persona });
      const slot = dice(4) === 0 ? { key: pick(["home", "drink", "pet"]) } : {};
      const fact = {
        category: "fact",
        content: `${pick(subjects)} ${word}`,
        ...slot,
        origin: "command",
        taint: "user",
        now: at,
      } as const;
      const kept = await remember(db, scope, fact);
      if (kept.kind !== "remembered") continue;
      const isForgotten = dice(6) === 0;
      if (isForgotten) await forgetMemory(db, scope, kept.id, at);
      secrets.set(word, { ...base, kind: "memory", readers: [], isForgotten });
    } else {
      const isImport = !isGroup && dice(4) === 0;
      const name = isImport ? `import ${account} ${dice(2)}` : session;
      const chat = await openChat(name, isImport ? "import" : isGroup ? "group" : "private");
      const role = dice(3) === 0 ? "her" : "person";
      // A person who only reads along in a group has not taken part.
      if (role === "person" || !isGroup) {
        chat.readers.add(account);
        await addLogReader(db, chat.id, account);
      }
      const sender =
        role === "her" ? { person: "", name: "Kurisu" } : { person: isImport ? "" : account, name: account };
      const text = `${pick(subjects)} ${word}`;
      await appendToLog(db, [{ chat: chat.id, sender, role, text, taint: "user", key: word, saidAt: at * 60_000 }]);
      secrets.set(word, { ...base, kind: "log", readers: [name], isForgotten: false });
    }
  }

  return {
    secrets,
    humans,
    ask(roll) {
      const human = humans[roll(humans.length)] ?? [];
      const account = human[roll(human.length)] ?? "";
      const isGroup = roll(2) === 0;
      return {
        account,
        chatKind: isGroup ? "group" : "private",
        session: isGroup ? (groups[roll(groups.length)] ?? "") : toPrivate(account),
        persona: personas[roll(personas.length)] ?? "",
        role: (["owner", "member", "member", "guest"] as const)[roll(4)] ?? "guest",
      };
    },
    mayKnow({ account, chatKind, persona, role, session }, secret) {
      const own = humans.find((accounts) => accounts.includes(account)) ?? [];
      if (secret.isForgotten) return false;
      if (secret.kind === "memory") {
        if (secret.persona !== persona) return false;
        return chatKind === "group" ? secret.group === session : own.includes(secret.account);
      }
      if (role === "guest") return false;
      if (chatKind === "group") return secret.group === session;
      const readers = chats.get(secret.readers[0] ?? "")?.readers ?? new Set<string>();
      return own.some((one) => readers.has(one));
    },
  };
}

function toPrivate(account: string): string {
  const [platform, user] = account.split(":");
  return `${platform}:bot:${user}`;
}
