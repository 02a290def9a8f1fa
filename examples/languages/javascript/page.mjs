// The page: takes what is drawn, gives it to the network as MNIST's digits look, shows what comes back.
import { best, loadClassifier, readPicture, SIDE } from "./digit.mjs";

const query = new URLSearchParams(location.search);
const model = new URL(query.get("model") ?? "../../../runs/languages/digits.onnx", location.href);
const $ = (id) => document.getElementById(id);
const paper = $("paper").getContext("2d", { willReadFrequently: true });
const seen = $("seen").getContext("2d", { willReadFrequently: true });
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const ink = dark ? 232 : 29; // the same grey for all channels: only how much of it there is counts

for (let digit = 0; digit < 10; digit++) {
  const row = $("bars").appendChild(document.createElement("li"));
  row.append(...["b", "i", "span"].map((tag) => document.createElement(tag)));
  row.firstChild.textContent = digit;
}

function say(text, wrong = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", wrong);
}

/** 28 * 28 grey values: the drawing fitted into 20 x 20, its centre of mass in the middle, as MNIST's are; or nothing. */
function grey() {
  const { width, height } = paper.canvas;
  const { data } = paper.getImageData(0, 0, width, height);
  let left = width, right = -1, top = height, bottom = -1, mass = 0, x = 0, y = 0;
  for (let i = 3, at = 0; i < data.length; i += 4, at++) {
    if (!data[i]) continue;
    const column = at % width, row = (at - column) / width;
    left = Math.min(left, column), right = Math.max(right, column);
    top = Math.min(top, row), bottom = Math.max(bottom, row);
    mass += data[i], x += data[i] * column, y += data[i] * row;
  }
  seen.setTransform(1, 0, 0, 1, 0, 0);
  seen.clearRect(0, 0, SIDE, SIDE);
  if (!mass) return null;
  const scale = 20 / Math.max(right - left + 1, bottom - top + 1);
  seen.imageSmoothingQuality = "high";
  seen.setTransform(scale, 0, 0, scale, SIDE / 2 - (x / mass) * scale, SIDE / 2 - (y / mass) * scale);
  seen.drawImage(paper.canvas, 0, 0);
  const { data: small } = seen.getImageData(0, 0, SIDE, SIDE);
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => small[4 * i + 3]);
}

function show(probabilities) {
  const digit = probabilities ? best(probabilities) : -1;
  $("answer").value = probabilities ? digit : "–";
  [...$("bars").children].forEach((row, i) => {
    const share = probabilities?.[i] ?? 0;
    row.classList.toggle("best", i === digit);
    row.children[1].style.setProperty("--p", share);
    row.lastChild.textContent = probabilities ? `${(100 * share).toFixed(1)} %` : "";
  });
}

let classify, waiting = false, changed = false;

/** Classifies what is there now. One run at a time; what is drawn meanwhile is looked at afterwards. */
async function look() {
  changed = true;
  if (waiting || !classify) return;
  waiting = true;
  try {
    while (changed) {
      changed = false;
      const pixels = grey(), start = performance.now();
      show(pixels && (await classify(pixels)));
      say(pixels ? `${(performance.now() - start).toFixed(1)} ms` : "ready");
    }
  } catch (error) {
    say(error.message, true);
  } finally {
    waiting = false;
  }
}

function clear() {
  paper.clearRect(0, 0, paper.canvas.width, paper.canvas.height);
  $("hint").hidden = false;
  look();
}

let last = null;
$("paper").addEventListener("pointerdown", (event) => {
  $("paper").setPointerCapture(event.pointerId);
  $("hint").hidden = true;
  last = [event.offsetX, event.offsetY];
  stroke(event);
});
$("paper").addEventListener("pointermove", (event) => last && stroke(event));
for (const end of ["pointerup", "pointercancel"]) $("paper").addEventListener(end, () => (last = null));

function stroke(event) {
  paper.lineWidth = 24;
  paper.lineCap = paper.lineJoin = "round";
  paper.strokeStyle = `rgb(${ink} ${ink} ${ink})`;
  paper.beginPath();
  paper.moveTo(...last);
  last = [event.offsetX, event.offsetY];
  paper.lineTo(...last);
  paper.stroke();
  look();
}

/** Draws a real digit of MNIST's test images on the paper. */
async function sample() {
  try {
    const name = `digit-${Math.floor(Math.random() * 10)}.pgm`, answer = await fetch(new URL(name, model));
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
    const pixels = readPicture(new Uint8Array(await answer.arrayBuffer()));
    const picture = new ImageData(SIDE, SIDE);
    pixels.forEach((value, i) => picture.data.set([ink, ink, ink, value], 4 * i));
    clear();
    $("hint").hidden = true;
    paper.drawImage(await createImageBitmap(picture), 0, 0, paper.canvas.width, paper.canvas.height);
    look();
  } catch (error) {
    say(error.message, true);
  }
}

$("clear").addEventListener("click", clear);
$("sample").addEventListener("click", sample);
addEventListener("keydown", (event) => event.key === "Escape" && clear());

try {
  classify = await loadClassifier(model.href);
  window.classify = classify; // for the console, and for draw.mjs
  window.idle = () => !waiting && !changed;
  look();
} catch (error) {
  say(`the network cannot be loaded from ${model.pathname}: ${error.message}`, true);
}
