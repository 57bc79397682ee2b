import { memoryWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Clock } from "../../core/clock.ts";
import { readPlainFacts } from "../../language/facts/read-plain-facts.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { formatIso } from "../../core/schedule/zoned-time.ts";
import { findSources } from "./people/find-sources.ts";
import { forgetMemory, type ForgetReceipt } from "./people/forget-memory.ts";
import { findHistory, listMemories } from "./people/list-memories.ts";
import { pinMemory } from "./people/pin-memory.ts";
import { recallMemories } from "./people/recall-memories.ts";
import { keepWords } from "./people/keep-words.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";
import type { Memory } from "./queries/memories.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import type { Store } from "../../store/open-store.ts";
import type { MemoryKeeping } from "./note-facts.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { OrderCalls } from "../../kernel/commands/order-calls.ts";

const maxListed = 30;
const maxFound = 8;

/** `/remember`, `/forget` and `/memory`: in private all that is one's own, in a group what one said there. No model is asked. */
export function createMemoryCommands(parts: {
  readonly store: Pick<Store, "main">;
  readonly memory: MemoryKeeping;
  readonly order: OrderCalls;
  /** The zone of people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  const { store, clock, memory: keeping } = parts;

  const findScope = ({ message: { chatKind }, person, session }: CommandCall): Promise<MemoryScope> =>
    findMemoryScope(store.main, { person, session, chatKind, persona: keeping.personaOf(session) });

  const findOwn = async (call: CommandCall, limit: number): Promise<readonly Memory[]> =>
    listMemories(store.main, await findScope(call), { limit, own: call.message.chatKind === "group" });

  async function toLines(call: CommandCall, memories: readonly Memory[]): Promise<readonly string[]> {
    const zone = (await findPersonZone(store.main, call.person.id)) ?? parts.zone();
    return memories.map(({ content, id, pinned, taint, validFrom }) =>
      memoryWords[call.language].item({
        id,
        day: formatIso(validFrom, zone).slice(0, 10),
        pinned,
        foreign: taint === "untrusted",
        text: makeVisible(content),
      }),
    );
  }

  async function show(call: CommandCall): Promise<string> {
    const texts = memoryWords[call.language];
    const own = await findOwn(call, maxListed);
    return own.length === 0 ? texts.none : [texts.heading(own.length), ...(await toLines(call, own))].join("\n");
  }

  async function findByWords(call: CommandCall, words: string, limit: number): Promise<readonly Memory[]> {
    const scope = await findScope(call);
    const found = await recallMemories(store.main, scope, words, { limit, now: clock.now() });
    return found.filter(({ person }) => scope.accounts.includes(person));
  }

  async function search(call: CommandCall, words: string): Promise<string> {
    const texts = memoryWords[call.language];
    if (words === "") return texts.usage;
    const found = await findByWords(call, words.slice(0, 500), maxFound);
    return found.length === 0
      ? texts.nothingLike(makeVisible(words.slice(0, 60)))
      : (await toLines(call, found)).join("\n");
  }

  /** The message that it is from, and what it took the place of. */
  async function why(call: CommandCall, which: string): Promise<string> {
    const texts = memoryWords[call.language];
    const scope = await findScope(call);
    const history = await findOne(which, (id) => findHistory(store.main, scope, id));
    if (history === undefined || !scope.accounts.includes(history.memory.person))
      return texts.unknown(showBeginning(which));
    const { before, memory } = history;
    const source = (await findSources(store.main, scope, [memory])).get(memory.id);
    const zone = (await findPersonZone(store.main, call.person.id)) ?? parts.zone();
    const at = (time: number) => formatIso(time, zone).slice(0, 16).replace("T", " ");
    return [
      ...(await toLines(call, [memory])),
      texts.origin[memory.origin],
      ...(source ? [texts.quote({ when: at(source.saidAt), text: makeVisible(source.text.slice(0, 300)) })] : []),
      ...before.map((older) =>
        texts.before({ until: at(older.invalidAt ?? memory.validFrom), text: makeVisible(older.content) }),
      ),
      ...history.events.map(({ at: when, kind }) => `${at(when)} ${texts.events[kind]}`),
    ].join("\n");
  }

  async function pin(call: CommandCall, which: string, pinned: boolean): Promise<string> {
    const texts = memoryWords[call.language];
    const scope = await findScope(call);
    const done = await findOne(which, (id) => pinMemory(store.main, scope, { id, pinned, now: clock.now() }));
    if (done === undefined) return texts.unknown(showBeginning(which));
    return (pinned ? texts.pinned : texts.unpinned)(makeVisible(done.content));
  }

  async function memory(call: CommandCall): Promise<CommandAnswer> {
    const [, action = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(call.rest) ?? [];
    const what = rest.trim();
    switch (action.toLowerCase()) {
      case "":
      case "list":
        return { text: await show(call) };
      case "why":
      case "history":
        return { text: what === "" ? memoryWords[call.language].usage : await why(call, what) };
      case "search":
        return { text: await search(call, what) };
      case "pin":
      case "unpin":
        return {
          text: what === "" ? memoryWords[call.language].usage : await pin(call, what, action.toLowerCase() === "pin"),
        };
      default:
        return { text: memoryWords[call.language].usage };
    }
  }

  async function keep(call: CommandCall): Promise<CommandAnswer> {
    const { person, rest, language } = call;
    const texts = memoryWords[language];
    if (rest === "") return { text: texts.rememberUsage };
    const [read] = readPlainFacts(rest);
    const kept = await keepWords(
      store.main,
      await findScope(call),
      {
        category: read?.category ?? "fact",
        content: rest,
        taint: person.role === "owner" ? "owner" : "user",
        origin: "command",
        now: clock.now(),
      },
      keeping.scrub,
    );
    if (kept.kind === "refused") return { text: texts.refused[kept.why] };
    const text = makeVisible(kept.content);
    if (kept.kind === "known") return { text: texts.known({ id: kept.id, text }) };
    return { text: (kept.superseded.length > 0 ? texts.changed : texts.kept)({ id: kept.id, text }) };
  }

  async function forget(call: CommandCall): Promise<CommandAnswer | undefined> {
    const texts = memoryWords[call.language];
    const which = call.rest.trim();
    if (which === "") return { text: texts.forgetUsage };
    // Erasing everything about a person asks for confirmation first, and the receipt follows when it is done.
    if (namesAll(which))
      return parts.order(
        call,
        [{ name: "forget", arguments: { all: true } }],
        (_words, language) => memoryWords[language].orderForgetAll,
      );
    const scope = await findScope(call);
    if (readNumber(which) !== undefined) {
      const receipt = await findOne(which, (id) => forgetMemory(store.main, scope, id, clock.now()));
      return {
        text: receipt === undefined ? texts.unknown(showBeginning(which)) : writeReceipt(receipt, call.language),
      };
    }
    const like = await findByWords(call, which.slice(0, 500), maxFound);
    const exact = like.filter(({ content }) => content.includes(which));
    const [one, other] = exact.length > 0 ? exact : like;
    if (one === undefined) return { text: texts.nothingLike(makeVisible(which.slice(0, 60))) };
    // Words that only come near are no order to delete.
    if (other !== undefined || exact.length === 0)
      return { text: [texts.which, ...(await toLines(call, like))].join("\n") };
    const receipt = await forgetMemory(store.main, scope, one.id, clock.now());
    return { text: receipt === undefined ? texts.unknown(showBeginning(which)) : writeReceipt(receipt, call.language) };
  }

  return { memory, remember: keep, forget };
}

/** `/forget all`. */
export const namesAll = (rest: string): boolean => /^(?:all|全部|一切|すべて|全て)$/i.test(rest.trim());

function writeReceipt({ memories, stay }: ForgetReceipt, language: Language): string {
  const lines = stay.map(({ content, id }) => `#${id} ${makeVisible(content)}`);
  return [
    memoryWords[language].forgotten(memories),
    ...(lines.length === 0 ? [] : [wordsFor(language).stillRemembered, ...lines]),
  ].join("\n");
}

/** By the number of the list, with or without its mark. */
function readNumber(which: string): number | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(which) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

async function findOne<Found>(
  which: string,
  find: (id: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const id = readNumber(which);
  return id === undefined ? undefined : find(id);
}

const showBeginning = (which: string): string => makeVisible(which.slice(0, 20));
