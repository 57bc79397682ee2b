import { computed, signal } from "@preact/signals";

const here = signal(location.pathname + location.search);
let mayLeave: ((path: string) => boolean) | undefined;
addEventListener("popstate", () => {
  const path = location.pathname + location.search;
  if (mayLeave?.(path) === false) history.pushState(null, "", here.value);
  else here.value = path;
});

/** Asks before another place is shown, until it is ended. The path is that of the other place. */
export function guardLeaving(ask: (path: string) => boolean): () => void {
  mayLeave = ask;
  return () => {
    if (mayLeave === ask) mayLeave = undefined;
  };
}

/** `["chats", "cli:main"]` for `/console/chats/cli:main`. */
export const place = computed<readonly string[]>(() =>
  new URL(here.value, location.origin).pathname
    .split("/")
    .slice(2)
    .filter((part) => part !== "")
    .map(decode),
);

/** A value of the query. */
export function readValue(name: string): string | undefined {
  return new URL(here.value, location.origin).searchParams.get(name) ?? undefined;
}

/** The path of the page for these segments and query values. */
export function pathTo(parts: readonly string[], values: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  const path = parts.map((part) => encodeURIComponent(part)).join("/");
  return `/console/${path}${search === "" ? "" : `?${search}`}`;
}

/** `replace` = without a new step for the Back button. */
export function go(path: string, how: "push" | "replace" = "push"): void {
  if (path === here.value || mayLeave?.(path) === false) return;
  history[how === "push" ? "pushState" : "replaceState"](null, "", path);
  here.value = path;
}

/** Follows a link of the page without reloading it; the browser handles new tabs and downloads. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || !url.pathname.startsWith("/console/") || url.hash !== "") return;
  event.preventDefault();
  go(url.pathname + url.search);
  window.scrollTo(0, 0);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
