// SPDX-License-Identifier: GPL-3.0-or-later
// page.mjs - the page, looked at by those who use it: with the mouse, with the keyboard, on a phone, in the dark, with a
// server that goes away.
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {browser, done, each, findings, go, ok, open, overflow, same, serve, until} from './tap.mjs';
import {keepLooks, looksRight} from './looks.mjs';
import {traces} from './traces.mjs';

const world = process.env.WORLD, long = process.argv[2] !== 'short', pictures = process.env.PICTURES, looksToo = pictures && process.env.LOOKS;
const markup = '<img><script>document.title++</script>&amp;';
const chrome = await browser();
let server = await serve(0, {}, ['--report', `${world}/accounts.txt`]);
if (pictures) mkdirSync(pictures, {recursive: true});

/* A picture of doc/page.md; the others are for who looks. */
const keepPicture = async (page, name) => {
  if (!pictures) return;
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    document.activeElement.blur();
    scrollTo(0, 0);
  });
  await page.waitForTimeout(400);
  await page.screenshot({path: `${pictures}/page-${name}.png`});
};

const drawn = page => until(page, () => {
  const canvas = document.querySelector('main canvas');
  if (!canvas || !canvas.width) return false;
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  for (let i = 3; i < data.length; i += 4) if (data[i]) return true;
  return false;
});
const says = (page, text, ms = 60000) => until(page, text => document.body.innerText.includes(text), text, ms);
const drop = async (page, name, path) => {
  await page.setInputFiles('input[type=file]', path);
  await says(page, name);
};

/* The rows of a picture's CSV, by the beginning of its title. */
async function csvOf(page, title) {
  const figure = page.locator('figure.chart').filter({has: page.locator('figcaption').getByText(title)}).first();
  // A picture that is drawn anew between the click and its effect takes the button with it.
  let file;
  for (let tries = 0; !file; tries++)
    [file] = await Promise.all([page.waitForEvent('download', {timeout: 6000}).catch(error => { if (tries === 5) throw error; }), figure.getByRole('button', {name: 'CSV'}).click()]);
  return readFileSync(await file.path(), 'utf8').trim().split('\n').slice(1).map(line => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map(cell => cell.replace(/,$/, '').replace(/^"|"$/g, '')));
}

/* Where each view is looked at, and when it is all there. */
const views = {
  models: {hash: '#/models/noisy', ready: drawn},
  promises: {hash: '#/promises/changed', ready: async page => {
    await says(page, 'runs lie inside');
    await drawn(page);
  }},
  plans: {hash: '#/plans', ready: page => drop(page, 'over 2 machines', `${world}/schedule.json`)},
  plane: {hash: '#/models/surface', ready: page => page.waitForSelector('main svg.heat')},
  trace: {hash: '#/traces', ready: async page => {
    await drop(page, 'processors over time_s', `${world}/steps.csv`);
    await drawn(page);
  }},
  compare: {hash: '#/compare?of=' + encodeURIComponent('[["matmul","node1"],["matmul","node2"]]'), ready: drawn},
  'no plan': {hash: '#/plans', ready: page => says(page, 'Choose or drop the file of a plan')},
  live: {hash: '#/live/noisy', ready: drawn},
  'no build': {hash: '#/live', ready: page => says(page, 'No build is running')},
  traces: {hash: '#/traces', ready: page => page.waitForSelector('input[type=file]', {state: 'attached'})},
  report: {hash: '#/report', ready: page => says(page, '300 jobs of 3 programs')},
  manager: {hash: '#/manager', ready: page => says(page, 'No manager is running')},
};

const looks = {
  'phone, light': {viewport: {width: 320, height: 700}, colorScheme: 'light', isMobile: true},
  'phone, dark': {viewport: {width: 320, height: 700}, colorScheme: 'dark', isMobile: true},
  'wide, light': {viewport: {width: 1400, height: 900}, colorScheme: 'light'},
  'wide, dark': {viewport: {width: 1400, height: 900}, colorScheme: 'dark'},
};

/* In both themes, where other fonts move little; the short part looks at one of them. */
const recorded = ['wide, light', 'wide, dark'], eyes = await (await chrome.newContext()).newPage();

async function look(name, how) {
  const {page, errors, close} = await open(chrome, server.url, looks[how]);
  await go(page, views[name].hash);
  await views[name].ready(page);
  same(await findings(page), [], `${name}, ${how}: nobody is kept out`);
  ok(await overflow(page) <= 0, `${name}, ${how}: nothing is wider than the window`, `${await overflow(page)} pixels`);
  same(errors, [], `${name}, ${how}: nothing is complained of`);
  if (recorded.includes(how)) await looksRight(page, eyes, `${name}, ${how}`);
  if (looksToo) await page.screenshot({path: `${pictures}/${name}-${how.replace(', ', '-')}.png`, fullPage: true});
  if (name === 'promises' && how === 'wide, light') await keepPicture(page, 'promises');
  await close();
}

