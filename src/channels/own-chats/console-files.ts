import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { chooseMediaType, detectImage } from "../../core/media-type.ts";
import { parseJson } from "../../core/parse-json.ts";
import { toSafeFileName } from "../../core/safe-file-name.ts";

export interface ConsoleFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** A picture by its first bytes, whatever its name says. */
  readonly kind: "image" | "audio" | "file";
  readonly type: string;
}

export type ConsoleFiles = ReturnType<typeof createConsoleFiles>;

/** As it is written beside the file; `chat` = its conversation, once a message took it along. */
interface Described extends ConsoleFile {
  readonly chat?: string | undefined;
}

const described: z.ZodType<Described> = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  kind: z.enum(["image", "audio", "file"]),
  type: z.string(),
  chat: z.string().optional(),
});

interface SentFile {
  readonly name: string;
  readonly chat: string;
  /** The id of the message in the outbox. */
  readonly message: string;
}

/** A file that no message took along by then is removed. */
const unsentMs = 24 * 3_600_000;
const headBytes = 16;
const isId = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
const unsent = ".unsent";
const about = ".json";
const taken = ".taken";

function nameSentFile(message: string): string {
  const digest = createHash("sha256").update(message).digest("hex");
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}

/**
 * The files of the console's chats, both ways. They stay with their conversation until it is erased. What is there by an
 * id, and only that, can be fetched.
 */
export function createConsoleFiles({ folder, clock }: { readonly folder: string; readonly clock: Clock }) {
  const pathOf = (id: string): string => join(folder, id);

  async function describe(id: string, given: string): Promise<ConsoleFile> {
    const path = pathOf(id);
    const file = await open(path);
    let head: Buffer;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      head = buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
    const name = toSafeFileName(given, "file");
    const picture = detectImage(head);
    const type = picture ?? chooseMediaType(undefined, name);
    const kind = picture === undefined ? (type.startsWith("audio/") ? "audio" : "file") : "image";
    return { id, name, bytes: (await stat(path)).size, kind, type };
  }

  async function readAbout(id: string, ending: typeof about | typeof unsent): Promise<Described | undefined> {
    const text = await readFile(`${pathOf(id)}${ending}`, "utf8").catch(ignoreMissing);
    // Half of it was written when the power went: the file is not there.
    return text === undefined ? undefined : described.safeParse(parseJson(text)).data;
  }

  const listNames = async () => (await readdir(folder).catch(ignoreMissing)) ?? [];

  const find = async (id: string): Promise<ConsoleFile | undefined> =>
    isId(id) ? ((await readAbout(id, about)) ?? readAbout(id, unsent)) : undefined;

  return {
    find,
    /** Keeps what the owner puts here. It is removed after a day unless a message takes it along. */
    async keep(content: Uint8Array, name: string): Promise<ConsoleFile> {
      const id = randomUUID();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(pathOf(id), content, { mode: 0o600, flag: "wx" });
      const file = await describe(id, name);
      await writeFile(`${pathOf(id)}${unsent}`, JSON.stringify(file), { mode: 0o600 });
      return file;
    },
    /** Keeps a file that she sends: the same message again, at this process or another one, is the same file. */
    async keepCopy(path: string, { chat, message, name }: SentFile): Promise<ConsoleFile> {
      const id = nameSentFile(message);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await copyFile(path, pathOf(id));
      const file = await describe(id, name);
      await writeFile(`${pathOf(id)}${about}`, JSON.stringify({ ...file, chat } satisfies Described), { mode: 0o600 });
      return file;
    },
    /** A message of this chat takes it along. */
    async settle(id: string, chat: string): Promise<void> {
      const path = pathOf(id);
      const file = await readAbout(id, unsent);
      if (file === undefined) return;
      await writeFile(`${path}${taken}`, JSON.stringify({ ...file, chat } satisfies Described), { mode: 0o600 });
      await rename(`${path}${taken}`, `${path}${about}`).catch(ignoreMissing);
      await rm(`${path}${unsent}`, { force: true });
    },
    async read(id: string): Promise<Buffer | undefined> {
      return isId(id) ? readFile(pathOf(id)).catch(ignoreMissing) : undefined;
    },
    async sweep(): Promise<void> {
      const names = new Set(await listNames());
      for (const name of names) {
        // The process ended before it described the file.
        const isUnknown = isId(name) && !names.has(`${name}${unsent}`) && !names.has(`${name}${about}`);
        if (!isUnknown && !name.endsWith(unsent)) continue;
        const path = join(folder, name);
        const { mtimeMs } = await stat(path);
        if (clock.now() - mtimeMs <= unsentMs) continue;
        const content = isUnknown ? path : path.slice(0, -unsent.length);
        // A message took it along where both are there: a crash came before this one was removed.
        if ((await stat(`${content}${about}`).catch(ignoreMissing)) === undefined) await rm(content, { force: true });
        await rm(`${content}${taken}`, { force: true });
        if (!isUnknown) await rm(path, { force: true });
      }
    },
    /** Removes the files of one chat, and answers how many. After a crash the same call finds what is left. */
    async eraseChat(chat: string): Promise<number> {
      let count = 0;
      for (const name of await listNames()) {
        const id = name.slice(0, -about.length);
        if (!name.endsWith(about) || !isId(id) || (await readAbout(id, about))?.chat !== chat) continue;
        // The description goes last: it says in which chat the rest was.
        for (const ending of ["", unsent, taken, about]) await rm(`${pathOf(id)}${ending}`, { force: true });
        count += 1;
      }
      return count;
    },
    /** Answers how many files that were. */
    async erase(): Promise<number> {
      const names = await listNames();
      await rm(folder, { recursive: true, force: true });
      return names.filter(isId).length;
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
