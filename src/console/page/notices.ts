import { effect, signal } from "@preact/signals";
import { keepChoice, readChoice } from "./choices.ts";
import { describeCalls } from "./describe-question.ts";
import { pathTo, go } from "./router.ts";
import { questions } from "./questions-store.ts";
import type { PageWords } from "./words/zh.ts";

/** `none` = the browser has no notifications, or only over HTTPS; `refused` = its user blocked them for this page. */
type Notices = "none" | "refused" | "on" | "off";

export const notices = signal<Notices>(readNotices());

function readNotices(): Notices {
  if (!("Notification" in globalThis)) return "none";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && readChoice("kurisu_notices") === "on" ? "on" : "off";
}

/** The browser asks its user for permission, which it allows only after a click. */
export async function switchNotices(): Promise<void> {
  keepChoice("kurisu_notices", notices.value === "on" ? "off" : "on");
  if (notices.value === "off") await Notification.requestPermission();
  notices.value = readNotices();
}

/** Notifies of questions that arrive while the page is hidden or has no focus. Returns a function that ends it. */
export function followNotices(words: PageWords): () => void {
  const shown = new Map<string, Notification>();
  let known: ReadonlySet<string> | undefined;
  const stop = effect(() => {
    const open = questions.value?.open;
    if (open === undefined) return;
    const fresh = open.filter(({ id }) => known?.has(id) === false);
    known = new Set(open.map(({ id }) => id));
    for (const [id, notice] of shown) if (!known.has(id)) notice.close();
    if (notices.peek() !== "on" || (!document.hidden && document.hasFocus())) return;
    for (const question of fresh) {
      const notice = show(words.questions.asked(question.code, describeCalls(question)), question.id);
      if (notice === undefined) return;
      shown.set(question.id, notice);
      notice.addEventListener("close", () => shown.delete(question.id));
      notice.addEventListener("click", () => {
        globalThis.focus();
        go(pathTo([]));
        document.getElementById(question.id)?.focus();
        notice.close();
      });
    }
  });
  return () => {
    stop();
    for (const notice of shown.values()) notice.close();
  };
}

/** With the question's id as tag, several tabs show one. Undefined where the browser requires a service worker, as on phones. */
function show(text: string, tag: string): Notification | undefined {
  try {
    return new Notification("Kurisu", { body: text, tag });
  } catch {
    notices.value = "none";
    return undefined;
  }
}
