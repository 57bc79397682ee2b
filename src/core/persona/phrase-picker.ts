/** Picks one of several wordings, never one of those used last in the same chat. */
export interface PhrasePicker {
  /** `chat` and `situation` together name a memory; the variants may change between calls. */
  pick(chat: string, situation: string, variants: readonly string[]): string;
}

const rememberedChats = 1000;

/** `random` answers a number from 0 up to, not including, 1. */
export function createPhrasePicker(random: () => number = Math.random): PhrasePicker {
  const recent = new Map<string, readonly string[]>();

  return {
    pick(chat, situation, variants) {
      const key = JSON.stringify([chat, situation]);
      const used = recent.get(key) ?? [];
      const skip = Math.min(2, variants.length - 1);
      const excluded = skip > 0 ? used.slice(-skip) : [];
      const fresh = variants.filter((variant) => !excluded.includes(variant));
      const chosen = fresh[Math.floor(random() * fresh.length)] ?? variants[0] ?? "";
      // Deleting first moves the chat to the end of the map, so the oldest one is forgotten.
      recent.delete(key);
      recent.set(key, [...used, chosen].slice(-2));
      if (recent.size > rememberedChats) recent.delete(recent.keys().next().value ?? "");
      return chosen;
    },
  };
}
