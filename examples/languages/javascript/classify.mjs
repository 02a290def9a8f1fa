// Tells which digits pictures show: node classify.mjs <folder of make_model.py> <picture.pgm>...
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { best, loadClassifier, readPicture } from "./digit.mjs";

const [folder, ...pictures] = process.argv.slice(2);
if (!pictures.length) {
  console.error("usage: node classify.mjs <folder> <picture.pgm>...");
  process.exit(1);
}
const classify = await loadClassifier(await readFile(join(folder, "digits.onnx")));
for (const picture of pictures) {
  const probabilities = await classify(readPicture(await readFile(picture)));
  const digit = best(probabilities);
  console.log(`${basename(picture)}: ${digit} (${probabilities[digit].toFixed(6)})`);
}
