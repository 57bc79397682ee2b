import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StorePlace } from "../../../src/store/open-store.ts";
import type { NodeRole } from "../../../src/store/engines/open-cluster.ts";
import { createDatabaseUntil } from "../postgres.ts";
import type { EngineName } from "../store-engines.ts";
import { waitUntil } from "../wait-until.ts";
import { checkRecords } from "./check-records.ts";
import { parse, stringify } from "yaml";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import { createKurisuFolder, type KurisuFolder } from "./kurisu-folder.ts";
import { lookIntoStore, openQuestions } from "./look-into-store.ts";
import { startScriptedModel, type ModelScript, type ScriptedModel } from "./scripted-model.ts";
import { tryStartKurisu, startKurisu, type RunningKurisu, type Started } from "./start-kurisu.ts";
import { patienceMs } from "../patience.ts";

/** What stories on every chat platform have in common. */
export interface Story<Chat, Message> {
  readonly folder: KurisuFolder & StorePlace;
  readonly model: ScriptedModel;
  /** Starts the real program on this folder; every start is checked at the end of the test. */
  start(more?: StartOptions): Promise<RunningKurisu>;
  /** For starts that may end early. */
  tryStart(more?: StartOptions): Promise<Started>;
  /**
   * The next new message of the bot that is exactly this, or fits, and is not a card: all of it, or all below the line that the
   * persona says first. Each is found once.
   */
  hear(words: string | RegExp, where?: { readonly chat?: Chat; readonly timeoutMs?: number }): Promise<Message>;
  /** The next new question card, once the answer to it may be a bare word. */
  hearQuestion(chat?: Chat): Promise<QuestionCard<Message>>;
  /** Everything that came is handled and everything that was said is written down as sent; questions may be open. */
  quiet(): Promise<void>;
  /** Everything the bot has said in a chat, as it stands now. */
  said(chat?: Chat): readonly string[];
}

interface QuestionCard<Message> {
  readonly message: Message;
  readonly code: string;
  /** The text as it was sent; that of the message may become the outcome. */
  readonly text: string;
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Beside others on the same database, with a data folder of its own in `environment`. */
  readonly role?: NodeRole;
  readonly preload?: string;
}

export interface StoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly script?: ModelScript;
  /** Milliseconds between two pieces of the model's answer. */
  readonly chunkMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the data folder is, when not in the test's own folder. */
  readonly home?: string;
  /** SQLite in the data folder when left out. */
  readonly engine?: EngineName;
  /** An existing database, instead of a new one. */
  readonly url?: string;
  /** false = nobody is an owner yet. */
  readonly withOwner?: boolean;
  readonly keep?: KeepUntil;
}

/** A fake chat platform, as a story needs it. */
export interface StoryPlatform<Chat, Message> {
  /** What makes Kurisu talk to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its section of channels.yaml in every story, below the story's own: none waits for limits it does not tell of. */
  readonly settings?: { readonly section: string; readonly values: Readonly<Record<string, unknown>> };
  /** Its owner, as KURISU_OWNERS names people. */
  readonly owner: string;
  /** The owner's private chat. */
  readonly home: Chat;
  /** Canaries that may be seen nowhere. */
  readonly secrets: readonly string[];
  botMessages(chat: Chat): readonly Message[];
  waitForMessage(predicate: (message: Message) => boolean, timeoutMs: number): Promise<Message>;
  /** The text as it was sent. */
  firstText(message: Message): string;
  isCard(message: Message): boolean;
  /** It has handed over everything. */
  isQuiet(): boolean;
  /** The payloads of everything the bot has asked of it. */
  sent(): readonly Readonly<Record<string, unknown>>[];
}

const channelsFile = "system/channels.yaml";

function addSettings(text: string, settings: StoryPlatform<never, never>["settings"]): string {
  if (settings === undefined) return text;
  const own = (parse(text) ?? {}) as Readonly<Record<string, object>>;
  // Each message of a story has its own answer, unless the story is about bursts.
  return stringify({
    busy: { burst: 0 },
    ...own,
    [settings.section]: { ...settings.values, ...own[settings.section] },
  });
}

