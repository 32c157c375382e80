// SPDX-License-Identifier: GPL-3.0-or-later
// traces.mjs - the whole of document 003's Figures 2 to 4 in a browser: by the mouse, and once by the keyboard alone.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {each, go, ok, open as openPage} from './tap.mjs';

const folder = mkdtempSync(`${tmpdir()}/traces-`), pictures = process.env.PICTURES;

/* As a time-step program: initialisation, three steps, a degenerate phase, data are collected; noise, and short spikes. */
function makeTrace(path, rows) {
  const levels = [[0.08, 4], [0.24, 15], [0.28, 2], [0.44, 15], [0.48, 2], [0.64, 15], [0.82, 5], [1, 1]];
  let seed = 1;
  const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
  const lines = ['time_s,processors'];
  for (let i = 0; i < rows; i++) {
    const level = levels.find(([end]) => i / rows < end)[1];
    const spike = [0.7, 0.75, 0.9].some(at => Math.abs(i / rows - at) < 0.003) ? 9 : 0;
    lines.push(`${i},${Math.min(16, Math.max(0, level + spike + (random() - 0.5))).toFixed(4)}`);
  }
  writeFileSync(path, lines.join('\n') + '\n');
}

async function open(browser, url, options = {}) {
  const told = await openPage(browser, url, {viewport: {width: 1300, height: 1000}, ...options});
  await go(told.page, '#/traces');
  await told.page.waitForSelector('input[type=file]', {state: 'attached'});
  return told;
}

const give = async (page, path) => {
  await page.setInputFiles('input[type=file]', path);
  await page.waitForSelector('.steps section', {timeout: 120000});
};

/* The row of a model in the table of errors, as text; '': there is none. */
const row = (page, name) => page.evaluate(name => {
  const found = [...document.querySelectorAll('table tr')].find(each => each.cells[0].textContent === name);
  return found ? [...found.cells].map(cell => cell.textContent).join(' | ') : '';
}, name);
async function until(page, f, what) {
  let last;
  for (const end = Date.now() + 60000; Date.now() < end; await new Promise(go => setTimeout(go, 50))) {
    last = await f();
    if (last) return last;
  }
  throw new Error(`in vain: ${what}: ${await page.innerText('main')}`);
}

/* Where a time and a value are in the window: as the axes say, the picture's box. */
async function place(page, share) {
  const box = await page.locator('.u-over').boundingBox();
  return [box.x + share * box.width, box.y + box.height / 2];
}
const click = async (page, share) => page.mouse.click(...await place(page, share));
async function drag(page, from, to) {
  await page.mouse.move(...await place(page, from));
  await page.mouse.down();
  await page.mouse.move(...await place(page, (from + to) / 2));
  await page.mouse.move(...await place(page, to));
  await page.mouse.up();
}
const marked = (page, count) => until(page, async () => await page.locator('.handle.mark').count() === count, `${count} marks`);
/* One of them is doc/page.md's. */
const keep = async (page, name) => pictures && (process.env.LOOKS || name === 'page-traces') && page.screenshot({path: `${pictures}/${name}.png`});

