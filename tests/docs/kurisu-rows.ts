import type { ShownFiles } from "./shown-world.ts";

/** The state that tests/docs/kurisu-commands.test.ts gives to the rows. */
export interface RowWorld extends ShownFiles {
  /** A file of the folder that the commands run in. */
  readonly file: (name: string) => string;
  /** A login at the MCP server `locked`: the address that its browser is sent back to. */
  readonly logIn: () => Promise<string>;
  /** The MCP server `lib` describes its tool in other words from now on. */
  readonly changeServer: (words: string) => Promise<void>;
  /** The conversation of the QQ group 123456. */
  readonly group: string;
  readonly hasEngine: boolean;
}

type Stand = string | ((world: RowWorld) => string | Promise<string>);

/**
 * How a command of the documents is run:
 * - `names`: the document speaks of it and leaves its arguments out; its help must have all the words.
 * - `ends`: it runs beside a Kurisu that runs, or on a second data folder where none runs (`where: "restored"`), and ends by
 *   itself.
 * - `started`: it is how the Kurisu beside the others was started.
 * - `stays`: it runs by itself until SIGTERM.
 * - `covered`: another test runs it; `words` stand in that test.
 */
export type KurisuRow =
  | { readonly kind: "names"; readonly stands?: Readonly<Record<string, string>> }
  | {
      readonly kind: "ends";
      readonly where?: "restored";
      /** The values that replace words of the form. */
      readonly stands?: Readonly<Record<string, Stand>>;
      /** 0 when left out. */
      readonly exits?: (world: RowWorld) => number;
      readonly says: RegExp;
      /** Standard input; with it a process of its own runs the command. */
      readonly input?: string;
      readonly before?: (world: RowWorld) => void | Promise<void>;
      /** The row needs Postgres. */
      readonly onPostgres?: true;
    }
  | { readonly kind: "started" }
  | {
      readonly kind: "stays";
      /** Further arguments, such as a port that is free. */
      readonly more?: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
      readonly says: RegExp;
    }
  | { readonly kind: "covered"; readonly by: string; readonly words: string };

const names: KurisuRow = { kind: "names" };
const ends = (says: RegExp, more: Omit<Extract<KurisuRow, { kind: "ends" }>, "kind" | "says"> = {}): KurisuRow => ({
  kind: "ends",
  says,
  ...more,
});
const initialize = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})}\n`;
const hello = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } })}\n`;
const serves = (stands = {}): KurisuRow => ends(/"serverInfo"/, { input: initialize, stands });
const http = { more: ["--port", "0"], environment: { KURISU_MCP_TOKEN: "a-token-of-the-test-0123456789" } } as const;
const waits = ({ hasEngine }: RowWorld): number => (hasEngine ? 3 : 0);
const skillsGit = "https://example.org/skills.git";

