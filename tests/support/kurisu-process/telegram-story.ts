import type { FakeMessage, FakeText } from "../telegram/fake-bot-types.ts";
import { startFakeBotApi, type FakeBotApi } from "../telegram/fake-bot-api.ts";
import { checkRecords } from "./check-records.ts";
import { untilTestEnds, type KeepUntil } from "./keep-until.ts";
import { createKurisuFolder, type KurisuFolder } from "./kurisu-folder.ts";
import { lookIntoStore, openQuestions } from "./look-into-store.ts";
import { startScriptedModel, type ModelScript, type ScriptedModel } from "./scripted-model.ts";
import { tryStartKurisu, startKurisu, type RunningKurisu, type Started } from "./start-kurisu.ts";

/** The owner's id, which is also the number of their private chat. */
export const owner = 4242;

/** Shaped like a real one, and a canary: nobody may ever read it anywhere. */
const botToken = "987654321:AAcanary-Telegram-Token_0123456789A";

export interface TelegramStory {
  readonly folder: KurisuFolder;
  readonly fake: FakeBotApi;
  readonly model: ScriptedModel;
  /** Starts the real program on this folder; every start is checked at the end of the test. */
  start(more?: StartOptions): Promise<RunningKurisu>;
  /** For starts that may end early. */
  tryStart(more?: StartOptions): Promise<Started>;
  /** A person writes; by default the owner in private. */
  say(text: string, more?: Partial<FakeText>): { readonly updateId: number; readonly messageId: number };
  /** The next new message of the bot that is exactly this, or fits, and is not a card. Each is found once. */
  hear(words: string | RegExp, where?: { readonly chat?: number; readonly timeoutMs?: number }): Promise<FakeMessage>;
  /** The next new question card, once the answer to it may be a bare word. */
  hearQuestion(chat?: number): Promise<QuestionCard>;
  /** Everything that came is handled and everything that was said is written down as sent; questions may be open. */
  quiet(): Promise<void>;
  /** Everything the bot has said in a chat, as it stands now. */
  said(chat?: number): readonly string[];
}

interface QuestionCard {
  readonly message: FakeMessage;
  readonly code: string;
  /** The text as it was sent; `message.text` becomes the outcome. */
  readonly text: string;
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly preload?: string;
}

export interface StoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly script?: ModelScript;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the data folder is, when not in the test's own folder. */
  readonly home?: string;
  /** false = nobody is an owner yet. */
  readonly withOwner?: boolean;
  readonly keep?: KeepUntil;
}

/** A Telegram server, a model server and an installation of Kurisu, by default for one test. */
export async function startTelegramStory(options: StoryOptions = {}): Promise<TelegramStory> {
  const { keep = untilTestEnds } = options;
  const folder = createKurisuFolder(options.files, options.home, keep);
  const fake = await startFakeBotApi({ token: botToken });
  keep(() => fake[Symbol.asyncDispose]());
  const model = await startScriptedModel(options.script, keep);
  const started: { stdout(): string; stderr(): string }[] = [];
  keep(() => checkRecords({ folder, fake, model, started, secrets: [botToken] }));
  const base = {
    TELEGRAM_BOT_TOKEN: botToken,
    TELEGRAM_API_ROOT: fake.url,
    ...model.environment,
    ...(options.withOwner !== false && { KURISU_OWNERS: `telegram:${owner}` }),
    ...options.environment,
  };
  const place = ({ environment, preload }: StartOptions) => ({
    folder,
    keep,
    environment: { ...base, ...environment },
    ...(preload !== undefined && { preload }),
  });
  const found = new Set<FakeMessage>();

  async function next(fits: (message: FakeMessage) => boolean, chat: number, timeoutMs?: number): Promise<FakeMessage> {
    const isNew = (message: FakeMessage) => message.chat === chat && !found.has(message) && fits(message);
    try {
      const message = await fake.waitForMessage(isNew, timeoutMs ?? 20_000);
      found.add(message);
      return message;
    } catch (error) {
      const heard = fake.botMessages(chat).map(({ text }) => text);
      const logs = started.map((one) => one.stderr()).join("");
      throw new Error(`${String(error)}; so far: ${JSON.stringify(heard, null, 1)}\n${logs}`, { cause: error });
    }
  }

  return {
    folder,
    fake,
    model,
    async start(more = {}) {
      const kurisu = await startKurisu(place(more));
      started.push(kurisu);
      return kurisu;
    },
    async tryStart(more = {}) {
      const result = await tryStartKurisu(place(more));
      started.push(result.kind === "running" ? result.kurisu : result.process);
      return result;
    },
    say: (text, more = {}) => fake.sendText({ chat: owner, text, ...more }),
    hear(words, { chat = owner, timeoutMs } = {}) {
      const fits = (text: string) => (typeof words === "string" ? text === words : words.test(text));
      return next((message) => !isCard(message) && fits(message.text), chat, timeoutMs);
    },
    async hearQuestion(chat = owner) {
      const message = await next(isCard, chat);
      const text = message.texts[0] ?? "";
      const code = readCode(text);
      const isShown = () => openQuestions(folder.home).every((question) => question.code !== code || question.shown);
      await fake.waitFor(isShown, `the record that ${code} was shown`, 10_000);
      return { message, code, text };
    },
    quiet: () => fake.waitFor(() => isQuiet(fake, folder.home), "quiet", 20_000),
    said: (chat = owner) => fake.botMessages(chat).map(({ text }) => text),
  };
}

function isQuiet(fake: FakeBotApi, home: string): boolean {
  const unfinished = lookIntoStore(
    home,
    `select id from inbox where state not in ('done', 'dead') union all
     select id from outbox where state not in ('sent', 'dead') union all
     select id from turns where state = 'running'`,
  );
  return fake.pendingUpdates().length === 0 && unfinished.length === 0;
}

function isCard({ keyboard, texts }: FakeMessage): boolean {
  return keyboard.length > 0 || /编号 [A-Z]+\d/.test(texts[0] ?? "");
}

function readCode(text: string): string {
  const code = /编号 ([A-Z]+\d)/.exec(text)?.[1];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}
