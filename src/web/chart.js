// SPDX-License-Identifier: GPL-3.0-or-later
// chart.js - a picture of numbers, drawn by uPlot: both axes linear or logarithmic with one click, a reading under the
// pointer or by the arrow keys, and files to keep.
//
//   const c = chart({title: 'matmul', x: {label: 'n', unit: '', log: true}, y: {label: 'wall_s', unit: 's', log: true},
//     series: [{kind: 'band', name: 'nine in ten runs', x: [...], low: [...], high: [...]},
//              {kind: 'line', name: 'typical', x: [...], y: [...], dash: true}, {kind: 'points', name: 'runs', x, y}],
//     read: x => 'what is said of this x'});
//   main.append(c.element); c.show(newSpec); c.end();
//
// Colours are a series' `ink`: 'one' .. 'six' (style.css), 'quiet' of points; without: by its place.
import uPlot from './uplot.js';
import {h, put, save} from './dom.js';
import {format, number, quoted} from './units.js';

const INKS = ['one', 'two', 'three', 'four', 'five', 'six'];
const HEIGHT = 320;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const inkOf = (series, place) => series.ink || INKS[place % INKS.length];
const columnsOf = series => series.kind === 'band' ? [series.low, series.high] : [series.y];
const good = (value, log) => value !== null && value !== undefined && Number.isFinite(value) && (!log || value > 0);

/* align - all series over one ascending x; several points of an x have rows of their own. */
function align(spec) {
  const rows = new Map();
  let column = 0;
  for (const series of spec.series)
    for (const values of columnsOf(series)) {
      series.x.forEach((x, i) => {
        if (!good(x, spec.x.log) || !good(values[i], spec.y.log)) return;
        const at = rows.get(x) || rows.set(x, []).get(x);
        let row = at.find(each => each[column] === undefined);
        if (!row) at.push(row = []);
        row[column] = values[i];
      });
      column++;
    }
  const table = [...rows].sort(([a], [b]) => a - b).flatMap(([x, some]) => some.map(row => [x, row]));
  return [table.map(([x]) => x), ...Array.from({length: column}, (_, i) => table.map(([, row]) => row[i] ?? null))];
}

const alpha = (ink, share) => {
  const [r, g, b] = ink.match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16));
  return `rgba(${r},${g},${b},${share})`;
};

function seriesOf(spec) {
  const series = [{}], bands = [];
  spec.series.forEach((each, place) => {
    const ink = colour(inkOf(each, place));
    if (each.kind === 'band') {
      bands.push({series: [series.length + 1, series.length], fill: alpha(ink, each.share || 0.16)});
      series.push({stroke: 'transparent', points: {show: false}, spanGaps: true}, {stroke: 'transparent', points: {show: false}, spanGaps: true});
    } else if (each.kind === 'points') {
      series.push({stroke: ink, paths: () => null, points: {show: true, size: each.size || 5, fill: alpha(ink, 0.55), stroke: 'transparent', width: 0}});
    } else {
      series.push({stroke: ink, width: each.width || 2, dash: each.dash ? [6, 5] : undefined, points: {show: false}, spanGaps: !each.gaps, paths: each.steps ? uPlot.paths.stepped({align: 1}) : undefined});
    }
  });
  return {series, bands};
}

/* Where lines stand on a logarithmic axis: at powers of two of bytes, else at one, two and five of each power of ten; of
 * many, at fewer. */
function logSplits(least, most, unit) {
  const base = unit === 'bytes' ? 2 : 10, powers = Math.log(most / least) / Math.log(base);
  const leads = base === 2 || powers > 3 ? [1] : powers > 0.6 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
  const step = [1, 2, 5, 10].find(step => powers / step < 9) || 20, splits = [];
  for (let power = Math.floor(Math.log(least) / Math.log(base)); base ** power <= most; power++)
    if (power % step === 0) splits.push(...leads.map(lead => base === 2 ? 2 ** power : Number(`${lead}e${power}`)));
  const inside = splits.filter(value => value >= least && value <= most);
  return inside.length > 1 ? inside : [least, most];
}

