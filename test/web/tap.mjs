// SPDX-License-Identifier: GPL-3.0-or-later
// tap.mjs - what tests of the page share: TAP, the server, the browser.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';
import {readFileSync} from 'node:fs';

const require = createRequire(process.env.MODULES + '/package.json');
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let n = 0, failed = 0;
export function ok(good, name, why = '') {
  n++;
  console.log(`${good ? 'ok' : 'not ok'} ${n} - ${name.replace(/[#\n]/g, ' ')}`);
  if (good) return good;
  failed++;
  String(why).split('\n').slice(0, 12).forEach(line => console.log('# ' + line));
  return good;
}
export const same = (got, wanted, name) => ok(JSON.stringify(got) === JSON.stringify(wanted), name, `got ${JSON.stringify(got)}\nwanted ${JSON.stringify(wanted)}`);
export function done() {
  console.log(`1..${n}`);
  process.exitCode = failed ? 1 : 0;
}

/* Each of them, also behind one that throws: name(of what is tested) and what it does. */
export async function each(tests) {
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    console.log(`# ${name}`);
    try {
      await test();
    } catch (error) {
      ok(false, `${name}: went to its end`, error.stack);
    }
  }
}

/* serve - foretime serve, at a free port; {url, origin, stop()}. port: the same one again. more: further options. */
export async function serve(port = 0, environment = {}, more = []) {
  const child = spawn('foretime', ['serve', '--port', String(port), ...more], {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...environment}});
  const told = [];
  const url = await new Promise((found, none) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({input: stream}).on('line', line => {
        told.push(line);
        const match = line.match(/http:\/\/\S+/);
        if (match) found(match[0]);
      });
    child.on('exit', code => none(new Error(`foretime serve ended with ${code}: ${told.join(' ')}`)));
  });
  const gone = new Promise(over => child.on('exit', over));
  return {url, origin: new URL(url).origin, port: Number(new URL(url).port), pid: child.pid,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return gone;
    }};
}

export const browser = () => chromium.launch({executablePath: process.env.BROWSER, args: ['--no-sandbox', '--disable-gpu']});

/* open - a page that was let in, and what it complained of; {page, errors}. */
export async function open(from, url, options = {}) {
  const context = await from.newContext({viewport: {width: 1400, height: 900}, acceptDownloads: true, ...options});
  const page = await context.newPage(), errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`));
  page.on('dialog', dialog => {
    errors.push('a dialog: ' + dialog.message());
    dialog.dismiss();
  });
  await page.goto(url);
  return {page, errors, close: () => context.close()};
}

/* until - f(argument), in the page, says yes; asked from outside: the page's policy evaluates no text. */
export async function until(page, f, argument = null, ms = 60000) {
  for (const end = Date.now() + ms; ; ) {
    if (await page.evaluate(f, argument).catch(() => false)) return;
    if (Date.now() > end) throw new Error(`in vain: ${f} ${argument ?? ''}\n${(await page.innerText('body')).replace(/\n+/g, ' | ').slice(0, 900)}`);
    await new Promise(done => setTimeout(done, 100));
  }
}

export const go = async (page, hash) => {
  await page.evaluate(hash => { location.hash = hash; }, hash);
};

/* Findings of axe that keep somebody out. */
export async function findings(page) {
  // Its text stands in a world of its own: the page's policy lets no script in.
  const client = await page.context().newCDPSession(page);
  const {frameTree} = await client.send('Page.getFrameTree');
  const {executionContextId} = await client.send('Page.createIsolatedWorld', {frameId: frameTree.frame.id, worldName: 'axe'});
  const run = expression => client.send('Runtime.evaluate', {expression, contextId: executionContextId, awaitPromise: true, returnByValue: true});
  await run(axe);
  const {result, exceptionDetails} = await run(`axe.run(document, {resultTypes: ['violations']}).then(told => told.violations
    .filter(each => ['serious', 'critical'].includes(each.impact)).map(each => each.id + ': ' + each.nodes.map(node => node.target.join(' ')).join(', ')))`);
  await client.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
  return result.value;
}

/* What is wider than the window. */
export const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
