// SPDX-License-Identifier: GPL-3.0-or-later
// heat.js - a value over two parameters as colours, with contour lines and the runs. What is drawn, and where, is what
// foretime plot --json has under `pictures`, which the command's own pictures are drawn from, too.
import {h, put} from './dom.js';
import {s, tools} from './picture.js';
import {format, number} from './units.js';

const WIDTH = 720, HEIGHT = 440, LEFT = 64, RIGHT = 96, TOP = 30, BOTTOM = 42, W = WIDTH - LEFT - RIGHT, H = HEIGHT - TOP - BOTTOM;
const INK = '#1c2226';

/* The stops are style.css's, from dark to light, also in grey: pictures of foretime plot have the same. */
const stops = () => [1, 2, 3, 4, 5].map(i => getComputedStyle(document.documentElement).getPropertyValue(`--heat-${i}`).trim());

/* The nodes as pixels, blended between them; the corners of the image are the corner nodes. */
function colours({colours: rows, blank}, inks) {
  const parts = inks.map(ink => ink.match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16))), columns = rows[0].length, fine = 6;
  const nodes = h('canvas', {width: columns, height: rows.length}), image = h('canvas', {width: fine * (columns - 1), height: fine * (rows.length - 1)});
  const small = nodes.getContext('2d'), large = image.getContext('2d'), data = small.createImageData(columns, rows.length);
  rows.forEach((row, j) => row.forEach((share, i) => {
    if (share === null) return;
    const at = Math.max(0, Math.min(1, share)) * (parts.length - 1), k = Math.min(Math.floor(at), parts.length - 2);
    data.data.set([...parts[k].map((part, c) => Math.round(part + (parts[k + 1][c] - part) * (at - k))), 255], 4 * ((rows.length - 1 - j) * columns + i));
  }));
  small.putImageData(data, 0, 0);
  large.drawImage(nodes, 0.5, 0.5, columns - 1, rows.length - 1, 0, 0, image.width, image.height);
  for (const box of blank) large.clearRect(fine * box.left, image.height - fine * box.high, fine * (box.right - box.left), fine * (box.high - box.low));
  return image.toDataURL();
}