/* Long times, in the unit of the longest, so that neighbours compare; and the steps between them that people expect. */
const TIMES = [[86400, 3 * 86400, 'd'], [3600, 3 * 3600, 'h'], [60, 180, 'min'], [1, 0, 's']];
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200];
const INCREMENTS = [...Array.from({length: 12}, (_, i) => [1, 2, 5].map(lead => Number(`${lead}e${i - 12}`))).flat(), ...STEPS, ...Array.from({length: 6}, (_, i) => [1, 2, 5].map(lead => 86400 * lead * 10 ** i)).flat()];
const tick = (value, unit, most) => {
  if (unit !== 's' || value < 1) return format(value, unit);
  const [seconds, , word] = TIMES.find(([, from]) => most >= from);
  return `${Number((value / seconds).toPrecision(4))} ${word}`;
};
const large = value => Math.abs(value) < 1e4 ? number(value) : Math.abs(value) < 1e6 ? `${Number((value / 1e3).toPrecision(4))}k` : Math.abs(value) < 1e9 ? `${Number((value / 1e6).toPrecision(4))}M`
  : Math.abs(value) < 1e15 ? `${Number((value / 1e9).toPrecision(4))}G` : value.toExponential(1);

const axis = (side, which) => ({
  stroke: colour('soft'),
  grid: {stroke: colour('line'), width: 1},
  ticks: {stroke: colour('line'), width: 1, size: 5},
  font: '12px system-ui, sans-serif',
  size: side === 'y' ? 68 : 36,
  label: which.label,
  labelSize: side === 'y' ? 18 : 20,
  labelGap: side === 'y' ? 0 : -4,
  labelFont: '12px system-ui, sans-serif',
  incrs: which.log ? undefined : which.unit === 's' ? INCREMENTS : which.whole ? INCREMENTS.filter(step => step >= 1) : undefined,
  space: side === 'y' ? 34 : 64,
  values: (u, splits) => splits.map(value => value === null ? '' : which.values ? which.values(value, splits) : which.unit ? tick(value, which.unit, which.log ? value : Math.max(...splits)) : large(value)),
  splits: which.log ? (u, i, least, most) => logSplits(least, most, which.unit) : which.splits,
  filter: (u, splits) => splits, // uPlot's own would leave words out
});

/* A range that leaves some room, also of a single value. zero: a flat curve looks flat. */
const range = ({log, zero}) => (u, least, most) => {
  if (least === null || most === null) return [log ? 1 : 0, 10];
  if (zero && !log && least >= 0) return [0, most * 1.05 || 1];
  if (log) return least === most ? [least / 2, most * 2] : [least * (least / most) ** 0.04, most * (most / least) ** 0.04];
  const room = (most - least || Math.abs(most) || 1) * 0.05;
  return [least >= 0 && least - room < 0 ? 0 : least - room, most + room];
};

/* ---- files ---- */


function csv(spec) {
  const lines = [['series', spec.x.label, spec.y.label, 'upper'].map(quoted).join(',')];
  for (const series of spec.series)
    series.x.forEach((x, i) => {
      const value = series.kind === 'band' ? [series.low[i], series.high[i]] : [series.y[i], ''];
      if (value[0] !== null && value[0] !== undefined) lines.push([series.name, x, ...value].map(quoted).join(','));
    });
  return lines.join('\n') + '\n';
}

const escape = text => String(text).replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);

/* What lies outside of the sizes that were measured, `known`, from and to in the picture's own pixels. */
const outside = ({left, width}, place, [least, most]) => [[left, Math.min(place(least), left + width)], [Math.max(left, place(most)), left + width]].filter(([from, to]) => to > from);

