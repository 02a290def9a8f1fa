// Draws digits in the page as a visitor does, and prints what it answers, as JSON.
// node draw.mjs <address of the page> <folder of make_model.py> [screenshot.png]; CHROMIUM names the browser
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { readPicture } from "./digit.mjs";

const [address, folder, screenshot] = process.argv.slice(2);

/** Strokes, in parts of the paper's size. */
const circle = Array.from({ length: 25 }, (_, i) => (i / 24) * 2 * Math.PI).map((t) => [
  0.5 + 0.22 * Math.sin(t), 0.5 - 0.32 * Math.cos(t),
]);
const STROKES = {
  0: [circle],
  1: [[[0.5, 0.15], [0.5, 0.85]]],
  4: [[[0.35, 0.15], [0.28, 0.55], [0.72, 0.55]], [[0.62, 0.25], [0.6, 0.88]]],
  7: [[[0.25, 0.2], [0.75, 0.2], [0.45, 0.85]]],
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run"],
});
try {
  const page = await browser.newPage({ viewport: { width: 860, height: 640 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  const status = page.locator("#status"), answer = page.locator("#answer"), paper = page.locator("#paper");
  await page.waitForFunction(() => /ready|cannot/.test(document.getElementById("status").textContent), null, { timeout: 240000 });
  if ((await status.textContent()) !== "ready") throw new Error(await status.textContent());

  const drawn = {};
  const { x, y, width, height } = await paper.boundingBox();
  for (const [digit, strokes] of Object.entries(STROKES)) {
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.getElementById("answer").value === "–");
    for (const [first, ...rest] of strokes) {
      await page.mouse.move(x + first[0] * width, y + first[1] * height);
      await page.mouse.down();
      for (const [u, v] of rest) await page.mouse.move(x + u * width, y + v * height, { steps: 4 });
      await page.mouse.up();
    }
    await page.waitForFunction(() => idle());
    drawn[digit] = Number(await answer.inputValue().catch(() => answer.textContent()));
  }
  if (screenshot) await page.screenshot({ path: screenshot });

  // The network itself, in the page, on the digits that make_model.py wrote.
  const probabilities = {};
  for (const name of (await readdir(folder)).filter((n) => n.endsWith(".pgm")).sort()) {
    const pixels = [...readPicture(await readFile(join(folder, name)))];
    probabilities[name] = await page.evaluate(async (p) => [...(await classify(p))], pixels);
  }
  await page.click("#sample");
  await page.waitForFunction(() => idle() && document.getElementById("answer").value !== "–");
  const sampled = await answer.textContent();
  const missing = await browser.newPage();
  await missing.goto(new URL("?model=nothing.onnx", address).href);
  await missing.waitForFunction(() => document.getElementById("status").className === "error", null, { timeout: 240000 });
  const refusal = await missing.locator("#status").textContent();
  console.log(JSON.stringify({ drawn, probabilities, sampled, refusal, errors }));
} finally {
  await browser.close();
}
