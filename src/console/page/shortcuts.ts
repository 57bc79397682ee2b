import { signal } from "@preact/signals";
import { keepChoice, readChoice } from "./choices.ts";

/** Single keys act as shortcuts unless the user has switched them off. */
export const shortcutsAreOn = signal(readChoice("kurisu_keys") !== "off");

export function switchShortcuts(on: boolean): void {
  shortcutsAreOn.value = on;
  keepChoice("kurisu_keys", on ? "on" : "off");
}

/** The lower-case key of an event that is a shortcut: without a modifier, outside of every field. */
export function readShortcut(event: KeyboardEvent): string | undefined {
  if (!shortcutsAreOn.value || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  const { target } = event;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null)
    return undefined;
  return event.key.toLowerCase();
}