async function byMouse(browser, url, trace) {
  const {page, errors, close} = await open(browser, url);
  await give(page, trace);
  const best = await row(page, 'fit');
  await page.getByLabel('search begins from').selectOption('equal');
  await until(page, async () => /^fit \| 25 /.test(await row(page, 'fit')) && await row(page, 'fit') !== best, 'another fit of 25 pieces');
  ok(true, `Figure 2: ${await row(page, 'fit')}`);
  await keep(page, 'traces-2');

  await page.getByLabel('Mark P').check();
  // Where the steps begin and end; and two spikes, which the model then has as well.
  const regions = [0.085, 0.235, 0.285, 0.435, 0.485, 0.635, 0.69, 0.7, 0.71, 0.74, 0.75, 0.76];
  for (const [i, share] of regions.entries()) {
    await click(page, share);
    await marked(page, i + 1);
  }
  const simple = await until(page, () => row(page, 'simplified'), 'a simplified model');
  ok(/\| 0 % \| within$/.test(simple), `Figure 3: the area and the range are the trace's: ${simple}`);
  await keep(page, 'traces-3');

  await page.getByLabel('Spike', {exact: true}).check();
  await drag(page, 0.688, 0.712);
  const smooth = await until(page, () => row(page, 'smoothed'), 'a smoothed model');
  const pieces = text => Number(text.split(' | ')[1]);
  ok(/\| 0 % \|/.test(smooth) && pieces(smooth) < pieces(simple), `Figure 4: a spike less, the same area: ${smooth}`);
  ok(/node .* areas .*\d and .*\d/.test(await page.locator('.spikes li').first().innerText()), `its areas are told: ${await page.innerText('.spikes')}`);
  await drag(page, 0.738, 0.762);
  await until(page, async () => await page.locator('.spikes li').count() === 2, 'two spikes');
  await keep(page, 'page-traces');

  await page.getByRole('button', {name: 'Undo'}).click();
  await until(page, async () => await page.locator('.spikes li').count() === 1, 'one spike');
  await page.getByRole('button', {name: 'Redo'}).click();
  await until(page, async () => await page.locator('.spikes li').count() === 2, 'two again');
  ok(true, 'undone and done again');

  await page.locator('td input').first().fill('initialisation');
  await page.locator('td input').first().press('Enter');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: /Save the model/}).click()]);
  await file.saveAs(`${folder}/model.json`);
  const saved = JSON.parse(readFileSync(`${folder}/model.json`, 'utf8'));
  ok(saved.smoothed.length === 2 && saved.keep.length === regions.length && saved.fit.pieces === 25 && saved.phases[0].called === 'initialisation', 'saved: the model, and what led there');
  execFileSync('foretime', ['trace', 'plot', trace, '--fit', `${folder}/model.json`, '-o', `${folder}/plot.svg`]);
  ok(readFileSync(`${folder}/plot.svg`, 'utf8').includes(`${saved.pieces} pieces`), 'trace plot reads it');
  const [svg] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'SVG'}).click()]);
  await svg.saveAs(`${folder}/page.svg`);
  ok(/<path/.test(readFileSync(`${folder}/page.svg`, 'utf8')), 'the picture is a file');

  await page.getByLabel('Nodes', {exact: true}).check();
  const node = page.locator('.handle.node').nth(3), box = await node.boundingBox();
  await page.mouse.move(box.x + 6, box.y + 6);
  await page.mouse.down();
  await page.mouse.move(box.x + 12, box.y + 6);
  const line = () => page.locator('.held polyline').getAttribute('points'), held = await line(), near = held.split(' ').length;
  await page.mouse.move(box.x + 30, box.y + 6);
  ok(near === 26 && await line() !== held && !/NaN/.test(await line()), 'while a node is held the line goes with it', held);
  await page.mouse.move(box.x + 12, box.y + 6);
  await page.mouse.up();
  await until(page, async () => await page.getByLabel('search begins from').inputValue() === 'by hand', 'nodes by hand');
  ok(true, `a node was dragged: ${await row(page, 'fit')}`);

  await page.keyboard.press('Escape');
  ok(await page.getByLabel('Look').isChecked(), 'Escape leaves a mode');
  await drag(page, 0.6, 0.8);
  await until(page, () => page.getByRole('button', {name: 'Show all'}).isEnabled(), 'a closer look');
  await page.getByLabel('Mark P').check();
  await page.getByLabel('Look').check();
  await page.keyboard.press('Escape');
  await until(page, () => page.getByRole('button', {name: 'Show all'}).isDisabled(), 'all of it');
  ok(true, 'Escape shows all, also after a click on a mode');
  const had = await page.locator('.handle.mark').count();
  await page.getByLabel('Mark P').check();
  await page.mouse.move(...await place(page, 0.55));
  await page.keyboard.press('m');
  await marked(page, had + 1);
  ok(true, 'and m marks');
  ok(!errors.length, 'nothing is complained of', errors.join('\n'));
  await close();
}

