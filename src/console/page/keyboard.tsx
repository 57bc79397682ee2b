import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listPages, pathOfPage, type PageName } from "./pages.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { go } from "./router.ts";
import { readShortcut, shortcutsAreOn, switchShortcuts } from "./shortcuts.ts";
import type { PageWords } from "./words/zh.ts";

/** The second key of a pair counts within this time. */
const pairMs = 1_500;
const pageOf: Readonly<Partial<Record<string, PageName>>> = {
  t: "today",
  c: "chats",
  h: "her",
  a: "abilities",
  s: "system",
};
/** Rows that `j` and `k` go through; the first kind that the page has. */
const rows = [".waiting > article", ".chats li > a"];

const isListed = signal(false);

/** Shows the list of keys. */
export const listShortcuts = (): void => void (isListed.value = true);

/** The keys that every page has, and the list of all of them. */
export function Keyboard({ words }: { readonly words: PageWords }) {
  useEffect(() => {
    let pairUntil = 0;
    function press(event: KeyboardEvent): void {
      const key = readShortcut(event);
      if (key === undefined || document.querySelector("dialog[open]") !== null) return;
      const page = pageOf[key];
      const isPair = event.timeStamp < pairUntil;
      pairUntil = 0;
      if (isPair && page !== undefined && listPages().includes(page)) go(pathOfPage(page));
      else if (key === "g") pairUntil = event.timeStamp + pairMs;
      else if (key === "?") listShortcuts();
      else if (!((key === "j" || key === "k") && moveFocus(key))) return;
      event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  const say = words.keyboard;
  if (!isListed.value) return null;
  return (
    <BottomSheet labelledBy="keyboard" close={words.round.close} onClose={() => (isListed.value = false)}>
      <h2 id="keyboard">{say.title}</h2>
      <dl class="keys">
        {say.keys.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="able-check">
        <input
          type="checkbox"
          checked={shortcutsAreOn.value}
          onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        />
        {say.on}
      </label>
    </BottomSheet>
  );
}

/** Returns whether there was a row to go to. */
function moveFocus(key: "j" | "k"): boolean {
  const all =
    rows.map((row) => [...document.querySelectorAll<HTMLElement>(row)]).find(({ length }) => length > 0) ?? [];
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? all[0] : all[at + (key === "j" ? 1 : -1)];
  next?.focus();
  return next !== undefined;
}
