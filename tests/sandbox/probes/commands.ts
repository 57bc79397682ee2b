import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Place, ProbeArea, Witness } from "./types.ts";

const leavesNothing = async (): Promise<Witness> => ({
  after: async ({ folder }, outcome) => {
    if ((await readdir(folder)).includes("taken")) return "a part of it ran";
    return outcome.kind === "finished" && outcome.exitCode === 0 ? "it is called a success" : undefined;
  },
});

const makeFolder =
  (name: string) =>
  ({ folder }: Place): Promise<void> =>
    mkdir(join(folder, name));

/** The text of the command and the folder that it starts in. */
export const commandProbes: ProbeArea = {
  area: "commands and folders",
  probes: [
    {
      name: "quotes, line breaks, dollars and backslashes arrive as they are",
      command: "printf '%s|' \"it's\" '\"' '$HOME' '\\n' '`id`' 'a\nb' 'é研🙂' '%s' --\necho \" $0\"",
      expected: { exitCode: 0, stdout: "it's|\"|$HOME|\\n|`id`|a\nb|é研🙂|%s|--| bash\n" },
      plain: "same",
    },
    {
      name: "carriage returns are not eaten",
      command: "printf %s 'a\r\nb' | od -An -tx1",
      expected: { stdout: " 61 0d 0a 62\n" },
      plain: "same",
    },
    {
      name: "a command with NUL does not run, not even its beginning",
      prepare: leavesNothing,
      command: "touch taken; \0 true",
      expected: { kind: ["finished", "unavailable"] },
      plain: "same",
    },
    {
      name: "a command of 100,000 bytes runs",
      command: `: ${"x".repeat(100_000)}; echo ran`,
      expected: { exitCode: 0, stdout: "ran\n" },
      plain: "same",
    },
    {
      name: "a command longer than the kernel takes does not run, not even its beginning",
      prepare: leavesNothing,
      command: `touch taken; : ${"x".repeat(200_000)}`,
      expected: { kind: ["finished", "unavailable"] },
      plain: "same",
    },
    {
      name: "a command that looks like an option is a command",
      command: "--version",
      expected: { exitCode: 127, stdout: "" },
      plain: "bites",
    },
    {
      name: "an empty command does nothing",
      command: "",
      expected: { exitCode: 0, stdout: "", stderr: "" },
      plain: "same",
    },
    {
      name: "a command that does not exist and one that is no program",
      command: "nosuchcommand 2>/dev/null; echo $?; echo x > plain; ./plain 2>/dev/null; echo $?",
      expected: { stdout: "127\n126\n" },
      plain: "same",
    },
    {
      name: "a folder's name is never run",
      cwd: "$(touch /workspace/taken)`touch /workspace/taken`; touch /workspace/taken",
      prepare: leavesNothing,
      command: "echo ran",
      expected: { exitCode: 1, stdout: "" },
      plain: "host differs",
    },
    {
      name: "a folder whose name looks like an option",
      cwd: "-P",
      prepare: makeFolder("-P"),
      command: "pwd",
      expected: { exitCode: 0, stdout: "/workspace/-P\n" },
      plain: "same",
    },
    {
      name: "a folder whose name has line breaks and quotes",
      cwd: "a\n'\"b",
      prepare: makeFolder("a\n'\"b"),
      command: "echo $(pwd | wc -l)",
      expected: { exitCode: 0, stdout: "2\n" },
      plain: "same",
    },
    {
      name: "a folder that is a link leads to the container's files",
      cwd: "link",
      prepare: ({ folder }) => symlink("/", join(folder, "link")),
      command: '[ "$(pwd -P)" = / ] && [ -e /.dockerenv -o -e /run/.containerenv ] && echo inside',
      expected: { stdout: "inside\n" },
      plain: "same",
    },
    {
      name: "a folder that is a link to the host's files leads nowhere",
      cwd: "link",
      prepare: ({ folder }) => symlink(folder, join(folder, "link")),
      command: "echo ran",
      expected: { exitCode: 1, stdout: "" },
      plain: "host differs",
    },
    {
      name: "climbing with .. ends at the container's root",
      cwd: "../../../../../../proc/self/cwd/../../..",
      command: '[ "$(stat -Lc %d:%i .)" = "$(stat -c %d:%i /)" ] && echo inside',
      expected: { stdout: "inside\n" },
      plain: "same",
    },
    {
      name: "a leaked descriptor is no folder to start in (CVE-2024-21626)",
      cwd: "../proc/self/fd/7/../../../../../../..",
      command: '[ "$(stat -Lc %d:%i .)" = "$(stat -c %d:%i /)" ] && echo inside',
      expected: { exitCode: [0, 1], stdout: /^(inside\n)?$/ },
      plain: "same",
    },
    {
      name: "a folder that is deleted under the command",
      command: "mkdir d; cd d; rmdir ../d; ls; touch x 2>/dev/null || echo gone; cd /workspace; ls -A | wc -l",
      expected: { exitCode: 0, stdout: "gone\n0\n" },
      plain: "same",
    },
  ],
};