/* Tab, until what is wanted has the focus. */
async function reach(page, wanted) {
  for (let i = 0; i < 120; i++) {
    const has = await page.evaluate(() => {
      const it = document.activeElement;
      return `${it.tagName} ${it.className} ${it.type || ''} ${it.closest('label')?.firstChild?.textContent || ''} ${it.tagName === 'BUTTON' ? it.textContent : ''}`;
    });
    if (wanted.test(has)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${wanted}`);
}

async function byKeyboard(browser, url, trace) {
  const {page, errors, close} = await open(browser, url);
  await give(page, trace);
  await page.evaluate(() => { document.activeElement.blur(); });
  await reach(page, /^DIV area/);
  await page.keyboard.press('Home');
  for (let i = 0; i < 9; i++) await page.keyboard.press('PageUp');
  await page.keyboard.press('m');
  await marked(page, 1);
  ok(true, 'a mark where the arrow keys led');
  await reach(page, /SELECT/);
  await page.keyboard.press('e');
  await until(page, async () => await page.locator('select').inputValue() === 'equal', 'the start');
  for (const [i, time] of [260, 300, 430, 500, 620].entries()) {
    await reach(page, /number mark at/);
    await page.keyboard.type(String(time));
    await reach(page, /BUTTON.* Mark$/);
    await page.keyboard.press('Enter');
    await marked(page, i + 2);
  }
  ok(/\| 0 % \| within$/.test(await row(page, 'simplified')), 'marks and a model', await row(page, 'simplified'));
  await reach(page, /number from/);
  await page.keyboard.type('690');
  await reach(page, /number to/);
  await page.keyboard.type('710');
  await reach(page, /BUTTON.* Smooth$/);
  await page.keyboard.press('Enter');
  await until(page, () => row(page, 'smoothed'), 'a smoothed model');
  await page.keyboard.press('Control+z');
  await until(page, async () => !await row(page, 'smoothed'), 'undone');
  await page.keyboard.press('Control+y');
  await until(page, () => row(page, 'smoothed'), 'done again');
  ok(true, 'a spike smoothed, undone, done again');
  await reach(page, /handle mark/);
  const before = await page.locator('.handle.mark').first().getAttribute('aria-label');
  await page.keyboard.press('ArrowRight');
  await until(page, async () => await page.locator('.handle.mark').first().getAttribute('aria-label') !== before, 'a mark moved');
  await reach(page, /handle mark/);
  await page.keyboard.press('Delete');
  await marked(page, 5);
  ok(true, 'marks move and go by keys');
  ok(!errors.length, 'nothing is complained of', errors.join('\n'));
  await close();
}

async function refused(browser, url) {
  const {page, errors, close} = await open(browser, url);
  const bad = {'words.csv': 'a,b\nc,d\n', 'zero.csv': 'a\0b', 'back.csv': 't,y\n2,1\n1,1\n', 'empty.csv': '', 'torn.csv.gz': 'no gzip'};
  for (const [name, text] of Object.entries(bad)) {
    writeFileSync(`${folder}/${name}`, text);
    await page.setInputFiles('input[type=file]', `${folder}/${name}`);
    const said = await until(page, () => page.locator('.failure').first().innerText({timeout: 500}).catch(() => ''), `a sentence about ${name}`);
    ok(said.length > 20 && !await page.locator('.steps').count(), `${name}: ${said.replace(/\s+/g, ' ')}`);
    await page.evaluate(() => document.querySelectorAll('.failure').forEach(each => each.remove()));
  }
  const others = errors.filter(error => !/status of 400/.test(error)); // as it refuses each of them
  ok(!others.length, 'nothing else is complained of', others.join('\n'));
  await close();
}

async function many(browser, url) {
  makeTrace(`${folder}/many.csv`, 1e6);
  const {page, errors, close} = await open(browser, url, {viewport: {width: 320, height: 700}});
  await give(page, `${folder}/many.csv`);
  ok(/999999/.test(await row(page, 'trace')), `10^6 rows: ${await row(page, 'trace')}`);
  ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'on a phone nothing is wider than the window');
  ok(!errors.length, 'nothing is complained of', errors.join('\n'));
  await close();
}

/* traces - all of it; long: 10^6 rows, too. */
export async function traces(browser, url, long) {
  const trace = `${folder}/program.csv`;
  makeTrace(trace, 1000);
  await each({
    'traces by the mouse': () => byMouse(browser, url, trace),
    'traces by the keyboard': () => byKeyboard(browser, url, trace),
    'files that are no traces': () => refused(browser, url),
    ...long && {'10^6 rows': () => many(browser, url)},
  });
  rmSync(folder, {recursive: true});
}