/** Every command of `./kurisu` that a document shows, as `listCommands` writes it. The order is that of the run. */
export const kurisuRows: Readonly<Record<string, KurisuRow>> = {
  "./kurisu start": { kind: "started" },
  "./kurisu": { kind: "stays", says: /http:\/\/127\.0\.0\.1:\d+/ },
  "./kurisu start --role gateway": {
    kind: "covered",
    by: "tests/stories/several-processes.test.ts",
    words: '"gateway"',
  },
  "./kurisu start --role worker": { kind: "covered", by: "tests/stories/several-processes.test.ts", words: '"worker"' },
  "./kurisu setup": { kind: "covered", by: "tests/stories/setup.test.ts", words: 'openTerminal(["setup"]' },
  "./kurisu COMMAND": { kind: "names", stands: { COMMAND: "doctor" } },
  "./kurisu COMMAND --help": { kind: "names", stands: { COMMAND: "chat" } },
  "./kurisu 命令 --help": { kind: "names", stands: { 命令: "chat" } },
  "./kurisu acp": ends(/"protocolVersion":1/, { input: hello }),
  "./kurisu engine-guard": names,
  "./kurisu console": names,
  "./kurisu console code": ends(/http:\/\/127\.0\.0\.1:\d+\/console\/[\s\S]*\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/),

  "./kurisu chat": ends(/./, { input: "你好\n/exit\n" }),
  "./kurisu chat 要说的话": ends(/好了/, { stands: { 要说的话: "现在几点" } }),
  "./kurisu chat --once '运行 ls -la' --json": ends(/"type":"(?:approval|reply)"/, { exits: waits }),
  "./kurisu approvals": ends(/^/),
  "./kurisu approvals list": ends(/^/),
  "./kurisu chat --once 确认 --json": ends(/"type":"reply"/),
  "./kurisu reminders": ends(/./),

  "./kurisu tools": ends(/^time +safe/m),
  "./kurisu tools list": ends(/^caesar +confirm/m),
  "./kurisu tools list --format openai": ends(/"function"/),
  "./kurisu tools why": names,
  "./kurisu tools why NAME ARGS": ends(/^ask: /m, {
    stands: { NAME: "file_write", ARGS: '{"path":"a.md","content":"x"}' },
  }),
  './kurisu tools why file_write \'{"path":"notes/a.md","content":"x"}\' --role member --group --tainted': ends(
    /something untrusted was read before/,
  ),
  "./kurisu tools approve caesar": ends(/charCodeAt[\s\S]*approve caesar [0-9a-f]{12}/),
  "./kurisu tools approve feels_like": ends(/Math\.exp[\s\S]*approve feels_like [0-9a-f]{12}/),

  "./kurisu skills": ends(/^time +/m),
  "./kurisu skills list": ends(/^tides +/m),
  "./kurisu skills match --why": ends(/"skills":\["time"\]/, { input: "东京现在几点\n" }),
  "./kurisu skills match '东京现在几点'": ends(/^\{"skills":\["time"\]\}$/m),
  "./kurisu skills match --why '东京现在几点'": ends(/time/),
  "./kurisu skills match --why '明天厦门几点涨潮'": ends(/tides/),
  "./kurisu skills install ./folder-or-archive.skill": ends(/archived/, { input: "yes\n" }),
  "./kurisu skills install https://example.org/skills.git@9f1c…40 digits… --path weather": ends(/weather 1\.0\.0/, {
    stands: { [`${skillsGit}@9f1c…40`]: ({ skills, commit }) => `${skills}@${commit}`, "digits…": "" },
    input: "yes\n",
  }),
  "./kurisu skills update weather": ends(/1\.1\.0/, { before: ({ changeSkill }) => changeSkill(), input: "yes\n" }),
  "./kurisu skills verify": ends(/weather/),
  "./kurisu skills remove weather": ends(/weather/),
  "./kurisu skills install https://example.org/skills.git --path weather": {
    kind: "covered",
    by: "tests/features/skills/store/read-git.test.ts",
    words: "findNewestCommit(repository",
  },

  "./kurisu mcp": ends(/lab/),
  "./kurisu mcp list": ends(/lab[\s\S]*add_note/),
  "./kurisu mcp list --json": ends(/"add_note"/),
  "./kurisu mcp approve NAME": ends(/Puts a line/, {
    stands: { NAME: "lib" },
    before: ({ changeServer }) => changeServer("Puts a line"),
  }),
  "./kurisu mcp approve NAME TOOL": ends(/Writes a line/, {
    stands: { NAME: "lib", TOOL: "act" },
    before: ({ changeServer }) => changeServer("Writes a line"),
  }),
  "./kurisu mcp login": names,
  "./kurisu mcp login NAME 'ADDRESS'": ends(/locked/, { stands: { NAME: "locked", ADDRESS: ({ logIn }) => logIn() } }),
  // It finds every MCP server ready only now.
  "./kurisu doctor": ends(/audit: .*intact/, { exits: ({ hasEngine }) => (hasEngine ? 0 : 1) }),
  "./kurisu mcp remove": names,
  "./kurisu mcp remove NAME": ends(/lab/, { stands: { NAME: "lab" } }),
  "./kurisu mcp serve": names,
  "./kurisu mcp serve NAME": serves({ NAME: "time" }),
  "./kurisu mcp serve memory": serves(),
  "./kurisu mcp serve --http": names,
  "./kurisu mcp serve web --http": { kind: "stays", says: /http:\/\/127\.0\.0\.1:\d+\/mcp/, ...http },

  "./kurisu persona": names,
  "./kurisu persona list": ends(/^\* kurisu/m),
  "./kurisu persona import examples/persona/rin.json": ends(/Rin \(V2 card\) is now the persona rin/),
  "./kurisu persona use rin": ends(/rin/),
  "./kurisu persona lore rin 'Where is the cat?'": ends(/Buffer/),
  "./kurisu persona import mira.png": ends(/Mira \(V2 card\) is now the persona mira/),
  "./kurisu persona use mira": ends(/mira/),
  "./kurisu persona export mira mira.charx": ends(/mira\.charx/),
  "./kurisu persona export mira --as json": ends(/mira\.json/),
  './kurisu persona lore mira "Where is the lamp?"': ends(/./),
  "./kurisu persona lore ID TEXT": ends(/Buffer/, { stands: { ID: "mira", TEXT: "cat" } }),
  "./kurisu persona use ID": ends(/kurisu/, { stands: { ID: "kurisu" } }),
  "./kurisu persona check": ends(/"verdict":"ok"/, { input: "哈？\n" }),
  './kurisu persona check "很高兴为您服务！"': ends(/"verdict":"break"/),
  "./kurisu persona eval --model openai:gpt-5-mini": ends(/openai:gpt-5-mini/),

  "./kurisu chatlog": names,
  "./kurisu chatlog import result.json": ends(/\(telegram\): \d+ read/),
  "./kurisu chatlog import 家.txt --for telegram:123 --me 小安": ends(/\(qq-text\): 2 read, 2 new/),
  "./kurisu chatlog import group_501_chunked_jsonl": ends(/\(qq-json\): \d+ read/),
  "./kurisu chatlog import --from onebot:group:123456 --count 500": ends(/onebot/),
  "./kurisu chatlog import group.json --chat telegram:99:-100123": ends(/into the chat/, {
    stands: { "telegram:99:-100123": ({ group }) => group },
  }),
  "./kurisu chatlog search 搬家 --limit 5": ends(/搬家那天/),
  "./kurisu chatlog search 搬家 --as telegram:123 --person 小明": ends(/搬家的车来了/),

  "./kurisu audit": ends(/./),
  "./kurisu audit verify": ends(/^intact: [1-9]/m),
  "./kurisu audit show ID": ends(/./, { stands: { ID: "1" } }),
  "./kurisu backup": names,
  "./kurisu backup FILE": ends(/backup\.tar\.gz/, { stands: { FILE: ({ file }) => file("backup.tar.gz") } }),
  "./kurisu restore": names,
  "./kurisu restore FILE": ends(/./, { where: "restored", stands: { FILE: ({ file }) => file("backup.tar.gz") } }),
  "./kurisu restore FILE --replace": ends(/before-restore-/, {
    where: "restored",
    stands: { FILE: ({ file }) => file("backup.tar.gz") },
  }),
  "./kurisu migrate-store --dry-run": ends(/./, { where: "restored", onPostgres: true }),
  "./kurisu migrate-store": ends(/./, { where: "restored", onPostgres: true }),

  "./kurisu memory": ends(/./),
  "./kurisu memory list": ends(/peanuts/),
  './kurisu chat --once "/stop all"': ends(/./),
};
