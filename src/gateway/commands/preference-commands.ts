import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { deletePreferences, listPreferences, savePreference } from "../../store/queries/preferences.ts";
import type { Store } from "../../store/open-store.ts";
import { neutralise, preferenceLimits, showPreferences } from "../../policy/preferences/show-preferences.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/**
 * `/preferences`, `/preferences add …`, `/preferences forget N`: each person sees and changes their own, and nobody
 * else's. What is noted is told in private only: a group would read along.
 */
export function createPreferenceCommands(parts: { readonly store: Store; readonly clock: Clock }) {
  const { store, clock } = parts;

  return async ({ message, person, words, rest }: CommandCall): Promise<CommandAnswer> => {
    const texts = words.preferences;
    const [, action = "", what = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    const tells = ["", "list"].includes(action.toLowerCase()) || (/^forget$/i.test(action) && !isAll(what.trim()));
    if (tells && message.chatKind === "group") return { text: texts.privateOnly };
    switch (action.toLowerCase()) {
      case "":
      case "list":
        return { text: await show(person.id, words) };
      case "add":
        return { text: what === "" ? texts.usage : await add(person.id, what, words) };
      case "forget":
        return { text: what === "" ? texts.usage : await forget(person.id, what.trim(), words) };
      default:
        return { text: texts.usage };
    }
  };

  async function list(person: string, words: Words) {
    return showPreferences(await listPreferences(store.main, person), words);
  }

  async function show(person: string, words: Words): Promise<string> {
    const texts = words.preferences;
    const notes = await list(person, words);
    if (notes.length === 0) return texts.none;
    const lines = notes.map(({ text, origin }, index) =>
      texts.item({ number: index + 1, text, origin: texts[origin] }),
    );
    return [texts.heading(notes.length), ...lines].join("\n");
  }

  async function add(person: string, what: string, { preferences: texts }: Words): Promise<string> {
    const text = neutralise(what);
    if (text.length > preferenceLimits.characters) return texts.tooLong(preferenceLimits.characters);
    const key = `added:${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    const words = (await listPreferences(store.main, person)).filter(({ origin }) => origin !== "learned");
    if (words.length >= preferenceLimits.notes && words.every((one) => one.key !== key))
      return texts.full(preferenceLimits.notes);
    await savePreference(store.main, { person, key, origin: "added", text, now: clock.now() });
    return texts.noted(text);
  }

  async function forget(person: string, which: string, words: Words): Promise<string> {
    const texts = words.preferences;
    const notes = await list(person, words);
    if (isAll(which)) {
      // Also what was only counted so far: nothing of it comes back by itself.
      const all = await listPreferences(store.main, person);
      await deletePreferences(
        store.main,
        person,
        all.map(({ key }) => key),
      );
      return texts.forgotAll(notes.length);
    }
    const note = /^\d{1,3}$/.test(which) ? notes[Number(which) - 1] : undefined;
    if (!note) return texts.unknown(neutralise(which).slice(0, 20));
    await deletePreferences(store.main, person, [note.key]);
    return texts.forgotten(note.text);
  }
}

function isAll(which: string): boolean {
  return /^(?:all|全部|すべて)$/i.test(which);
}
