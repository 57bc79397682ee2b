import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { assemble, type Assembled } from "../../src/assembly/assemble.ts";
import { loadConfiguration, type Configuration } from "../../src/config.ts";
import { createLogRing } from "../../src/core/log-ring.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import type { Budget } from "../../src/models/budget.ts";
import { createSkillRegistry } from "../../src/features/skills/skill-registry.ts";
import type { SealedTool } from "../../src/kernel/tools/sealed-tool.ts";
import type { Agent } from "../../src/kernel/agent/agent.ts";
import { scheduleOptions } from "../../src/features/reminders/schedule-options.ts";
import { configureFeatures } from "./configure-features.ts";
import type { Gateway } from "../../src/kernel/gateway.ts";
import { busyOptions } from "../../src/kernel/turns/busy-options.ts";
import { memoryOptions } from "../../src/features/memory/memory-options.ts";
import { limitOptions } from "../../src/kernel/inbox/limit-options.ts";
import type { Choice, OutboundMessage } from "../../src/channels/types.ts";
import { budgetOptions } from "../../src/models/budget-options.ts";
import type { Store, StorePlace } from "../../src/store/open-store.ts";
import { openStore } from "./open-store.ts";
import { listOpenQuestions, type Question } from "../../src/store/queries/questions.ts";
import { findNextDue } from "../../src/features/reminders/queries/reminders.ts";
import type { SessionSkills } from "../../src/features/skills/session-skills.ts";
import type { PermissionRules } from "../../src/kernel/gate/permission.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { beOffline } from "./be-offline.ts";
import { readPersona } from "./read-persona.ts";
import { createEffectTools, effectRules, type Behaviour, type Effect } from "./effect-tools.ts";
import { FakeChannel, makeMessage, makePress, type Said, type SentMessage } from "./fake-channel.ts";
import { HandClock } from "./hand-clock.ts";
import { joinCluster } from "./join-cluster.ts";
import { isCalm } from "./is-calm.ts";
import { layTables } from "./lay-tables.ts";
import { obeyWords } from "./obey-words.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { bringSkills } from "./test-skills.ts";
import { patienceMs } from "./patience.ts";
import type { TestGatewayOptions } from "./gateway-options.ts";

