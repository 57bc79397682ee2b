import type { ComponentChildren } from "preact";

/** A list that has nothing, and how it gets something. */
export function Empty({ title, how }: { readonly title: string; readonly how: ComponentChildren }) {
  return (
    <p class="her-none">
      <b>{title}</b>
      <span class="soft small">{how}</span>
    </p>
  );
}
