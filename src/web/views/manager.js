// SPDX-License-Identifier: GPL-3.0-or-later
// manager.js - what a manager does: its queue, what holds a program back, what happened.
import {get} from '../api.js';
import {failure, h, later, put, table} from '../dom.js';
import {age, format, size} from '../units.js';

const EVENTS = 50;
const percent = share => share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`;

function head(queue) {
  const {runs, frozen, ended, failures, broken} = queue.done;
  return [
    h('p', {class: 'figure'}, queue.running ? `${queue.running}: ${queue.state}` : queue.state),
    h('p', {}, queue.why),
    h('p', {class: 'soft'}, `Since it began: ${runs} benchmarks in ${format(queue.done.spent_s, 's')}, ${frozen} times frozen, ${ended} ended early, ${failures} failures` +
      `${broken ? `, ${broken} new versions that broke a promise` : ''}. Equal priorities go by ${queue.order}.`),
  ];
}

const bar = share => {
  const inner = h('i');
  inner.style.width = `${Math.round((share || 0) * 100)}%`;
  return h('div', {class: 'bar', role: 'img', 'aria-label': `${percent(share)} built`}, inner);
};

const waiting = queue => table(['program', 'state', 'built', '>priority', 'next', '>gain', '>takes', '>asked', 'what holds it back'], queue.problems.map(each => [
  each.name, each.state, bar(each.complete), String(each.priority), each.next ? size(each.next) : '–', percent(each.gain), format(each.seconds, 's'),
  format(each.asked, ''), [each.why || '–', each.again_s ? `, tried again in ${format(each.again_s, 's')}` : '']]), 'queue');

/* What an event says, in a line. */
export const line = (event, data) => [data.name, event, data.size ? size(data.size) : '', data.seconds === undefined ? '' : format(data.seconds, 's'),
  data.outcome, data.complete === undefined ? '' : `${percent(data.complete)} built`, data.why].filter(Boolean).join(', ');

export const manager = {
  show(main, words, events) {
    const state = h('div', {'aria-live': 'polite'}), problems = h('div'), log = h('ol', {class: 'programs'});
    put(main, h('h1', {}, 'Manager'), state, problems, h('h2', {}, 'What happened'), log);
    put(log, h('li', {class: 'soft'}, 'Nothing yet since this page was opened.'));
    const show = queue => {
      put(state, head(queue));
      put(problems, h('h2', {}, 'Queue'), queue.problems.length ? waiting(queue) : h('p', {class: 'soft'}, 'No problem is configured.'));
    };
    const fail = error => put(state, error.status === 0 || error.status === 401 ? failure(error)
      : [h('p', {class: 'figure'}, 'No manager runs'), h('p', {class: 'soft'}, error.message), h('p', {class: 'soft'}, error.remedy || 'foretime manager serve starts one; foretime-manager(1) says how it is configured.')]);
    const none = {status: 404, message: 'Nobody answers for this user.'};
    const load = () => get('manager/queue').then(told => told && told.problems ? show(told) : fail(none), fail);
    const soon = later(load, 300);
    let quiet = true;

    load();
    events((event, data) => {
      if (event === 'store') return;
      if (event === 'queue') {
        if (data && data.problems) show(data);
        else soon();
        return;
      }
      if (quiet) put(log);
      quiet = false;
      log.prepend(h('li', {}, line(event, data), h('small', {class: 'soft'}, age(new Date().toISOString()))));
      while (log.children.length > EVENTS) log.lastChild.remove();
      soon();
    });
  },
};