/** Of an installation without any file of its own, with the engine of this test run. */
const environment = { DOCKER_HOST: process.env["DOCKER_HOST"] };
const defaults = loadConfiguration({ environment, workingDirectory: import.meta.dirname });
const persona = readPersona(join(import.meta.dirname, "../../config/personas/default"));
const fixedFiles = { check: () => [], refusedFiles: () => [], reload: () => undefined, follow: () => undefined };

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
  readonly cheaper = new ScriptedModel(obeyWords, "scripted:small");
  readonly rules: { current: PermissionRules } = { current: effectRules };
  /** People who are members and who are trusted, by configuration as of now. */
  members: readonly string[];
  trusted: readonly string[] = [];
  /** Whether console.yaml lets members in. */
  areMembersLetIn = false;
  /** What was logged as an error. A test takes out what it expects; `dispose` fails when anything is left. */
  readonly faults: string[] = [];
  readonly #tools = createEffectTools(() => this.channel.nextTick());
  #options: TestGatewayOptions;
  #running: Assembled | undefined;

  constructor(options: TestGatewayOptions = {}) {
    this.#options = options;
    this.members = options.members ?? ["alice", "bob"];
    this.place = options.place ?? { home: mkdtempSync(join(tmpdir(), "kurisu-gateway-")) };
  }

  readonly #close: (() => Promise<void>)[] = [];

  get #parts(): Assembled {
    if (!this.#running) throw new Error("the gateway does not run");
    return this.#running;
  }

  get store(): Store {
    return this.#parts.store;
  }

  get answer(): Assembled["answer"] {
    return this.#parts.answer;
  }

  get gateway(): Gateway {
    return this.#parts.gateway;
  }

  get assembled(): Pick<Assembled, "completeLine" | "owner"> {
    return this.#parts;
  }

  get tellOwners(): Assembled["tellOwners"] {
    return this.#parts.tellOwners;
  }

  get agent(): Agent {
    return this.#parts.agent;
  }
  /** As they are registered. */
  get tools(): readonly SealedTool[] {
    return this.#parts.registry.list();
  }

  /** Those of its conversations; there once it has started. */
  get skills(): SessionSkills | undefined {
    return this.#running?.skills;
  }

  get budget(): Budget {
    return this.#parts.budget;
  }

  get workspace(): Workspace {
    return createWorkspace({ root: join(this.place.home, "workspaces"), trash: join(this.place.home, "trash") });
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
    const { clock, channel, cheaper } = this;
    const {
      hasSandbox = false,
      hostsAllowed = () => true,
      isOffline = false,
      recallSkills,
      retryMs,
      skillRegistry,
      tools = [],
    } = this.#options;
    const log = pino({ level: "error" }, { write: (line: string) => void this.faults.push(line) });
    if (this.place.url === undefined) await layTables(this.place.home);
    const store = await openStore({ ...this.place, log });
    const cluster = await joinCluster(this.place, store, this.#options.role);
    this.#close.push(async () => cluster?.close(), store.close);
    const ground = {
      store,
      ...(cluster && { cluster }),
      secrets: createKnownSecrets(this.#options.secrets ?? []),
      clock,
      log,
      logRing: createLogRing(),
      close: () => store.close(),
    };
    const fixed = this.#configure();
    const now = (): Configuration => ({
      ...fixed,
      ...this.#options.personas?.(),
      skills: skillRegistry?.() ?? fixed.skills,
      tools: { ...fixed.tools, ...this.rules.current },
      console: { ...fixed.console, members: this.areMembersLetIn, hosts: [...(this.#options.consoleHosts ?? [])] },
      sandbox: { ...this.#configure().sandbox, network: hostsAllowed() ? "on" : "off" },
    });
    const kurisu = await assemble({ ...fixedFiles, now }, ground, {
      channels: [channel, ...(this.#options.also ?? []), ...(this.#options.real ?? [])],
      access: {
        allow: () => this.members,
        trusted: () => this.trusted,
        admins: () => this.#options.admins,
        groups: () => this.#options.groups ?? ["*"],
        mentionOnly: () => this.#options.mentionOnly ?? false,
        answerAll: () => this.#options.answerAll ?? false,
        observe: () => this.#options.observe ?? false,
      },
      models: { main: isOffline ? beOffline(this.model) : this.model, small: cheaper },
      tools: {
        only: [
          ...(this.#options.builtin ?? ["task", "send_file"]),
          ...(hasSandbox ? ["shell", "shell_output"] : []),
          ...(skillRegistry ? ["find_skill", "skill_file"] : []),
        ],
        also: [...this.#tools.tools, ...tools],
      },
      ...(recallSkills && { skills: (skills: SessionSkills) => bringSkills(skills, recallSkills) }),
      ...(this.#options.features && { features: this.#options.features }),
      ...(retryMs !== undefined && { retryMs }),
      ...(this.#options.makeCodeFor && { makeCodeFor: this.#options.makeCodeFor }),
    });
    this.#running = kurisu;
    await kurisu.gateway.start();
  }

  /** The configuration as its files would say it, as of now. Without a word of the test no model reads for facts beside the turns. */
  #configure(): Configuration {
    const { agents, budget, busy, fileLimits, limits, rounds, schedule, timeoutMs = 600_000, window } = this.#options;
    const files = {
      channels: { limits: limitOptions.parse(limits ?? {}) },
      schedule: scheduleOptions.parse(schedule ?? {}),
      memory: memoryOptions.parse({ extract: { model: false }, ...this.#options.memory }),
    };
    return {
      ...defaults,
      home: this.place.home,
      persona,
      personas: [persona],
      faultyPersonas: [],
      language: "zh",
      zone: "Asia/Shanghai",
      owners: [{ platform: "fake", user: "owner" }],
      skills: createSkillRegistry([]),
      skillBudget: 8000,
      skillCatalogueTokens: 1200,
      surroundings: { variables: [], path: "" },
      tools: { ...defaults.tools, approval: { timeoutMs, groupTimeoutMs: timeoutMs } },
      models: { ...defaults.models, budget: budgetOptions.parse(budget ?? {}) },
      limits: files.channels.limits,
      busy: busyOptions.parse(busy ?? { burst: 0 }),
      features: { ...defaults.features, ...configureFeatures(files), "sub-agents": agents ?? [] },
      ...(this.#options.embeddings && { embeddings: this.#options.embeddings }),
      agents: {
        rounds: rounds ?? { chat: 5, working: 25 },
        window: window ?? { messages: 200 },
        anchorEvery: 6,
        serverToolLimits: { tokens: 1_500, max: 128 },
      },
      files: fileLimits ?? { maxBytes: 100_000, maxCount: 3 },
      sandbox: {
        ...defaults.sandbox,
        enabled: this.#options.hasSandbox ?? false,
        workspaceLimits: { bytes: 1_000_000, files: 1_000 },
      },
    };
  }

  async stop(): Promise<void> {
    if (!this.#running) return;
    const { gateway, mcp, sandbox } = this.#parts;
    this.#running = undefined;
    await gateway.stop(2_000);
    await mcp.stop();
    await sandbox.stop();
    for (const close of this.#close.splice(0)) await close();
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

  /** As when sandbox.yaml changes while it runs. */
  async switchSandboxOff(): Promise<void> {
    this.#options = { ...this.#options, hasSandbox: false };
    await this.#parts.places.followSandbox(this.#configure());
    this.#parts.hooks.configurationChanged();
  }

  /** Says something and waits until all that follows from it has come to rest. */
  async say(text: string, said?: Said): Promise<void> {
    const also = this.#options.also?.find(({ platform }) => platform === said?.platform);
    await (also ?? this.channel).deliver(makeMessage(text, said));
    await this.settle();
  }

  /** Time goes by, and all that is due by then comes to rest. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    this.#parts.ringReminders();
    await this.until(async () => ((await findNextDue(this.store.main)) ?? Infinity) > this.clock.now());
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
      calm = (await isCalm(this.store, this.clock.now())) ? calm + 1 : 0;
      return calm >= 3;
    });
  }

  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const limit = AbortSignal.timeout(patienceMs);
    while (!(await condition())) {
      if (limit.aborted) throw new Error(`nothing came to rest within ${patienceMs} ms\n${this.faults.join("")}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  questions(session?: string): Promise<readonly Question[]> {
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
