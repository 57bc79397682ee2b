/** A list that has nothing, and how it gets something. */
export function Nothing({ title, how }: { readonly title: string; readonly how: string }) {
  return (
    <p class="sheet able-none">
      <b>{title}</b>
      <span class="soft small">{how}</span>
    </p>
  );
}
