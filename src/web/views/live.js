// SPDX-License-Identifier: GPL-3.0-or-later
// live.js - what is measured now: the interval of a program as it becomes narrower, the next size and why, what is left
// of the budget; and what a manager runs next.
import {get} from '../api.js';
import {chart} from '../chart.js';
import {failure, h, later, put} from '../dom.js';
import {age, format, share, size} from '../units.js';
import {bar, queueTable} from './manager.js';
import {curveSpec, newest} from './program.js';

/* How well each number of runs knew the typical run, of each program, since the page was opened. */
const history = new Map();

function knownSpec(name, seen, wanted) {
  const x = seen.map(([runs]) => runs), y = seen.map(([, known]) => known);
  return {
    title: `${name}: accuracy of the typical run`,
    x: {label: 'runs', unit: '', log: false},
    y: {label: 'accuracy, ±', unit: '', log: false, values: value => `${Number((value * 100).toPrecision(3))} %`, range: (u, least, most) => [0, (most || 0.1) * 1.1]},
    series: [{kind: 'line', name: 'accuracy, 90 % confidence', x, y}, {kind: 'points', name: '', x, y, ink: 'one', size: 7},
      ...(wanted && x.length ? [{kind: 'line', name: 'target', x: [x[0], x[x.length - 1]], y: [wanted, wanted], ink: 'quiet', dash: true}] : [])],
    read: at => {
      const found = seen.find(([runs]) => runs === at);
      return found ? `${at} runs: ${share(found[1])}` : '';
    },
    rest: seen.length < 2 ? 'Recorded since this page was opened.' : '',
  };
}

/* What a build says of its next run. */
function nextRun({size: at, reason, gain, seconds, spent_s, budget_s, tolerance}) {
  const left = Math.max(0, budget_s - spent_s);
  return [h('p', {role: 'status'}, h('b', {}, `now ${size(at)}`), `: ${reason}`, gain > 0 && `, expected to lower the error by ${format(gain * 100, '')} %`, seconds > 0 && `; takes about ${format(seconds, 's')}`),
    h('p', {class: 'soft'}, `target: ${share(tolerance)}; ${format(spent_s, 's')} spent`, budget_s > 0 && `, ${format(left, 's')} of ${format(budget_s, 's')} left`),
    budget_s > 0 && bar(spent_s / budget_s, 'spent of the budget')];
}

export const live = {
  show(main, [chosen], events) {
    const head = h('div'), curves = h('div', {class: 'two'}), queue = h('section', {'aria-label': 'manager'});
    let charts = [], shown = null, asked = 0, wanted = null;
    put(main, head, curves, queue);

    function draw(name, specs) {
      if (shown === name) return charts.forEach((each, i) => each.show(specs[i]));
      charts.forEach(each => each.end());
      charts = specs.map(chart);
      put(curves, charts.map(each => each.element));
      shown = name;
    }

    async function follow() {
      const mine = ++asked;
      try {
        const last = newest((await get('list', '', {search: chosen, most: 1000})).programs.filter(row => !chosen || row.name === chosen)), name = chosen || last?.name, machine = last?.machine;
        if (mine !== asked) return;
        if (!name) return put(head, h('h1', {}, 'No measurements yet'), h('p', {class: 'soft'}, 'foretime build measures a program; its progress is shown here.'));
        if (!last) return put(head, h('h1', {}, name), h('p', {class: 'soft', role: 'status'}, 'No measurements of it yet.'));
        const known = await get('show', name, {machine});
        const told = known.models.length ? await get('plot', name, {machine}) : null;
        if (mine !== asked) return;
        const model = known.models.find(each => each.resource === told?.resource);
        const seen = history.get(name) || history.set(name, []).get(name);
        if (model && model.accuracy !== null && !seen.some(([runs]) => runs === model.runs)) seen.push([model.runs, model.accuracy]);
        wanted = known.building?.tolerance || wanted;
        put(head, h('h1', {}, h('a', {href: `#/models/${encodeURIComponent(name)}`}, name)), h('p', {class: 'soft'}, `${known.runs} runs, the newest ${age(known.last_run)}`),
          h('p', {class: 'figure', role: 'status'}, model ? share(model.accuracy) : '–'), known.building ? nextRun(known.building) : h('p', {class: 'soft'}, 'No build of it runs on this machine.'));
        if (told) draw(name, told.axes.length === 1 ? [curveSpec(told), knownSpec(name, seen, wanted)] : [knownSpec(name, seen, wanted)]);
      } catch (error) {
        if (mine === asked) put(head, failure(error));
      }
    }

    const tell = told => told?.problems ? queueTable(queue, told) : put(queue, h('h2', {}, 'Manager'), h('p', {class: 'soft'}, 'No manager builds for this user.'));
    const again = later(follow, 300);
    events((event, data) => {
      if (event === 'queue') tell(data);
      else again();
    });
    follow();
    get('manager/queue').then(tell, () => tell(null));
    return () => {
      asked++;
      charts.forEach(each => each.end());
    };
  },
};
