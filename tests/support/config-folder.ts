import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfiguration } from "../../src/config.ts";
import type { Configuration } from "../../src/config.ts";
import { AppError } from "../../src/core/errors.ts";

/** A throw-away working directory with a config folder in it. */
export class ConfigFolder {
  readonly path = mkdtempSync(join(tmpdir(), "kurisu-config-"));

  /** `name` is relative to the working directory, such as `config/system/tools.yaml`. */
  write(name: string, text: string): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  load(environment: Record<string, string> = {}): Configuration {
    return loadConfiguration({ environment, workingDirectory: this.path });
  }

  /** The lines of the fault, or none. */
  faults(environment: Record<string, string> = {}): string[] {
    try {
      this.load(environment);
      return [];
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFIG_INVALID") return error.message.split("\n");
      throw error;
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
