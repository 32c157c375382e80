// SPDX-License-Identifier: GPL-3.0-or-later
// promises.js - how reliable predictions are: runs against the predictions made before they started.
import {fresh} from '../api.js';
import {chart} from '../chart.js';
import {choice, failure, h, later, onward, put, table} from '../dom.js';
import {age, format, size} from '../units.js';

const RUNS = 50, WINDOW = 20, NAMES = 60;
const percent = share => `${Math.round(share * 100)} %`;

/* Wilson's score interval of a share, at 95 %, as ft_ask_kept has it. */
export function interval(inside, n) {
  const z = 1.959964, p = inside / n, scale = 1 + z * z / n;
  const half = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale, middle = (p + z * z / (2 * n)) / scale;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/* What the numbers say, in a sentence. */
export function verdict(kept) {
  if (kept.share === null) return 'Too few earlier runs to predict any of these.';
  const expected = percent(kept.confidence);
  if (kept.most < kept.confidence) return `Fewer than the expected ${expected}: the intervals are too narrow, or the program changed.`;
  if (kept.least > kept.confidence) return `More than the expected ${expected}: the intervals are wider than necessary.`;
  return `${expected} were expected.`;
}

const predicted = kept => kept.runs.filter(run => run.predicted);

/* Each run divided by its prediction: 1 is the typical run. */
function held(name, kept, sizes) {
  const runs = predicted(kept), x = runs.map((_, i) => i + 1);
  const by = pick => runs.map(run => pick(run) / run.predicted.value);
  const some = fate => runs.map(run => (run.fate === 'inside') === fate ? run.value / run.predicted.value : null);
  return {
    title: `${name}: ${kept.resource} / prediction`,
    x: {label: 'run, in the order of time', unit: ''}, y: {label: 'run / predicted typical run', unit: '', values: value => `${format(value, '')}×`},
    series: [
      {kind: 'band', name: `${percent(kept.confidence)} prediction interval`, x, low: by(run => run.predicted.lower), high: by(run => run.predicted.upper), ink: 'one'},
      {kind: 'line', name: 'typical run', x, y: x.map(() => 1), ink: 'one'},
      {kind: 'points', name: 'inside', x, y: some(true), ink: 'quiet', size: 7},
      {kind: 'points', name: 'outside', x, y: some(false), ink: 'two', size: 9},
    ],
    read: at => {
      const run = runs[Math.round(at) - 1], say = value => format(value, kept.unit);
      return run ? `${size(sizes(run))}: took ${say(run.value)}, predicted ${say(run.predicted.lower)} … ${say(run.predicted.upper)} from ${run.predicted.runs} runs (${run.predicted.basis}), started ${age(run.started)}` : '';
    },
    rest: 'Point at a run, or use the arrow keys.',
  };
}

/* The coverage of the last WINDOW runs, from the first moment there are that many. */
function coverage(name, kept) {
  const runs = predicted(kept), x = [], share = [], low = [], high = [];
  for (let i = WINDOW; i <= runs.length; i++) {
    const inside = runs.slice(i - WINDOW, i).filter(run => run.fate === 'inside').length;
    const [least, most] = interval(inside, WINDOW);
    x.push(i);
    share.push(inside / WINDOW);
    low.push(least);
    high.push(most);
  }
  if (x.length < 2) return null;
  return {
    title: `${name}: coverage of the last ${WINDOW} runs`,
    x: {label: 'run, in the order of time', unit: ''}, y: {label: 'share inside', unit: '', range: () => [0, 1], values: percent},
    series: [
      {kind: 'band', name: '95 % confidence interval', x, low, high, ink: 'three'},
      {kind: 'line', name: 'coverage', x, y: share, ink: 'three'},
      {kind: 'line', name: 'expected', x, y: x.map(() => kept.confidence), ink: 'quiet', dash: true},
    ],
    read: at => {
      const i = x.indexOf(Math.round(at));
      return i < 0 ? '' : `up to run ${x[i]}: ${percent(share[i])} of ${WINDOW} inside; of all such runs ${percent(low[i])} … ${percent(high[i])}`;
    },
    rest: '',
  };
}

/* The members of a run that are no others' are its parameters. */
const OWN = new Set(['started', 'value', 'predicted', 'fate']);
const sizeOf = run => Object.fromEntries(Object.entries(run).filter(([key]) => !OWN.has(key)));

function outside(kept) {
  const runs = kept.runs.filter(run => run.fate === 'less' || run.fate === 'more').reverse();
  if (!runs.length) return h('p', {class: 'soft'}, 'All runs lie inside.');
  return table(['started', 'size', '>took', '>predicted', ''], runs.map(run => [age(run.started), size(sizeOf(run)),
    format(run.value, kept.unit), `${format(run.predicted.lower, kept.unit)} … ${format(run.predicted.upper, kept.unit)}`, run.fate]), 'runs outside the interval');
}

/* What jobs requested of a batch system, and used: [asked, used, label, unit]. */
const ASKED = [['requested_s', 'used_s', 'time', 's'], ['requested_bytes', 'used_bytes', 'memory', 'bytes']];
const both = (jobs, [asked, used]) => jobs.filter(job => job[asked] > 0 && job[used] > 0);

function askedSpec(name, jobs, row) {
  const [asked, used, label, unit] = row, some = both(jobs, row), x = some.map((_, i) => i + 1);
  return {
    title: `${name}: ${label}, requested and used`,
    x: {label: 'job, in the order of time', unit: ''}, y: {label, unit, log: true},
    series: [{kind: 'points', name: 'requested', x, y: some.map(job => job[asked]), ink: 'quiet', size: 7},
      {kind: 'points', name: 'used', x, y: some.map(job => job[used]), ink: 'four', size: 7}],
    read: at => {
      const job = some[Math.round(at) - 1];
      return job ? `${size(job.size)}: requested ${format(job[asked], unit)}, used ${format(job[used], unit)}, ${job.outcome}` : '';
    },
    rest: '',
  };
}

/* Requested divided by used, of all of them together. */
const wasted = (jobs, row) => {
  const sum = key => both(jobs, row).reduce((all, job) => all + job[key], 0);
  return `${format(sum(row[0]) / sum(row[1]), '')} times the ${row[2]}`;
};

/* The machines on which the newest version was run, that of the newest run first. */
async function machinesOf(get, name) {
  const rows = (await get('list', name)).programs.filter(row => row.current && row.machine);
  return rows.sort((a, b) => (b.last_run || '').localeCompare(a.last_run || '')).map(row => row.machine);
}

function one(place, name, events) {
  const head = h('div'), body = h('div');
  let charts = [], resource = 'wall_s', machine = null, turn = 0;
  const end = () => charts.forEach(each => each.end());
  const change = f => value => {
    f(value);
    load();
  };

  const resources = choice('resource', change(value => { resource = value; })), hosts = choice('machine', change(value => { machine = value; }));

  function draw(known, machines) {
    const kept = known.coverage, n = kept.inside + kept.less + kept.more;
    end();
    const jobs = known.requests || [], rows = ASKED.filter(row => both(jobs, row).length > 1);
    charts = n ? [held(name, kept, sizeOf), coverage(name, kept)].filter(Boolean).map(chart) : [];
    const asked = rows.map(row => chart(askedSpec(name, jobs, row)));
    resources.show(known.models.map(model => model.resource), resource);
    hosts.show(machines, machine);
    put(head, h('h1', {}, name), n ? h('p', {class: 'figure'}, `${kept.inside} of ${n} runs lie inside`) : null,
      h('p', {}, verdict(kept)),
      n ? h('p', {class: 'soft'}, `${kept.less} took less, ${kept.more} took more; of all such runs ${percent(kept.least)} to ${percent(kept.most)} are expected inside (95 % confidence)` +
        `${kept.unpredicted ? `; ${kept.unpredicted} more started before a prediction was possible` : ''}. Each run is compared with a model of the runs before it.`) : null);
    put(body, h('div', {class: 'two'}, charts.map(each => each.element)), n ? [h('h2', {}, 'Outside'), outside(kept)] : null,
      rows.length > 0 && [h('h2', {}, 'Requested from a batch system, and used'), h('p', {}, `${jobs.length} jobs requested ${rows.map(row => wasted(jobs, row)).join(' and ')} that they used.`),
        h('div', {class: 'two'}, asked.map(each => each.element))]);
    charts.push(...asked);
  }

  const {get, stop} = fresh();
  async function load() {
    const mine = ++turn;
    stop();
    try {
      const machines = await machinesOf(get, name);
      machine = machine || machines[0];
      const known = await get('show', name, {resource, machine, kept: RUNS, asked: RUNS});
      if (mine === turn) draw(known, machines);
    } catch (error) {
      if (mine !== turn) return;
      put(head, h('h1', {}, name), failure(error));
      put(body);
    }
  }
  put(place, head, h('div', {class: 'row'}, resources.element, hosts.element), body);
  put(head, h('h1', {}, name), h('p', {class: 'soft', role: 'status'}, 'Refitting the models of the past …'));
  load();
  const again = later(load, 1000);
  events(event => event === 'store' && again());
  return () => {
    turn++;
    stop();
    end();
  };
}

export const promises = {
  show(main, [chosen], events) {
    const here = location.hash;
    const names = h('ul', {class: 'programs'}), place = h('section', {'aria-label': 'program'});
    const search = h('input', {type: 'search', class: 'search', placeholder: 'search programs', 'aria-label': 'search programs', oninput: later(() => load())});
    const {get, stop} = fresh();
    let asked = 0;
    async function load() {
      const mine = ++asked;
      stop();
      try {
        const told = await get('list', '', {search: search.value, most: NAMES});
        if (mine !== asked) return;
        const found = [...new Set(told.programs.map(row => row.name))];
        put(names, found.map(name => h('li', {}, h('a', {href: `#/promises/${encodeURIComponent(name)}`, 'aria-current': name === chosen && 'true'}, name))));
        if (!chosen && found.length) onward(here, `#/promises/${encodeURIComponent(found[0])}`);
        else if (!chosen) put(place, h('p', {class: 'soft'}, 'There is no run yet: foretime build measures a program.'));
      } catch (error) {
        if (mine === asked) put(names, failure(error));
      }
    }
    put(main, h('div', {class: 'split'}, h('section', {'aria-label': 'programs'}, search, names), place));
    load();
    const end = chosen ? one(place, chosen, events) : null;
    return () => {
      asked++;
      stop();
      if (end) end();
    };
  },
};
