// SPDX-License-Identifier: GPL-3.0-or-later
// plans.js - plans as pictures: made here by the questions of `foretime plan`, a file that is dropped here, or one of those
// kept in this browser. Nothing is started.
import {get, post} from '../api.js';
import {chart} from '../chart.js';
import {failure, h, loading, put, table} from '../dom.js';
import {bars} from '../picture.js';
import {format, number, quoted} from '../units.js';

const KEY = 'foretime-plans', KEPT = 12, MOST = 2 ** 20, ROWS = 5000, CURVES = 6;
const INKS = ['one', 'two', 'three', 'four', 'five', 'six'];
const seconds = value => format(value, 's');
const csv = (heads, rows) => [heads, ...rows].map(row => row.map(quoted).join(',')).join('\n') + '\n';

/* ---- reading ---- */

/* readCsv - rows as objects by the names of the first line; quoted as RFC 4180 has it. */
export function readCsv(text) {
  const rows = [[]];
  let cell = '', open = false;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (open && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"') open = !open;
    else if (!open && (c === ',' || c === '\n' || c === undefined)) {
      rows[rows.length - 1].push(cell.replace(/\r$/, ''));
      cell = '';
      if (c === '\n') rows.push([]);
    } else cell += c ?? '';
  }
  const [heads, ...others] = rows.filter(row => row.length > 1);
  return (others || []).map(row => Object.fromEntries(heads.map((head, i) => [head, row[i]])));
}

const numbers = (row, ...names) => Object.fromEntries(names.map(name => [name, row[name] === '' || row[name] === undefined ? null : Number(row[name])]));

/* The tables of --format csv, as the answers that --json prints. */
function fromCsv(rows) {
  const has = name => rows.length > 0 && name in rows[0];
  if (has('start_s') && has('end_s')) return {action: 'schedule', slots: rows.map(row => ({...row, ...numbers(row, 'start_s', 'end_s')}))};
  if (has('processor') && has('time_s')) {
    const parameter = Object.keys(rows[0]).find(name => !['processor', 'name', 'host', 'time_s', 'energy_j'].includes(name));
    return {action: 'partition', parameter, feasible: true, shares: rows.map(row => ({...row, units: Number(row[parameter]), ...numbers(row, 'time_s', 'energy_j')}))};
  }
  if (has('task') && has('machine') && has('time_s')) return {action: 'map', tasks: rows.map(row => ({...row, ...numbers(row, 'time_s', 'energy_j')}))};
  return null;
}

const sound = list => Array.isArray(list) && list.length <= ROWS && list.every(each => each && typeof each === 'object');
const ends = (list, ...names) => list.every(each => names.every(name => Number.isFinite(each[name]) && each[name] >= 0));

/* Of what drew() draws all is there, whatever the file says. */
function check(plan) {
  if (!plan || typeof plan !== 'object') return false;
  if (plan.action === 'schedule') return sound(plan.slots) && ends(plan.slots, 'start_s', 'end_s');
  if (plan.action === 'map') return sound(plan.tasks) && ends(plan.tasks, 'time_s');
  if (plan.action === 'partition') return sound(plan.shares || plan.tiles || plan.caps);
  return plan.action === 'rank' && sound(plan.ranks);
}

/* readPlan - what a file says; throws a sentence. */
export function readPlan(text) {
  let plan = null;
  try {
    plan = JSON.parse(text);
  } catch {
    plan = fromCsv(readCsv(text));
  }
  if (plan && !plan.action && plan.slots) plan.action = 'schedule';
  if (check(plan)) return plan;
  throw Object.assign(new Error(`This is not a plan that can be drawn, or it has more than ${ROWS} rows.`),
    {remedy: 'Drop what foretime plan partition, map, schedule or rank printed with --json or --format csv.'});
}

/* ---- kept in this browser ---- */

function kept() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) || '[]');
    return Array.isArray(all) ? all.filter(each => each && typeof each.text === 'string') : [];
  } catch {
    return [];
  }
}

