import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { z } from "zod";
import { createBudget, type Budget } from "../../src/models/budget.ts";
import type { Agent } from "../../src/agents/agent.ts";
import { createStartTask } from "../../src/agents/sub-agents/start-task.ts";
import type { SubAgent } from "../../src/agents/sub-agents/sub-agent.ts";
import { createTaskTool } from "../../src/agents/sub-agents/task-tool.ts";
import { createThinking } from "../../src/agents/create-thinking.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { createPhrasePicker } from "../../src/core/persona/phrase-picker.ts";
import { createScrubber } from "../../src/core/scrub-secrets.ts";
import { createOutgoingFiles } from "../../src/gateway/outbox/outgoing-files.ts";
import type { TellOwners } from "../../src/gateway/outbox/tell-owners.ts";
import { createWorkRecord } from "../../src/gateway/recovery/work-record.ts";
import { createGateway, type Gateway } from "../../src/gateway/gateway.ts";
import { createDelivery } from "../../src/gateway/gateway-parts.ts";
import { warnOwners } from "../../src/gateway/oversight/describe-usage.ts";
import { limitOptions } from "../../src/gateway/oversight/limit-options.ts";
import { createOwnerCode } from "../../src/gateway/people/owner-code.ts";
import type { Choice, OutboundMessage } from "../../src/channels/types.ts";
import { createRenderQuestion } from "../../src/gateway/approvals/render-question.ts";
import { budgetOptions } from "../../src/models/budget-options.ts";
import { openStore, type Store, type StorePlace } from "../../src/store/open-store.ts";
import { readWindow } from "../../src/store/queries/messages.ts";
import { listOpenQuestions, type Question } from "../../src/store/queries/questions.ts";
import { addUsage, sumDay } from "../../src/store/queries/usage.ts";
import type { SessionSkills } from "../../src/skills/session-skills.ts";
import { ApprovalManager } from "../../src/policy/approval-manager.ts";
import { createFitResult } from "../../src/tools/fit-result.ts";
import { createToolExecutor } from "../../src/tools/executor.ts";
import { createCallPreparer } from "../../src/tools/prepare-calls.ts";
import { versionOf, type PermissionRules } from "../../src/policy/permission.ts";
import { createPersonaWrapper } from "../../src/tools/persona-wrapper.ts";
import { createToolPreviewer } from "../../src/tools/previewer.ts";
import { createToolRegistry, isToolAvailable } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/types.ts";
import { createSendFileTool } from "../../src/tools/builtin/send-file.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createThrowAwayCopies } from "../../src/workspace/preview/throw-away-copies.ts";
import { createEffectTools, effectRules, type Behaviour, type Effect } from "./effect-tools.ts";
import { FakeChannel, makeMessage, makePress, type Said, type SentMessage } from "./fake-channel.ts";
import { HandClock } from "./hand-clock.ts";
import { noMcp } from "./no-mcp.ts";
import { obeyWords } from "./obey-words.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { createTestSkills, type TestSkillsOptions } from "./test-skills.ts";

export interface TestGatewayOptions extends TestSkillsOptions {
  /** Milliseconds a question stays open. */
  readonly timeoutMs?: number;
  /** People who are members; `owner` is the owner. */
  readonly members?: readonly string[];
  /** What administrators of the platform's groups are. */
  readonly admins?: "trusted" | "member";
  readonly rounds?: { readonly chat: number; readonly working: number };
  readonly mentionOnly?: boolean;
  /** Where the store is, kept afterwards; SQLite in a fresh folder when left out. */
  readonly place?: StorePlace;
  /** Milliseconds between a fault of the store and the next try. */
  readonly retryMs?: number;
  readonly window?: { readonly size: number; readonly block: number };
  /** Sub-agents that `task` can start. */
  readonly agents?: readonly SubAgent[];
  /** Beside those that only keep a list. */
  readonly tools?: readonly Tool[];
  /** As channels.yaml and models.yaml may say. */
  readonly limits?: z.input<typeof limitOptions>;
  readonly budget?: z.input<typeof budgetOptions>;
  /** Nothing but the built-in model is there. */
  readonly isOffline?: boolean;
  readonly fileLimits?: { readonly maxBytes: number; readonly maxCount: number };
}

interface RunningParts {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly agent: Agent;
  readonly budget: Budget;
  readonly tellOwners: TellOwners;
}

/** A turn of a hundred rounds takes this long on Postgres and a machine that does much else; what hangs, hangs longer. */
const waitMs = 60_000;
const personaFolder = join(import.meta.dirname, "../../config/personas/default");

/**
 * The real gateway, agent, executor and store on a real database, SQLite files or Postgres. Only the ends are ours: a channel and a model in
 * memory, tools that keep a list of what they did, and a clock that is moved by hand.
 */
