import { defineFeature } from "../../kernel/feature/define-feature.ts";
import type { BackupOptions } from "../../store/backup/backup-options.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { createAutomaticBackups } from "./automatic-backups.ts";
import type { MakeBackup } from "./make-backup.ts";

/** The request of `kurisu backup`; the answer is a BackupSummary as JSON. */
export interface BackupRequest {
  readonly kind: "backup";
  readonly file: string;
}

/**
 * Writes all data that Kurisu cannot create again into one file, while she runs. `kurisu restore` brings it back
 * (src/cli/restore.ts).
 *
 *     `kurisu backup FILE`   asks the hook `requests`
 *     start -> loop          every hour on SQLite, when something has changed (`automatic-backups.ts`)
 */
export const backup = defineFeature({
  name: "backup",
  configure: (_values, files) => (files as { readonly schedule: { readonly backup: BackupOptions } }).schedule.backup,
  make(kernel, options) {
    const { clock, home, store } = kernel;
    let making: Promise<MakeBackup> | undefined;
    const make: MakeBackup = async (order) => {
      making ??= import("./make-backup.ts").then(({ createMakeBackup }) => createMakeBackup({ home, store, clock }));
      return (await making)(order);
    };
    const automatic = createAutomaticBackups({ ...kernel, options, make });
    return {
      start() {
        if (store.engine === "sqlite") automatic.start();
      },
      stop: automatic.stop,
      readiness: automatic.readiness,
      requests: {
        async backup({ file }: BackupRequest, signal: AbortSignal) {
          const made = await make({ file, signal });
          if (made.kind === "unchanged") return "{}";
          const { bytes, files, rows } = made.summary;
          const detail = { bytes, files, rows };
          await appendAudit(store.main, { actor: "cli:owner", action: "backup.made", detail, now: clock.now() });
          return JSON.stringify(made.summary);
        },
      },
    };
  },
  cli: [
    {
      name: "backup",
      summary: {
        zh: "把全部数据备份成一个文件，运行中也行",
        en: "write all data into one file, also while she runs",
        ja: "全データを一つのファイルに保存（動作中でも可）",
      },
      byRunning: true,
      load: async () => (await import("./backup-command.ts")).backupCommand,
    },
  ],
});
