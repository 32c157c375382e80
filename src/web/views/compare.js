// SPDX-License-Identifier: GPL-3.0-or-later
// compare.js - curves of programs, machines and versions over each other, chosen by search; the address has the choice.
import {fresh} from '../api.js';
import {chart} from '../chart.js';
import {choice, failure, h, later, loading, put, table} from '../dom.js';
import {age, format} from '../units.js';
import {curveSpec} from './program.js';

const MOST = 6, FOUND = 30;
const called = ({name, machine, hash}) => `${name}${machine ? ' on ' + machine : ''}${hash ? ', ' + hash.slice(0, 7) : ''}`;

export const compare = {
  show(main, words, events, values) {
    let chosen = [], resource = values.resource || 'wall_s', picture = null, turn = 0;
    try {
      chosen = JSON.parse(values.of || '[]').slice(0, MOST).map(([name, machine, hash]) => ({name: String(name), machine: machine || '', hash: hash || ''}));
    } catch { /* nothing is chosen */ }
    const found = h('ul', {class: 'programs'}), some = h('ul', {class: 'programs', 'aria-label': 'compared'}), place = h('section', {'aria-label': 'curves', 'aria-live': 'polite'});
    const search = h('input', {type: 'search', class: 'search', placeholder: 'search programs', 'aria-label': 'search programs', oninput: later(() => find())});
    const resources = choice('resource', next => {
      resource = next;
      change();
    });

    async function find() {
      const mine = ++turn;
      finding.stop();
      try {
        const {programs} = await finding.get('list', '', {search: search.value, most: FOUND});
        if (mine !== turn) return;
        put(found, programs.map(row => h('li', {}, h('button', {type: 'button', class: 'add', onclick: () => add(row)}, row.name,
          h('small', {}, `${row.machine || ''}${row.current ? '' : `, older version ${(row.hash || '').slice(0, 7)}`}, ${row.runs} runs${row.last_run ? ', ' + age(row.last_run) : ''}`)))));
      } catch (error) {
        if (mine === turn) put(found, failure(error));
      }
    }
    const add = row => {
      const one = {name: row.name, machine: row.machine || '', hash: row.current ? '' : row.hash || ''};
      if (chosen.length < MOST && !chosen.some(each => called(each) === called(one))) chosen.push(one);
      change();
    };
    const change = () => {
      history.replaceState(null, '', `#/compare?${new URLSearchParams({of: JSON.stringify(chosen.map(each => [each.name, each.machine, each.hash])), resource})}`);
      draw();
    };

    const finding = fresh(), {get, stop} = fresh();
    let drawing = 0;
    async function draw() {
      const mine = ++drawing;
      stop();
      put(some, chosen.map((each, i) => h('li', {}, h('button', {type: 'button', class: 'small', 'aria-label': `remove ${called(each)}`, onclick: () => {
        chosen.splice(i, 1);
        change();
      }}, '×'), ' ', called(each))));
      if (picture) picture.end();
      picture = null;
      if (!chosen.length) return put(place, h('h1', {}, 'Compare'), h('p', {class: 'soft'}, `Choose up to ${MOST} programs, machines or older versions from the list: their curves are drawn over each other.`));
      put(place, h('h1', {}, 'Compare'), loading('the curves'));
      const known = await get('show', chosen[0].name, {machine: chosen[0].machine}).catch(() => ({models: []}));
      const answers = await Promise.all(chosen.map(each => get('plot', each.name, {resource, machine: each.machine, hash: each.hash}).then(told => ({...told, called: called(each)}), error => ({error, called: called(each)}))));
      if (mine !== drawing) return;
      const good = answers.filter(each => !each.error && each.axes.length === 1), [first, ...others] = good;
      put(place, h('h1', {}, 'Compare'));
      if (first) {
        picture = chart({...curveSpec(first, others), title: `${first.title}, compared`});
        place.append(picture.element);
        /* Where all were measured: how they differ at the ends and in the middle of what they share. */
        const [least, most] = [Math.max(...good.map(each => Math.min(...each.runs.x))), Math.min(...good.map(each => Math.max(...each.runs.x)))];
        const at = (told, x) => told.model.value[told.axes[0].at.reduce((best, value, i, all) => Math.abs(value - x) < Math.abs(all[best] - x) ? i : best, 0)];
        const places = least > 0 && most > least ? [least, Math.sqrt(least * most), most] : least === most ? [least] : [];
        if (others.length && places.length) place.append(table(['at', ...good.map(each => `>${each.called}`)], places.map(x => [`${first.axes[0].parameter} = ${format(Math.round(x), '')}`,
          ...good.map((each, i) => `${format(at(each, x), each.unit)}${i ? ` (${format(at(each, x) / at(first, x), '')}×)` : ''}`)]), 'compared at sizes that all were measured around'));
      }
      place.append(...answers.filter(each => each.error || each.axes.length !== 1).map(each => failure({message: `${each.called}: ${each.error ? each.error.message : 'has several parameters, and is not drawn over others'}`, remedy: each.error?.remedy})));
      resources.show([...new Set([resource, ...known.models.map(model => model.resource)])], resource);
    }
    put(main, h('div', {class: 'split'}, h('section', {'aria-label': 'programs'}, some, resources.element, search, found), place));
    find();
    draw();
    return () => {
      turn++;
      drawing++;
      finding.stop();
      stop();
      if (picture) picture.end();
    };
  },
};
