import { namesAll } from "./memory-commands.ts";
import { preferenceWords } from "./preferences/words.ts";
import type { Language } from "../../core/conversation.ts";
import type { Clock } from "../../core/clock.ts";
import { deletePreferences, listPreferences, savePreference } from "./queries/preferences.ts";
import type { Store } from "../../store/open-store.ts";
import { findUnfit, keyOfWish, listContradicted } from "./preferences/read-wishes.ts";
import { neutralise, preferenceLimits, showPreferences } from "./preferences/show-preferences.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";

/**
 * `/preferences`, `/preferences add …`, `/preferences edit N …`, `/preferences forget N`: each person sees and changes
 * only their own. Notes are shown in private only: a group would read along.
 */
export function createPreferenceCommands(parts: { readonly store: Store; readonly clock: Clock }) {
  const { store, clock } = parts;

  return async ({ language, message, person, rest }: CommandCall): Promise<CommandAnswer> => {
    const texts = preferenceWords[language];
    const [, action = "", what = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    const tells =
      ["", "list", "edit"].includes(action.toLowerCase()) || (/^forget$/i.test(action) && !namesAll(what.trim()));
    if (tells && message.chatKind === "group") return tellAs("privately", language, texts.privateOnly);
    switch (action.toLowerCase()) {
      case "":
      case "list":
        return { text: await show(person.id, language) };
      case "add":
        return { text: what === "" ? texts.usage : await add(person.id, what, language) };
      case "edit": {
        const [, which = "", text = ""] = /^(\S+)\s+([\s\S]+)$/.exec(what.trim()) ?? [];
        return { text: text === "" ? texts.usage : await edit(person.id, which, text, language) };
      }
      case "forget":
        return { text: what === "" ? texts.usage : await forget(person.id, what.trim(), language) };
      default:
        return { text: texts.usage };
    }
  };

  async function list(person: string, language: Language) {
    return showPreferences(await listPreferences(store.main, person), language);
  }

  async function show(person: string, language: Language): Promise<string> {
    const texts = preferenceWords[language];
    const notes = await list(person, language);
    if (notes.length === 0) return texts.none;
    const lines = notes.map(({ text, origin }, index) =>
      texts.item({ number: index + 1, text, origin: texts[origin] }),
    );
    return [texts.heading(notes.length), ...lines].join("\n");
  }

  function whyNot(text: string, language: Language): string | undefined {
    if (text.length > preferenceLimits.characters)
      return preferenceWords[language].tooLong(preferenceLimits.characters);
    const unfit = findUnfit(text);
    return unfit && preferenceWords[language].unfit[unfit];
  }

  async function add(person: string, what: string, language: Language): Promise<string> {
    const texts = preferenceWords[language];
    const text = neutralise(what);
    const refusal = whyNot(text, language);
    if (refusal !== undefined) return refusal;
    const key = keyOfWish(text);
    const all = await listPreferences(store.main, person);
    const worded = all.filter(({ origin }) => origin !== "learned");
    if (worded.length >= preferenceLimits.notes && worded.every((one) => one.key !== key))
      return texts.full(preferenceLimits.notes);
    await replace(person, { key, text, without: listContradicted(key, all) });
    return texts.noted(text);
  }

  /** Rewords one of the person's preferences in place. One that was only observed becomes one they stated. */
  async function edit(person: string, which: string, what: string, language: Language): Promise<string> {
    const texts = preferenceWords[language];
    const note = await findNote(person, which, language);
    if (!note) return texts.unknown(neutralise(which).slice(0, 20));
    const text = neutralise(what);
    const refusal = whyNot(text, language);
    if (refusal !== undefined) return refusal;
    const key = keyOfWish(text);
    const contradicted = listContradicted(key, await listPreferences(store.main, person));
    await replace(person, { key, text, without: [note.key, key, ...contradicted], createdAt: note.createdAt });
    return texts.edited({ before: note.text, after: text });
  }

  async function replace(
    person: string,
    note: {
      readonly key: string;
      readonly text: string;
      readonly without: readonly string[];
      readonly createdAt?: number;
    },
  ): Promise<void> {
    const { without, ...kept } = note;
    await store.main.transaction().execute(async (tx) => {
      await deletePreferences(tx, person, without);
      await savePreference(tx, { person, origin: "added", ...kept, now: clock.now() });
    });
  }

  async function findNote(person: string, which: string, language: Language) {
    return /^\d{1,3}$/.test(which) ? (await list(person, language))[Number(which) - 1] : undefined;
  }

  async function forget(person: string, which: string, language: Language): Promise<string> {
    const texts = preferenceWords[language];
    const notes = await list(person, language);
    if (namesAll(which)) {
      // Includes what was only counted so far, so that nothing of it comes back by itself.
      const all = await listPreferences(store.main, person);
      await deletePreferences(
        store.main,
        person,
        all.map(({ key }) => key),
      );
      return texts.forgotAll(notes.length);
    }
    const note = await findNote(person, which, language);
    if (!note) return texts.unknown(neutralise(which).slice(0, 20));
    await deletePreferences(store.main, person, [note.key]);
    return texts.forgotten(note.text);
  }
}
