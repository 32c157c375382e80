// SPDX-License-Identifier: GPL-3.0-or-later
// bench.mjs - bytes of the page, and milliseconds and processor seconds of what it asks, on a store that test/web/world
// made: the first picture, ten points that come one after another, traces of 10^5 and 10^6 rows, 10^5 programs.
import {execFileSync, spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {loadavg} from 'node:os';
import {browser, go, open, serve, until} from '../../test/web/tap.mjs';

const world = process.env.WORLD, N = 5;
const middle = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
/* Processor seconds of a process and of the children that it waited for: proc(5), stat, fields 14 to 17. */
const cpu = pid => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ').slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
const row = (what, ...cells) => console.log(`| ${[what, ...cells].join(' | ')} |`);
const ms = value => value.toFixed(0);

let server = await serve();
const token = new URL(server.url).hash.replace('#token=', '');
const ask = async (from, path, options = {}) => {
  const response = await fetch(from.origin + path, {...options, headers: {Authorization: `Bearer ${new URL(from.url).hash.replace('#token=', '')}`}});
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

/* The middle of N: [wall ms, processor s]. */
async function timed(from, act) {
  const wall = [], spent = [];
  for (let i = 0; i < N; i++) {
    const began = performance.now(), before = cpu(from.pid);
    await act(i);
    wall.push(performance.now() - began);
    spent.push(cpu(from.pid) - before);
  }
  return [ms(middle(wall)), middle(spent).toFixed(2)];
}

const chrome = await browser();
console.log(`load ${loadavg()[0].toFixed(1)}, n = ${N}, the middle one\n`);
row('what', 'ms', 'processor s of the server');
row('---', '---:', '---:');

/* Bytes, as they are sent. */
{
  const {page, close} = await open(chrome, 'about:blank'), sent = new Map();
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  client.on('Network.requestWillBeSent', told => sent.set(told.requestId, [told.request.url, 0]));
  client.on('Network.loadingFinished', told => { if (sent.has(told.requestId)) sent.get(told.requestId)[1] = told.encodedDataLength; });
  const drawn = () => until(page, () => document.querySelector('main canvas'));
  const began = performance.now();
  await page.goto(server.url);
  await drawn();
  row('the first picture', ms(performance.now() - began), '');
  await until(page, () => document.querySelectorAll('.answer section').length > 1);
  row('the first prediction', ms(performance.now() - began), '');
  const own = () => [...sent.values()].filter(([url]) => !url.includes('/api/')).reduce((sum, [, n]) => sum + n, 0);
  row(`bytes until then: ${own()}`, '', '');
  for (const view of ['live/noisy', 'compare', 'promises/noisy', 'plans', 'traces', 'manager']) {
    await go(page, '#/' + view);
    await page.waitForTimeout(500);
  }
  row(`bytes of all views: ${own()}`, '', '');
  await close();
}

/* Ten points, each from the end of its import until it is on the page. */
{
  const {page, close} = await open(chrome, server.url), each = [];
  await go(page, '#/models/noisy');
  await until(page, () => / runs on node1/.test(document.body.innerText));
  for (let i = 0; i < 10; i++) {
    const had = Number(/(\d+) runs on node1/.exec(await page.innerText('main'))[1]);
    writeFileSync(`${world}/one.csv`, `n,wall_s\n${100 + i},0.001\n`);
    execFileSync('foretime', ['import', `${world}/one.csv`, 'n', '--name', 'noisy', '--machine', 'node1']);
    const began = performance.now();
    await until(page, had => document.body.innerText.includes(`${had + 1} runs on node1`), had);
    each.push(performance.now() - began);
  }
  row('a live point: middle, most of ten', `${ms(middle(each))}, ${ms(Math.max(...each))}`, '');
  await close();
}

/* Runs of a build, each from its end, which it writes, until its number is on the page; then beside twenty busy loops. */
for (const loops of [0, 20]) {
  const {page, close} = await open(chrome, server.url), ends = `${world}/ends${loops}`, seen = [];
  await go(page, '#/live');
  await until(page, () => /No build is running/.test(document.body.innerText));
  const busy = Array.from({length: loops}, () => spawn('sh', ['-c', 'while :; do :; done'], {stdio: 'ignore'}));
  const build = spawn('foretime', ['build', `bench${loops}`, 'n=1:100', '--method', 'naive', '--limit', '15', '--runs', '2:2', '--budget', '60', '-q', '--', 'sh', '-c', `sleep 0.$((2 + {n} / 40)); date +%s%N >>${ends}`], {stdio: 'ignore'});
  const gone = new Promise(over => build.on('exit', over));
  let works = true;
  gone.then(() => { works = false; });
  while (works) {
    const runs = await page.evaluate(() => Number(/(\d+) runs at/.exec(document.querySelector('main').innerText)?.[1] || 0)).catch(() => 0);
    while (seen.length < runs) seen.push(Date.now());
    await new Promise(next => setTimeout(next, 10));
  }
  busy.forEach(loop => loop.kill());
  const late = readFileSync(ends, 'utf8').trim().split('\n').map((end, i) => seen[i] - Number(end) / 1e6).filter(Number.isFinite);
  row(`runs of a build on the page, beside ${loops} busy loops: the first; middle, most of ${late.length}`, `${ms(late[0])}; ${ms(middle(late))}, ${ms(Math.max(...late))}`, '');
  await close();
}

/* A node of the fit of a trace is dragged for two seconds: frames that the browser drew, and the longest from one to the
 * next. */
{
  const {page, close} = await open(chrome, server.url), rows = 1e5;
  writeFileSync(`${world}/long.csv`, 'time_s,processors\n' + Array.from({length: rows}, (_, i) => `${i},${4 + 11 * (Math.floor(8 * i / rows) % 2) + i * 7919 % 100 / 100}`).join('\n') + '\n');
  await go(page, '#/traces');
  await page.setInputFiles('input[type=file]', `${world}/long.csv`);
  await page.getByLabel('Nodes', {exact: true}).check();
  const box = await page.locator('.handle.node').nth(3).boundingBox();
  await page.mouse.move(box.x + 6, box.y + 6);
  await page.mouse.down();
  const frames = page.evaluate(() => new Promise(done => {
    const at = [], next = time => at.push(time) && (time - at[0] > 2000 ? done({n: at.length - 1, s: (time - at[0]) / 1000, most: Math.max(...at.slice(1).map((each, i) => each - at[i]))}) : requestAnimationFrame(next));
    requestAnimationFrame(next);
  }));
  let moves = 0, over = false;
  frames.finally(() => { over = true; });
  for (; !over; moves++) await page.mouse.move(box.x + 6 + moves % 40, box.y + 6);
  const {n, s, most} = await frames;
  await page.mouse.up();
  row(`10^5 rows, a node is dragged: frames a second; the longest, ms; moves a second`, `${ms(n / s)}; ${ms(most)}; ${ms(moves / s)}`, '');
  await close();
}

/* Traces of so many rows. */
for (const rows of [1e5, 1e6]) {
  let seed = 1;
  const random = () => (seed = seed * 16807 % 2147483647) / 2147483647, lines = ['time_s,processors'];
  for (let i = 0; i < rows; i++) lines.push(`${i},${(4 + 11 * (Math.floor(8 * i / rows) % 2) + random()).toFixed(4)}`);
  const {id} = await ask(server, '/api/traces', {method: 'POST', body: lines.join('\n') + '\n'});
  for (const [name, path] of [['the picture, 1,200 pixels', `show/${id}?width=1200`], ['fit, 25 pieces', `fit/${id}?pieces=25&start=equal`],
    ['simplify, find spikes', `constrain/${id}?keep=${rows / 10},${rows / 2}&lambda=1&smooth=auto`], ['phases', `phases/${id}`]])
    row(`${rows} rows: ${name}`, ...await timed(server, () => ask(server, `/api/trace/${path}`)));
}
await server.stop();

/* Very many programs. */
execFileSync('cp', [`${world}/store.db`, `${world}/many.db`]);
execFileSync(new URL('../../test/web/many', import.meta.url).pathname, [`${world}/many.db`, '100000']);
server = await serve(0, {FORETIME_STORE: `${world}/many.db`});
row('10^5 programs: the first hundred', ...await timed(server, () => ask(server, '/api/list?most=100')));
row('10^5 programs: a search', ...await timed(server, i => ask(server, `/api/list?most=100&search=0777${i}`)));
row('10^5 programs: one of them', ...await timed(server, i => ask(server, `/api/show/many%2F07777${i}`)));
{
  const began = performance.now();
  execFileSync('foretime', ['list', '--json', '--store', `${world}/many.db`], {maxBuffer: 1 << 28});
  row('10^5 programs: foretime list --json, all', ms(performance.now() - began), '');
}
await server.stop();
await chrome.close();
