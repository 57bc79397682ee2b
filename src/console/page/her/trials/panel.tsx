import type { ComponentChildren } from "preact";

/** A small panel with a title of its own. */
export function Panel({
  children,
  hint,
  id,
  title,
}: {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="sheet trial-panel" aria-labelledby={id}>
      <div class="able-head">
        <h2 id={id}>{title}</h2>
      </div>
      <p class="small soft">{hint}</p>
      {children}
    </section>
  );
}
