/** A text field of a trial under its label. */
export function Field({
  label,
  maxLength = 4_000,
  onInput,
  rows = 2,
  value,
}: {
  readonly label: string;
  readonly maxLength?: number;
  readonly rows?: number;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <label class="able-field">
      <span>{label}</span>
      <textarea
        rows={rows}
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