/* told: what foretime plot --json prints of a plane; which: of its pictures. */
export function heat(told, which = 0) {
  const [ax, ay] = told.axes, spec = told.pictures[which], inks = stops(), {model} = told;
  const px = column => Number((LEFT + (column - spec.x.from) / (spec.x.to - spec.x.from) * W).toFixed(2)), py = row => Number((TOP + H - (row - spec.y.from) / (spec.y.to - spec.y.from) * H).toFixed(2));
  const cw = W / (spec.x.to - spec.x.from), ch = H / (spec.y.to - spec.y.from);
  const box = ({left, right, low, high}, more) => s('rect', {x: px(left), y: py(high), width: px(right) - px(left), height: py(low) - py(high), ...more});
  const bar = place => TOP + H - (place - spec.values.from) / (spec.values.to - spec.values.from) * H;
  const text = (x, y, anchor, label, more) => s('text', {x, y, 'text-anchor': anchor, ...more}, label);
  const tick = (d, label, ...where) => s('g', {}, s('path', {d, stroke: 'var(--soft)'}), label ? text(...where, label) : '');
  const pieces = spec.levels.flatMap(level => level.lines), line = piece => 'M' + piece.x.map((x, i) => `${px(x)} ${py(piece.y[i])}`).join('L');
  const mark = s('rect', {fill: 'none', stroke: '#fff', 'stroke-width': 2, visibility: 'hidden'});
  const picture = s('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'heat', role: 'img', tabindex: 0, 'aria-label': `${told.name}: ${spec.title} over ${ax.parameter} and ${ay.parameter}. Arrow keys read the values.`},
    s('defs', {}, s('linearGradient', {id: 'heat-bar', x1: 0, y1: 1, x2: 0, y2: 0}, ...inks.map((ink, i) => s('stop', {offset: i / (inks.length - 1), 'stop-color': ink}))),
      s('pattern', {id: 'heat-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'}, s('path', {d: 'M0 0V6', stroke: '#fff', 'stroke-opacity': 0.7, 'stroke-width': 2}))),
    s('image', {x: px(0), y: py(ay.at.length - 1), width: px(ax.at.length - 1) - px(0), height: py(0) - py(ay.at.length - 1), preserveAspectRatio: 'none', href: colours(spec, inks)}),
    ...spec.hatched.map(each => box(each, {class: 'hatched', fill: 'url(#heat-hatch)'})),
    ...pieces.flatMap(piece => [[2.4, '#fff', 0.44], [1, INK, 1]].map(([width, stroke, opacity], i) => s('path', {d: line(piece), fill: 'none', stroke, 'stroke-width': width, 'stroke-opacity': opacity, ...(i && {class: 'level'}), ...(piece.extrapolated && {'stroke-dasharray': '7 5'})}))),
    ...spec.runs.map(run => s('circle', {cx: px(run.x), cy: py(run.y), r: 2.6, fill: '#fff', stroke: INK})),
    ...spec.levels.filter(level => level.x !== null).flatMap(level => {
      const {label} = level.tick, wide = 6.4 * label.length + 6;
      return [s('rect', {x: px(level.x) - wide / 2, y: py(level.y) - 7.5, width: wide, height: 15, fill: '#fff'}), text(px(level.x), py(level.y) + 4, 'middle', label, {class: 'label', fill: INK, 'font-size': 11})];
    }),
    s('rect', {class: 'frame', x: LEFT, y: TOP, width: W, height: H, fill: 'none', stroke: 'var(--line)'}),
    ...spec.x.ticks.map(({place, label}) => tick(`M${px(place)} ${TOP + H}v${label ? 6 : 3}`, label, px(place), TOP + H + 19, 'middle')),
    ...spec.y.ticks.map(({place, label}) => tick(`M${LEFT} ${py(place)}h${label ? -6 : -3}`, label, LEFT - 9, py(place) + 4, 'end')),
    s('rect', {class: 'scale', x: LEFT + W + 16, y: TOP, width: 16, height: H, fill: 'url(#heat-bar)'}),
    ...spec.values.ticks.map(({place, label}) => tick(`M${LEFT + W + 32} ${bar(place).toFixed(2)}h${label ? 5 : 2}`, label, LEFT + W + 40, bar(place) + 4, 'start')),
    text(LEFT + W / 2, HEIGHT - 5, 'middle', `size ${ax.parameter}`), text(2, 16, 'start', `size ${ay.parameter}`), text(WIDTH - 2, 16, 'end', spec.title), mark);
  const reading = h('output', {class: 'reading', 'aria-live': 'polite'}, 'Point at the picture, or use the arrow keys.');
  /* A speed is work by time: the longest time is the lowest one. */
  const at = which ? (values, j, i) => model.work[j][i] / values[j][i] : (values, j, i) => values[j][i], [low, high] = which ? [model.upper, model.lower] : [model.lower, model.upper];
  const say = (...where) => format(at(...where), spec.unit);
  let here = [0, 0];
  const read = (i, j) => {
    here = [Math.max(0, Math.min(ax.at.length - 1, i)), Math.max(0, Math.min(ay.at.length - 1, j))];
    [i, j] = here;
    for (const [key, value] of Object.entries({x: px(i - 0.5), y: py(j + 0.5), width: cw, height: ch, visibility: 'visible'})) mark.setAttribute(key, value);
    reading.textContent = `${ax.parameter} = ${number(ax.at[i])}, ${ay.parameter} = ${number(ay.at[j])}: ` + (model.value[j][i] === null ? 'no such size'
      : `${say(model.value, j, i)}, single runs ${say(low, j, i)} … ${say(high, j, i)}, ${model.extrapolated[j][i] ? 'extrapolated' : 'inside the measured range'}`);
  };
  picture.addEventListener('pointermove', event => {
    const frame = picture.getBoundingClientRect(), x = (event.clientX - frame.left) / frame.width * WIDTH, y = (event.clientY - frame.top) / frame.height * HEIGHT;
    read(Math.round((x - px(0)) / cw), Math.round((py(0) - y) / ch));
  });
  picture.addEventListener('keydown', event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (!step) return;
    event.preventDefault();
    read(here[0] + step[0], here[1] + step[1]);
  });
  const csv = () => [`${ax.parameter},${ay.parameter},${which ? 'speed' : told.resource},lower,upper,extrapolated`, ...model.value.flatMap((row, j) => row.map((v, i) => [ax.at[i], ay.at[j], ...(v === null ? ['', '', ''] : [model.value, low, high].map(values => at(values, j, i))), model.extrapolated[j][i]].join(',')))].join('\n') + '\n';
  const key = ['points: runs', spec.hatched.length && `hatched: ${spec.hatched_title}`, pieces.some(piece => piece.extrapolated) && 'dashed: extrapolated'].filter(Boolean);
  const element = h('figure', {class: 'chart'}, h('figcaption', {}, `${told.name}: ${spec.title}${told.machine ? ' on ' + told.machine : ''}`), picture, reading,
    h('p', {class: 'soft'}, key.join('; ')), tools(picture, WIDTH, HEIGHT, `${told.name}-${which ? 'speed' : told.resource}`, csv));
  return {element, end() {}, show: next => put(element, ...heat(next, which).element.childNodes)};
}
