import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CrossIcon } from "./icons.tsx";

/** A sheet over the page. The browser keeps the focus in it, and gives it back. */
export function BottomSheet({
  children,
  close,
  labelledBy,
  onClose,
}: {
  /** The words of the button that closes it. */
  readonly close: string;
  /** The id of its heading. */
  readonly labelledBy: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = box.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const shut = () => box.current?.close();
  return (
    <dialog
      class="bottom-sheet"
      ref={box}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && shut()}
    >
      <div class="inside">
        <button class="shut" type="button" aria-label={close} onClick={shut}>
          <CrossIcon />
        </button>
        {children}
      </div>
    </dialog>
  );
}
