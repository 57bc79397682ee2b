// npm run bench [NAME…]: measures what docs/performance.md tells; without a name it lists what there is.
import { measureBurst } from "./burst.ts";
import { measureChatlog } from "./chatlog.ts";
import { measureFloor } from "./floor.ts";
import { measureMemory } from "./memory.ts";
import { measurePersona } from "./persona.ts";
import { measureRecall } from "./recall.ts";
import { measureSandbox } from "./sandbox.ts";
import { measureSkills } from "./skills.ts";
import { measureSoak } from "./soak.ts";
import { measureTurn } from "./turn.ts";

/** Each prints its table and answers whether the promise it measures is kept. */
const benches: Readonly<
  Record<string, { readonly summary: string; readonly run: (options: readonly string[]) => Promise<boolean> }>
> = {
  turn: {
    summary: "one turn through the gateway beside the graph alone, at 100 and 10,000 messages",
    run: measureTurn,
  },
  floor: {
    summary: "the product as a process beside a bare telegraf bot: start, memory, processor time, a burst",
    run: measureFloor,
  },
  burst: {
    summary: "20 chats x 10 messages on a Telegram that counts: messages a second, waits, refusals",
    run: measureBurst,
  },
  soak: {
    summary: "10,000 messages over 200 chats on each platform's strict fake, with faults, drops and kill -9",
    run: measureSoak,
  },
  recall: {
    summary: "what was said at message 10, asked for at 50, 500 and 5,000; how large and how stable the prompts are",
    run: measureRecall,
  },
  chatlog: {
    summary: "the chat log with 1,000,000 messages (--small: 50,000): what is found, how fast, how fast it is filled",
    run: measureChatlog,
  },
  memory: {
    summary:
      "what a recall costs beside 100,000 memories of others; how well questions find the messages that answer them (LoCoMo, where its file is there)",
    run: measureMemory,
  },
  persona: {
    summary: "checking replies of up to 20,000 characters, and lorebooks of up to 5,000 entries",
    run: measurePersona,
  },
  sandbox: {
    summary: "a command in the session's container beside a child process, docker exec and a container of its own",
    run: measureSandbox,
  },
  skills: {
    summary: "how well messages find their skills, and how fast among 1,000",
    run: measureSkills,
  },
};

const [names, options] = [
  process.argv.slice(2).filter((word) => !word.startsWith("--")),
  process.argv.slice(2).filter((word) => word.startsWith("--")),
];

if (names.length === 0) {
  for (const [name, { summary }] of Object.entries(benches)) console.log(`${name.padEnd(8)} ${summary}`);
  console.log(
    "\nnpm run bench NAME… [-- OPTIONS]: turn --profile; floor --quick --postgres --long --small --json=FILE; recall --quick; memory --quick; soak --small --keep --only=PLATFORM",
  );
}
for (const name of names) {
  const bench = benches[name];
  if (!bench) {
    console.error(`There is no bench ${name}; there are: ${Object.keys(benches).join(", ")}`);
    process.exitCode = 78;
    break;
  }
  if (!(await bench.run(options))) process.exitCode = 1;
}
