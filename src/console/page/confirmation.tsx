/** The second step of an action that cannot be undone. */
export function Confirmation({
  isOff,
  no,
  onNo,
  onYes,
  what,
  yes,
}: {
  readonly what: string;
  readonly yes: string;
  readonly no: string;
  readonly isOff: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}) {
  return (
    <div class="her-step">
      <span class="small">{what}</span>
      <span class="her-acts">
        <button class="btn sm no" type="button" disabled={isOff} onClick={onYes}>
          {yes}
        </button>
        <button class="btn sm" type="button" onClick={onNo} ref={(button) => button?.focus()}>
          {no}
        </button>
      </span>
    </div>
  );
}
