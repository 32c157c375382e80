// SPDX-License-Identifier: GPL-3.0-or-later
// traces.js - a trace taken apart by hand: fitted, marked, simplified, smoothed, its phases named (doc/page.md).
import {chart} from '../chart.js';
import {failure, h, put, save, table} from '../dom.js';
import {age, format, number, size} from '../units.js';
import {s as shape} from '../picture.js';
import {Failure, get} from '../api.js';
import {answers, drop, keep, preview, stored} from '../trace.js';

/* What was chosen. States are never changed: each choice makes the next, so undo and redo are steps in a list. */
const BEGIN = Object.freeze({pieces: 25, begin: 'best', start: null, marks: null, lambda: 1, spikes: [], names: {}});

const MODES = [
  ['look', 'Look', 'Drag to look closer; Escape shows all.'],
  ['mark', 'Mark P', 'Click where the model must have the trace’s value; click a mark to take it away.'],
  ['spike', 'Spike', 'Drag over a spike to smooth it.'],
  ['node', 'Nodes', 'Drag the fit’s nodes to where the search starts.'],
];
const INKS = ['one', 'two', 'three', 'four', 'five', 'six'];
const inkOf = phase => INKS[(phase.name.charCodeAt(0) - 65) % INKS.length];
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/* One trace that is kept by the server, and what is done with it. */
function bench(place, kept) {
  let states = [BEGIN], at = 0, shown = null, mode = 'look', view = null, pointer = null, begun = null;
  const problem = h('div', {role: 'alert'});
  const busy = h('span', {class: 'soft', role: 'status'});
  const head = h('div', {});
  const steps = h('div', {class: 'steps'}), figures = h('div'), phases = h('div');
  const layer = h('div', {class: 'handles'});
  const state = () => states[at];

  /* ---- states ---- */

  /* A choice counts once the engine has answered it; what it refuses is said, and nothing changes. */
  let asked = 0;
  async function choose(change) {
    const mine = ++asked, next = Object.freeze({...state(), ...change});
    drop(kept);
    busy.textContent = '…';
    put(problem);
    try {
      const told = await answers(kept, next, view, drawing());
      if (mine !== asked) return false;
      states = [...states.slice(0, at + 1), next];
      at = states.length - 1;
      render(told);
      return true;
    } catch (error) {
      if (mine !== asked) return false;
      put(problem, failure(error));
      if (!(error instanceof Failure)) throw error;
      return false;
    } finally {
      if (mine === asked) busy.textContent = '';
    }
  }
  async function go(to) {
    if (to < 0 || to >= states.length) return;
    const mine = ++asked;
    drop(kept);
    at = to;
    put(problem);
    try {
      const told = await answers(kept, state(), view, drawing());
      if (mine === asked) render(told);
    } catch (error) {
      if (mine === asked) put(problem, failure(error));
    }
  }
  const drawing = () => Math.max(300, Math.round((place.clientWidth || 1000) * Math.min(devicePixelRatio, 2)));

  /* ---- the picture ---- */

  const marks = () => state().marks || [];
  const toggleMark = t => choose({marks: marks().includes(t) ? marks().filter(each => each !== t) : [...marks(), t].sort((a, b) => a - b)});
  const addSpike = (a, b) => choose({spikes: [...state().spikes, [Math.min(a, b), Math.max(a, b)]]});
  const nodeTimes = () => state().start || shown.fit.nodes.slice(1, -1).map(([t]) => t);
  const setNodes = times => choose({start: [...new Set(times)].filter(t => t > shown.show.begin && t < shown.show.end).sort((a, b) => a - b)});

  const line = (name, nodes, ink, more = {}) => ({kind: 'line', name, ink, x: nodes.map(([t]) => t), y: nodes.map(([, y]) => y), ...more});

  /* The trace between its breaks. */
  function parts({drawn, breaks}) {
    const ends = [...breaks.map(([end]) => end), Infinity];
    return ends.map((end, i) => drawn.filter(([t]) => t <= end && (!i || t > ends[i - 1])))
      .map((some, i) => line(i ? '' : 'trace', some, 'quiet', {width: 1, dash: false, silent: !!i}));
  }

  const valueAt = (nodes, t) => {
    const i = nodes.findIndex(([time]) => time >= t);
    if (i <= 0) return nodes[Math.max(i, 0)]?.[1] ?? null;
    const [[a, y], [b, z]] = [nodes[i - 1], nodes[i]];
    return y + (z - y) * (t - a) / (b - a);
  };

  function read(t) {
    pointer = t;
    const phase = shown.phases.phases.findIndex(each => t >= each.begin && t <= each.end);
    const said = [`${timeName()} ${when(t)}`, `trace ${number(valueAt(shown.show.drawn, t))}`, `fit ${number(valueAt(shown.fit.nodes, t))}`];
    if (shown.model) said.push(`model ${number(valueAt(shown.model.nodes, t))}`);
    if (phase >= 0) said.push(`phase ${phaseName(phase)}`);
    return said.join(', ');
  }
  const timeName = () => shown.show.origin ? 'at' : shown.show.time;

  /* Times: dates stand as the file has them, seconds in their usual units, other numbers as numbers. */
  const origin = () => shown.show.origin ? Date.parse(shown.show.origin.replace(/(\d)$/, '$1Z')) : NaN;
  const isSeconds = () => shown.show.origin || /(^|_)(s|sec|seconds?)$/i.test(shown.show.time);
  const dated = (t, from) => new Date(origin() + 1000 * t).toISOString().slice(from, Number.isInteger(t) ? 19 : 23).replace('T', ' ');
  const when = t => origin() ? dated(t, 0) : isSeconds() ? format(Number(t.toPrecision(6)), 's') : number(t);
  /* Ticks: at round times of the day. */
  const ticks = () => origin() ? {
    splits: (u, i, least, most, step) => Array.from({length: 60}, (_, k) => Math.ceil((least + origin() / 1000) / step) * step - origin() / 1000 + k * step).filter(t => t <= most),
    values: (t, all) => all[1] - all[0] >= 86400 ? dated(t, 5).slice(0, 5) : dated(t, 11).slice(0, all[1] - all[0] >= 60 ? 5 : 8),
  } : {};
  const phaseName = i => state().names[i] || shown.phases.phases[i].name;

  /* Phases lie behind the lines, each letter in its colour. */
  const paintPhases = u => {
    u.ctx.save();
    u.ctx.globalAlpha = 0.1;
    for (const phase of shown.phases.phases) {
      const [a, b] = [phase.begin, phase.end].map(t => Math.min(Math.max(u.valToPos(t, 'x', true), u.bbox.left), u.bbox.left + u.bbox.width));
      u.ctx.fillStyle = colour(inkOf(phase));
      u.ctx.fillRect(a, u.bbox.top, b - a, u.bbox.height);
    }
    u.ctx.restore();
  };

  const spec = () => {
    const {show, fit, plain, model} = shown;
    const whole = view || [show.begin, show.end];
    return {
      title: `${kept.name}: ${show.value}`,
      x: {label: show.origin ? `time, from ${dated(show.begin, 0).slice(0, 10)}` : show.time, unit: isSeconds() ? 's' : '', log: false, range: () => whole, ...ticks()},
      y: {label: show.value, unit: '', log: false},
      still: true,
      series: [...parts(show), line(`fit, ${fit.pieces} pieces`, fit.nodes, 'one'),
        ...(plain && state().spikes.length ? [line(`simplified, ${plain.pieces} pieces`, plain.nodes, 'two', {width: 1, dash: true})] : []),
        ...(model ? [line(`${state().spikes.length ? 'smoothed' : 'simplified'}, ${model.pieces} pieces`, model.nodes, state().spikes.length ? 'three' : 'two')] : [])],
      read, rest: MODES.find(([name]) => name === mode)[2],
      hooks: {drawClear: [paintPhases], draw: [handles]},
      drawn: hold,
    };
  };

  /* Marks and nodes can be taken hold of, by the pointer and by the keys. */
  function handles(u) {
    const focused = document.activeElement?.dataset?.handle;
    const ratio = devicePixelRatio, box = {left: u.bbox.left / ratio, top: u.bbox.top / ratio, width: u.bbox.width / ratio, height: u.bbox.height / ratio};
    const inner = u.root.getBoundingClientRect(), outer = layer.getBoundingClientRect();
    const make = (kind, i, [t, y], words, attributes) => {
      const left = u.valToPos(t, 'x'), top = u.valToPos(y, 'y');
      if (!(left >= -1 && left <= box.width + 1)) return null;
      const button = h('button', {type: 'button', class: `handle ${kind}`, 'data-handle': `${kind}${i}`, 'aria-label': words, title: words, ...attributes});
      button.style.left = `${inner.left - outer.left + box.left + left}px`;
      button.style.top = `${inner.top - outer.top + box.top + Math.min(Math.max(top, 0), box.height)}px`;
      return button;
    };
    const pixel = (u.scales.x.max - u.scales.x.min) / box.width;
    const move = (times, i, set, away) => ({onkeydown: event => {
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.key === 'Delete' || event.key === 'Backspace') away(i);
      else if (by) set(times.map((t, k) => k === i ? t + by * pixel * (event.shiftKey ? 10 : 1) : t));
      else return;
      event.preventDefault();
      event.stopPropagation();
    }});
    const set = times => choose({marks: [...new Set(times)].sort((a, b) => a - b)});
    put(layer,
      marks().map((t, i) => make('mark', i, [t, shown.values[i][1]], `mark at ${when(t)}: ${number(shown.values[i][1])}`,
        {...move(marks(), i, set, k => toggleMark(marks()[k])), onclick: () => mode === 'mark' && toggleMark(t)})),
      mode === 'node' && nodeTimes().map((t, i) => make('node', i, [t, valueAt(shown.fit.nodes, t)], `node at ${when(t)}`, {
        ...move(nodeTimes(), i, setNodes, k => setNodes(nodeTimes().filter((each, j) => j !== k))),
        onpointerdown: event => drag(u, event, x => held(u, event.target, nodeTimes().map((each, k) => k === i ? timeAt(u, x) : each), i),
          to => setNodes(nodeTimes().map((each, k) => k === i ? to : each)))})));
    if (focused) layer.querySelector(`[data-handle="${focused}"]`)?.focus();
  }

  const timeAt = (u, x) => {
    const rect = u.over.getBoundingClientRect();
    return u.posToVal(Math.min(Math.max(x - rect.left, 0), rect.width), 'x');
  };

  /* The line as it would be with a node where the pointer holds it: the engine's, once it is let go. */
  function held(u, button, times, i) {
    const {begin, end, drawn} = shown.show, inside = [...new Set(times)].filter(t => t > begin && t < end).sort((a, b) => a - b);
    const nodes = preview(drawn, [begin, ...inside, end]), over = u.over.getBoundingClientRect(), outer = layer.getBoundingClientRect();
    const to = ([t, y]) => [over.left - outer.left + u.valToPos(t, 'x'), over.top - outer.top + u.valToPos(y, 'y')];
    let svg = layer.querySelector('.held');
    if (!svg) layer.prepend(svg = shape('svg', {class: 'held', width: outer.width, height: outer.height}, shape('polyline', {fill: 'none', 'stroke-width': 2})));
    svg.firstChild.setAttribute('points', nodes.map(node => to(node).map(x => x.toFixed(1)).join()).join(' '));
    const at = nodes.find(([t]) => t === times[i]);
    if (!at) return;
    const [x, y] = to(at);
    button.style.left = `${x}px`;
    button.style.top = `${Math.min(Math.max(y, over.top - outer.top), over.bottom - outer.top)}px`;
  }

  /* A pointer that goes down here, moves and goes up: each(x), then done(time). */
  function drag(u, event, each, done) {
    const target = event.target, time = x => timeAt(u, x);
    const moved = next => each(next.clientX);
    const up = next => {
      target.removeEventListener('pointermove', moved);
      target.removeEventListener('pointerup', up);
      done(time(next.clientX), time(event.clientX), Math.abs(next.clientX - event.clientX));
    };
    event.preventDefault();
    target.setPointerCapture(event.pointerId);
    target.addEventListener('pointermove', moved);
    target.addEventListener('pointerup', up);
  }

  async function look(next) {
    view = next;
    await go(at);
  }

  /* What a pointer does in the picture is the mode's. */
  function hold(u) {
    u.over.addEventListener('pointerdown', event => {
      const left = event.clientX - u.over.getBoundingClientRect().left;
      drag(u, event, x => {
        const now = x - u.over.getBoundingClientRect().left;
        u.setSelect({left: Math.min(left, now), width: Math.abs(now - left), top: 0, height: u.over.clientHeight}, false);
      }, (to, from, pixels) => {
        u.setSelect({left: 0, width: 0, top: 0, height: 0}, false);
        if (mode === 'mark') toggleMark(to);
        else if (mode === 'node' && pixels < 4) setNodes([...nodeTimes(), to]);
        else if (pixels < 4) return;
        else if (mode === 'spike') addSpike(from, to);
        else if (mode === 'look') look([Math.min(from, to), Math.max(from, to)]);
      });
    });
  }

  /* ---- what stands around it ---- */

  const button = (words, onclick, more = {}) => h('button', {type: 'button', onclick, ...more}, words);
  const modes = h('fieldset', {class: 'modes'}, h('legend', {}, 'pointer'), MODES.map(([name, words, hint]) =>
    h('label', {title: hint}, h('input', {type: 'radio', name: 'mode', value: name, checked: name === mode, onchange: () => {
      mode = name;
      picture.show(spec());
    }}), words)));
  const undo = button('Undo', () => go(at - 1), {title: 'Ctrl+Z'}), redo = button('Redo', () => go(at + 1), {title: 'Ctrl+Y'});
  const whole = button('Show all', () => look(null));
  const picture = {show: () => {}, end: () => {}};

  const field = (words, attributes) => {
    const input = h('input', {type: 'number', step: 'any', ...attributes});
    return [input, h('label', {}, words, input)];
  };

  // Made once: what is being typed stays where an answer comes and all around it is drawn again.
  const nodeAt = field('node at'), markAt = field('mark at'), spikeFrom = field('from'), spikeTo = field('to');
  /* What was typed, all of it or nothing; it is done with then. */
  const typed = (fields, act) => () => {
    if (fields.some(([input]) => input.value === '')) return;
    const values = fields.map(([input]) => Number(input.value));
    fields.forEach(([input]) => { input.value = ''; });
    act(...values);
  };

  function fitStep() {
    const n = h('output', {}, String(shown.fit.pieces));
    const slider = h('input', {type: 'range', min: 1, max: 60, value: shown.fit.pieces, 'aria-label': 'straight pieces of the fit',
      oninput: () => n.textContent = slider.value, onchange: () => choose({pieces: Number(slider.value), start: null})});
    const begin = h('select', {onchange: () => choose({begin: begin.value, start: null})},
      ['best', 'equal', 'path', 'dp', 'merge'].map(word => h('option', {value: word, selected: !state().start && word === state().begin}, word)),
      state().start && h('option', {selected: true, disabled: true}, 'by hand'));
    return h('section', {}, h('h2', {}, '1 Fit'), h('p', {class: 'soft'}, 'The piecewise linear function with the least squared error; it may leave the trace’s range.'),
      h('div', {class: 'row'}, h('label', {}, h('span', {}, 'pieces: ', n), slider), h('label', {}, 'search begins from', begin)),
      h('div', {class: 'row'}, nodeAt[1], button('Add node', typed([nodeAt], time => setNodes([...nodeTimes(), time])))));
  }

  function markStep() {
    const [lambda, lambdaLabel] = field('lambda', {min: 1, value: state().lambda, onchange: () => choose({lambda: Number(lambda.value), marks: marks()})});
    return h('section', {}, h('h2', {}, '2 Mark and simplify'), h('p', {class: 'soft'}, 'P is a set of times where the model must have the trace’s value. lambda sets the detail: 1 removes most nodes, larger values keep more. The area between nodes stays the trace’s.'),
      h('div', {class: 'row'}, markAt[1], button('Mark', typed([markAt], toggleMark)), lambdaLabel),
      h('div', {class: 'row'}, button('P from the fit', () => choose({marks: shown.fit.nodes.slice(1, -1).map(([t]) => t)})),
        button('P at the starts of phases', () => choose({marks: shown.phases.phases.slice(1).map(each => each.begin)})),
        button('No marks', () => choose({marks: []}))),
      h('p', {class: 'soft'}, state().marks ? `${marks().length} marks, lambda ${number(state().lambda)}` : 'Set a mark, or simplify without marks: No marks.'));
  }

  const spikeWords = each => `${when(each.begin)} to ${when(each.end)}: ` + (each.node
    ? `node ${number(each.node[1])} at ${when(each.node[0])}, areas ${each.areas.map(number).join(' and ')}` + (each.nodes_found > 1 ? `; ${each.nodes_found} nodes are possible, the nearest was taken` : '')
    : `a straight line, area ${number(each.areas[0])}`);

  function spikeStep() {
    return h('section', {}, h('h2', {}, '3 Smooth spikes'), h('p', {class: 'soft'}, 'One node in place of a spike; the areas on both sides stay the trace’s.'),
      h('div', {class: 'row'}, spikeFrom[1], spikeTo[1], button('Smooth', typed([spikeFrom, spikeTo], addSpike))),
      h('div', {class: 'row'}, button('Find spikes', () => choose({spikes: [...state().spikes, 'auto']}))),
      state().spikes.length > 0 && !shown.model.smoothed.length && h('p', {class: 'soft'}, 'No spike was found.'),
      h('ul', {class: 'spikes'}, shown.model ? shown.model.smoothed.map(each => h('li', {}, spikeWords(each))) : []));
  }

  const figureRows = () => {
    const {show, fit, plain, model} = shown, spikes = state().spikes.length;
    // What rounding alone does is none of the model's.
    const room = 1e-9 * (show.most - show.least), off = told => told.area_data ? 100 * (told.area - told.area_data) / Math.abs(told.area_data) : 0;
    const row = (name, told) => [name, String(told.pieces), number(told.rms_error), number(told.max_error), number(told.least), number(told.most), number(told.area),
      `${number(Math.abs(off(told)) < 1e-7 ? 0 : off(told))} %`, told.least < show.least - room || told.most > show.most + room ? 'leaves it' : 'within'];
    return [['trace', String(show.points - show.parts), '', '', number(show.least), number(show.most), number(show.area), '', ''],
      row('fit', fit), ...(plain ? [row('simplified', plain)] : []), ...(spikes && model ? [row('smoothed', model)] : [])];
  };

  function phaseTable() {
    const called = (phase, i) => h('input', {type: 'text', value: state().names[i] || '', placeholder: phase.name, 'aria-label': `name of phase ${i + 1}`,
      onchange: event => choose({names: {...state().names, [i]: event.target.value}})});
    return [h('h2', {}, 'Phases'), table(['ink', 'phase', 'called', '>from', '>to', '>mean level', '>slope', '>work', 'shape'], shown.phases.phases.map((phase, i) =>
      [h('span', {class: `swatch ink-${inkOf(phase)}`}), phase.name, called(phase, i), when(phase.begin), when(phase.end), number(phase.level), number(phase.slope),
        phase.share === null ? '–' : `${number(100 * phase.share)} %`, phase.text]), 'phases')];
  }

  /* What foretime trace plot --fit reads: the last model, and beside it what led there. */
  const file = () => ({...(shown.model || shown.fit), source: kept.name, fit: shown.fit, chosen: state(),
    phases: shown.phases.phases.map((phase, i) => ({...phase, called: phaseName(i)}))});

  function render(told) {
    const has = document.activeElement, focus = has?.closest?.('section')?.querySelector('h2')?.textContent;
    const called = element => element.closest('label')?.firstChild.textContent.replace(/\d+/, '') ?? element.textContent;
    shown = told;
    undo.disabled = at === 0;
    redo.disabled = at === states.length - 1;
    whole.disabled = !view;
    put(head, h('h1', {}, kept.name), h('p', {class: 'soft'}, `${number(told.show.rows)} rows of ${told.show.value} over ${told.show.time}, from ${when(told.show.begin)} to ${when(told.show.end)}` +
      (told.show.gaps ? `; ${told.show.gaps} gaps, joined` : '')));
    put(steps, fitStep(), markStep(), spikeStep());
    put(figures, h('h2', {}, 'Fit quality'), table(['model', '>pieces', '>rms error', '>largest error', '>least', '>most', '>area', '>area off', 'the trace’s range'], figureRows(), 'errors and areas'));
    put(phases, phaseTable());
    picture.show(spec());
    // Who pressed a button of a step, or types or chooses there, goes on from there.
    const step = focus && [...steps.children].find(each => each.querySelector('h2').textContent === focus);
    if (step) [...step.querySelectorAll('button, input, select')].find(each => called(each) === called(has))?.focus();
  }

  /* Escape: out of a spike that was begun, then out of a mode, then all is shown. */
  function escape() {
    begun = null;
    if (mode !== 'look') {
      mode = 'look';
      modes.querySelector('[value=look]').checked = true;
      picture.show(spec());
    } else if (view) look(null);
  }

  function keys(event) {
    // A radio button or a slider has the focus after a click on it: nothing is typed there.
    const typing = /^(SELECT|TEXTAREA)$/.test(event.target.tagName) || (event.target.tagName === 'INPUT' && !/^(radio|range)$/.test(event.target.type));
    const word = `${event.ctrlKey || event.metaKey ? 'C-' : ''}${event.shiftKey ? 'S-' : ''}${event.key.toLowerCase()}`;
    const act = {
      'C-z': () => go(at - 1), 'C-y': () => go(at + 1), 'C-S-z': () => go(at + 1),
      ...(typing || pointer === null ? {} : {
        'm': () => toggleMark(pointer), 'n': () => setNodes([...nodeTimes(), pointer]),
        '[': () => begun = pointer, ']': () => begun !== null && addSpike(begun, pointer),
      }),
      ...(typing ? {} : {escape}),
    }[word];
    if (!act || (typing && event.target.type === 'text')) return;
    event.preventDefault();
    act();
  }

  (async () => {
    busy.textContent = '…';
    put(place, problem, busy);
    try {
      shown = await answers(kept, state(), null, drawing());
    } catch (error) {
      put(place, failure(error));
      return;
    }
    const made = chart(spec());
    Object.assign(picture, made);
    made.element.append(layer);
    put(place, head, h('div', {class: 'row'}, modes, undo, redo, whole, busy), problem, made.element,
      h('p', {class: 'soft'}, 'Keys: arrows read the picture; there m marks, n places a node, [ and ] begin and end a spike. Ctrl+Z and Ctrl+Y undo and redo. Marks and nodes move with the arrows; Delete takes them away.'),
      steps, figures, phases,
      h('div', {class: 'row'}, button('Save the model (JSON)', () => save(`${kept.name.replace(/\.[a-z.]+$/i, '')}-model.json`, 'application/json', JSON.stringify(file(), null, 1) + '\n'))));
    busy.textContent = '';
    render(shown);
    document.addEventListener('keydown', keys);
  })();
  return () => {
    document.removeEventListener('keydown', keys);
    picture.end();
  };
}