/* The newest stay; where there is no room none is kept, and it is drawn all the same. */
function keep(name, text) {
  try {
    localStorage.setItem(KEY, JSON.stringify([{name, text, at: Date.now()}, ...kept().filter(each => each.text !== text)].slice(0, KEPT)));
  } catch { /* full */ }
}

/* ---- pictures ---- */

const byMachine = (rows, name = 'machine') => [...rows.reduce((all, row) => all.set(row[name], [...(all.get(row[name]) || []), row]), new Map())];

function schedule(plan) {
  const most = Math.max(...plan.slots.map(slot => slot.end_s), 0);
  const place = new Map(plan.slots.map((slot, i) => [slot, i]));
  const rows = byMachine(plan.slots).map(([machine, slots]) => ({name: machine, bars: slots.map(slot => ({from: slot.start_s, to: slot.end_s, label: slot.task,
    ink: INKS[place.get(slot) % INKS.length], about: `${slot.task} on ${machine}: ${seconds(slot.start_s)} to ${seconds(slot.end_s)}`}))}));
  return {
    say: `${plan.slots.length} tasks over ${rows.length} machines: done in ${seconds(plan.time_s ?? most)}`,
    more: [plan.heft_s ? `HEFT takes ${seconds(plan.heft_s)}.` : '', plan.exact ? 'No plan is better.' : plan.gap > 0 ? `No plan is better by more than ${format(plan.gap * 100, '')} %.` : ''],
    parts: [bars({title: 'Schedule', told: 'which task runs when, and where', rows, most, say: seconds,
      csv: csv(['task', 'machine', 'start_s', 'end_s'], plan.slots.map(slot => [slot.task, slot.machine, slot.start_s, slot.end_s]))}),
    table(['task', 'machine', '>start', '>end'], plan.slots.slice(0, 200).map(slot => [slot.task, slot.machine, seconds(slot.start_s), seconds(slot.end_s)]), 'slots')],
  };
}

/* Tasks of a machine one after the other: a map says no order. */
function map(plan) {
  const rows = byMachine(plan.tasks).map(([machine, tasks]) => {
    let at = 0;
    return {name: machine, bars: tasks.map((task, i) => ({from: at, to: at += task.time_s, label: task.task, ink: INKS[i % INKS.length], about: `${task.task} on ${machine}: ${seconds(task.time_s)}`}))};
  });
  const most = Math.max(...rows.flatMap(row => row.bars.map(bar => bar.to)), 0);
  return {
    say: `${plan.tasks.length} tasks over ${rows.length} machines: done in ${seconds(plan.time_s ?? most)}`,
    more: ['Tasks of a machine may run in any order.'],
    parts: [bars({title: 'Tasks by machine', told: 'which machine has which tasks', rows, most, say: seconds,
      csv: csv(['task', 'machine', 'time_s'], plan.tasks.map(task => [task.task, task.machine, task.time_s]))})],
  };
}

function front(plan) {
  const points = [...plan.front].sort((a, b) => a.time_s - b.time_s), x = points.map(point => point.time_s);
  return chart({
    title: 'Time against energy', x: {label: 'time', unit: 's'}, y: {label: 'energy', unit: 'J'},
    series: [{kind: 'line', name: 'no plan has less of both', x, y: points.map(point => point.energy_j), ink: 'three'},
      {kind: 'points', name: 'plans', x, y: points.map(point => point.energy_j), ink: 'three', size: 7}],
    read: at => {
      const point = points.find(each => each.time_s === at);
      return point ? `${seconds(point.time_s)}, ${format(point.energy_j, 'J')}` : '';
    },
    rest: 'Sooner costs more: the steep part is where waiting a little saves most.',
  });
}

