import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import type { Anchoring } from "../../src/workspace/open-folder.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const session = "telegram:42:main";

async function createBench(anchoring: Anchoring): Promise<{ workspace: Workspace; folder: string; outside: string }> {
  const base = await createTemporaryFolder();
  const outside = join(base, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "SECRET");
  const workspace = createWorkspace({ root: join(base, "workspaces"), anchoring });
  return { workspace, folder: await workspace.folderFor(session), outside };
}

describe.each<Anchoring>(["descriptor", "realpath"])("the workspace (%s)", (anchoring) => {
  it("gives every session a folder of its own, named by a hash, for the sandbox's user only", async () => {
    const { workspace, folder } = await createBench(anchoring);
    const other = await workspace.folderFor("../../etc");
    expect(other).not.toBe(folder);
    expect(other).toMatch(/\/workspaces\/[0-9a-f]{32}$/);
    expect(await workspace.folderFor(session)).toBe(folder);
    const found = await stat(folder);
    expect(found.mode & 0o777).toBe(0o700);
    expect(found.uid).toBe(process.getuid?.() === 0 ? 1000 : process.getuid?.());
  });

  it("writes, appends and reads text", async () => {
    const { workspace, folder } = await createBench(anchoring);
    expect(await workspace.write(session, "实验/a.txt", "一\n二\n", "write")).toEqual({
      ok: true,
      path: "实验/a.txt",
      bytesWritten: 8,
      existed: false,
    });
    expect(await workspace.write(session, "/workspace/实验/a.txt", "三\n", "append")).toMatchObject({ existed: true });
    expect(await workspace.write(session, "new.log", "x", "append")).toMatchObject({ ok: true, existed: false });
    expect(await workspace.readText(session, "实验/a.txt")).toEqual({ ok: true, text: "一\n二\n三\n", bytes: 12 });
    expect(await workspace.readLines(session, "实验/a.txt", 1, 1)).toMatchObject({
      content: "二",
      totalLines: 3,
      hasMore: true,
    });
    expect(await workspace.write(session, "实验/a.txt", "", "write")).toMatchObject({ existed: true, bytesWritten: 0 });
    for (const name of ["实验", "实验/a.txt", "new.log"]) {
      expect((await stat(join(folder, name))).uid).toBe(process.getuid?.() === 0 ? 1000 : process.getuid?.());
    }
    expect((await readdir(join(folder, "实验"))).join()).toBe("a.txt");
  });

  it("keeps a program executable when it replaces it", async () => {
    const { workspace, folder } = await createBench(anchoring);
    await writeFile(join(folder, "run.sh"), "old", { mode: 0o755 });
    await workspace.write(session, "run.sh", "new", "write");
    expect((await stat(join(folder, "run.sh"))).mode & 0o777).toBe(0o755);
  });

  it("follows no link, wherever it stands and whatever it points at", async () => {
    const { workspace, folder, outside } = await createBench(anchoring);
    await symlink(join(outside, "secret.txt"), join(folder, "file-link"));
    await symlink(outside, join(folder, "folder-link"));
    await symlink(join(folder, "nowhere"), join(folder, "dangling"));
    await writeFile(join(folder, "real.txt"), "real");
    await symlink("real.txt", join(folder, "inner-link"));
    for (const path of ["file-link", "folder-link/secret.txt", "dangling", "inner-link", "folder-link/new.txt"]) {
      for (const answer of [
        await workspace.readText(session, path),
        await workspace.write(session, path, "overwritten", "write"),
        await workspace.write(session, path, "overwritten", "append"),
      ]) {
        expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/link|There is no/) });
      }
    }
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
    expect(await readdir(outside)).toEqual(["secret.txt"]);
    expect(await readFile(join(folder, "real.txt"), "utf8")).toBe("real");
  });

  it("reads and adds to no file that has a second name, but may replace one of the names", async () => {
    const { workspace, folder, outside } = await createBench(anchoring);
    await link(join(outside, "secret.txt"), join(folder, "hard"));
    expect(await workspace.readText(session, "hard")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/hard link/),
    });
    expect(await workspace.write(session, "hard", "x", "append")).toMatchObject({ ok: false });
    expect(await workspace.write(session, "hard", "x", "write")).toMatchObject({ ok: true });
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it("refuses folders, sockets, what is missing, and what is no text, each with its sentence", async () => {
    const { workspace, folder } = await createBench(anchoring);
    await mkdir(join(folder, "sub"));
    await writeFile(join(folder, "image.bin"), Buffer.from([0x89, 0x50, 0, 1]));
    await writeFile(join(folder, "latin1.txt"), Buffer.from([0x66, 0xfc, 0x72]));
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => void server.close());
    const rows: [string, RegExp][] = [
      ["sub", /is a folder/],
      [".", /workspace folder itself/],
      ["missing.txt", /There is no "missing.txt"/],
      ["image.bin/x", /not a folder/],
      ["image.bin", /not a text file/],
      ["latin1.txt", /not a text file/],
      ["socket", /not a regular file/],
      ["../x", /contains ".."/],
    ];
    for (const [path, error] of rows) {
      expect(await workspace.readText(session, path)).toMatchObject({ ok: false, error: expect.stringMatching(error) });
    }
    for (const path of ["sub", ".", "socket", "image.bin/x", "../x"]) {
      expect(await workspace.write(session, path, "x", "write")).toMatchObject({ ok: false });
      expect(await workspace.write(session, path, "x", "append")).toMatchObject({ ok: false });
    }
  });

  it("takes no more than 10 MiB in either direction", async () => {
    const { workspace, folder } = await createBench(anchoring);
    const large = "x".repeat(10 * 1024 * 1024 + 1);
    await writeFile(join(folder, "large"), large);
    expect(await workspace.readText(session, "large")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/10 MiB/),
    });
    expect(await workspace.write(session, "new", large, "write")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/10 MiB/),
    });
    expect(await workspace.write(session, "large", "x", "append")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/10 MiB/),
    });
  });

  it("keeps sessions apart", async () => {
    const { workspace } = await createBench(anchoring);
    await workspace.write(session, "mine.txt", "x", "write");
    expect(await workspace.readText("telegram:43:main", "mine.txt")).toMatchObject({ ok: false });
  });
});

describe("a workspace that cannot be", () => {
  it("the workspace fails with the code of an unusable data folder", async () => {
    const base = await createTemporaryFolder();
    await writeFile(join(base, "file"), "");
    const workspace = createWorkspace({ root: join(base, "file") });
    await expect(workspace.folderFor(session)).rejects.toMatchObject({ code: "DATA_FOLDER_UNUSABLE" });
  });
});