function hatch(u, known) {
  const {top, height, left, width} = u.bbox, {ctx} = u;
  ctx.save();
  ctx.beginPath();
  for (const [from, to] of outside(u.bbox, x => u.valToPos(x, 'x', true), known)) ctx.rect(from, top, to - from, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += 9 * devicePixelRatio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.strokeStyle = colour('line');
  ctx.lineWidth = devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}

/* The picture as it stands, in lines that scale: transparent, with a title of its own. */
function svg(u, spec) {
  const box = {left: u.bbox.left / devicePixelRatio, top: u.bbox.top / devicePixelRatio, width: u.bbox.width / devicePixelRatio, height: u.bbox.height / devicePixelRatio};
  const px = x => (box.left + u.valToPos(x, 'x')).toFixed(2), py = y => (box.top + u.valToPos(y, 'y')).toFixed(2);
  const parts = [];
  const text = (x, y, anchor, said) => `<text x="${x}" y="${y}" text-anchor="${anchor}">${escape(said)}</text>`;
  const ticks = (i, which, each) => {
    const splits = u.axes[i]._splits || [], shown = u.axes[i]._values || [];
    splits.forEach((value, k) => value !== null && each(value, shown[k] || ''));
  };
  if (spec.known) outside(box, x => box.left + u.valToPos(x, 'x'), spec.known).forEach(([from, to]) => parts.push(`<rect x="${from}" y="${box.top}" width="${to - from}" height="${box.height}" fill="url(#h)"/>`));
  ticks(0, spec.x, (value, said) => parts.push(`<path d="M${px(value)} ${box.top}V${box.top + box.height}" class="g"/>`, text(px(value), box.top + box.height + 18, 'middle', said)));
  ticks(1, spec.y, (value, said) => parts.push(`<path d="M${box.left} ${py(value)}H${box.left + box.width}" class="g"/>`, text(box.left - 8, +py(value) + 4, 'end', said)));
  spec.series.forEach((series, place) => {
    const ink = colour(inkOf(series, place));
    const points = (values, log = spec.y.log) => series.x.map((x, i) => [x, values[i]]).filter(([x, y]) => good(x, spec.x.log) && good(y, log)).map(([x, y]) => `${px(x)} ${py(y)}`);
    if (series.kind === 'band') parts.push(`<path d="M${[...points(series.high), ...points(series.low).reverse()].join('L')}Z" fill="${ink}" fill-opacity="${series.share || 0.16}"/>`);
    else if (series.kind === 'points') parts.push(...points(series.y).map(at => `<circle cx="${at.split(' ')[0]}" cy="${at.split(' ')[1]}" r="2.5" fill="${ink}" fill-opacity=".55"/>`));
    else if (points(series.y).length) parts.push(`<path d="M${points(series.y).join('L')}" fill="none" stroke="${ink}" stroke-width="2"${series.dash ? ' stroke-dasharray="6 5"' : ''}/>`);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${u.width}" height="${u.height + 44}" viewBox="0 -44 ${u.width} ${u.height + 44}" role="img" font-family="system-ui,sans-serif" font-size="12" fill="${colour('soft')}">` +
    `<title>${escape(spec.title)}</title><desc>${escape(`${spec.y.label} by ${spec.x.label}: ${spec.series.map(each => each.name).filter(Boolean).join(', ')}`)}</desc>` +
    `<style>.g{stroke:${colour('line')};fill:none}</style>${text(2, -28, 'start', spec.title)}${text(box.left + box.width / 2, u.height - 2, 'middle', spec.x.label)}${text(2, -8, 'start', spec.y.label)}` +
    `<pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" class="g"/></pattern><clipPath id="c"><rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}"/></clipPath>${parts.join('')}</svg>\n`;
}

function png(u, done) {
  const from = u.ctx.canvas, canvas = h('canvas', {width: from.width, height: from.height}), to = canvas.getContext('2d');
  to.fillStyle = colour('paper');
  to.fillRect(0, 0, canvas.width, canvas.height);
  to.drawImage(from, 0, 0);
  canvas.toBlob(done, 'image/png');
}

const fileName = (spec, end) => spec.title.replace(/[^\w.-]+/g, '-').slice(0, 80) + end;

/* ---- the chart ---- */

export function chart(spec) {
  const area = h('div', {class: 'area', tabindex: 0, role: 'img'});
  const reading = h('output', {class: 'reading', 'aria-live': 'polite'});
  const legend = h('ul', {class: 'legend'});
  const tools = h('div', {class: 'tools'});
  const element = h('figure', {class: 'chart'}, h('figcaption'), area, reading, legend, tools);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const touched = {};
  let u = null, at = null, key = '';

  const draw = () => {
    if (u) u.destroy();
    u = null;
    const {series, bands} = seriesOf(spec);
    const width = area.clientWidth;
    if (!width) return;
    const scale = which => ({time: false, distr: which.log ? 3 : 1, log: 10, range: which.range || range(which)});
    u = new uPlot({
      width, height: spec.height || HEIGHT, series, bands,
      scales: {x: scale(spec.x), y: scale(spec.y)},
      axes: [axis('x', spec.x), axis('y', spec.y)],
      legend: {show: false},
      cursor: {points: {show: false}, drag: {x: !spec.still, y: false}, y: false, sync: spec.sync && {key: spec.sync, scales: ['x', null]}},
      padding: [10, 24, 0, 0],
      hooks: {setCursor: [self => read(self.cursor.idx)], drawAxes: [self => spec.known && hatch(self, spec.known)], ...spec.hooks},
    }, align(spec), area);
    if (spec.drawn) spec.drawn(u);
  };

  const read = index => {
    at = index;
    const x = index === null || index === undefined ? null : u.data[0][index];
    reading.textContent = x === null ? spec.rest || '' : spec.read ? spec.read(x) : `${spec.x.label} ${format(x, spec.x.unit)}`;
  };

  const move = event => {
    const step = {ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity}[event.key];
    if (event.key === 'Escape' && u) u.setScale('x', {min: null, max: null});
    if (!step || !u || !u.data[0].length) return;
    event.preventDefault();
    const last = u.data[0].length - 1, from = at ?? (step > 0 ? -1 : last + 1);
    const to = Math.max(0, Math.min(last, from + step));
    u.setCursor({left: u.valToPos(u.data[0][to], 'x'), top: u.over.clientHeight / 2});
    read(to);
  };

  const toggle = which => h('button', {type: 'button', 'aria-pressed': String(!!spec[which].log), title: 'logarithmic or linear', onclick: event => {
    spec[which] = {...spec[which], log: !spec[which].log};
    touched[which] = true;
    event.target.setAttribute('aria-pressed', String(spec[which].log));
    event.target.textContent = `${which} ${spec[which].log ? 'log' : 'linear'}`;
    draw();
  }}, `${which} ${spec[which].log ? 'log' : 'linear'}`);

  /* Where nothing of it is another, buttons stay: no click is lost to what is drawn anew. */
  const words = () => {
    const now = JSON.stringify([spec.title, spec.x, spec.y, spec.series.map(each => [each.kind, each.name])]), same = key === now;
    if (at === null || !spec.grows) reading.textContent = spec.rest || '';
    if (same) return true;
    key = now;
    put(element.querySelector('figcaption'), spec.title);
    area.setAttribute('aria-label', `${spec.title}: ${spec.y.label} over ${spec.x.label}. Arrow keys read the values.`);
    put(legend, spec.series.map((series, place) => {
      if (!series.name || series.silent) return null;
      const item = h('li', {class: `key ${series.kind} ${series.dash ? 'dash' : ''} ink-${inkOf(series, place)}`}, series.name);
      if (series.kind === 'band') item.style.setProperty('--share', 2 * (series.share || 0.16));
      return item;
    }));
    put(tools, !spec.still && toggle('x'), toggle('y'), h('span', {class: 'gap'}),
      h('button', {type: 'button', onclick: () => save(fileName(spec, '.csv'), 'text/csv', csv(spec))}, 'CSV'),
      h('button', {type: 'button', onclick: () => u && save(fileName(spec, '.svg'), 'image/svg+xml', svg(u, spec))}, 'SVG'),
      h('button', {type: 'button', onclick: () => u && png(u, blob => save(fileName(spec, '.png'), 'image/png', blob))}, 'PNG'));
    return false;
  };

  const resized = new ResizeObserver(() => {
    if (u && u.width !== area.clientWidth) u.setSize({width: area.clientWidth, height: spec.height || HEIGHT});
    else if (!u) draw();
  });
  area.addEventListener('keydown', move);
  dark.addEventListener('change', draw);
  resized.observe(area);
  words();
  return {
    element,
    /* show - other numbers, or all anew; what the person chose of the axes stays. grows: a row more, and all else as before. */
    show(next) {
      const kept = which => ({...next[which], ...(touched[which] && {log: spec[which].log})});
      spec = {...next, x: kept('x'), y: kept('y')};
      if (words() && u && spec.grows) u.setData(align(spec));
      else draw();
    },
    plot: () => u, /* uPlot's own, or null */
    end() {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      if (u) u.destroy();
    },
  };
}
