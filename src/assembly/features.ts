import { voice } from "../features/voice/voice.ts";
import { worldlines } from "../features/worldlines/worldlines.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";

/** Everything Kurisu can do besides talking, in the order in which its hooks are called and its commands are listed. */
export const features: readonly Feature[] = [voice, worldlines];
