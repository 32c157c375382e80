// SPDX-License-Identifier: GPL-3.0-or-later
// trace.js - a trace that the server keeps for this page, and the engine's answers about it. Nothing is computed
// here but what a line looks like while one of its nodes is held.
import {Failure, get, post} from './api.js';

const REMEMBERED = 200; /* answers: who goes back and forth asks nothing twice */

/* keep - the file's text goes to the server once. column: of values; '': found. */
export async function keep(file, column = '') {
  const packed = /\.gz$/i.test(file.name);
  const data = packed ? await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).blob().catch(() => {
    throw new Failure(`'${file.name}' is damaged, or no gzip file.`, 'Copy or compress it again.', 400);
  }) : file;
  const {id} = await post('traces', data);
  return {id, data, name: file.name.replace(/\.gz$/i, ''), column, told: new Map(), running: new Map()};
}

/* stored - the trace that the store keeps of a run, "run:17". */
export const stored = (name, column = '') => ({id: name, name: name.replace(':', ' '), column, told: new Map(), running: new Map()});

/* One step. A server that has no room any more lets the oldest go: then the text is sent again. */
async function ask(kept, step, values) {
  const all = {...values, value: kept.column}, key = step + JSON.stringify(all);
  const control = new AbortController(), once = () => get(`trace/${step}`, kept.id, all, control.signal);
  if (!kept.told.has(key)) {
    if (['fit', 'constrain'].includes(step)) kept.running.set(key, control);
    const answer = once().catch(async error => {
      if (error.status !== 404 || !kept.data) throw error;
      kept.id = (await post('traces', kept.data)).id;
      return once();
    }).catch(error => {
      if (kept.told.get(key) === answer) kept.told.delete(key);
      if (error instanceof Failure) error.message = error.message.replace('standard input', kept.name);
      throw error;
    }).finally(() => kept.running.get(key) === control && kept.running.delete(key));
    if (kept.told.size >= REMEMBERED) kept.told.delete(kept.told.keys().next().value);
    kept.told.set(key, answer);
  }
  return kept.told.get(key);
}

/* drop - what is being computed for a choice that is no more; a later one asks again. */
export function drop(kept) {
  for (const [key, control] of kept.running) {
    control.abort();
    kept.told.delete(key);
  }
  kept.running.clear();
}

const list = times => times.map(String).join(',');

/* answers - all that is shown of a state: the trace itself within `view` as points for `pixels`, the fit, the model
 * without and with its spikes smoothed (null where nothing was marked), its values at the marks, and the phases. */
export async function answers(kept, state, view, pixels) {
  const marks = state.marks || [];
  const constrain = {keep: list(marks), lambda: state.lambda};
  const wanted = state.marks || state.spikes.length;
  const show = await ask(kept, 'show', {width: pixels, within: view ? view.join(':') : ''});
  const [fit, plain, model, {values}, phases] = await Promise.all([
    ask(kept, 'fit', state.start ? {start: list(state.start) + ','} : {pieces: state.pieces, start: state.begin}),
    wanted ? ask(kept, 'constrain', constrain) : null,
    wanted ? ask(kept, 'constrain', {...constrain, smooth: state.spikes.map(each => each === 'auto' ? each : each.join(':')).join(',')}) : null,
    marks.length ? ask(kept, 'show', {at: list(marks)}) : {values: []},
    ask(kept, 'phases', {}),
  ]);
  return {show, fit, plain, model, values, phases};
}

/* preview - a line with nodes at these times (ascending, three at least), of the least squares to points [[t, y], ...]
 * (ascending): each point weighs on the two nodes around it, so the equations are tridiagonal. */
export function preview(points, times) {
  const n = times.length, diagonal = times.map(() => 1e-12), upper = times.map(() => 0), right = times.map(() => 0);
  let i = 0;
  for (const [t, y] of points) {
    if (t < times[0] || t > times[n - 1]) continue;
    while (i < n - 2 && t > times[i + 1]) i++;
    const b = (t - times[i]) / (times[i + 1] - times[i]), a = 1 - b;
    diagonal[i] += a * a;
    diagonal[i + 1] += b * b;
    upper[i] += a * b;
    right[i] += a * y;
    right[i + 1] += b * y;
  }
  for (let k = 1; k < n; k++) {
    const share = upper[k - 1] / diagonal[k - 1];
    diagonal[k] -= share * upper[k - 1];
    right[k] -= share * right[k - 1];
  }
  for (let k = n - 1; k >= 0; k--) right[k] = (right[k] - (k < n - 1 ? upper[k] * right[k + 1] : 0)) / diagonal[k];
  return times.map((t, k) => [t, right[k]]);
}
