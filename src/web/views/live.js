// SPDX-License-Identifier: GPL-3.0-or-later
// live.js - what is measured now, as the building processes send it: each run, the next size and its reason, the accuracy
// against the target, the budget. Nothing is asked while a build runs; what manager runs next stands below.
import {fresh} from '../api.js';
import {chart} from '../chart.js';
import {copyable, failure, h, loading, put, single} from '../dom.js';
import {age, format, number, share, size} from '../units.js';
import {bar, queueTable} from './manager.js';
import {curveSpec} from './program.js';

/* ---- pictures ---- */

/* Runs by size; of several parameters in the order of time. The newest stands out. */
function runsSpec(build) {
  const one = build.parameters.length === 1, {least, most, name} = build.parameters[0], log = one && least > 0 && most >= 10 * least;
  const good = (build.measured || []).filter(row => row[row.length - 1] !== null), last = good[good.length - 1];
  const values = good.map(row => row[row.length - 1]), wide = Math.max(...values) >= 3 * Math.min(...values);
  const x = row => one ? row[1] : row[0], y = row => row[row.length - 1];
  return {
    title: `${build.name}: runs${build.machine ? ' on ' + build.machine : ''}`,
    x: {label: one ? `size ${name}` : 'run', unit: '', log, whole: !one, ...(one && most > least && {range: () => [least, most]})},
    y: {label: build.resource === 'wall_s' ? 'wall time' : build.resource, unit: build.unit, log: log && wide, zero: true},
    grows: true,
    series: [{kind: 'points', name: 'runs', x: good.map(x), y: good.map(y), ink: 'one', size: 7}, ...(last ? [{kind: 'points', name: 'newest run', x: [x(last)], y: [y(last)], ink: 'two', size: 11}] : [])],
    read: at => {
      const found = good.filter(row => x(row) === at);
      return found.length ? `${build.parameters.map((each, i) => `${each.name} = ${number(found[0][1 + i])}`).join(', ')}: ${found.map(row => format(y(row), build.unit)).join(', ')}` : '';
    },
    rest: last ? `run ${last[0]}: ${format(y(last), build.unit)}` : 'No run has ended yet.',
  };
}

function accuracySpec(build) {
  const rows = build.history || [], x = rows.map(row => row[0]), y = rows.map(row => row[1]), {tolerance} = build;
  return {
    title: `${build.name}: accuracy of the typical run`,
    x: {label: 'runs', unit: '', log: false, whole: true},
    grows: true,
    y: {label: 'accuracy, ±', unit: '', log: false, values: value => `${Number((value * 100).toPrecision(3))} %`, range: (u, least, most) => [0, (most || 0.1) * 1.1]},
    series: [{kind: 'line', name: 'accuracy, 90 % confidence', x, y}, {kind: 'points', name: '', x, y, ink: 'one', size: 7},
      ...(tolerance && x.length ? [{kind: 'line', name: `target ${share(tolerance)}`, x: [x[0], x[x.length - 1]], y: [tolerance, tolerance], ink: 'quiet', dash: true}] : [])],
    read: at => rows.filter(row => row[0] === at).map(row => `${at} runs: ${share(row[1])}`).join(),
    rest: rows.length ? '' : 'Known once a few sizes have been run.',
  };
}

/* ---- words ---- */

const budget = ({spent_s, budget_s}) => [h('p', {class: 'soft'}, `${format(spent_s, 's')} spent`, budget_s > 0 && `, ${format(Math.max(0, budget_s - spent_s), 's')} of ${format(budget_s, 's')} left`),
  budget_s > 0 && bar(Math.min(1, spent_s / budget_s), 'spent of the budget')];

const nextRun = ({size: at, reason, gain, seconds, in_flight, ended}) => ended ? [h('b', {}, 'making models'), ' of all runs']
  : at ? [h('b', {}, `now ${size(at)}`), `: ${reason}`, gain > 0 && `, expected to lower the error by ${format(gain * 100, '')} %`, seconds > 0 && `; takes about ${format(seconds, 's')}`]
    : [h('b', {}, `${in_flight} runs`), ' are on their way'];

const idOf = build => `${build.name} ${build.device || ''} ${build.machine || ''}`;

