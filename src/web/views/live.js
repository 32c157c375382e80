// SPDX-License-Identifier: GPL-3.0-or-later
// live.js - what is measured now: the interval of a program as it becomes narrower, and what a manager runs next, and why.
import {get} from '../api.js';
import {chart} from '../chart.js';
import {failure, h, later, put, table} from '../dom.js';
import {age, format, share, size} from '../units.js';
import {curveSpec, newest} from './program.js';

/* How well each number of runs knew the typical run, of each program, since the page was opened. */
const history = new Map();

const knownSpec = (name, seen) => ({
  title: `${name}: how well the typical run is known`,
  x: {label: 'runs', unit: '', log: false},
  y: {label: 'known to ±', unit: '', log: false, values: value => `${Number((value * 100).toPrecision(3))} %`, range: (u, least, most) => [0, (most || 0.1) * 1.1]},
  series: [{kind: 'line', name: 'known to, over 95 % of the sizes', x: seen.map(([runs]) => runs), y: seen.map(([, known]) => known)},
    {kind: 'points', name: '', x: seen.map(([runs]) => runs), y: seen.map(([, known]) => known), ink: 'one', size: 7}],
  read: x => {
    const at = seen.find(([runs]) => runs === x);
    return at ? `${x} runs: ${share(at[1])}` : '';
  },
  rest: seen.length < 2 ? 'It is drawn from the time on when this page was opened.' : '',
});

/* Of a problem of the manager's configuration: what is next, and why. */
const queued = problem => [problem.name, problem.state, problem.next ? (typeof problem.next === 'string' ? problem.next : size(problem.next)) : '–', problem.gain === null || problem.gain === undefined ? '–' : `${(problem.gain * 100).toPrecision(2)} %`,
  problem.seconds === undefined ? '–' : format(problem.seconds, 's'), problem.complete === undefined || problem.complete === null ? '–' : `${Math.round(problem.complete * 100)} %`, problem.why || ''];

export const live = {
  show(main, [chosen], events) {
    const head = h('div'), curves = h('div', {class: 'two'}), queue = h('section', {'aria-label': 'manager'});
    let charts = [], shown = null, asked = 0;
    put(main, head, curves, queue);

    function draw(name, specs) {
      if (shown === name) {
        charts.forEach((each, i) => each.show(specs[i]));
        return;
      }
      charts.forEach(each => each.end());
      charts = specs.map(chart);
      put(curves, charts.map(each => each.element));
      shown = name;
    }

    async function follow() {
      const mine = ++asked;
      try {
        const last = newest((await get('list', chosen || '')).programs), name = chosen || last?.name, machine = last?.machine;
        if (mine !== asked) return;
        if (!name) return put(head, h('h1', {}, 'Nothing was measured yet'), h('p', {class: 'soft'}, 'foretime build measures a program; it is followed here.'));
        const [known, told] = await Promise.all([get('show', name, {machine}), get('plot', name, {machine})]);
        if (mine !== asked) return;
        const model = known.models.find(each => each.resource === told.resource);
        const seen = history.get(name) || history.set(name, []).get(name);
        if (model && model.known !== null && !seen.some(([runs]) => runs === model.runs)) seen.push([model.runs, model.known]);
        put(head, h('h1', {}, h('a', {href: `#/models/${encodeURIComponent(name)}`}, name)), h('p', {class: 'soft'}, `${known.runs} runs, the newest ${age(known.last_run)}`),
          h('p', {class: 'figure', role: 'status'}, model ? share(model.known) : '–'));
        draw(name, told.axes.length === 1 ? [curveSpec(told), knownSpec(name, seen)] : [knownSpec(name, seen)]);
      } catch (error) {
        if (mine === asked) put(head, failure(error));
      }
    }

    function tell(told) {
      const problems = told && told.problems;
      put(queue, h('h2', {}, 'Manager'), problems
        ? [h('p', {class: 'soft'}, [told.state, told.why].filter(Boolean).join(': ')), table(['problem', 'state', 'next size', '>gain', '>will take', '>complete', 'why'], problems.map(queued), 'problems of the manager')]
        : h('p', {class: 'soft'}, 'No manager builds for this user.'));
    }
    const again = later(follow, 300);
    events((event, data) => {
      if (event === 'store') again();
      else if (event === 'queue') tell(data);
      else if (event === 'gap') again();
    });
    follow();
    get('manager/health').then(told => told && told.benchmarks ? get('manager/queue') : null).then(tell, () => tell(null));
    return () => charts.forEach(each => each.end());
  },
};
