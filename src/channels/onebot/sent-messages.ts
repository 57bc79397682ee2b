/** What this process has sent, so that a quote of it is known at once and a look into the history finds only what is new. */
export interface SentMessages {
  add(chat: string, messageId: string, text: string): void;
  /** undefined = not ours, or sent too long ago. */
  find(chat: string, messageId: string): string | undefined;
}

/** NapCat itself remembers the newest 5000 message ids. */
const remembered = 5_000;
const excerpt = 500;

export function createSentMessages(): SentMessages {
  const texts = new Map<string, string>();
  return {
    add(chat, messageId, text) {
      texts.set(`${chat} ${messageId}`, text.slice(0, excerpt).toWellFormed());
      const [oldest] = texts.keys();
      if (texts.size > remembered && oldest !== undefined) texts.delete(oldest);
    },
    find: (chat, messageId) => texts.get(`${chat} ${messageId}`),
  };
}
