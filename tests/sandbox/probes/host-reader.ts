import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place, Probe, ProbeArea, Witness } from "./types.ts";

const secret = "only the host may read this";

/** A file of the host outside the workspace; its folder is told to the command in `address`. */
async function keepOutside({ folder }: Place): Promise<{ outside: string; close: () => Promise<void> }> {
  const outside = await mkdtemp(join(tmpdir(), "kurisu-probe-"));
  await writeFile(join(outside, "secret"), secret);
  await writeFile(join(folder, "address"), outside);
  return { outside, close: () => rm(outside, { recursive: true, force: true }) };
}

/** The host's file tools refuse `path` in every way, answer at all, and leave what is outside alone. */
function refusesPath(name: string, command: string, path: string): Probe {
  return {
    name,
    command: `${command}; echo left`,
    expected: { exitCode: 0, stdout: "left\n" },
    plain: "not asked",
    prepare: async (place): Promise<Witness> => {
      const { outside, close } = await keepOutside(place);
      const after = async ({ workspace, session }: Place): Promise<string | undefined> => {
        const answers = {
          readText: await workspace.readText(session, path),
          readLines: await workspace.readLines(session, path, 0, 10),
          write: await workspace.write(session, path, "written", "write"),
          append: await workspace.write(session, path, "written", "append"),
        };
        const done = Object.entries(answers).filter(([, answer]) => answer.ok);
        if (done.length > 0) return `not refused: ${JSON.stringify(Object.fromEntries(done))}`;
        if ((await readFile(join(outside, "secret"), "utf8")) !== secret) return "a file outside was changed";
        return (await readdir(outside)).length === 1 ? undefined : "a file was made outside";
      };
      return { after, close };
    },
  };
}

/** Reads and writes through the name that the command keeps swapping, until the command is over. */
async function raceTheSwaps({ workspace, session }: Place, over: Promise<unknown>): Promise<string | undefined> {
  let running = true;
  const ended = over.finally(() => (running = false));
  let tries = 0;
  while (running) {
    const answer = await workspace.readText(session, "sub/secret");
    if (answer.ok && answer.text === secret) return "the host's file was read";
    await workspace.write(session, "sub/new", "x", "write");
    tries += 1;
  }
  await ended;
  return tries > 0 ? undefined : "the race was never run";
}

/** What a command leaves in the workspace for the host's file tools. */
export const hostReaderProbes: ProbeArea = {
  area: "the host's reader",
  probes: [
    refusesPath("a link to a file of the host", 'ln -s "$(cat address)/secret" trap', "trap"),
    refusesPath("a link to a folder of the host", 'ln -s "$(cat address)" trap', "trap/secret"),
    refusesPath("a new file through a linked folder", 'ln -s "$(cat address)" trap', "trap/new"),
    refusesPath("a link in the middle of the path", 'mkdir a; ln -s "$(cat address)" a/b', "a/b/secret"),
    refusesPath("a link that climbs", "ln -s ../../../../../../../../etc/passwd trap", "trap"),
    refusesPath("a chain of links that ends in itself", "ln -s b a; ln -s a b", "a"),
    refusesPath("a link to the gateway's environment", "ln -s /proc/self/environ trap", "trap"),
    refusesPath("a link to the gateway's descriptors", "ln -s /proc/self/fd trap", "trap/0"),
    refusesPath("a link to a device without end", "ln -s /dev/zero trap", "trap"),
    refusesPath("a device", "mknod trap c 1 5 2>/dev/null || ln -s /dev/zero trap", "trap"),
    refusesPath("a pipe that nobody writes into", "mkfifo trap", "trap"),
    refusesPath(
      "a socket",
      `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "trap", Listen => 1) or die'`,
      "trap",
    ),
    {
      name: "a second name of a file is neither read nor added to",
      command: "printf kept > a; ln a trap",
      prepare: async () => ({
        after: async ({ workspace, session }) => {
          if ((await workspace.readText(session, "trap")).ok) return "it was read";
          if ((await workspace.write(session, "trap", "written", "append")).ok) return "it was added to";
          await workspace.write(session, "trap", "written", "write");
          await workspace.write(session, "trap", "written", "append");
          const kept = await readFile(join(await workspace.folderFor(session), "a"), "utf8");
          return kept === "kept" ? undefined : "the file was changed by its other name";
        },
      }),
      expected: { exitCode: 0 },
      plain: "not asked",
    },
    refusesPath("a folder where a file is meant", "mkdir -p trap/full", "trap"),
    refusesPath("a link that is called like a folder of git", 'ln -s "$(cat address)" .git', ".git/secret"),
    {
      name: "a file with holes is not read whole into memory",
      command: "for i in 1 2; do truncate -s 8M part$i; done; cat part1 >> all; truncate -s 8M all; stat -c %s all",
      prepare: async () => ({
        after: async ({ workspace, session }) =>
          (await workspace.readText(session, "all")).ok ? "NUL bytes were taken for text" : undefined,
      }),
      expected: { stdout: "8388608\n" },
      plain: "not asked",
    },
    {
      name: "names that lie about themselves stay names",
      command:
        "printf x > $'a\\nb'; printf x > $'\\342\\200\\256txt.exe'; printf x > $'\\377'; printf x > '..\\..\\x'; ls -A | wc -l",
      prepare: async () => ({
        after: async ({ workspace, session }) => {
          for (const name of ["a\nb", "\u202Etxt.exe", "..\\..\\x", "../x", "/etc/passwd", "~/x", "%2e%2e/x"])
            if ((await workspace.readText(session, name)).ok) return `${JSON.stringify(name)} was read`;
          return undefined;
        },
      }),
      expected: { stdout: "5\n" },
      plain: "not asked",
    },
    {
      name: "a folder that is swapped for a link while the host reads",
      prepare: async (place) => ({ beside: raceTheSwaps, close: (await keepOutside(place)).close }),
      command:
        `mkdir real; echo mine > real/secret; ln -s "$(cat address)" away; ` +
        `perl -e 'for (1 .. 20000) { rename "real", "sub"; rename "sub", "real"; rename "away", "sub"; rename "sub", "away" } print "swapped\\n"'`,
      expected: { exitCode: 0, stdout: "swapped\n" },
      plain: "not asked",
      timeoutMs: 30_000,
    },
  ],
};
