import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { ChosenPersonas } from "../../core/persona/chosen-personas.ts";
import type { Persona } from "../../core/persona/persona.ts";
import type { BreakKind } from "../../core/persona/validate-reply.ts";
import type { VoiceCounts } from "../../core/persona/voice-counts.ts";
import { setSessionPersona } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

/**
 * `/persona`, `/persona NAME`, `/persona auto`, `/persona why`: the persona of a chat. In a group only an owner may
 * choose.
 */
export function createChoosePersona(parts: {
  readonly store: Store;
  readonly personas: ChosenPersonas;
  readonly faultyPersonas: () => readonly string[];
  readonly voiceCounts: Pick<VoiceCounts, "lastIn">;
  readonly clock: Clock;
}) {
  const { store, personas } = parts;

  async function choose({ session }: CommandCall, persona: Persona): Promise<void> {
    // The default persona is not stored, so that the chat follows when the operator changes the default.
    const id = persona.id === personas.usual().id ? undefined : persona.id;
    await setSessionPersona(store.main, session, id ?? null);
    personas.choose(session, id);
  }

  return async (call: CommandCall): Promise<CommandAnswer> => {
    const { language, message, person, rest, session, words } = call;
    const texts = words.choices.persona;
    const name = (persona: Persona) => ({ id: persona.id, name: persona.name[language] });
    const wanted = rest.trim().toLowerCase();
    if (wanted === "why") return { text: describe(call, personas.of(session)) };
    if (wanted !== "") {
      if (message.chatKind === "group" && person.role !== "owner")
        return tellAs("denied", language, words.access.ownerOnly);
      const found = wanted === "auto" ? personas.usual() : findByName(personas.list(), wanted);
      if (parts.faultyPersonas().includes(wanted)) return { text: texts.faulty(wanted) };
      if (found === undefined) return { text: [texts.unknown, ...list(personas.of(session))].join("\n") };
      await choose(call, found);
      return { text: texts.chosen(name(found)) };
    }
    const current = personas.of(session);
    return { text: [texts.speaks(name(current)), ...list(current), texts.usage].join("\n") };

    function list(marked: Persona): readonly string[] {
      const sound = personas
        .list()
        .map((one) => `${one.id === marked.id ? "▸" : "·"} ${one.id}　${one.name[language]}`);
      return [...sound, ...parts.faultyPersonas().map((id) => `· ${id}　${texts.hasFaults}`)];
    }
  };

  /** Describes the parts of the persona that are in effect here. */
  function describe({ language, session, words }: CommandCall, persona: Persona): string {
    const texts = words.choices.persona;
    const { avoids, forbidden, honorifics, lore, lorebook, rejectedNames, sound, soul, voice } = persona;
    const name = (kinds: readonly BreakKind[]) =>
      join(
        kinds.map((kind) => texts.breaks[kind]),
        language,
      );
    const last = parts.voiceCounts.lastIn(session);
    const told = last && {
      ago: words.duration(parts.clock.now() - last.at),
      model: last.model,
      // A draft that lost every sentence is also reported as empty, which adds nothing.
      kinds: name(last.kinds.length > 1 ? last.kinds.filter((kind) => kind !== "empty") : last.kinds),
    };
    const isUsual = personas.usual().id === persona.id;
    return [
      texts.speaks({ id: persona.id, name: persona.name[language] }),
      isUsual ? texts.becauseUsual : texts.becauseChosen,
      texts.background({ soul: soul.length, lore: lore.length, entries: lorebook?.entries.length ?? 0 }),
      texts.rules({
        forbidden: forbidden.length,
        rejected: join(rejectedNames, language),
        honorifics: join(honorifics, language),
      }),
      ...(avoids.length === 0 ? [] : [texts.tones({ avoided: name(avoids), examples: voice.length })]),
      ...(sound?.voice === undefined ? [] : [texts.sound(sound.voice)]),
      texts.memories,
      last && told ? texts.mended[last.how](told) : texts.mended.none,
    ].join("\n");
  }
}

function join(all: readonly string[], language: Language): string {
  return all.join(language === "en" ? ", " : "、");
}

/** Matches the id, then a name of any language, then a nickname. A name or nickname of several personas matches none. */
function findByName(all: readonly Persona[], wanted: string): Persona | undefined {
  const findOnly = (namesOf: (persona: Persona) => readonly string[]) => {
    const [found, ...others] = all.filter((one) => namesOf(one).some((name) => name.toLowerCase() === wanted));
    return others.length === 0 ? found : undefined;
  };
  return (
    all.find(({ id }) => id === wanted) ??
    findOnly(({ name }) => Object.values(name)) ??
    findOnly(({ nicknames }) => nicknames)
  );
}
