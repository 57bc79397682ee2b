import { signal, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { logLevels, type LogLevelName, type LogLineView, type LogView } from "../../views/system-views.ts";
import { callServer } from "../call-server.ts";
import { connection } from "../live.ts";

const everyMs = 1_000;
const maxLines = 2_000;

/** The lines read so far; kept while another tab is open. */
const lines = signal<readonly LogLineView[]>([]);
const last = signal({ start: "", number: 0 });

/** The newest lines of the log, read on every second while the page is looked at. */
export function useLogLines(onSignedOut: () => void): {
  readonly lines: ReadonlySignal<readonly LogLineView[]>;
  readonly isLost: ReadonlySignal<boolean>;
} {
  const isLost = useSignal(false);
  useEffect(() => {
    const state = { isReading: false };
    async function read(): Promise<void> {
      if (state.isReading || document.visibilityState === "hidden" || connection.value.kind !== "live") return;
      state.isReading = true;
      const { number, start } = last.value;
      const answer = await callServer<LogView>("GET", `/log?after=${number}&start=${start}`);
      state.isReading = false;
      if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
      isLost.value = answer.kind !== "ok";
      if (answer.kind !== "ok") return;
      const { view } = answer;
      // After a restart the server numbers its lines from 1 again.
      const before = view.start === start ? lines.value : [];
      if (view.start !== start || view.lines.length > 0) lines.value = [...before, ...view.lines].slice(-maxLines);
      last.value = { start: view.start, number: view.last };
    }
    void read();
    const timer = setInterval(() => void read(), everyMs);
    return () => clearInterval(timer);
  }, []);
  return { lines, isLost };
}

interface LogFilter {
  readonly level: LogLevelName;
  /** A part, or "" for all. */
  readonly part: string;
  readonly text: string;
}

/** The lines of at least that level that have the text anywhere. */
export function filterLines(all: readonly LogLineView[], { level, part, text }: LogFilter): readonly LogLineView[] {
  const [least, words] = [logLevels.indexOf(level), text.trim().toLowerCase()];
  return all.filter(
    (line) =>
      logLevels.indexOf(line.level) >= least &&
      (part === "" || line.part === part) &&
      (words === "" ||
        [line.text, line.part, line.session, line.more].some((one) => one?.toLowerCase().includes(words) === true)),
  );
}
