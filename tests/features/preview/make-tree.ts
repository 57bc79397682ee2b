import * as fc from "fast-check";
import { chmod, lchown, lstat, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What may stand in a folder. */
export type TreeItem =
  | { readonly kind: "file"; readonly content: Buffer; readonly mode: number }
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "nothing" };

const names = ["a", "b", "数据.txt", "sub", "sub/a", "sub/b", "sub/deep", "sub/deep/c.md", "-x", "with space"];
const text = fc.array(fc.constantFrom("one\n", "two\n", "三\n", "\n"), { maxLength: 12 }).map((all) => all.join(""));
const content = fc.oneof(
  text.map((all) => Buffer.from(all)),
  text.map((all) => Buffer.from(`\ufeff${all}no newline`)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const item: fc.Arbitrary<TreeItem> = fc.oneof(
  fc.record({ kind: fc.constant("file" as const), content, mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444) }),
  fc.record({ kind: fc.constant("folder" as const), mode: fc.constantFrom(0o755, 0o700) }),
  fc.record({
    kind: fc.constant("link" as const),
    target: fc.constantFrom("a", "/etc/passwd", "nowhere", "..", "sub"),
  }),
  fc.record({ kind: fc.constant("nothing" as const) }),
);

/** A few paths and what shall be there; folders are made on the way, and what was there before is replaced. */
export const treeItems: fc.Arbitrary<readonly (readonly [string, TreeItem])[]> = fc.array(
  fc.tuple(fc.constantFrom(...names), item),
  { maxLength: 10 },
);

/** Puts the items into the folder, one after the other. `owner` gets all of it. */
export async function makeTree(
  root: string,
  items: readonly (readonly [string, TreeItem])[],
  owner: number | undefined,
): Promise<void> {
  for (const [path, one] of items) {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) await makeFolder(join(root, ...parts.slice(0, depth)), owner);
    const full = join(root, path);
    await rm(full, { recursive: true, force: true });
    if (one.kind === "folder") await mkdir(full);
    if (one.kind === "link") await symlink(one.target, full);
    if (one.kind === "file") await writeFile(full, one.content);
    if (one.kind === "nothing") continue;
    if (owner !== undefined) await lchown(full, owner, owner);
    if (one.kind !== "link") await chmod(full, one.mode);
  }
}

/** Whatever stands in its place is replaced; a link would lead elsewhere. */
async function makeFolder(path: string, owner: number | undefined): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  if (owner !== undefined) await lchown(path, owner, owner);
}
