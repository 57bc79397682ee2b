// npm run bench [NAME…]: measures what docs/performance.md tells; without a name it lists what there is.

/** Prints its table and answers whether the promise it measures is kept. */
type Run = (options: readonly string[]) => Promise<boolean>;

/** Each is loaded when it is asked for: what another one needs may not be installed here. */
const benches: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Run>; readonly parts?: readonly string[] }>
> = {
  turn: {
    summary: "one turn through the gateway beside the graph alone, at 100 and 10,000 messages",
    load: async () => (await import("./turn.ts")).measureTurn,
  },
  changes: {
    summary: "what it costs a turn that the console can follow what changes",
    load: async () => (await import("./changes.ts")).measureChanges,
  },
  floor: {
    summary: "the product as a process beside a bare telegraf bot: start, memory, processor time, a burst",
    load: async () => (await import("./floor.ts")).measureFloor,
  },
  burst: {
    summary: "20 chats x 10 messages on a Telegram that counts: messages a second, waits, refusals",
    load: async () => (await import("./burst.ts")).measureBurst,
  },
  soak: {
    summary: "10,000 messages over 200 chats on each platform's strict fake, with faults, drops and kill -9",
    load: async () => (await import("./soak.ts")).measureSoak,
  },
  scale: {
    summary: "1,000,000 messages through the claim queue with workers that die (queue); one worker and two (workers)",
    load: async () => (await import("./scale.ts")).measureScale,
    parts: ["queue", "workers"],
  },
  recall: {
    summary: "what was said at message 10, asked for at 50, 500 and 5,000; how large and how stable the prompts are",
    load: async () => (await import("./recall.ts")).measureRecall,
  },
  chatlog: {
    summary: "the chat log with 1,000,000 messages (--small: 50,000): what is found, how fast, how fast it is filled",
    load: async () => (await import("./chatlog.ts")).measureChatlog,
  },
  memory: {
    summary:
      "what a recall costs beside 100,000 memories of others; how well questions find the messages that answer them (LoCoMo, where its file is there)",
    load: async () => (await import("./memory.ts")).measureMemory,
  },
  persona: {
    summary: "checking replies of up to 20,000 characters, and lorebooks of up to 5,000 entries",
    load: async () => (await import("./persona.ts")).measurePersona,
  },
  sandbox: {
    summary: "a command in the session's container beside a child process, docker exec and a container of its own",
    load: async () => (await import("./sandbox.ts")).measureSandbox,
  },
  console: {
    summary: "what the pages of the console read, at 1,000 and 100,000 stored messages",
    load: async () => (await import("./console.ts")).measureConsole,
  },
  screen: {
    summary: "from the end of a transaction to the screen of an open console, in Chromium",
    load: async () => (await import("./screen.ts")).measureScreen,
  },
  skills: {
    summary: "how well messages find their skills, and how fast among 1,000",
    load: async () => (await import("./skills.ts")).measureSkills,
  },
};

/** A value may stand behind the option's name as a word of its own. */
const words = process.argv
  .slice(2)
  .join("\n")
  .replace(/^--against\n(?!--)/m, "--against=")
  .split("\n")
  .filter((word) => word !== "");
const parts = new Set(words.flatMap((word) => benches[word]?.parts ?? []));
const isOption = (word: string): boolean => word.startsWith("--") || parts.has(word);
const [names, options] = [words.filter((word) => !isOption(word)), words.filter(isOption)];

if (names.length === 0 || options.includes("--help")) {
  for (const [name, { summary }] of Object.entries(benches)) console.log(`${name.padEnd(8)} ${summary}`);
  console.log(
    "\nnpm run bench NAME… [-- OPTIONS]: turn --profile; floor --quick --postgres --long --small --against COMMIT --only-rounds --json=FILE; recall --quick; memory --quick; soak --small --keep --only=PLATFORM, soak --nodes --minutes=20 --keep, soak --steady --minutes=60; scale queue --sessions=10000 --messages=1000000; scale workers --slots=16 --model-ms=500",
  );
}
for (const name of options.includes("--help") ? [] : names) {
  const bench = benches[name];
  if (!bench) {
    console.error(`There is no bench ${name}; there are: ${Object.keys(benches).join(", ")}`);
    process.exitCode = 78;
    break;
  }
  const run = await bench.load();
  if (!(await run(options))) process.exitCode = 1;
}