/* What each processor takes for a share: the curves of the store's models, where it has them, and the shares. */
async function curves(plan, shares) {
  const some = shares.filter(share => share.units > 0).slice(0, CURVES);
  const answers = await Promise.all(some.map(share => get('plot', share.name, {machine: share.host || ''}).catch(() => null)));
  const lines = answers.flatMap((told, i) => told && told.axes.length === 1 && told.axes[0].parameter === plan.parameter && told.resource === 'wall_s'
    ? [{kind: 'line', name: some[i].processor, x: told.axes[0].at, y: told.model.value, ink: INKS[i % INKS.length]}] : []);
  if (!lines.length) return null;
  const x = some.map(share => share.units);
  return chart({
    title: 'Time by share', x: {label: plan.parameter, unit: '', log: true}, y: {label: 'time', unit: 's', log: true},
    series: [...lines, {kind: 'points', name: 'shares', x, y: some.map(share => share.time_s), ink: 'quiet', size: 9}],
    read: at => lines.map(line => [line.name, line.y[line.x.findIndex(each => each >= at)]]).filter(([, value]) => value).map(([name, value]) => `${name} ${seconds(value)}`).join(', ') + ` for ${plan.parameter} = ${number(at)}`,
    rest: 'At these shares all take equally long.',
  });
}

function partition(plan) {
  if (plan.feasible === false || !plan.shares)
    return {say: plan.tiles ? `${plan.tiles.length} rectangles: done in ${seconds(plan.time_s)}` : `${number(plan.total)} cannot be divided so: ${number(plan.missing)} are left over`,
      more: [], parts: [plan.tiles ? table(['processor', '>row', '>column', '>height', '>width', '>time'], plan.tiles.map(t => [t.processor, ...['row', 'column', 'height', 'width'].map(name => String(t[name])), seconds(t.time_s)]), 'tiles')
        : table(['host', '>at most', 'for'], (plan.caps || []).map(cap => [cap.host || 'here', number(cap.most), cap.reason]), 'limits')]};
  const most = Math.max(...plan.shares.map(share => share.upper_s || share.time_s || 0));
  const rows = plan.shares.map((share, i) => ({name: share.processor, bars: [
    ...(share.upper_s > share.time_s ? [{from: share.time_s, to: share.upper_s, open: true, ink: INKS[i % INKS.length], about: `${share.processor}: 90 % of runs within ${seconds(share.lower_s)} … ${seconds(share.upper_s)}`}] : []),
    {from: 0, to: share.time_s || 0, label: `${plan.parameter} = ${number(share.units)}`, ink: INKS[i % INKS.length], about: `${share.processor}: ${number(share.units)} in ${seconds(share.time_s)}`}]}));
  return {
    say: `${plan.total ? `${plan.parameter} = ${number(plan.total)} ` : ''}over ${rows.length} processors: done in ${seconds(plan.time_s ?? Math.max(...plan.shares.map(share => share.time_s || 0)))}`,
    more: [plan.equal_s ? `Equal shares take ${seconds(plan.equal_s)}.` : '', plan.risk ? `With a risk of ${format(plan.risk * 100, '')} % to take longer.` : ''],
    parts: [bars({title: 'Shares', told: 'how long each processor takes for its share', rows, most, say: seconds,
      csv: csv(['processor', 'host', plan.parameter, 'time_s'], plan.shares.map(share => [share.processor, share.host || '', share.units, share.time_s]))})],
    charts: async () => [plan.front && plan.front.length > 1 ? front(plan) : null, await curves(plan, plan.shares)],
  };
}

const ranks = plan => ({
  say: `${plan.ranks.length} machines or partitions, ranked`, more: [],
  parts: [table(['', '>done in', '>first', 'why not'], plan.ranks.map(rank => [rank.name, seconds(rank.done_s ?? (rank.wait_s + rank.time_s)), rank.first === null ? '–' : `${format(rank.first * 100, '')} %`, rank.why || '']), 'ranks')],
});

const kinds = {schedule, map, partition, rank: ranks};

/* ---- the view ---- */

