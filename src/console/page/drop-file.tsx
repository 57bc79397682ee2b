/** Takes one file, dropped or chosen. */
export function DropFile({
  accept,
  isOff,
  onFile,
  say,
}: {
  /** Endings of names, such as `.png,.json`. */
  readonly accept: string;
  readonly isOff: boolean;
  readonly onFile: (file: File) => void;
  readonly say: { readonly drop: string; readonly choose: string };
}) {
  const take = (file: File | undefined): void => {
    if (file !== undefined && !isOff) onFile(file);
  };
  return (
    <div
      class="able-drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      <span>{say.drop}</span>
      <label class="btn sm">
        {say.choose}
        <input
          class="sr"
          type="file"
          accept={accept}
          disabled={isOff}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}
