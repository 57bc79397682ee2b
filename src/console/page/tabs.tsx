import type { ComponentChildren } from "preact";

export interface Tab {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly note?: ComponentChildren;
}

/** The parts of a page, each at a path of its own. */
export function Tabs({
  label,
  now,
  tabs,
}: {
  readonly label: string;
  /** The name of the open tab. */
  readonly now: string;
  readonly tabs: readonly Tab[];
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, note, path, title }) => (
        <a key={name} href={path} aria-current={name === now ? "page" : undefined}>
          {title}
          {note}
        </a>
      ))}
    </nav>
  );
}
