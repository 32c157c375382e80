// SPDX-License-Identifier: GPL-3.0-or-later
// looks.mjs - how views look, coarsely: looks.txt has the means of a grid over each. Text is grey, and charts have colours:
// other fonts, names and numbers change how colourful a cell is by little; a view without its chart a lot. SNAPSHOTS=1
// records them anew.
import {readFileSync, writeFileSync} from 'node:fs';
import {ok} from './tap.mjs';

const N = 8, FILE = new URL('looks.txt', import.meta.url).pathname;
/* Of a cell: its brightness, and four times by how much its pixels differ in red, and in blue, from green, which is how
 * colourful they are. What these may differ by in a cell. */
const MAY = [20, 3, 3];

const recorded = new Map(readFileSync(FILE, 'utf8').split('\n').filter(line => line && !line.startsWith('#')).map(line => line.split(': ')));
const now = new Map();

/* N x N cells of the whole page, as hexadecimal digits. eyes: another page, which decodes the picture. */
async function seen(page, eyes) {
  const picture = (await page.screenshot({fullPage: true, animations: 'disabled'})).toString('base64');
  return eyes.evaluate(async ([picture, n]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d', {willReadFrequently: true});
    [canvas.width, canvas.height] = [image.width, image.height];
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, image.width, image.height), sums = Array.from({length: n * n}, () => [0, 0, 0, 0]);
    for (let y = 0, i = 0; y < image.height; y++)
      for (let x = 0; x < image.width; x++, i += 4) {
        const sum = sums[Math.floor(y * n / image.height) * n + Math.floor(x * n / image.width)];
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        [g, Math.abs(r - g), Math.abs(b - g), 1].forEach((part, c) => { sum[c] += part; });
      }
    return sums.map(([g, red, blue, count]) => [g / count, 4 * red / count, 4 * blue / count].map(part => Math.round(Math.min(255, part)).toString(16).padStart(2, '0')).join('')).join('');
  }, [picture, N]);
}

const parts = text => text.match(/../g).map(each => parseInt(each, 16));

/* How far two of them are apart, beyond what they may be. */
function far(one, other) {
  const [a, b] = [parts(one), parts(other)];
  let sum = 0;
  for (let i = 0; i < a.length; i += 3) sum += Math.max(0, ...MAY.map((may, c) => Math.abs(a[i + c] - b[i + c]) - may));
  return sum;
}

/* A third of what there is besides paper: the most frequent cell. */
function limit(wanted) {
  const cells = wanted.match(/.{6}/g), paper = cells.reduce((best, cell) => cells.filter(each => each === cell).length > cells.filter(each => each === best).length ? cell : best);
  return Math.max(24, far(wanted, paper.repeat(cells.length)) / 3);
}

/* looksRight - waits until a view looks as recorded. */
export async function looksRight(page, eyes, name) {
  const wanted = recorded.get(name), most = wanted ? limit(wanted) : 0, settled = (is, had) => process.env.SNAPSHOTS ? is === had : wanted && far(is, wanted) <= most;
  let had = '', is = await seen(page, eyes);
  for (const end = Date.now() + 30000; !settled(is, had) && Date.now() < end;) {
    await page.waitForTimeout(600);
    [had, is] = [is, await seen(page, eyes)];
  }
  now.set(name, is);
  if (!process.env.SNAPSHOTS)
    ok(settled(is, had), `${name}: looks as recorded`, `${wanted && far(is, wanted)} away, and may be ${most}; if it should look so: SNAPSHOTS=1 ONLY=looks test/web/run BUILD\n${is}`);
}

/* keepLooks - write them where SNAPSHOTS is set. */
export function keepLooks() {
  if (process.env.SNAPSHOTS)
    writeFileSync(FILE, `# ${N} x ${N} cells of each view (looks.mjs): SNAPSHOTS=1 ONLY=looks test/web/run BUILD makes these anew.\n${[...now].map(each => each.join(': ')).join('\n')}\n`);
}
