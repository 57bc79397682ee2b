import { mkdir, readdir, readlink, realpath, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseAnchoring, withFolder, type FolderOptions } from "../../src/workspace/open-folder.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const isLinux = process.platform === "linux";
const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
/** The fault's code, or what came of it. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch(codeOf);
const faultOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => "no fault",
    (error: unknown) => [codeOf(error), (error as Error).message],
  );

let root: string;
const listOpen = async (): Promise<readonly unknown[]> => {
  const descriptors = await readdir("/proc/self/fd");
  const files = await Promise.all(descriptors.map((one) => outcomeOf(readlink(join("/proc/self/fd", one)))));
  return files.filter((file) => String(file).startsWith(root));
};

beforeEach(async () => {
  root = join(await realpath(await createTemporaryFolder()), "root");
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/b/file.txt"), "inside");
  await writeFile(join(root, "a/file.txt"), "no folder");
  await symlink(join(root, "a"), join(root, "link"));
});

it("takes open folders for anchors where the system has them", () => {
  expect(chooseAnchoring()).toBe(isLinux ? "descriptor" : "realpath");
});

describe.each((["descriptor", "realpath"] as const).filter((anchoring) => isLinux || anchoring === "realpath"))(
  "folders by %s",
  (anchoring) => {
    const options = { anchoring, create: false, owner: undefined } satisfies FolderOptions;
    const look = (parts: readonly string[], changes: Partial<FolderOptions> = {}, from = root) =>
      outcomeOf(withFolder(from, parts, { ...options, ...changes }, ({ child }) => readdir(child("."))));

    it("walks down, part by part, and names children", async () => {
      expect(await look([])).toEqual(["a", "link"]);
      expect(await look(["a"])).toEqual(["b", "file.txt"]);
      expect(await look(["a", "b"])).toEqual(["file.txt"]);
      const named = await withFolder(root, ["a"], options, ({ child, handle }) =>
        Promise.resolve([child("x"), anchoring === "realpath" ? join(root, "a/x") : `/proc/self/fd/${handle.fd}/x`]),
      );
      expect(named[0]).toBe(named[1]);
    });

    it("follows no link, at the root, on the way and at the end", async () => {
      const link = expect.stringMatching(/^(?:ELOOP|ENOTDIR)$/) as string;
      for (const create of [false, true]) {
        expect(await look([], { create }, join(root, "link"))).toEqual(link);
        expect(await look(["link"], { create })).toEqual(link);
        expect(await look(["link", "b"], { create })).toEqual(link);
        expect(await look(["a", "file.txt"], { create })).toBe("ENOTDIR");
      }
    });

    it("makes what is missing only when it is told to", async () => {
      expect(await look(["a", "new", "deep"])).toBe("ENOENT");
      expect(await readdir(join(root, "a"))).toEqual(["b", "file.txt"]);
      expect(await look(["a", "new", "deep"], { create: true })).toEqual([]);
      expect(await look(["a", "b"], { create: true })).toEqual(["file.txt"]);
      expect((await stat(join(root, "a/new"))).mode & 0o777).toBe(0o755 & ~process.umask());
    });

    it.runIf(isLinux)("says why a folder could not be made", async () => {
      expect(await look(["kurisu"], { create: true }, "/sys")).toMatch(/^(?:EACCES|EPERM|EROFS)$/);
    });

    it("gives what it makes to the owner, and nothing that was there", async () => {
      const owner = { uid: 54_321, gid: 54_322 };
      const before = await stat(join(root, "a/b"));
      expect(await look(["a", "b"], { create: true, owner })).toEqual(["file.txt"]);
      const after = await stat(join(root, "a/b"));
      expect([after.uid, after.gid]).toEqual([before.uid, before.gid]);
      const made = await look(["a", "new"], { create: true, owner });
      const { uid, gid } = await stat(join(root, "a/new"));
      // Only the superuser may give folders away.
      const isSuperuser = process.getuid?.() === 0;
      expect(isSuperuser ? { uid, gid } : made).toEqual(isSuperuser ? owner : "EPERM");
    });

    it.runIf(isLinux)("leaves nothing open, however it ends", async () => {
      const during = await withFolder(root, ["a", "b"], options, listOpen);
      expect(during).toEqual([join(root, "a/b")]);
      expect(await look(["a", "missing"])).toBe("ENOENT");
      await look(["a"], {}, join(root, "link"));
      await outcomeOf(withFolder(root, ["a", "b"], options, () => Promise.reject(new Error("in use"))));
      expect(await listOpen()).toEqual([]);
    });

    it("stays in the folder it opened, or says that it is another one by now", async () => {
      const swap = (put: () => Promise<unknown>) =>
        outcomeOf(
          withFolder(root, ["a", "b"], options, async ({ child, verify }) => {
            await verify();
            await rename(join(root, "a/b"), join(root, "a/away"));
            await put();
            if (anchoring === "realpath") return faultOf(verify());
            await verify();
            return readdir(child("."));
          }),
        );
      const replaced = ["ELOOP", "the folder was replaced while it was used"];
      const expected = anchoring === "realpath" ? replaced : ["file.txt"];
      expect(await swap(() => mkdir(join(root, "a/b")))).toEqual(expected);
      await rename(join(root, "a/b"), join(root, "a/other"));
      await rename(join(root, "a/away"), join(root, "a/b"));
      // The same folder, but by way of a link.
      expect(await swap(() => symlink(join(root, "a/away"), join(root, "a/b")))).toEqual(expected);
    });

    it.runIf(isLinux)(
      "takes a name that leads through a link for another folder where names are all there is",
      async () => {
        const expected = anchoring === "realpath" ? "ELOOP" : ["file.txt"];
        expect(await look([], {}, join(root, "link/b"))).toEqual(expected);
        expect(await listOpen()).toEqual([]);
      },
    );
  },
);