/** A chat platform, a model server and an installation of Kurisu, by default for one test. */
export async function startStory<Chat, Message extends { readonly chat: Chat; readonly text: string }>(
  platform: StoryPlatform<Chat, Message>,
  options: StoryOptions,
): Promise<Story<Chat, Message>> {
  const { keep = untilTestEnds } = options;
  const url = options.url ?? (options.engine === "postgres" ? await createDatabaseUntil(keep) : undefined);
  const complete = (name: string, text: string) =>
    name === channelsFile ? addSettings(text, platform.settings) : text;
  const made = createKurisuFolder({}, options.home, keep);
  const configure = (name: string, text: string) => made.configure(name, complete(name, text));
  const folder = { ...made, configure, ...(url !== undefined && { url }) };
  for (const [name, text] of Object.entries({ [channelsFile]: "", ...options.files })) configure(name, text);
  const model = await startScriptedModel(options.script, keep, options.chunkMs);
  const started: { stdout(): string; stderr(): string }[] = [];
  keep(() => checkRecords({ folder, sent: platform.sent(), model, started, secrets: platform.secrets }));
  const base = {
    ...platform.environment,
    ...model.environment,
    ...(url !== undefined && { DATABASE_URL: url }),
    ...(options.withOwner !== false && { KURISU_OWNERS: platform.owner }),
    ...options.environment,
  };
  const place = ({ environment, preload, role }: StartOptions) => ({
    folder,
    keep,
    environment: { ...base, ...environment },
    ...(preload !== undefined && { preload }),
    ...(role !== undefined && { role }),
  });
  const found = new Set<Message>();

  async function next(fits: (message: Message) => boolean, chat: Chat, timeoutMs = patienceMs): Promise<Message> {
    const isNew = (message: Message) => message.chat === chat && !found.has(message) && fits(message);
    try {
      const message = await platform.waitForMessage(isNew, timeoutMs);
      found.add(message);
      return message;
    } catch (error) {
      const heard = platform.botMessages(chat).map(({ text }) => text);
      const logs = started.map((one) => one.stderr()).join("");
      const rows = await describeQueues(folder);
      throw new Error(`${String(error)}; so far: ${JSON.stringify(heard, null, 1)}\n${rows}\n${logs}`, {
        cause: error,
      });
    }
  }

  return {
    folder,
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
    hear(words, { chat = platform.home, timeoutMs } = {}) {
      const isWanted = (text: string) => (typeof words === "string" ? text === words : words.test(text));
      const fits = (text: string) => isWanted(text) || isWanted(withoutLead(text));
      const heard = next((message) => !platform.isCard(message) && fits(asRead(message.text)), chat, timeoutMs);
      return heard.then((message) =>
        asRead(message.text) === message.text ? message : { ...message, text: asRead(message.text) },
      );
    },
    async hearQuestion(chat = platform.home) {
      const message = await next(platform.isCard, chat);
      const text = asRead(platform.firstText(message));
      const code = readCode(text);
      const isShown = async () =>
        (await openQuestions(folder)).every((question) => question.code !== code || question.shown);
      await waitUntil(`the record that ${code} was shown`, isShown);
      return { message, code, text };
    },
    quiet: () => waitUntil("quiet", async () => platform.isQuiet() && (await isStoreQuiet(folder))),
    said: (chat = platform.home) => platform.botMessages(chat).map(({ text }) => text),
  };
}

/** What the shipped personas say first, before a fixed text. */
const leads = new Set(
  ["kurisu", "default"].flatMap((id) => {
    const text = readFileSync(join(import.meta.dirname, "../../../config/personas", id, "persona.yaml"), "utf8");
    const { phrases } = parse(text) as {
      readonly phrases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    return Object.values(phrases).flatMap((situations) => Object.values(situations).flat());
  }),
);

/** A fixed text without the persona's own words, which may stand in a line before it. */
function withoutLead(text: string): string {
  const end = text.indexOf("\n");
  return leads.has(text.slice(0, end)) ? text.slice(end + 1) : text;
}

/** Payloads without the marks before their lines, and with the lines whole that were broken for a narrow screen. */
function asRead(text: string): string {
  return text.replaceAll("\n┆ ", "").replaceAll(/^│ ?/gmu, "");
}

/** Cards name their code; no other message does. */
export function namesCode(text: string): boolean {
  return /编号 [A-Z]+\d/.test(text);
}

function readCode(text: string): string {
  const code = /编号 ([A-Z]+\d)/.exec(text)?.[1];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}

/** The states of a story's messages, so that a message that did not come can be looked for. */
async function describeQueues(place: StorePlace): Promise<string> {
  const inbox = await lookIntoStore(place, "select id, session, state from inbox");
  const outbox = await lookIntoStore(place, "select id, session, state, attempts from outbox");
  return `inbox: ${JSON.stringify(inbox)}\noutbox: ${JSON.stringify(outbox)}`;
}

async function isStoreQuiet(place: StorePlace): Promise<boolean> {
  const unfinished = await lookIntoStore(
    place,
    `select id from inbox where state not in ('done', 'dead') union all
     select id from outbox where state not in ('sent', 'dead') union all
     select id from turns where state = 'running'`,
  );
  return unfinished.length === 0;
}
