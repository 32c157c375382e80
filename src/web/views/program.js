// SPDX-License-Identifier: GPL-3.0-or-later
// program.js - what is known of one program: its curves, its law, and what can be asked of it.
import {get} from '../api.js';
import {chart} from '../chart.js';
import {failure, h, later, put} from '../dom.js';
import {age, format, number} from '../units.js';

/* The same array with null where keep says no. */
const only = (values, keep) => values.map((value, i) => keep(i) ? value : null);

/* What foretime plot --json tells of a curve, as a chart. ink, name: of several over each other. */
export function curveSeries(told, name = '', ink = 'one') {
  const x = told.axes[0].at, {value, value_least, value_most, lower, upper, beyond} = told.model;
  const said = text => name ? `${name}: ${text}` : text;
  // A dashed piece begins where the drawn one ends.
  const edge = i => beyond[i] || beyond[i - 1] || beyond[i + 1];
  return [
    {kind: 'band', name: said(`${number(told.confidence * 100)} % of single runs`), x, low: lower, high: upper, ink, share: 0.13, silent: !!name},
    {kind: 'band', name: said('where the typical run lies'), x, low: value_least, high: value_most, ink, share: 0.24, silent: !!name},
    {kind: 'line', name: said('typical run'), x, y: only(value, i => !beyond[i]), ink},
    ...(beyond.some(Boolean) ? [{kind: 'line', name: said('beyond the runs'), x, y: only(value, edge), ink, dash: true, silent: !!name}] : []),
    {kind: 'points', name: said('runs'), x: told.runs.x, y: told.runs.value, ink: name ? ink : 'quiet', silent: !!name},
  ];
}

const nearest = (values, x) => values.reduce((best, value, i) => Math.abs(value - x) < Math.abs(values[best] - x) ? i : best, 0);

export function readCurve(told, x) {
  const axis = told.axes[0], i = nearest(axis.at, x), m = told.model;
  if (m.value[i] === null) return `${axis.parameter} = ${number(axis.at[i])}: no such size`;
  const say = value => format(value, told.unit);
  return `${axis.parameter} = ${number(axis.at[i])}: ${say(m.value[i])}, single runs ${say(m.lower[i])} … ${say(m.upper[i])}, ${m.beyond[i] ? 'extrapolated beyond the runs' : 'within the runs'}`;
}

const curveSpec = told => ({
  title: `${told.name}: ${told.resource}${told.machine ? ' on ' + told.machine : ''}`,
  x: {label: told.axes[0].parameter, unit: '', log: told.axes[0].logarithmic},
  y: {label: told.resource, unit: told.unit, log: told.axes[0].logarithmic && Math.min(...told.model.value.filter(v => v !== null)) > 0},
  series: curveSeries(told),
  read: x => readCurve(told, x),
  rest: 'Point at the curve, or use the arrow keys.',
});

export function program(place, name, events) {
  const charts = [];
  const head = h('div', {}, h('h1', {}, name)), curves = h('div', {class: 'two'});
  put(place, head, curves);

  async function load() {
    try {
      const known = await get('show', name);
      put(head, h('h1', {}, name), h('p', {class: 'soft'}, `${known.runs} runs${known.machine ? ' on ' + known.machine.host : ''}, the newest ${age(known.last_run)}`));
      const told = await get('plot', name);
      if (!charts.length) {
        charts.push(chart(curveSpec(told)));
        curves.append(charts[0].element);
      } else {
        charts[0].show(curveSpec(told));
      }
    } catch (error) {
      put(head, h('h1', {}, name), failure(error));
    }
  }
  load();
  events(event => event === 'store' && later(load, 100)());
  return () => charts.forEach(each => each.end());
}
