// SPDX-License-Identifier: GPL-3.0-or-later
// manager.js - what a manager does: its queue, what holds a program back, the next day, what happened.
import {get, post} from '../api.js';
import {failure, h, later, put, table} from '../dom.js';
import {bars} from '../picture.js';
import {format, quoted, size} from '../units.js';

/* What runs next: a text of the manager, or an object of parameters. */
const sizeText = at => typeof at === 'string' ? at : size(at);

const EVENTS = 50, DAY_S = 86400, ROWS = 30;
const percent = share => share === null || share === undefined ? '–' : `${Number((share * 100).toPrecision(2))} %`;

function head(queue) {
  const {runs, frozen, ended, failures, broken} = queue.done;
  return [
    h('p', {class: 'figure'}, queue.running ? `${queue.running}: ${queue.state}` : queue.state),
    h('p', {}, queue.why),
    h('p', {class: 'soft'}, `Since its start: ${runs} benchmarks in ${format(queue.done.spent_s, 's')}, ${frozen} times paused, ${ended} ended early, ${failures} failures` +
      `${broken ? `, ${broken} new versions that broke their contract` : ''}. Equal priorities go by ${queue.order}.`),
  ];
}

export const bar = (share, words) => {
  const inner = h('i');
  inner.style.width = `${Math.round((share || 0) * 100)}%`;
  return h('div', {class: 'bar', role: 'img', 'aria-label': words}, inner);
};

/* A problem of the configuration, by its name, is all that the page can say to a manager. */
function control({name, state}) {
  if (state === 'done') return '';
  const act = state === 'stopped' ? 'continue' : 'stop';
  return h('button', {type: 'button', class: 'small', 'aria-label': `${act} ${name}`, 'data-act': `${act} ${name}`,
    onclick: () => post(`manager/${act}/${encodeURIComponent(name)}`, '')}, act);
}

/* The queue. Who has the focus on a button keeps it where the table is made anew; while one is pressed it stands. */
export function queueTable(place, queue) {
  if (place.querySelector('button:active')) {
    window.addEventListener('pointerup', () => setTimeout(() => queueTable(place, queue)), {once: true});
    return;
  }
  const name = document.activeElement?.dataset?.act?.replace(/^\w+ /, '');
  put(place, h('h2', {}, 'Queue'), queue.problems.length ? table(['program', 'state', '', 'built', '>priority', 'next', '>gain', '>takes', '>queries', 'why it waits'], queue.problems.map(each => [
    each.name, each.state, control(each), bar(each.complete, `${percent(each.complete)} built`), String(each.priority), each.next ? sizeText(each.next) : '–', percent(each.gain), format(each.seconds, 's'),
    format(each.queries, ''), [each.why || '–', each.again_s ? `, tried again in ${format(each.again_s, 's')}` : '']]), 'queue') : h('p', {class: 'soft'}, 'No problem is configured.'));
  if (name) [...place.querySelectorAll('[data-act]')].find(each => each.dataset.act.endsWith(` ${name}`))?.focus();
}

/* When each problem may run from now on. */
function dayPicture(day) {
  const now = Date.now(), of = time => Math.max(0, (Date.parse(time) - now) / 1000), hour = new Date(now).setMinutes(0, 0, 0);
  const clock = s => new Date(now + 1000 * s).toTimeString().slice(0, 5);
  return bars({title: 'The next day: when each may run', told: 'windows of the next day, for each problem', most: DAY_S, say: clock,
    ticks: Array.from({length: 24}, (_, i) => (hour + 3600000 * (i + 1) - now) / 1000).filter((_, i) => i % 3 === 0),
    rows: day.problems.slice(0, ROWS).map(each => ({name: each.name, bars: each.windows.map(window => ({from: of(window.from), to: Math.min(of(window.to), DAY_S),
      label: of(window.to) - of(window.from) > DAY_S - 90 ? 'all day' : `${clock(of(window.from))} – ${clock(of(window.to))}`, ink: each.fault ? 'five' : 'three', about: `${each.name}: ${clock(of(window.from))} to ${clock(of(window.to))}, ${window.rule}`}))})),
    csv: ['problem,from,to,rule', ...day.problems.flatMap(each => each.windows.map(window => [each.name, window.from, window.to, window.rule].map(quoted).join(',')))].join('\n') + '\n'});
}

const conditions = day => day.now.length > 0 && h('ul', {class: 'spikes'}, day.now.map(each => h('li', {}, each.holds ? `${each.condition}: ${each.why}` : `${each.condition} does not hold`)));

export const manager = {
  show(main, words, events) {
    const state = h('div', {'aria-live': 'polite'}), problems = h('div'), next = h('div'), log = h('ol', {class: 'programs'});
    put(main, h('h1', {}, 'Manager'), state, problems, next, h('h2', {}, 'Events'), log);
    put(log, h('li', {class: 'soft'}, 'No events since this page was opened.'));
    const today = () => get('manager/day').then(day => day?.problems && put(next, h('h2', {}, 'When'), conditions(day), dayPicture(day)), () => {});
    const was = new Map();
    let why = null;
    /* Events is what stands otherwise than the last time. */
    const note = ({name, state: now, next: at, why: because}) => {
      if (was.has(name) && was.get(name) !== now) {
        if (!log.querySelector('small')) put(log);
        log.prepend(h('li', {}, [`${name}: ${now}`, now === 'runs' && at && sizeText(at), now !== 'done' && now !== 'runs' && because].filter(Boolean).join(', '), h('small', {class: 'soft'}, new Date().toLocaleTimeString())));
        while (log.children.length > EVENTS) log.lastChild.remove();
      }
      was.set(name, now);
    };
    const show = queue => {
      put(state, head(queue));
      queue.problems.forEach(note);
      queueTable(problems, queue);
      if (why !== queue.why) today();
      why = queue.why;
    };
    const fail = error => put(state, error.status === 0 || error.status === 401 ? failure(error)
      : [h('p', {class: 'figure'}, 'No manager is running'), h('p', {class: 'soft'}, error.message), h('p', {class: 'soft'}, error.remedy || 'foretime serve --config FILE starts one; foretime-serve(1) describes its configuration.')]);
    const none = {status: 404, message: 'No manager is running for this user.'};
    const load = () => get('manager/queue').then(told => told && told.problems ? show(told) : fail(none), fail);
    const soon = later(load, 300);
    load();
    events((event, data) => {
      if (event !== 'queue') return;
      if (data?.problems) show(data);
      else soon();
    });
  },
};
