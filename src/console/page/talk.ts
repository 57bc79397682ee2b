import { effect, signal, type Signal } from "@preact/signals";
import {
  maxFileBytes,
  maxFiles,
  type OwnFileView,
  type SaidRequest,
  type SaidView,
  type RecalledView,
} from "../views/talk-views.ts";
import { callServer, findReason, uploadFile } from "./call-server.ts";

/** A file that goes with the next message. */
interface Attached {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly state: "uploading" | "ready" | "failed" | "too-large";
  /** As the server keeps it. */
  readonly file?: OwnFileView;
}

/** A message that the server has not taken, or of which that is not known. Its key makes another try the same message. */
interface Unsent {
  readonly key: string;
  readonly text: string;
  readonly files: readonly OwnFileView[];
  readonly state: "sending" | "failed" | "recalling";
  /** The reason that the server gave. */
  readonly fault?: string;
}

interface Kept {
  readonly text: string;
  readonly files: readonly OwnFileView[];
  readonly unsent: readonly Unsent[];
}

export interface Talk {
  readonly text: Signal<string>;
  readonly attached: Signal<readonly Attached[]>;
  readonly unsent: Signal<readonly Unsent[]>;
  attach(files: readonly File[]): void;
  detach(id: string): void;
  /** Does nothing while there is nothing to send. */
  send(): void;
  retry(key: string): void;
  /** The last one that was to be taken back had arrived after all. */
  readonly isSaid: Signal<boolean>;
  /** Takes a message back that was not sent, and puts its words into the field. */
  editAgain(key: string): void;
  end(): void;
}

/** The words that the owner is about to say in one chat. It outlives a reload, a lost connection and a send that failed. */
export function createTalk(name: string, onSaid: () => Promise<void>): Talk {
  const place = `kurisu_talk:${name}`;
  const kept = readKept(place);
  const text = signal(kept.text);
  const attached = signal<readonly Attached[]>(kept.files.map(toReady));
  // They may have arrived before the page was closed; the key lets the server recognize them.
  const unsent = signal<readonly Unsent[]>(kept.unsent.map((one) => ({ ...one, state: "failed" })));
  const isSaid = signal(false);
  const end = effect(() => {
    const files = attached.value.flatMap(({ file }) => file ?? []);
    const all: Kept = { text: text.value, files, unsent: unsent.value };
    try {
      if (all.text === "" && files.length === 0 && all.unsent.length === 0) sessionStorage.removeItem(place);
      else sessionStorage.setItem(place, JSON.stringify(all));
    } catch {
      // Without storage, or with a full one, the draft lives as long as the page.
      return;
    }
  });

  function change(id: string, now: Partial<Attached>): void {
    attached.value = attached.value.map((one) => (one.id === id ? { ...one, ...now } : one));
  }

  async function upload(id: string, file: File): Promise<void> {
    const answer = await uploadFile<OwnFileView>(`/files?name=${encodeURIComponent(file.name)}`, file);
    if (answer.kind === "ok") change(id, { state: "ready", name: answer.view.name, file: answer.view });
    else change(id, { state: "failed" });
  }

  const put = (now: Unsent) => (unsent.value = unsent.value.map((one) => (one.key === now.key ? now : one)));

  async function drop(key: string): Promise<void> {
    // The transcript shows the stored message before this copy is removed.
    await onSaid();
    unsent.value = unsent.value.filter((one) => one.key !== key);
  }

  let last: Promise<unknown> = Promise.resolve();
  async function deliver(message: Unsent): Promise<void> {
    const { fault: _, ...tried } = message;
    put({ ...tried, state: "sending" });
    // One with files takes longer to arrive than words that were written after it.
    const sent = last.then(() =>
      callServer<SaidView>("POST", `/chats/${name}/messages`, {
        text: message.text,
        files: message.files.map(({ id }) => id),
        key: message.key,
      } satisfies SaidRequest),
    );
    last = sent;
    const answer = await sent;
    if (answer.kind === "ok") return drop(message.key);
    const fault = findReason(answer);
    put({ ...tried, state: "failed", ...(fault !== undefined && { fault }) });
  }

  async function recall(message: Unsent): Promise<void> {
    put({ ...message, state: "recalling" });
    isSaid.value = false;
    // A message that the server has refused never arrived.
    const isRefused = message.fault !== undefined;
    const answer = isRefused
      ? undefined
      : await callServer<RecalledView>("DELETE", `/chats/${name}/messages/${message.key}`);
    if (answer !== undefined && answer.kind !== "ok") return void put(message);
    isSaid.value = answer?.view.isSaid === true;
    if (isSaid.value) return drop(message.key);
    unsent.value = unsent.value.filter((one) => one.key !== message.key);
    text.value = [text.value, message.text].filter((one) => one !== "").join("\n");
    attached.value = [...attached.value, ...message.files.map(toReady)];
  }

  return {
    text,
    attached,
    unsent,
    end,
    attach(files) {
      for (const file of files.slice(0, Math.max(0, maxFiles - attached.value.length))) {
        const id = crypto.randomUUID();
        const isTooLarge = file.size > maxFileBytes;
        const state = isTooLarge ? "too-large" : "uploading";
        attached.value = [...attached.value, { id, name: file.name, bytes: file.size, state }];
        if (!isTooLarge) void upload(id, file);
      }
    },
    detach: (id) => void (attached.value = attached.value.filter((one) => one.id !== id)),
    send() {
      const isReady = attached.value.every(({ state }) => state === "ready");
      const files = attached.value.flatMap(({ file }) => file ?? []);
      if (!isReady || (text.value.trim() === "" && files.length === 0)) return;
      const message: Unsent = { key: crypto.randomUUID(), text: text.value, files, state: "sending" };
      unsent.value = [...unsent.value, message];
      isSaid.value = false;
      text.value = "";
      attached.value = [];
      void deliver(message);
    },
    retry(key) {
      isSaid.value = false;
      const message = unsent.value.find((one) => one.key === key);
      if (message !== undefined) void deliver(message);
    },
    isSaid,
    editAgain(key) {
      const message = unsent.value.find((one) => one.key === key);
      if (message !== undefined) void recall(message);
    },
  };
}

const toReady = (file: OwnFileView): Attached => ({
  id: file.id,
  name: file.name,
  bytes: file.bytes,
  state: "ready",
  file,
});

function readKept(place: string): Kept {
  const nothing: Kept = { text: "", files: [], unsent: [] };
  try {
    return { ...nothing, ...(JSON.parse(sessionStorage.getItem(place) ?? "{}") as Partial<Kept>) };
  } catch {
    // Another program's value, or no storage.
    return nothing;
  }
}
