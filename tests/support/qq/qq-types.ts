/** `private:OPENID`, a group's openid, `channel:ID` or `direct:GUILD`. */
export type FakeChatName = string;

export interface FakeQqBotSettings {
  appId: string;
  secret: string;
  /** The bot may speak without being asked. */
  allowsActive: boolean;
  allowsMarkdown: boolean;
  /** Guild events may be asked for. */
  allowsGuilds: boolean;
  allowsStreams: boolean;
  heartbeatMs: number;
  tokenSeconds: number;
  /** Characters of one message. */
  longestText: number;
}

export interface FakePerson {
  readonly id: string;
  readonly name?: string;
  readonly isBot?: boolean;
  /** In a guild. */
  readonly roles?: readonly string[];
}

export interface FakeText {
  readonly chat: FakeChatName;
  readonly from?: FakePerson;
  readonly text: string;
  /** With a mention of the bot. */
  readonly toUs?: boolean;
  /** The id of the message that it quotes. */
  readonly quoting?: string;
  readonly attachments?: readonly Record<string, unknown>[];
  /** When it was written, milliseconds before now. */
  readonly ageMs?: number;
}

export interface FakeBotMessage {
  readonly messageId: string;
  readonly chat: FakeChatName;
  /** As people read it. */
  text: string;
  /** What it answers: a message or an event. */
  readonly answers: string | undefined;
  readonly seq: number | undefined;
  /** The message that it shows quoted. */
  readonly quoted: string | undefined;
  readonly isMarkdown: boolean;
  readonly buttons: readonly { readonly label: string; readonly data: string }[];
  readonly file?: { readonly name: string; readonly content: Buffer; readonly type: number };
  /** It calls anybody to it, or is a button of QQ's own. */
  readonly rings: boolean;
  /** Of a text that grows: how often it grew, and whether it is over. */
  pieces: number;
  isWhole: boolean;
}

export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  status: number;
  code: number;
}

export type FakeFault =
  /** Answered so, and nothing is done. */
  | { readonly kind: "refuse"; readonly status: number; readonly code: number }
  /** Done, but the answer is lost. */
  | { readonly kind: "lost" }
  | { readonly kind: "hang" };

/** What the API answers. */
export interface FakeAnswer {
  readonly status: number;
  readonly body: object;
}

export const refuse = (code: number, status = 400): FakeAnswer => ({
  status,
  body: { err_code: code, message: `refused ${code}`, trace_id: "t" },
});
