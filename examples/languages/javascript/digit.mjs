// A network of MXNet's, exported to ONNX, that tells digits: for node and for pages alike.
import * as ort from "onnxruntime-web";

export const SIDE = 28;

ort.env.wasm.numThreads = 1; // more need a page that is isolated from others (COOP and COEP headers)

/** A function from 28 * 28 grey values (0 is paper, 255 is ink) to the probabilities of the ten digits. */
export async function loadClassifier(model) {
  const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
  const [input] = session.inputNames, [output] = session.outputNames;
  return async (pixels) => {
    if (pixels.length !== SIDE * SIDE) throw new Error(`expected ${SIDE * SIDE} grey values, got ${pixels.length}`);
    const data = new ort.Tensor("float32", Float32Array.from(pixels), [1, 1, SIDE, SIDE]);
    return (await session.run({ [input]: data }))[output].data;
  };
}

/** The digit with the highest probability. */
export const best = (probabilities) => probabilities.indexOf(Math.max(...probabilities));

/** The grey values of a binary PGM picture of 28 x 28. */
export function readPicture(bytes) {
  const header = "P5\n28 28\n255\n";
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, header.length));
  if (start !== header || bytes.length !== header.length + SIDE * SIDE)
    throw new Error("not a PGM picture of 28 x 28 grey values");
  return bytes.subarray(header.length);
}
