import type { FakeQqChat } from "./onebot-types.ts";

/** A client of the fake account, whoever wrote it: what it heard, and a way to make it speak. */
export interface OneBotPeer extends AsyncDisposable {
  readonly heard: () => readonly HeardMessage[];
  /** Answers the id of the message that came of it, or why none did. */
  say(words: PeerWords): Promise<{ readonly sent: string } | { readonly failed: string }>;
}

interface PeerWords {
  readonly chat: FakeQqChat;
  readonly text: string;
  readonly replyTo?: number;
  /** Mentioned before the text. Ours mentions nobody. */
  readonly at?: number;
}

/** What every client must make of an event. Texts are trimmed: some keep the space behind a mention. */
export interface HeardMessage {
  readonly chat: FakeQqChat;
  readonly from: string;
  readonly messageId: string;
  readonly text: string;
  /** It mentions the account itself, or was said in private. */
  readonly mentionsUs: boolean;
  /** The message it quotes. */
  readonly quotes: string | undefined;
}

export type PeerSide = "forward" | "reverse";
