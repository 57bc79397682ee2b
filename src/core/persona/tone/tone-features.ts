import { hashFeature, listFeaturesWithWords } from "../../learning/text-features.ts";
import { listClasses } from "./word-classes.ts";

/** A class that is met this often is a feature once more: one word of service is polite, five are a service voice. */
const steps = [2, 3, 5];
/** Classes are a pair when at most this many classes apart. */
const maxApart = 2;

/** The features that tone is learnt from: runs of characters, words, and the classes of words, alone, in pairs and in order. */
export function listToneFeatures(text: string): Uint32Array {
  const found = new Set(listFeaturesWithWords(text));
  const classes = listClasses(text);
  const counts = new Map<string, number>();
  classes.forEach((name, at) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    for (let apart = 1; apart <= maxApart && at + apart < classes.length; apart += 1)
      found.add(hashFeature(`class ${name} before ${classes[at + apart] ?? ""}`));
  });
  const names = [...counts.keys()].sort();
  names.forEach((name, at) => {
    found.add(hashFeature(`class ${name}`));
    for (const step of steps)
      if ((counts.get(name) ?? 0) >= step) found.add(hashFeature(`class ${name} ${step} times`));
    for (const other of names.slice(at + 1)) found.add(hashFeature(`class ${name} and ${other}`));
  });
  return Uint32Array.from(found);
}
