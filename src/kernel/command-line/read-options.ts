import { parseArgs, type ParseArgsConfig } from "node:util";
import { AppError, describeError } from "../../core/errors.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Reads a command's options strictly; the caller handles `--help`. Throws AppError USAGE. */
export function readOptions<T extends Options>(command: string, given: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new AppError("USAGE", `${describeError(error)}. See: kurisu ${command} --help`, { cause: error });
  }
}