export const traces = {
  show(main, [run]) {
    const place = h('div', {class: 'bench'});
    const problem = h('div', {});
    let end = () => {};
    const begin = kept => {
      put(problem);
      end();
      end = bench(place, kept);
    };
    const take = async file => {
      put(problem, h('p', {class: 'soft', role: 'status'}, `reading ${file.name} …`));
      try {
        begin(await keep(file, column.value));
      } catch (error) {
        put(problem, failure(error));
      }
    };
    const column = h('input', {type: 'text', placeholder: 'found', size: 12, onchange: () => run && begin(stored(run, column.value))});
    const input = h('input', {type: 'file', accept: '.csv,.tsv,.txt,.gz,text/csv', onchange: () => input.files[0] && take(input.files[0])});
    const program = h('input', {type: 'text', size: 14, placeholder: 'NAME'}), runs = h('p', {}), kept = h('p', {class: 'soft'});
    const find = async event => {
      event?.preventDefault();
      try {
        const {traces} = await get('show', program.value.trim());
        put(runs, traces.length ? traces.flatMap(each => [h('a', {href: `#/traces/run:${each.run}`}, `${size(each.size)}, ${number(each.rows)} rows, ${age(each.started)}`), ' '])
          : 'No run is stored with its trace: foretime run --save NAME --keep-trace stores one.');
      } catch (error) {
        put(runs, failure(error));
      }
    };
    /* Programs with stored traces: one click lists theirs. */
    get('list', '', {traces: 1}).then(({programs}) => {
      const names = [...new Set(programs.map(each => each.name))];
      put(kept, names.length ? ['stored: ', names.slice(0, 40).map(name => [h('button', {type: 'button', class: 'small', onclick: () => {
        program.value = name;
        find();
      }}, name), ' '])] : 'No trace of a run is stored: foretime run --save NAME,keep-trace stores one.');
    }, () => {});
    const drop = h('div', {class: 'drop', ondragover: event => event.preventDefault(), ondrop: event => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    }}, h('p', {}, 'Drop a trace here: a CSV file with a column of times and one of values, as ', h('code', {}, 'foretime run --trace'), ' writes it.'),
    h('div', {class: 'row'}, h('label', {}, 'or choose one', input), h('label', {}, 'column of values', column)),
    h('form', {class: 'row', onsubmit: find}, h('label', {}, 'or one of a program’s runs', program), h('button', {}, 'show them')), kept, runs);
    put(main, drop, problem, place);
    if (run) begin(stored(run));
    return () => end();
  },
};
