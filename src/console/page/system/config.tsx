import { useEffect } from "preact/hooks";
import type { ConfigView } from "../../views/config-views.ts";
import { pathTo, place } from "../router.ts";
import { useView } from "../use-view.ts";
import type { PageParts } from "../loaded-page.tsx";
import type { SystemWords } from "../words/system/zh.ts";
import { ConfigFile } from "./config-file.tsx";

/** The files of config/system, one at a time. */
export function Config(parts: PageParts<SystemWords>) {
  const {
    onSignedOut,
    say: { config: say },
    words,
  } = parts;
  const { isLost, read, view } = useView<ConfigView>("/config", [], onSignedOut);
  const [, , wanted] = place.value;
  const config = view.value;
  const file = config?.files.find(({ name }) => name === wanted) ?? config?.files[0];
  useEffect(() => {
    if (file !== undefined) document.title = `${file.name}.yaml · Kurisu`;
  }, [file?.name]);
  if (config === undefined || file === undefined)
    return <p role="status">{isLost.value ? words.lost : words.loading}</p>;
  return (
    <>
      <nav class="config-files" aria-label={say.files}>
        {config.files.map(({ faults, name }) => (
          <a
            key={name}
            class="mono"
            href={pathTo(["system", "config", name])}
            aria-current={name === file.name ? "page" : undefined}
          >
            {faults.length > 0 && <span class="dot failed" />}
            {name}
            {faults.length > 0 && <span class="sr"> {say.broken}</span>}
          </a>
        ))}
      </nav>
      {config.waiting.length > 0 && <p class="sys-note">{say.waits(config.waiting)}</p>}
      <ConfigFile key={file.name} {...parts} file={file} onSaved={() => void read()} />
      <p class="small soft">{say.what}</p>
    </>
  );
}