export class TestGateway {
  readonly place: StorePlace;
  readonly clock = new HandClock();
  readonly channel = new FakeChannel();
  readonly model = new ScriptedModel(obeyWords);
  /** What is asked close to the limits of a day. */
  readonly cheaper = new ScriptedModel(obeyWords);
  readonly rules: { current: PermissionRules } = { current: effectRules };
  /** People who are members and who are trusted, by configuration as of now. */
  members: readonly string[];
  trusted: readonly string[] = [];
  /** What was logged as an error. A test takes out what it expects; `dispose` fails when anything is left. */
  readonly faults: string[] = [];
  readonly #tools = createEffectTools(() => this.channel.nextTick());
  readonly #options: TestGatewayOptions;
  /** As they are registered. */
  tools: readonly Tool[] = [];
  /** Those of its conversations; there once it has started. */
  skills: SessionSkills | undefined;
  #running: RunningParts | undefined;

  constructor(options: TestGatewayOptions = {}) {
    this.#options = options;
    this.members = options.members ?? ["alice", "bob"];
    this.place = options.place ?? { home: mkdtempSync(join(tmpdir(), "kurisu-gateway-")) };
  }

  get #parts(): RunningParts {
    if (!this.#running) throw new Error("the gateway does not run");
    return this.#running;
  }

  get store(): Store {
    return this.#parts.store;
  }

  get gateway(): Gateway {
    return this.#parts.gateway;
  }

  get tellOwners(): TellOwners {
    return this.#parts.tellOwners;
  }

  get agent(): Agent {
    return this.#parts.agent;
  }

  get budget(): Budget {
    return this.#parts.budget;
  }

  get workspace(): Workspace {
    return createWorkspace({ root: join(this.place.home, "workspaces") });
  }

  get effects(): readonly Effect[] {
    return this.#tools.effects;
  }

  /** What was done on copies of workspaces. */
  get previews(): readonly Effect[] {
    return this.#tools.previews;
  }

  /** What poke does on a copy from now on, once its file is written. */
  set onPreview(preview: Behaviour) {
    this.#tools.behaviour.preview = preview;
  }

  /** What the tools do from now on. */
  set onRun(run: Behaviour) {
    this.#tools.behaviour.run = run;
  }

