// SPDX-License-Identifier: GPL-3.0-or-later
// report.js - what jobs requested and used, why they failed, and what other requests would have cost: foretime report over
// the files that the service was started with.
import {fresh} from '../api.js';
import {choice, failure, h, later, put, table} from '../dom.js';

const GROUPS = 100;
const count = n => n.toLocaleString('en');
const amount = value => value === null ? '–' : value >= 100 ? count(Math.round(value)) : Number(value.toPrecision(3));
const percent = share => `${amount(100 * share)} %`;
const unused = (requested, used) => requested > 0 ? `${Math.round(100 * (1 - used / requested))} %` : '–';
const several = (n, what) => `${count(n)} ${what}${n === 1 ? '' : 's'}`;

/* What is requested: of how many jobs both numbers are known, its name and unit, the numbers. */
const kinds = [['memory_jobs', 'memory', 'GB h', 'requested_gb_h', 'used_gb_h'], ['core_jobs', 'processors', 'core h', 'requested_core_h', 'used_core_h'],
  ['time_jobs', 'time limits', 'limit h', 'limit_h', 'used_h']];
const kindsOf = told => kinds.filter(([jobs]) => told[jobs]);
const cells = (of, [jobs, , , requested, used]) => of[jobs] ? [amount(of[requested]), amount(of[used]), unused(of[requested], of[used])] : ['–', '–', '–'];

/* The last column is of all jobs of a group: those that are not compared are as they were requested. */
function groups(told) {
  const some = kindsOf(told), last = told.memory_jobs && told.compared;
  return table([told.by, '>jobs', ...some.flatMap(([, , unit]) => ['>' + unit, '>used', '>not used']), '>failed', ...last ? ['>GB h by foretime'] : []],
    told.groups.map(each => [each.name === null ? '(not known)' : each.name, count(each.jobs), ...some.flatMap(kind => cells(each, kind)), count(each.failed),
      ...last ? [amount(each.memory_jobs ? each.requested_gb_h - each.compared_gb_h + each.predicted_gb_h : null)] : []]), `jobs by ${told.by}`);
}

const ends = told => table(['ended', '>jobs', '>share', '>hours', '>GB h requested'], told.ends.filter(end => end.jobs)
  .map(end => [end.end, count(end.jobs), percent(end.jobs / told.jobs), amount(end.hours), amount(end.gb_h)]), 'how jobs ended');

const ruleName = rule => rule.rule === 'requested' ? 'as requested' : rule.rule === 'seen' ? `most seen × ${rule.factor}`
  : rule.risk === null ? 'foretime, least waste' : `foretime, risk ${percent(rule.risk)}`;

function rules(told) {
  if (!told.compared) return h('p', {}, 'No requests can be compared: no job that completed has a request and what it used.');
  return [
    table(['rule', '>GB h', '>not used', '>limit h', '>jobs killed', '>share', '>own request'],
      told.rules.map((rule, i) => [ruleName(rule), amount(rule.gb_h), unused(rule.gb_h, told.compared_used_gb_h), amount(rule.limit_h),
        count(rule.killed), percent(rule.killed / told.compared), i ? count(rule.own) : '']), 'what other requests would have cost'),
    h('p', {class: 'soft'}, `A request uses only jobs of its program that ended before; the first ${told.first} keep their own. A job that is killed counts with all its tries.`),
  ];
}

export const report = {
  show(main) {
    const asked = {by: 'program', user: '', partition: ''}, head = h('div'), body = h('div');
    let turn = 0;

    const change = (key, value) => {
      asked[key] = value;
      load();
    };
    const by = choice('a line for each', value => change('by', value));
    const only = key => h('label', {}, key, h('input', {type: 'search', placeholder: 'all', oninput: later(event => change(key, event.target.value.trim()), 500)}));

    function draw(told) {
      const more = told.number - told.groups.length, left = told.broken + told.unfinished;
      put(head, h('h1', {}, `${several(told.jobs, 'job')} of ${several(told.programs, 'program')}, ${several(told.users, 'user')}, ${several(told.partitions, 'partition')}`),
        told.from && h('p', {class: 'soft'}, `${told.from.slice(0, 10)} to ${told.to.slice(0, 10)}`));
      const used = kindsOf(told).map(kind => [kind[1], ...cells(told, kind), kind[2], count(told[kind[0]])]);
      put(body,
        h('h2', {}, 'Requested and used'),
        used.length ? table(['', '>requested', '>used', '>not used', 'unit', '>jobs'], used, 'requested and used') : h('p', {}, 'No job has both a request and what it used.'),
        h('h2', {}, `By ${told.by}`), groups(told),
        more > 0 && h('p', {class: 'soft'}, `${count(more)} more: foretime report --csv`),
        h('h2', {}, 'How jobs ended'), ends(told),
        told.unmeasured > 0 && h('p', {class: 'soft'}, `The memory that ${several(told.unmeasured, 'job')} used is not known (${amount(told.unseen_gb_h)} GB h requested).`),
        left > 0 && h('p', {class: 'soft'}, `Left out: ${told.unfinished} jobs that had not ended, ${several(told.broken, 'row')} that cannot be used. ${told.why || ''}`),
        h('h2', {}, `Requests over ${several(told.compared, 'job')} that completed`), rules(told));
    }

    const {get, stop} = fresh();
    async function load() {
      const mine = ++turn;
      stop();
      put(head, h('h1', {}, 'Report'), h('p', {class: 'soft', role: 'status'}, 'Reading the files …'));
      try {
        const told = await get('report', '', {...asked, limit: GROUPS});
        if (mine === turn) draw(told);
      } catch (error) {
        if (mine !== turn) return;
        put(head, failure(error));
        put(body);
      }
    }

    by.show(['program', 'user', 'partition'], asked.by);
    put(main, head, h('div', {class: 'row'}, by.element, only('user'), only('partition')), body);
    load();
    return () => {
      turn++;
      stop();
    };
  },
};
