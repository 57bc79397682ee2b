import { hashFeature, listFeaturesWithWords } from "../../learning/text-features.ts";
import { listClasses, wordClasses } from "./word-classes.ts";

/** A class that is met this often is a feature once more: one word of service is polite, five are a service voice. */
const steps = [1, 2, 3, 5];
/** Classes are a pair when at most this many classes apart. */
const maxApart = 2;

const width = wordClasses.length;
const numberPairs = (joint: string): readonly number[] =>
  wordClasses.flatMap((one) => wordClasses.map((other) => hashFeature(`class ${one} ${joint} ${other}`)));
const together = numberPairs("and");
const inOrder = numberPairs("before");
const often = steps.map((step) => wordClasses.map((name) => hashFeature(`class ${name} ${step} times`)));

/** The features that tone is learnt from: runs of characters, words, and the classes of words, alone, in pairs and in order. */
export function listToneFeatures(text: string): Uint32Array {
  const found = new Set(listFeaturesWithWords(text));
  const add = (feature: number | undefined): void => void (feature !== undefined && found.add(feature));
  const classes = listClasses(text);
  const counts = new Uint32Array(width);
  classes.forEach((one, at) => {
    counts[one] = (counts[one] ?? 0) + 1;
    for (let apart = 1; apart <= maxApart; apart += 1) {
      const other = classes[at + apart];
      if (other !== undefined) add(inOrder[one * width + other]);
    }
  });
  for (let one = 0; one < width; one += 1) {
    const count = counts[one] ?? 0;
    if (count === 0) continue;
    steps.forEach((step, at) => count >= step && add(often[at]?.[one]));
    for (let other = one + 1; other < width; other += 1)
      if ((counts[other] ?? 0) > 0) add(together[one * width + other]);
  }
  return Uint32Array.from(found);
}
