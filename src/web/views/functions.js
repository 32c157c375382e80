// SPDX-License-Identifier: GPL-3.0-or-later
// functions.js - what the functions of a program take of all that is kept of them (foretime profile --save): each is a
// program NAME/FUNCTION.
import {get} from '../api.js';
import {failure, h, put, table} from '../dom.js';
import {number, size} from '../units.js';

const percent = value => `${number(Math.round(1000 * value) / 10)} %`;

/* rows: what the list has of them. */
export async function functions(place, name, rows) {
  const all = [...new Set(rows.map(row => row.name))], machine = rows[0].machine;
  const {params} = await get('show', all[0], {machine}), answer = h('div', {role: 'status'});
  const largest = Object.fromEntries(params.map(param => [param.name, param.most]));
  const inputs = params.map(param => h('input', {size: 8, autocomplete: 'off', value: String(param.most * 10), inputmode: 'decimal', name: param.name}));
  const laws = await Promise.all(all.map(each => get('fit', each, {machine}).then(told => told.fits[0].law, () => '')));
  const shares = async at => {
    const values = await Promise.all(all.map(async each => (await get('predict', each, {machine, resource: 'instructions', ...at})).predictions[0].value));
    const sum = values.reduce((a, b) => a + b, 0);
    return values.map(value => value / sum);
  };
  const ask = async event => {
    event?.preventDefault();
    const at = Object.fromEntries(inputs.map(input => [input.name, input.value.trim()]));
    try {
      const [now, then] = await Promise.all([shares(largest), shares(at)]);
      put(answer, table(['function', `>${size(largest)}`, '>' + Object.entries(at).map(each => each.join('=')).join(' '), 'law'],
        all.map((each, i) => [each.slice(name.length + 1), now[i], then[i], laws[i]]).sort((a, b) => b[2] - a[2])
          .map(([each, a, b, law]) => [h('a', {href: `#/models/${encodeURIComponent(`${name}/${each}`)}`}, each), percent(a), percent(b), law]), 'functions'));
    } catch (error) {
      put(answer, failure(error));
    }
  };
  put(place, h('h2', {}, 'Functions'), h('p', {class: 'soft'}, 'Share of the instructions of all functions that are kept.'),
    h('form', {class: 'row', onsubmit: ask}, inputs.map(input => h('label', {}, input.name, input)), h('button', {}, 'predict')), answer);
  ask();
}
