// SPDX-License-Identifier: GPL-3.0-or-later
// page.mjs - the page, looked at by those who use it: with the mouse, with the keyboard, on a phone, in the dark, with a
// server that goes away.
import {execFileSync, spawn} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {browser, done, each, findings, go, ok, open, overflow, same, serve, until} from './tap.mjs';
import {traces} from './traces.mjs';

const world = process.env.WORLD, long = process.argv[2] !== 'short', pictures = process.env.PICTURES;
const markup = '<img src=x onerror="document.title=1">&amp;';
const chrome = await browser();
let server = await serve();
if (pictures) mkdirSync(pictures, {recursive: true});

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

/* Where each view is looked at, and when it is all there. */
const views = {
  models: {hash: '#/models/noisy', ready: drawn},
  promises: {hash: '#/promises/changed', ready: async page => {
    await says(page, 'runs lay inside');
    await drawn(page);
  }},
  plans: {hash: '#/plans', ready: page => drop(page, 'over 2 machines', `${world}/schedule.json`)},
  live: {hash: '#/live/noisy', ready: drawn},
  traces: {hash: '#/traces', ready: page => page.waitForSelector('input[type=file]', {state: 'attached'})},
  manager: {hash: '#/manager', ready: page => says(page, 'No manager runs')},
};

const looks = {
  'phone, light': {viewport: {width: 320, height: 700}, colorScheme: 'light', isMobile: true},
  'phone, dark': {viewport: {width: 320, height: 700}, colorScheme: 'dark', isMobile: true},
  'wide, light': {viewport: {width: 1400, height: 900}, colorScheme: 'light'},
  'wide, dark': {viewport: {width: 1400, height: 900}, colorScheme: 'dark'},
};

async function look(name, how) {
  const {page, errors, close} = await open(chrome, server.url, looks[how]);
  await go(page, views[name].hash);
  await views[name].ready(page);
  same(await findings(page), [], `${name}, ${how}: nobody is kept out`);
  ok(await overflow(page) <= 0, `${name}, ${how}: nothing is wider than the window`, `${await overflow(page)} pixels`);
  same(errors, [], `${name}, ${how}: nothing is complained of`);
  if (pictures) await page.screenshot({path: `${pictures}/${name}-${how.replace(', ', '-')}.png`, fullPage: true});
  await close();
}

await each({
  looks: async () => {
    for (const name of Object.keys(views))
      for (const how of long ? Object.keys(looks) : ['phone, dark', 'wide, light']) await look(name, how);
  },

  promises: async () => {
    const {page, errors, close} = await open(chrome, server.url);
    const told = JSON.parse(execFileSync('foretime', ['show', 'changed', '--kept', '50', '--json'], {encoding: 'utf8'})).kept;
    await go(page, '#/promises/changed');
    await says(page, `${told.inside} of ${told.inside + told.less + told.more} runs lay inside`);
    ok(true, 'it tells what the command tells');
    same(await page.locator('tbody tr').count(), told.less + told.more, 'each run outside has a row');
    await page.locator('.area').first().focus();
    await page.keyboard.press('ArrowRight');
    ok(/took .* foretold/.test(await page.locator('.reading').first().innerText()), 'a run is read by the arrow keys');
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
    await page.reload();
    await page.getByRole('link', {name: 'schedule.json'}).click();
    await says(page, 'over 2 machines');
    ok(true, 'what was dropped is there again');
    for (const [name, text] of [['none.json', '{"action": "schedule", "slots": [{"start_s": "x"}]}'], ['none.csv', 'a,b\n1,2\n'], ['none.bin', '\0\x01\x02']]) {
      writeFileSync(`${world}/${name}`, text);
      await drop(page, 'This is no plan', `${world}/${name}`);
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
    for (const name of ['Models', 'Live', 'Traces', 'Promises', 'Plans', 'Manager']) ok(seen.includes(name), `${name} is reached by Tab`, seen.join(', '));
    await page.keyboard.press('Enter');
    await says(page, 'No manager runs');
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
    ok(await page.title() !== '1', 'no script of a name ran');
    same(errors, [], 'nothing is complained of');
    await close();
  },

  'several machines': async () => {
    const {page, errors, close} = await open(chrome, server.url);
    await go(page, '#/models/matmul');
    await says(page, 'runs of one size scatter by');
    ok(true, 'measured on two others: one of them is shown, with its law');
    for (const host of ['node1', 'node2']) {
      await page.locator('select').first().selectOption(host);
      await says(page, `on ${host}, the newest`);
    }
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
    ok(bytes > 20000 && bytes <= 65536, `${bytes} bytes, 64 kB at most`);
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
    await Promise.all([says(one.page, 'runs lay inside'), says(two.page, 'runs lay inside')]);
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
      same(await findings(page), [], 'nobody is kept out');
      rmSync(`${folder}/halt`);
      await row('held', 'done');
      ok(true, 'what was held back goes on by itself, and is seen');
      await go(page, '#/models/held');
      await says(page, 'the newest');
      same(errors, [], 'nothing is complained of');
      if (pictures) await page.screenshot({path: `${pictures}/manager-real.png`});
    } finally {
      const gone = new Promise(over => runs.on('exit', over));
      if (runs.exitCode === null && runs.kill('SIGTERM')) await gone;
      await close();
      await full.stop();
      rmSync(folder, {recursive: true});
    }
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