  async start(): Promise<void> {
    const { clock, channel, workspace } = this;
    const log = pino({ level: "error" }, { write: (line: string) => void this.faults.push(line) });
    const store = await openStore(this.place);
    const delivery = createDelivery({
      store,
      channels: [channel],
      access: {
        owners: ["fake:owner"],
        allow: () => this.members,
        trusted: () => this.trusted,
        admins: () => this.#options.admins,
        groups: () => ["*"],
        mentionOnly: () => this.#options.mentionOnly ?? false,
        ownerCode: createOwnerCode({ needed: false }),
      },
      work: createWorkRecord({ home: this.place.home, log }),
      outgoing: createOutgoingFiles(join(this.place.home, "outgoing")),
      ...(this.#options.retryMs !== undefined && { retryMs: this.#options.retryMs }),
      clock,
      log,
    });
    const { fileDelivery, tellOwners } = delivery;
    const findRole = delivery.roles.now;
    const agents = () => this.#options.agents ?? [];
    const task = createTaskTool({ agents, start: createStartTask({ store, clock }) }) as Tool;
    const offered = createTestSkills(this.#options, {
      database: () => store.main,
      hasTool: (name) => isToolAvailable(registry, name),
      log,
    });
    const { skills } = offered;
    this.skills = skills;
    this.tools = [
      ...this.#tools.tools,
      task,
      createSendFileTool({
        workspace,
        delivery: fileDelivery,
      }) as Tool,
      ...offered.tools,
      ...(this.#options.tools ?? []),
    ];
    const registry = createToolRegistry(this.tools);
    const approvals = new ApprovalManager({ clock, timeoutMs: () => this.#options.timeoutMs ?? 600_000 });
    const rules = () => this.rules.current;
    const loaded = loadPersona(personaFolder, {});
    if (loaded.kind !== "loaded") throw new Error(JSON.stringify(loaded.faults));
    const { persona } = loaded;
    const wrapper = createPersonaWrapper(persona);
    const fit = createFitResult({ workspace, log });
    const budget = createBudget({
      usage: {
        add: (row) => addUsage(store.main, row),
        sumDay: (day, person) => sumDay(store.main, day, person),
      },
      options: () => budgetOptions.parse(this.#options.budget ?? {}),
      zone: "Asia/Shanghai",
      onWarning: (state) => warnOwners(tellOwners, state),
      clock,
      log,
    });
    const agent = createThinking({
      store,
      registry,
      executor: createToolExecutor({
        store,
        registry,
        approvals,
        rules,
        findRole,
        fit,
        scrub: createScrubber([]),
        clock,
        log,
      }),
      models: budget.guard(this.model, () => this.cheaper),
      findModels: () => budget.guard(this.model, () => this.cheaper),
      rules,
      findRole,
      persona: () => persona,
      skills,
      phrases: createPhrasePicker(),
      rounds: () => this.#options.rounds ?? { chat: 5, working: 25 },
      window: () => this.#options.window ?? { size: 40, block: 20 },
      readHistory: (session, window) => readWindow(store.main, session, window),
      readFile: (session, path) => workspace.readBytes(session, path),
      listWaiting: async (session) => {
        const open = await listOpenQuestions(store.main, session);
        return new Map(open.flatMap((question) => question.calls.map((call) => [call.hash, question.code])));
      },
      clock,
      log,
    });
    const copies = createThrowAwayCopies({ root: join(this.place.home, "workspaces"), workspace });
    await copies.sweep();
    const gateway = createGateway({
      ...delivery,
      limits: () => limitOptions.parse(this.#options.limits ?? {}),
      budget,
      agent,
      approvals,
      prepare: createCallPreparer({ registry, log }),
      fit,
      mcp: noMcp,
      scrub: (text) => text,
      previewer: createToolPreviewer({ store, registry, copies, rules, clock, log }),
      files: {
        workspace,
        workspaceLimits: { bytes: 1_000_000, files: 1_000 },
        limits: this.#options.fileLimits ?? { maxBytes: 100_000, maxCount: 3 },
      },
      skills,
      policy: () => versionOf(rules()),
      voice: () => wrapper,
      renderQuestion: createRenderQuestion({ voice: () => wrapper, registry, usualSeconds: 30, zone: "Asia/Shanghai" }),
      describeModel: () => "scripted:one",
      isOffline: () => this.#options.isOffline ?? false,
      describeSandbox: () => "none",
      language: () => "zh",
      zone: "Asia/Shanghai",
    });
    this.#running = { store, gateway, agent, budget, tellOwners };
    await gateway.start();
  }

  async stop(): Promise<void> {
    if (!this.#running) return;
    const { store, gateway } = this.#running;
    this.#running = undefined;
    await gateway.stop(2_000);
    await store.close();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    await this.stop();
    if (this.#options.place === undefined) rmSync(this.place.home, { recursive: true, force: true });
    if (this.faults.length > 0) throw new Error(`faults were logged:\n${this.faults.join("")}`);
  }

  /** Says something and waits until all that follows from it has come to rest. */
  async say(text: string, said?: Said): Promise<void> {
    await this.channel.deliver(makeMessage(text, said));
    await this.settle();
  }

  async press(question: SentMessage, choice: Choice["style"], said?: Said): Promise<void> {
    await this.channel.deliver(pressOf(question, choice, said));
    await this.settle();
  }

  /** Waits until no row is unfinished: nothing received, queued, running or waiting to be sent now. */
  async settle(): Promise<void> {
    let calm = 0;
    await this.until(async () => {
      calm = (await this.#isCalm()) ? calm + 1 : 0;
      return calm >= 3;
    });
  }

  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const limit = AbortSignal.timeout(waitMs);
    while (!(await condition())) {
      if (limit.aborted) throw new Error(`nothing came to rest within ${waitMs} ms\n${this.faults.join("")}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async #isCalm(): Promise<boolean> {
    const { main } = this.store;
    const busy = await main
      .selectFrom("inbox")
      .select("id")
      .where("state", "in", ["received", "queued", "running"])
      .limit(1)
      .executeTakeFirst();
    if (busy) return false;
    const pending = await main
      .selectFrom("outbox")
      .select(["session", "not_before"])
      .where("state", "=", "pending")
      .orderBy("place", "desc")
      .orderBy("seq", "desc")
      .execute();
    // Only the oldest of a chat can go; the others wait behind it.
    const next = new Map(pending.map((row) => [row.session, row.not_before]));
    return [...next.values()].every((notBefore) => notBefore > this.clock.now());
  }

  questions(session?: string): Promise<Question[]> {
    return listOpenQuestions(this.store.main, session);
  }

  /** The prompts that people were shown, oldest first. */
  prompts(): readonly SentMessage[] {
    return this.channel.sent.filter((sent) => sent.message.kind === "question");
  }

  lastPrompt(): SentMessage {
    const prompt = this.prompts().at(-1);
    if (!prompt) throw new Error("nothing was asked");
    return prompt;
  }

  /** Text of the newest message of a kind, or of any. */
  lastText(kind?: OutboundMessage["kind"]): string {
    return this.channel.sent.findLast((sent) => kind === undefined || sent.message.kind === kind)?.text ?? "";
  }

  /** What was done, as words, in order. */
  did(): readonly string[] {
    return this.effects.map((effect) => effect.what);
  }
}

export function codeOf(prompt: SentMessage): string {
  const code = prompt.message.question?.code;
  if (code === undefined) throw new Error("the message is no prompt");
  return code;
}

export function pressOf(question: SentMessage, choice: Choice["style"], said?: Said) {
  const button = question.message.choices?.find((one) => one.style === choice);
  if (!button) throw new Error(`the prompt has no ${choice} button`);
  return makePress(button.data, { chat: question.message.address.chat, ...said, messageId: question.id });
}