export const live = {
  show(main, [chosen], events) {
    const others = h('ul', {class: 'programs builds', 'aria-label': 'running builds'}), title = h('h1'), status = h('div'), curves = h('div', {class: 'two'}), queue = h('section', {'aria-label': 'manager'});
    const runner = fresh(), {get, stop} = fresh(); // what the manager runs, and what is stored
    let charts = [], shown = null, builds = null, last = null, gone = false;
    put(main, others, title, status, curves, queue);
    put(status, loading('what runs'));

    const name = text => put(title, h('a', {href: `#/models/${encodeURIComponent(text)}`}, text));
    function draw(key, specs) {
      if (shown === key) return charts.forEach((each, i) => each.show(specs[i]));
      charts.forEach(each => each.end());
      charts = specs.map(chart);
      put(curves, charts.map(each => each.element));
      shown = key;
    }

    function follow(build) {
      stop();
      last = build;
      name(build.name);
      put(status, h('p', {class: 'soft'}, `${build.runs} runs at ${build.points} sizes`),
        h('p', {class: 'figure'}, build.accuracy === null ? `${Math.round(100 * build.complete)} %` : `accurate to ${share(build.accuracy).replace('± ', '')}`, h('small', {}, `${build.accuracy === null ? ' of its runs; accuracy not known yet;' : ','} target ${share(build.tolerance)}`)),
        h('p', {role: 'status'}, nextRun(build)), budget(build));
      draw(`runs of ${idOf(build)}`, [runsSpec(build), accuracySpec(build)]);
    }

    /* A program that is not built now: what is stored of it. */
    const stored = single(async () => {
      const of = last?.name || chosen;
      try {
        const machine = last?.machine || (await get('list', of)).programs.filter(row => row.current && row.last_run).sort((a, b) => a.last_run < b.last_run ? 1 : -1)[0]?.machine;
        const known = await get('show', of, {machine}), told = known.models.length ? await get('plot', of, {machine}) : null;
        if (gone || builds?.some(build => build.name === of)) return;
        const model = known.models.find(each => each.resource === told?.resource);
        name(of);
        put(status, h('p', {class: 'soft'}, `${known.runs} runs, the newest ${age(known.last_run)}`), h('p', {class: 'figure'}, model ? `accurate to ${share(model.accuracy).replace('± ', '')}` : '–'),
          h('p', {class: 'soft', role: 'status'}, 'No build of it runs on this machine.'));
        if (told?.axes.length === 1) draw(`model of ${of} ${!!last}`, [curveSpec(told), ...(last ? [accuracySpec(last)] : [])]);
      } catch (error) {
        if (gone || error.name === 'AbortError') return;
        put(title, of);
        put(status, failure(error));
      }
    });

    const none = () => {
      put(title, 'No build is running');
      put(status, h('p', {class: 'soft', role: 'status'}, 'Each run of a build appears here as it ends. Start one in a terminal:'), copyable('foretime build NAME n=64:3000 -- PROG {n}'));
    };

    function hear(data) {
      builds = data;
      const one = builds.find(build => chosen ? build.name === chosen : last && idOf(build) === idOf(last)) || (!chosen && builds[0]);
      put(others, builds.length > 1 && builds.map(build => h('li', {}, h('a', {href: `#/live/${encodeURIComponent(build.name)}`, 'aria-current': build === one && 'true'}, build.name,
        h('small', {}, `${build.runs} runs, accuracy ${share(build.accuracy)}`), bar(build.complete, `${number(Math.round(100 * build.complete))} % built`)))));
      if (one) follow(one);
      else if (chosen || last) stored();
      else none();
    }

    const tell = told => told?.problems ? queueTable(queue, told) : put(queue, h('h2', {}, 'Manager'), h('p', {class: 'soft'}, 'No manager builds for this user.'));
    events((event, data) => {
      if (event === 'queue') tell(data);
      else if (event === 'builds') hear(data);
      else if (builds && !builds.length && (chosen || last)) stored();
    });
    runner.get('manager/queue').then(tell, error => error.name === 'AbortError' || tell(null));
    return () => {
      gone = true;
      stop();
      runner.stop();
      charts.forEach(each => each.end());
    };
  },
};