await each({
  looks: async () => {
    for (const name of Object.keys(views))
      for (const how of process.env.SNAPSHOTS ? recorded : long ? Object.keys(looks) : ['phone, light', 'wide, dark']) await look(name, how);
    keepLooks();
  },

  promises: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    const told = JSON.parse(execFileSync('foretime', ['show', 'changed', '--kept', '50', '--json'], {encoding: 'utf8'})).coverage;
    await go(page, '#/promises/changed');
    await says(page, `${told.inside} of ${told.inside + told.less + told.more} runs lie inside`);
    ok(true, 'it tells what the command tells');
    same(await page.locator('tbody tr').count(), told.less + told.more, 'each run outside has a row');
    await page.locator('.area').first().focus();
    await page.keyboard.press('ArrowRight');
    ok(/took .* predicted/.test(await page.locator('.reading').first().innerText()), 'a run is read by the arrow keys');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'CSV'}).first().click()]);
    ok(file.suggestedFilename().endsWith('.csv'), 'its numbers are a file');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  plans: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/plans');
    await drop(page, 'over 2 machines', `${world}/schedule.json`);
    ok(await page.locator('svg rect').count() >= 4, 'a bar for each task');
    ok((await page.locator('svg title').allTextContents()).some(text => text.startsWith('join on')), 'which says what it is');
    await drop(page, 'over 2 processors', `${world}/shares.csv`);
    await drop(page, 'over 2 processors', `${world}/partition.json`);
    await drawn(page);
    ok(true, 'curves of the models stand behind a division');
    const {front} = JSON.parse(readFileSync(`${world}/front.json`, 'utf8'));
    await drop(page, 'Time against energy', `${world}/front.json`);
    const points = (await csvOf(page, 'Time against energy')).filter(each => each[0] === 'plans');
    ok(points.length === front.length && front.length > 5 && front.every(({time_s, energy_j}) => points.some(([, x, y]) => Number(x) === time_s && Number(y) === energy_j)),
      'time against energy: each plan that the command found', `${points.length} of ${front.length}`);
    await page.reload();
    await page.getByRole('link', {name: 'schedule.json'}).click();
    await says(page, 'over 2 machines');
    ok(true, 'what was dropped is there again');
    for (const [name, text] of [['none.json', '{"action": "schedule", "slots": [{"start_s": "x"}]}'], ['none.csv', 'a,b\n1,2\n'], ['none.bin', '\0\x01\x02']]) {
      writeFileSync(`${world}/${name}`, text);
      await drop(page, 'This is not a plan', `${world}/${name}`);
      ok(true, `${name}: refused with a sentence`);
    }
    writeFileSync(`${world}/long.json`, ' '.repeat(2 ** 20 + 1));
    await drop(page, 'more than 1 MiB', `${world}/long.json`);
    same(errors, [], 'nothing is complained of');
    await close();
  },

  keyboard: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/noisy');
    await drawn(page);
    await page.locator('body').focus();
    const seen = [];
    for (let i = 0; i < 60 && !seen.includes('Manager'); i++) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => document.activeElement.innerText || document.activeElement.getAttribute('aria-label') || document.activeElement.tagName));
    }
    for (const name of ['Models', 'Live', 'Traces', 'Accuracy', 'Report', 'Plans', 'Manager']) ok(seen.includes(name), `${name} is reached by Tab`, seen.join(', '));
    await page.keyboard.press('Enter');
    await says(page, 'No manager is running');
    ok(true, 'and opened by Enter');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  markup: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    for (const view of ['models', 'promises']) {
      await go(page, `#/${view}/${encodeURIComponent(markup)}`);
      await says(page, markup);
      await drawn(page);
      same(await page.locator('main img').count(), 0, `${view}: a name is text`);
    }
    ok(await page.title() !== 'NaN', 'no script of a name ran');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  /* Each picture has numbers, and they are the command's. */
  'energy, memory, speed': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/matmul');
    await says(page, 'runs of one size vary by');
    const titles = await page.locator('main figcaption').allTextContents();
    for (const title of ['matmul: wall time', 'matmul: speed, work / time', 'matmul: memory of its largest process', 'matmul: energy'])
      ok(titles.some(each => each.startsWith(title)), `a picture of ${title}`, titles.join('; '));
    const told = JSON.parse(execFileSync('foretime', ['plot', 'matmul', '--machine', 'node1', '--json'], {encoding: 'utf8'}));
    await page.locator('select').first().selectOption('node1');
    await says(page, 'on node1, the newest');
    await until(page, () => document.querySelectorAll('main canvas').length === 4 && document.querySelector('main figcaption').textContent.includes('on node1'));
    for (const [title, value] of [['matmul: wall time', told.model.value], ['matmul: speed', told.model.value.map((each, i) => told.model.work[i] / each)]]) {
      const lines = (await csvOf(page, title)).filter(each => each[0] === 'typical run');
      const wrong = lines.filter(([, x, y]) => { const i = told.axes[0].at.indexOf(Number(x)); return i < 0 || Math.abs(Number(y) / value[i] - 1) > 1e-9; });
      ok(lines.length > 100 && !wrong.length, `${title}: ${lines.length} points, as the command tells them`, JSON.stringify(wrong.slice(0, 3)));
    }
    const [kept] = await Promise.all([page.waitForEvent('download'), page.locator('figure.chart').first().getByRole('button', {name: 'SVG'}).click()]);
    const svg = readFileSync(await kept.path(), 'utf8');
    ok(svg.includes('<title>matmul: wall time on node1</title>') && svg.includes('<desc>wall time by size n: ') && svg.includes('>size n</text>'), 'an SVG has its own title, and words on its axes', svg.slice(0, 400));
    ok(svg.includes('fill="url(#h)"'), 'what lies outside of the measured sizes is hatched');
    ok(!/<rect (?!x)/.test(svg) && !/NaN|undefined/.test(svg), 'it is transparent');
    const energy = (await csvOf(page, 'matmul: energy')).filter(each => each[0] === 'runs');
    ok(energy.length === 120, 'the energy of each run is a point', energy.length);
    await keepPicture(page, 'models');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  /* A plane is drawn from what the command prints: lines, labels, hatching, ticks, the bar of colours. */
  'planes': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    for (const name of ['surface', 'rough']) {
      const {pictures: drawings, model} = JSON.parse(execFileSync('foretime', ['plot', name, '--machine', 'node1', '--json'], {encoding: 'utf8'}));
      await go(page, `#/models/${name}`);
      await until(page, ([n, name]) => document.querySelectorAll('main svg.heat').length === n && document.querySelector('main figcaption').textContent.startsWith(name), [drawings.length, name]);
      for (const [i, drawing] of drawings.entries()) {
        const svg = page.locator('main svg.heat').nth(i), all = async (what, attribute) => svg.locator(what).evaluateAll((found, attribute) => found.map(each => attribute ? each.getAttribute(attribute) : each.textContent), attribute);
        const pieces = drawing.levels.flatMap(level => level.lines), words = await all('text'), paths = await all('path.level', 'd');
        same(await all('text.label'), drawing.levels.filter(level => level.x !== null).map(level => level.tick.label), `${name}, ${drawing.title}: the labels of the lines`);
        ok(pieces.length > 3 && paths.length === pieces.length && pieces.every((piece, k) => paths[k].split('L').length === piece.x.length), `${pieces.length} lines, each with its places`, paths.length);
        const [left, top, wide, high] = await svg.locator('.frame').evaluate(frame => ['x', 'y', 'width', 'height'].map(key => Number(frame.getAttribute(key))));
        const share = (axis, place) => (place - drawing[axis].from) / (drawing[axis].to - drawing[axis].from), far = pieces.flatMap((piece, k) => paths[k].match(/[\d.]+/g).map(Number).map((at, c) =>
          c % 2 ? at - top - high * (1 - share('y', piece.y[(c - 1) / 2])) : at - left - wide * share('x', piece.x[c / 2])));
        ok(far.every(each => Math.abs(each) < 0.02), 'which are where the command has them', Math.max(...far.map(Math.abs)));
        ok(['x', 'y', 'values'].every(axis => drawing[axis].ticks.filter(tick => tick.label).every(tick => words.includes(tick.label))) && await svg.locator('g > path').count() === drawing.x.ticks.length + drawing.y.ticks.length + drawing.values.ticks.length,
          'all ticks of both axes and of the bar of colours', words.join());
        const tall = what => svg.locator(what).evaluate(each => each.getBoundingClientRect().height);
        ok(Math.abs(await tall('.scale') - await tall('.frame')) < 1.5, 'the bar is as high as the drawing', await tall('.scale'));
        same([await svg.locator('.hatched').count(), await svg.locator('circle').count(), await svg.locator('path.level[stroke-dasharray]').count()], [drawing.hatched.length, drawing.runs.length, pieces.filter(piece => piece.extrapolated).length], 'boxes that are hatched, runs, dashed lines');
        const inks = await page.evaluate(async ([i, spec]) => {
          const image = new Image(), canvas = document.createElement('canvas'), found = document.querySelectorAll('main svg.heat')[i];
          image.src = found.querySelector('image').getAttribute('href');
          await image.decode();
          canvas.width = image.width;
          canvas.height = image.height;
          const context = canvas.getContext('2d'), stops = [...found.querySelectorAll('stop')].map(each => each.getAttribute('stop-color').match(/[0-9a-f]{2}/g).map(part => parseInt(part, 16)));
          context.drawImage(image, 0, 0);
          const wanted = share => { const at = share * 4, k = Math.min(3, Math.floor(at)); return stops[k].map((part, c) => part + (stops[k + 1][c] - part) * (at - k)); };
          return Math.max(...[[10, 20], [32, 32], [50, 40]].map(([column, row]) => {
            const pixel = context.getImageData(Math.round(column * 6), image.height - Math.round(row * 6), 1, 1).data;
            return Math.max(...wanted(spec.colours[row][column]).map((part, c) => Math.abs(part - pixel[c])));
          }));
        }, [i, drawing]);
        ok(inks < 12, `a colour is the one that the bar has for the value`, inks);
      }
      if (name === 'rough') ok(drawings.length === 2 && drawings[0].hatched.length > 0 && (await page.innerText('main')).includes(drawings[0].hatched_title), 'where little is known it is hatched; a speed is a second plane');
      await page.locator('main svg.heat').last().focus();
      await page.keyboard.press('ArrowRight');
      ok(/single runs .*measured range/.test(await page.locator('.reading').last().innerText()), 'a value is read by the arrow keys', await page.locator('.reading').last().innerText());
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'CSV'}).first().click()]);
      ok(readFileSync(await file.path(), 'utf8').trim().split('\n').length === 1 + model.value.flat().length, 'its numbers are a file');
      same(await findings(page), [], 'nobody is kept out');
      if (looksToo) await page.screenshot({path: `${pictures}/plane-${name}.png`, fullPage: true});
    }
    same(errors, [], 'nothing is complained of');
    await close();
  },

  'over each other': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/matmul');
    await page.getByRole('button', {name: 'overlay machines'}).click();
    await until(page, () => [...document.querySelectorAll('.legend li')].filter(each => /^node[12]$/.test(each.textContent)).length >= 4);
    const rows = await csvOf(page, 'matmul: wall time'), at = name => rows.filter(each => each[0] === name);
    ok(at('node1').length > 50 && at('node2').length > 50, 'both machines have a curve', rows.slice(0, 4).join('; '));
    await go(page, '#/models/rebuilt');
    await page.getByRole('button', {name: 'overlay versions'}).click();
    await until(page, () => [...document.querySelectorAll('.legend li')].some(each => /, until .* ago$/.test(each.textContent)));
    const versions = await csvOf(page, 'rebuilt: wall time'), newest = versions.filter(each => each[0] === 'the newest'), older = versions.filter(each => /until/.test(each[0]) && !/:/.test(each[0]));
    const last = list => Number(list[list.length - 1][2]);
    ok(newest.length > 5 && older.length > 5 && last(newest) > 1.5 * last(older), 'both versions have a curve, and the newer one is slower', `${last(newest)} ${last(older)}`);
    if (looksToo) await page.screenshot({path: `${pictures}/versions.png`, fullPage: true});
    same(errors, [], 'nothing is complained of');
    await close();
  },

  'limits that runs met': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/late');
    await says(page, 'wall_s: 7 of 30 runs met a limit of 40 min');
    await until(page, () => [...document.querySelectorAll('.answer section')].some(each => /7 of 30 runs met a limit of 40 min/.test(each.textContent)));
    ok(true, 'they are counted, and so is the answer for a size');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  /* A size in; time, memory, energy and a request out, as the command has them; the address can be sent to others. */
  'the answer bar': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    const told = n => JSON.parse(execFileSync('foretime', ['predict', 'matmul', `n=${n}`, '--resource', 'all', '--machine', 'node1', '--json'], {encoding: 'utf8'})).predictions;
    const shown = () => page.locator('.answer section').allInnerTexts();
    const fits = async n => {
      const [time, memory, energy] = told(n), parts = await shown();
      return parts.length === 4 && [[0, time, 's'], [1, memory, 'MiB'], [2, energy, 'J']].every(([i, p, unit]) => {
        const [, value, said] = /\n([\d.,]+) (\S+)\n/.exec(parts[i].replace(/\n+/g, '\n')) || [], by = {s: 1, ms: 1e-3, min: 60, MiB: 2 ** 20, GiB: 2 ** 30, J: 1, kJ: 1000}[said];
        return unit && Math.abs(Number(value) * by / p.value - 1) < 0.006;
      }) || parts.join(' | ');
    };
    await go(page, '#/models/matmul?n=2500&machine=node1');
    await until(page, () => document.querySelectorAll('.answer section').length === 4 && /sbatch/.test(document.querySelector('.answer').innerText));
    same(await fits(2500), true, 'the answers of the command, for the size of the address');
    ok(/90 % of runs: .*accurate to .*interpolated/s.test((await shown())[0]), 'with the interval, the accuracy and its evidence', (await shown())[0]);
    await page.getByLabel('n', {exact: true}).fill('6000');
    await page.keyboard.press('Enter');
    await until(page, () => /measured range/.test(document.querySelector('.answer').innerText) && /sbatch/.test(document.querySelector('.answer').innerText));
    same(await fits(6000), true, 'another size, by Enter; how far it is extrapolated');
    ok(/n=6000/.test(await page.evaluate(() => location.hash)), 'the address has it');
    await page.reload();
    await until(page, () => document.querySelectorAll('.answer section').length === 4);
    same(await page.getByLabel('n', {exact: true}).inputValue(), '6000', 'and brings it back');
    await until(page, () => /^\d+ of \d+ runs inside, 90 % expected$/.test(document.querySelector('.badge').textContent));
    ok(true, 'a badge counts earlier predictions');
    await page.getByLabel('n', {exact: true}).fill('much');
    await page.keyboard.press('Enter');
    await page.waitForSelector('main .failure');
    ok((await page.innerText('main .failure')).includes('much'), 'what is no size is refused with a sentence', await page.innerText('main .failure'));
    same(errors.filter(error => !/status of 400/.test(error)), [], 'nothing else is complained of');
    await close();
  },

  /* Functions that profile --save kept are programs of their own; together they are a profile, at any size. */
  'functions': async () => {
    const {page, errors, close} = await open(chrome, server.url), cells = () => page.locator('section[aria-label=functions] tbody tr').allInnerTexts();
    await go(page, '#/models/qsort');
    await says(page, 'Functions');
    await until(page, () => document.querySelectorAll('section[aria-label=functions] tbody tr').length === 2);
    const [head] = await page.locator('section[aria-label=functions] thead').allInnerTexts();
    ok(/n=1,?600\s+n=16000/.test(head), 'shares at the largest size and at ten times it', head);
    // 3 n^2 and 4800 n: half each at 1600, and 10 to 1 at 16000.
    const rows = await cells();
    ok(/^swap\s+50 %\s+90\.9 %\s+.*n\^2/.test(rows[0]) && /^fill\s+50 %\s+9\.1 %/.test(rows[1]), 'the function that will take most stands first, with its law', rows.join(' | '));
    await page.locator('section[aria-label=functions] input').fill('160');
    await page.keyboard.press('Enter');
    await until(page, () => /^fill/.test(document.querySelector('section[aria-label=functions] tbody tr').innerText));
    ok(/^fill\s+50 %\s+90\.9 %/.test((await cells())[0]), 'at another size');
    await page.locator('section[aria-label=functions] input').fill('much');
    await page.keyboard.press('Enter');
    await page.waitForSelector('section[aria-label=functions] .failure');
    ok((await page.innerText('section[aria-label=functions] .failure')).includes('much'), 'what is no size is refused with a sentence');
    await page.goBack();
    await go(page, '#/models/qsort');
    await page.getByRole('link', {name: 'swap', exact: true}).click();
    await says(page, 'runs of one size vary by');
    ok(/qsort\/swap/.test(await page.innerText('h1')), 'and each has its own models');
    same(errors.filter(error => !/status of 40[04]/.test(error)), [], 'nothing else is complained of');
    await close();
  },

  'search by the keyboard': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/manager');
    await says(page, 'No manager is running');
    const found = () => page.locator('dialog [role=option]').allInnerTexts();
    const type = async (text, first) => {
      await page.keyboard.press('Control+k');
      await page.waitForSelector('dialog input:focus');
      await page.keyboard.type(text);
      await until(page, first => document.querySelector('dialog [role=option]')?.textContent.startsWith(first), first);
    };
    await type('matm', 'matmul');
    same(await findings(page), [], 'nobody is kept out');
    if (looksToo) await page.screenshot({path: `${pictures}/palette.png`});
    await page.keyboard.press('Enter');
    await says(page, 'The largest size that fits');
    await type('matmul n=2500', 'matmul n=2500');
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('main input[name=n]')?.value === '2500');
    ok(true, 'a program, and a size of it');
    await type('compa', 'Compare');
    await page.keyboard.press('Enter');
    await says(page, 'Choose up to 6');
    ok(true, 'a view');
    await type('nosuchname', 'no view');
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('dialog')); // the event of closing comes later
    ok((await found()).length === 0, 'Escape closes it');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  compare: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/compare');
    await page.getByLabel('search programs').fill('m');
    for (const name of [/^matmul.*node1/, /^matmul.*node2/, /^mill.*node1/]) await page.getByRole('button', {name}).click();
    await until(page, () => [...document.querySelectorAll('.legend li')].filter(each => / on node/.test(each.textContent)).length === 3);
    const rows = await csvOf(page, 'wall time, compared'), at = name => rows.filter(each => each[0] === name);
    ok(['matmul on node1', 'matmul on node2', 'mill on node1'].every(name => at(name).length > 50), 'programs and machines over each other', JSON.stringify(rows.slice(0, 2)));
    ok(/\(1\.7\d?×\)/.test(await page.innerText('main table')), 'by how much they differ', await page.innerText('main table'));
    same(await findings(page), [], 'nobody is kept out');
    if (looksToo) await page.screenshot({path: `${pictures}/compare.png`, fullPage: true});
    await page.reload();
    await until(page, () => [...document.querySelectorAll('.legend li')].filter(each => / on node/.test(each.textContent)).length === 3);
    ok(true, 'the address has the choice');
    await page.getByRole('button', {name: 'remove mill on node1'}).click();
    await until(page, () => [...document.querySelectorAll('.legend li')].filter(each => / on node/.test(each.textContent)).length === 2);
    ok(true, 'one is taken away');
    await go(page, '#/compare?of=%5B%5B%22none%22%5D%5D');
    await says(page, "none: ");
    await go(page, '#/compare?of=%7B');
    await says(page, 'Choose up to 6');
    ok(true, 'an address that says nonsense is an empty choice');
    same(errors.filter(error => !/status of 400/.test(error)), [], 'nothing else is complained of');
    await close();
  },

  'plans made here': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/plans');
    await page.getByText('Divide a program over machines').click();
    await page.getByLabel('program').fill('matmul');
    await page.getByLabel('total, and other parameters').fill('n=3000');
    await page.getByLabel('machines, with commas').first().fill('node1,node2');
    await page.getByRole('button', {name: 'divide'}).click();
    await says(page, 'over 2 processors');
    const told = JSON.parse(readFileSync(`${world}/partition.json`, 'utf8')), rows = await csvOf(page, 'Shares');
    same(rows.map(row => Number(row[2])), told.shares.map(share => share.units), 'a division, as the command makes it');
    await page.getByText('Give tasks to machines').click();
    await page.getByLabel('tasks, a row each').fill('task,name,n\na,matmul,500\nb,matmul,800\nc,matmul,900\n');
    await page.getByLabel('machines, with commas').last().fill('node1,node2');
    await page.getByRole('button', {name: 'assign'}).click();
    await says(page, '3 tasks over 2 machines');
    ok(await page.locator('svg rect').count() >= 3, 'tasks on machines');
    same(await findings(page), [], 'nobody is kept out');
    if (looksToo) await page.screenshot({path: `${pictures}/plans-made.png`, fullPage: true});
    await page.getByLabel('tasks, a row each').fill('nonsense');
    await page.getByRole('button', {name: 'assign'}).click();
    await page.waitForSelector('main .failure');
    ok(true, `what is no table is refused: ${(await page.innerText('main .failure')).replace(/\n+/g, ' ')}`);
    same(errors.filter(error => !/status of 400/.test(error)), [], 'nothing else is complained of');
    await close();
  },

  'jobs, asked and used': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    const {requests} = JSON.parse(execFileSync('foretime', ['show', 'jobs', '--asked', '50', '--machine', 'node1', '--json'], {encoding: 'utf8'}));
    const sum = key => requests.reduce((all, job) => all + job[key], 0);
    await go(page, '#/promises/jobs');
    await says(page, `40 jobs requested ${Number((sum('requested_s') / sum('used_s')).toPrecision(3))} times the time`);
    ok(true, 'the excess of requests is shown');
    const rows = await csvOf(page, 'jobs: memory, requested and used');
    ok(rows.filter(each => each[0] === 'requested').length === 40 && rows.filter(each => each[0] === 'used').length === 40, 'each job is drawn by both');
    if (looksToo) await page.screenshot({path: `${pictures}/jobs.png`, fullPage: true});
    same(errors, [], 'nothing is complained of');
    await close();
  },

  'a report': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    const told = by => JSON.parse(execFileSync('foretime', ['report', `${world}/accounts.txt`, '--by', by, '--json'], {encoding: 'utf8'}));
    const cells = name => page.getByRole('region', {name}).locator('tbody tr').evaluateAll(rows => rows.map(row => [...row.cells].map(cell => cell.textContent)));
    const near = (text, value) => Math.abs(Number(text.replaceAll(',', '')) / value - 1) < 0.006;
    await go(page, '#/report');
    for (const by of ['program', 'user', 'partition']) {
      const {groups, ends, rules, compared} = told(by);
      await page.getByLabel('a line for each').selectOption(by);
      await page.getByRole('region', {name: `jobs by ${by}`}).waitFor();
      const rows = await cells(`jobs by ${by}`);
      ok(rows.length === groups.length && groups.every((group, i) => rows[i][0] === group.name && near(rows[i][1], group.jobs) && near(rows[i][2], group.requested_gb_h) && near(rows[i][3], group.used_gb_h)),
        `by ${by}: the groups of the command, with what they requested and used`, JSON.stringify(rows));
      same((await cells('how jobs ended')).map(row => row.slice(0, 2)), ends.filter(end => end.jobs).map(end => [end.end, String(end.jobs)]), 'why they failed');
      const costs = await cells('what other requests would have cost');
      ok(costs.length === rules.length && rules.every((rule, i) => near(costs[i][1], rule.gb_h) && costs[i][4] === String(rule.killed)) && (await page.innerText('main')).includes(`Requests over ${compared} jobs`),
        'what other requests would have cost', JSON.stringify(costs));
    }
    await page.getByLabel('user', {exact: true}).fill('ann');
    await says(page, '100 jobs of 1 program, 1 user');
    await page.getByLabel('user', {exact: true}).fill('nobody');
    await says(page, 'there is no job that ended');
    ok(true, 'of one user; of none: a sentence');
    await page.getByLabel('user', {exact: true}).fill('');
    await says(page, '300 jobs of 3 programs');
    for (const colorScheme of ['light', 'dark'])
      for (const [width, height] of [[390, 800], [1400, 900]]) {
        await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
        await page.setViewportSize({width, height});
        same(await findings(page), [], `${width}, ${colorScheme}: nobody is kept out`);
        ok(await overflow(page) <= 0, `${width}, ${colorScheme}: nothing is wider than the window`);
        if (looksToo) await page.screenshot({path: `${pictures}/report-${width}-${colorScheme}.png`, fullPage: true});
      }
    same(errors.filter(error => !/status of 400/.test(error)), [], 'nothing else is complained of');
    await close();
    const none = await serve(), bare = await open(chrome, none.url);
    await go(bare.page, '#/report');
    await says(bare.page, 'foretime serve --report FILE');
    ok(true, 'without files: how to name them');
    await bare.close();
    await none.stop();
  },

  'a trace of a run': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/traces');
    await page.getByRole('button', {name: 'traced', exact: true}).click();
    await page.getByRole('link', {name: /^n=1, .* rows/}).click();
    await page.waitForSelector('.steps section');
    ok(/cpu_utilisation over time_s/.test(await page.innerText('main')), 'one that the store keeps is taken apart');
    await page.getByLabel('column of values').fill('rss_bytes');
    await page.getByLabel('column of values').press('Enter');
    await says(page, 'rss_bytes over time_s');
    ok(true, 'by another column, too');
    const quarter = i => new Date(Date.UTC(2026, 0, 5) + i * 900000).toISOString().slice(0, 19);
    writeFileSync(`${world}/dated.csv`, 'time,load\n' + Array.from({length: 96}, (_, i) => `${quarter(i)},${i % 48 < 24 ? 1 + i % 3 / 10 : 9}`).join('\n') + '\n');
    await go(page, '#/traces');
    await page.setInputFiles('input[type=file]', `${world}/dated.csv`);
    await says(page, 'from 2026-01-05 00:00:00 to 2026-01-05 23:45:00');
    ok(/2026-01-05 05:52:30/.test(await page.innerText('table >> nth=1')), 'dates stand as in the file', await page.innerText('table >> nth=1'));
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'SVG'}).click()]);
    const hours = readFileSync(await file.path(), 'utf8').match(/>\d\d:00</g) || [];
    ok(hours.length > 3, 'and hours on the axis', hours.join());
    if (looksToo) await page.screenshot({path: `${pictures}/traces-dated.png`, fullPage: true});
    await go(page, '#/models/traced');
    await page.getByRole('link', {name: /^n=1, /}).click();
    await page.waitForSelector('.steps section');
    await go(page, '#/traces/run:4711');
    await says(page, 'no trace of a run 4711');
    same(errors.filter(error => !/status of 400/.test(error)), [], 'nothing else is complained of');
    await close();
  },

  /* Two real builds, one of them beside four busy loops: what they send is shown, and nothing is asked meanwhile. */
  'builds that run': async () => {
    if (!long) return;
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/live');
    await says(page, 'No build is running');
    ok(/foretime build NAME/.test(await page.innerText('main pre')), 'without a build: a command to copy');
    const asked = [];
    page.on('request', request => /\/api\//.test(request.url()) && asked.push(request.url().replace(server.origin, '')));
    const begin = (name, method) => spawn('foretime', ['build', name, 'n=1:100', '--method', method, '--limit', '20', '--runs', '2:2', '--budget', '90', '-q', '--', 'sh', '-c', 'sleep 0.$((1 + {n} / 40))'], {stdio: 'ignore'});
    const ended = build => new Promise(over => build.on('exit', over));
    const loops = Array.from({length: 4}, () => spawn('sh', ['-c', 'while :; do :; done'], {stdio: 'ignore'}));
    const builds = [begin('slow', 'naive')], gone = [ended(builds[0])];
    const count = () => page.evaluate(() => Number(/(\d+) runs at/.exec(document.querySelector('main').innerText)?.[1] || 0));
    try {
      await until(page, () => /now n=/.test(document.querySelector('main').innerText));
      const seen = await page.innerText('main');
      ok(/now n=\d+: (new size|once more|warm-up)/.test(seen) && /of 1.5 min left/.test(seen) && /target ± \d/.test(seen), 'the next size, why, the target and what is left are shown', seen);
      await until(page, () => document.querySelectorAll('main canvas').length === 2);
      const had = await count();
      await until(page, had => Number(/(\d+) runs at/.exec(document.querySelector('main').innerText)?.[1]) > had + 1, had);
      ok(true, 'and go on by themselves');
      const rows = await csvOf(page, 'slow: runs');
      ok(rows.filter(row => row[0] === 'runs').length >= had && rows.some(row => row[0] === 'newest run'), 'each run is a point', JSON.stringify(rows.slice(0, 3)));
      same(asked, [], 'nothing was asked meanwhile');
      same(await findings(page), [], 'nobody is kept out');
      loops.forEach(loop => loop.kill());
      builds.push(begin('other', 'adaptive'));
      gone.push(ended(builds[1]));
      await page.getByRole('link', {name: /^other/}).click();
      await says(page, 'other: runs');
      await until(page, () => /accurate to \d/.test(document.querySelector('main').innerText));
      ok(await page.locator('.builds li').count() === 2, 'a second one stands in the list, with its accuracy');
      if (looksToo) await page.screenshot({path: `${pictures}/live-build.png`, fullPage: true});
    } finally {
      loops.forEach(loop => loop.kill());
      builds.forEach(build => build.kill('SIGINT'));
      await Promise.all(gone);
    }
    await says(page, 'No build of it runs');
    await drawn(page);
    ok(true, 'and so is its end, with the model');
    // One that is killed leaves a file behind, which counts no more.
    await until(page, () => {
      location.hash = /^#.live$/.test(location.hash) ? '#/manager' : '#/live';
      return document.body.innerText.includes('No build is running');
    });
    await go(page, '#/live/slow');
    const killed = begin('slow', 'naive'), dead = ended(killed);
    await says(page, 'now n=');
    killed.kill('SIGKILL');
    await dead;
    await says(page, 'No build of it runs');
    ok(true, 'a build that was killed is over');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  'very many programs': async () => {
    if (!long) return;
    const store = `${world}/many.db`;
    execFileSync('cp', [`${world}/store.db`, store]);
    execFileSync(process.argv[1].replace(/[^/]*$/, 'many'), [store, '100000']);
    const full = await serve(0, {FORETIME_STORE: store});
    const {page, errors, close} = await open(chrome, full.url, {viewport: {width: 320, height: 700}});
    await says(page, '100010 programs'.replace('100010', String(100000 + Number(execFileSync('foretime', ['list', '--format', 'names'], {encoding: 'utf8'}).trim().split('\n').length))));
    ok(await page.locator('.programs li').count() === 100, 'of 10^5 a hundred are there, and how many there are');
    await page.getByRole('button', {name: 'more'}).click();
    await until(page, () => document.querySelectorAll('.programs li').length === 200);
    ok(true, 'the next hundred come when they are asked for');
    await page.getByLabel('search programs').fill('MANY/09999');
    await until(page, () => document.querySelectorAll('.programs li').length === 10);
    ok(true, 'a search is of all of them');
    const began = Date.now();
    await page.getByLabel('search programs').fill('many/077777');
    await until(page, () => document.querySelectorAll('.programs li').length === 1);
    ok(true, `and takes ${Date.now() - began} ms, 200 of them until typing is over`);
    ok(await overflow(page) <= 0, 'nothing is wider than the window');
    same(errors, [], 'nothing is complained of');
    await close();
    await full.stop();
  },

  'several machines': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/matmul');
    await says(page, 'runs of one size vary by');
    ok(true, 'measured on two others: one of them is shown, with its law');
    for (const host of ['node1', 'node2']) {
      await page.locator('select').first().selectOption(host);
      await says(page, `on ${host}, the newest`);
    }
    // Somebody holds the list open, and runs are added: what stands above it is drawn anew, and the list stays.
    await page.evaluate(() => ['h1', 'select'].forEach(each => document.querySelector('main ' + each).setAttribute('data-held', '')));
    execFileSync('touch', [`${world}/store.db`]);
    await until(page, () => !document.querySelector('main h1').hasAttribute('data-held'));
    ok(await page.locator('main select[data-held]').count() === 1, 'what is chosen with stands while the rest is drawn anew');
    await go(page, '#/live/matmul');
    await says(page, 'the newest');
    await drawn(page);
    same(errors, [], 'nothing is complained of');
    await close();
  },

  /* What stands before the first picture, as it is sent, with what HTTP adds; the rest comes when it is looked at. */
  size: async () => {
    const {page, close} = await open(chrome, 'about:blank');
    let bytes = 0;
    const client = await page.context().newCDPSession(page), own = new Set();
    await client.send('Network.enable');
    client.on('Network.requestWillBeSent', told => !told.request.url.includes('/api/') && own.add(told.requestId));
    client.on('Network.loadingFinished', told => { bytes += own.has(told.requestId) ? told.encodedDataLength : 0; });
    await page.goto(server.url);
    await drawn(page);
    ok(bytes > 20000 && bytes <= 80000, `${bytes} bytes, 80 kB at most`);
    await close();
  },

  'no modules': async () => {
    const {page, close} = await open(chrome, server.url, {javaScriptEnabled: false});
    ok(/foretime list/.test(await page.locator('noscript').innerText().catch(() => page.content())), 'without scripts: a sentence');
    await close();
    const old = await open(chrome, 'about:blank');
    const html = await (await fetch(server.origin + '/')).text(), script = await (await fetch(server.origin + '/old.js')).text();
    await old.page.setContent(html.replace(/<script[^>]*type="module"[^>]*><\/script>/, '').replace(/<script nomodule src="old.js"><\/script>/, () => `<script>${script}</script>`));
    await says(old.page, 'too old');
    ok(true, 'a browser without modules: a sentence');
    await old.close();
  },

  'two pages': async () => {
    const one = await open(chrome, server.url), two = await open(chrome, server.url);
    await go(one.page, '#/promises/matmul');
    await go(two.page, '#/promises/noisy');
    await Promise.all([says(one.page, 'runs lie inside'), says(two.page, 'runs lie inside')]);
    same([...one.errors, ...two.errors], [], 'both are answered');
    await one.close();
    await two.close();
  },

  'a server that goes away': async () => {
    const {page, close} = await open(chrome, server.url);
    await go(page, '#/models/noisy');
    await drawn(page);
    await server.stop('SIGKILL');
    await says(page, 'does not answer');
    ok(true, 'a server that was killed is told of');
    server = await serve(server.port);
    // It has another token: the page says what to do.
    await page.goto('about:blank');
    await page.goto(server.url);
    await drawn(page);
    ok(!(await page.innerText('body')).includes('does not answer'), 'and a new one is a page again');
    await close();
  },

  /* A question that nobody waits for any more is aborted. */
  'questions that are stale': async () => {
    const {page, errors, close} = await open(chrome, server.url), aborted = [];
    page.on('requestfailed', request => aborted.push(request.url()));
    await Promise.all([page.waitForRequest(/kept=/), go(page, '#/promises/changed')]);
    await go(page, '#/plans');
    const is = () => aborted.some(url => /show.changed.*kept=/.test(url));
    for (const end = Date.now() + 60000; !is() && Date.now() < end;) await new Promise(wait => setTimeout(wait, 50));
    ok(is(), 'it is aborted when the view is left', aborted.join());
    await says(page, 'Choose or drop the file of a plan');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  /* Processes wait for questions: one that dies costs no answer, and the server starts others. */
  'processes that wait': async () => {
    const waiting = () => spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(server.pid)], {encoding: 'utf8'}).stdout.split('\n').filter(line => / --ahead/.test(line)).map(line => parseInt(line, 10));
    const all = async () => {
      for (const end = Date.now() + 60000; waiting().length < 8 && Date.now() < end;) await new Promise(go => setTimeout(go, 100));
      return waiting();
    };
    const token = new URL(server.url).hash.replace('#token=', ''), ask = async path => (await fetch(server.origin + path, {headers: {Authorization: `Bearer ${token}`}})).status;
    const first = await all();
    same(first.length, 8, 'eight wait');
    const answers = await Promise.all(Array.from({length: 12}, (_, i) => ask(i % 2 ? '/api/list/noisy' : '/api/predict/noisy?n=300')));
    ok(answers.every(status => status === 200) && (await all()).every(pid => !first.includes(pid)), 'each answers once, and others come', answers.join());
    waiting().forEach(pid => process.kill(pid, 'SIGKILL'));
    while (waiting().length) await new Promise(go => setTimeout(go, 20));
    same(await Promise.all(Array.from({length: 9}, () => ask('/api/show/noisy'))), Array(9).fill(200), 'those that died cost no answer');
    same((await all()).length, 8, 'and are replaced');
  },

  'a store that vanishes': async () => {
    const {page, close} = await open(chrome, server.url);
    await go(page, '#/models/noisy');
    await drawn(page);
    renameSync(`${world}/store.db`, `${world}/away.db`);
    await go(page, '#/promises/noisy');
    await page.waitForSelector('.failure', {timeout: 30000});
    ok(/foretime|store/.test(await page.locator('.failure').first().innerText()), 'what is missing is told', await page.innerText('body'));
    renameSync(`${world}/away.db`, `${world}/store.db`);
    await go(page, '#/models/noisy');
    await drawn(page);
    ok(true, 'it goes on when it is back');
    await close();
  },

  /* A real one: a problem that is built, and one that a file holds back until it goes away. */
  'a manager': async () => {
    if (!long) return;
    const root = !process.getuid(), folder = mkdtempSync(`${tmpdir()}/managed-`), socket = `${folder}/m.sock`, store = `${folder}/built/store.db`;
    chmodSync(folder, 0o755);
    mkdirSync(`${folder}/built`);
    if (root) execFileSync('chown', ['nobody', `${folder}/built`]);
    writeFileSync(`${folder}/prog.sh`, '#!/bin/sh\nsleep 0\n', {mode: 0o755});
    writeFileSync(`${folder}/halt`, '');
    const problem = (name, more) => `{ name = "${name}"; command = "${folder}/prog.sh {n}"; parameters = [ "n=1:4" ]; method = "naive"; points = 2; reps_least = 1; reps_most = 1; ${more} }`;
    writeFileSync(`${folder}/m.conf`, `${root ? 'user = "nobody";\n' : ''}problems = (
      ${problem('held', `policies = ( { time = "now"; conditions = ( { type = "halt_file"; path = "${folder}/halt"; } ); } );`)},
      ${problem('free', 'priority = 30; policies = ( { time = "now"; } );')} );\n`);
    const runs = spawn('foretime', ['manager', '--config', `${folder}/m.conf`, '--store', store, '--socket', socket], {stdio: 'ignore'});
    const full = await serve(0, {FORETIME_MANAGER: socket, FORETIME_STORE: store});
    const {page, errors, close} = await open(chrome, 'about:blank');
    const row = (name, text) => until(page, ([name, text]) => [...document.querySelectorAll('tbody tr')].some(each => each.cells[0].textContent === name && each.innerText.includes(text)), [name, text]);
    try {
      for (const end = Date.now() + 30000; !existsSync(socket) && Date.now() < end;) await new Promise(go => setTimeout(go, 50));
      await page.goto(full.url);
      await go(page, '#/manager');
      await row('held', `halt file ${folder}/halt is there`);
      ok(true, 'what holds a program back is told');
      await row('free', 'done');
      ok(true, 'the other one is built meanwhile');
      await says(page, 'The next day: when each may run');
      ok((await page.locator('svg title').allTextContents()).some(text => text.startsWith('held: ') && text.includes('halt')), 'when each may run within the next day, and by which rule');
      same(await findings(page), [], 'nobody is kept out');
      await page.getByRole('button', {name: 'stop held'}).focus();
      await page.keyboard.press('Enter');
      await row('held', 'it was stopped by hand');
      ok(true, 'a program is stopped, by a key');
      await says(page, 'held: stopped, it was stopped by hand');
      ok(!/=–/.test(await page.innerText('main')), 'what happened is told, with sizes', await page.innerText('main'));
      await keepPicture(page, 'manager');
      rmSync(`${folder}/halt`);
      await page.waitForTimeout(1500);
      await row('held', 'stopped');
      ok(!await page.getByRole('button', {name: /free/}).count(), 'it waits; what is done has no button');
      await go(page, '#/live');
      await page.getByRole('button', {name: 'continue held'}).click();
      await go(page, '#/manager');
      await row('held', 'done');
      ok(true, 'what was held back goes on by itself, and is seen');
      await go(page, '#/models/held');
      await says(page, 'the newest');
      same(errors, [], 'nothing is complained of');
    } finally {
      const gone = new Promise(over => runs.on('exit', over));
      if (runs.exitCode === null && runs.kill('SIGTERM')) await gone;
      await close();
      await full.stop();
      rmSync(folder, {recursive: true});
    }
  },

  /* Between the page and the server a line that drips, and breaks within an event: what happened meanwhile is heard. */
  'an event stream that drips and breaks': async () => {
    if (!long) return;
    let cuts = 0, streams = 0;
    const between = createServer(client => {
      const far = connect(server.port, '127.0.0.1');
      let events = false, sent = 0, waits = Promise.resolve();
      client.on('data', data => {
        if (data.includes('GET /api/events')) {
          events = true;
          streams++;
        }
        far.write(data);
      });
      far.on('data', data => {
        if (!events) return client.write(data);
        for (const byte of data) waits = waits.then(() => new Promise(go => setTimeout(go, 1))).then(() => {
          if (client.destroyed) return;
          if (++sent > 700 && cuts < 2) {
            cuts++;
            client.destroy();
          } else client.write(Buffer.from([byte]));
        });
      });
      for (const [one, other] of [[client, far], [far, client]]) one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
    await new Promise(up => between.listen(0, '127.0.0.1', up));
    const {page, close} = await open(chrome, server.url.replace(`:${server.port}/`, `:${between.address().port}/`));
    await go(page, '#/models/noisy');
    await says(page, '90 runs on node1');
    const measure = i => {
      writeFileSync(`${world}/one.csv`, `n,wall_s\n${100 + i},${0.001 + i / 1e5}\n`);
      execFileSync('foretime', ['import', `${world}/one.csv`, 'n', '--name', 'noisy', '--machine', 'node1']);
    };
    for (let i = 0; i < 40 && cuts < 2; i++) {
      measure(i);
      await new Promise(go => setTimeout(go, 700));
    }
    // While it is away.
    measure(99);
    ok(cuts === 2, 'it was cut twice', `${cuts} cuts, ${streams} streams`);
    const runs = JSON.parse(execFileSync('foretime', ['list', 'noisy', '--json'], {encoding: 'utf8'})).programs.reduce((all, row) => all + row.runs, 0);
    await says(page, `${runs} runs on node1`);
    for (const end = Date.now() + 30000; streams < 3 && Date.now() < end;) await new Promise(go => setTimeout(go, 100));
    ok(streams > 2, 'what happened while it was away is there', `${streams} streams`);
    await close();
    between.close();
  },

  'an event stream that breaks': async () => {
    if (!long) return;
    const {page, close} = await open(chrome, server.url);
    let cut = 0;
    await page.route('**/api/events', route => cut++ < 2 ? route.abort() : route.continue());
    await page.reload();
    await says(page, 'does not answer');
    await until(page, () => !document.getElementById('state').textContent);
    ok(cut > 2, 'it is opened again');
    await close();
  },
});

await traces(chrome, server.url, long);
await server.stop();
await chrome.close();
done();