export const plans = {
  show(main) {
    const place = h('section', {'aria-label': 'plan', 'aria-live': 'polite'}), list = h('ul', {class: 'programs'});
    let charts = [], turn = 0;
    const end = () => {
      charts.forEach(each => each.end());
      charts = [];
    };
    async function draw(name, text) {
      const mine = ++turn;
      end();
      try {
        const plan = readPlan(text), drawn = kinds[plan.action](plan), more = drawn.more.filter(Boolean).join(' ');
        put(place, h('h1', {}, name), h('p', {class: 'figure'}, drawn.say), more && h('p', {class: 'soft'}, more), drawn.parts);
        keep(name, text);
        tell(text);
        const made = drawn.charts ? (await drawn.charts()).filter(Boolean) : [];
        if (mine !== turn) return made.forEach(each => each.end());
        charts = made;
        if (made.length) place.append(h('div', {class: 'two'}, made.map(each => each.element)));
      } catch (error) {
        put(place, h('h1', {}, name), failure(error));
      }
    }
    async function take(file) {
      if (!file) return;
      if (file.size > MOST) put(place, failure(Object.assign(new Error(`${file.name} has more than 1 MiB.`), {remedy: 'foretime plan --plot FILE.svg draws what is larger.'})));
      else draw(file.name, await file.text());
    }
    const tell = chosen => put(list, kept().map(each => h('li', {}, h('a', {href: '#/plans', 'aria-current': each.text === chosen && 'true', onclick: event => {
      event.preventDefault();
      draw(each.name, each.text);
    }}, each.name, h('small', {}, new Date(each.at).toLocaleString())))));
    const file = h('input', {type: 'file', class: 'search', accept: '.json,.csv,application/json,text/csv', onchange: event => take(event.target.files[0])});
    const drop = event => {
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    };
    const over = event => event.preventDefault();
    /* Plans are made by the command: what is typed are its words. */
    const field = (words, attributes) => {
      const input = h(attributes.rows ? 'textarea' : 'input', {...(!attributes.rows && {type: 'text'}), autocomplete: 'off', ...attributes});
      return [() => input.value.trim(), h('label', {}, words, input)];
    };
    const on = field('machines, with commas', {placeholder: 'a,b:4', name: 'on', list: 'hosts'}), hosts = h('datalist', {id: 'hosts'});
    const onTasks = field('machines, with commas', {placeholder: 'a,b:4', list: 'hosts'});
    const program = field('program', {placeholder: 'NAME'}), total = field('total, and other parameters', {placeholder: 'n=100000'});
    const tasks = field('tasks, a row each', {rows: 6, value: 'task,name,n\n'});
    const ask = (name, f) => async event => {
      event.preventDefault();
      put(place, loading('the plan'));
      try {
        await draw(name(), JSON.stringify(await f()));
      } catch (error) {
        put(place, h('h1', {}, name()), failure(error));
      }
    };
    const sizes = () => Object.fromEntries(total[0]().split(/\s+/).filter(Boolean).map(each => each.split('=')));
    const forms = [
      h('details', {}, h('summary', {}, 'Divide a program over machines'), h('form', {onsubmit: ask(() => `${program[0]()} ${total[0]()}`, () => get('plan/partition', program[0](), {on: on[0](), ...sizes()}))}, program[1], total[1], on[1], h('button', {}, 'divide'))),
      h('details', {}, h('summary', {}, 'Give tasks to machines'), h('form', {onsubmit: ask(() => 'tasks', () => post('plan/map', tasks[0]() + '\n', {on: onTasks[0]()}))}, tasks[1], onTasks[1], h('button', {}, 'assign'))),
      hosts];
    get('machines').then(told => put(hosts, (told.machines || []).map(each => h('option', {value: each.machine.host}))), () => {});
    put(main, h('div', {class: 'split'}, h('section', {'aria-label': 'plans'}, forms, h('label', {}, 'a plan, or drop it here', file), list), place));
    main.addEventListener('drop', drop);
    main.addEventListener('dragover', over);
    put(place, h('h1', {}, 'Plans'), h('p', {class: 'soft'}, 'Choose or drop the file of a plan:'), h('pre', {tabindex: 0}, 'foretime plan schedule graph.json --on a,b --json > plan.json\nforetime plan partition matmul n=100000 --on a,b,c --json > shares.json'),
      h('p', {class: 'soft'}, 'It is stored only in your browser.'));
    tell('');
    return () => {
      end();
      main.removeEventListener('drop', drop);
      main.removeEventListener('dragover', over);
    };
  },
};
