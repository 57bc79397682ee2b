import { useEffect } from "preact/hooks";
import { guardLeaving } from "./router.ts";

/** Asks before unsaved text is lost. `keeps` = paths at which it is still there. */
export function useLeaving(isDirty: boolean, question: string, keeps: (path: string) => boolean = () => false): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const onClose = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", onClose);
    const end = guardLeaving((path) => keeps(path) || confirm(question));
    return () => {
      removeEventListener("beforeunload", onClose);
      end();
    };
  }, [isDirty, question]);
}
