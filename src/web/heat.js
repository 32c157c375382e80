// SPDX-License-Identifier: GPL-3.0-or-later
// heat.js - a value over two parameters as colours, with the runs; the same tools as a chart.
import {h, put} from './dom.js';
import {s, tools} from './picture.js';
import {format, number} from './units.js';

const WIDTH = 720, HEIGHT = 400, LEFT = 64, BOTTOM = 34, TOP = 8, RIGHT = 12;

/* The stops are style.css's, from dark to light, also in grey: pictures of foretime plot have the same. */
const stops = () => [1, 2, 3, 4, 5].map(i => getComputedStyle(document.documentElement).getPropertyValue(`--heat-${i}`).match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16)));

function colourAt(share, inks) {
  const at = Math.max(0, Math.min(1, share)) * (inks.length - 1), i = Math.min(Math.floor(at), inks.length - 2);
  return `rgb(${inks[i].map((part, k) => Math.round(part + (inks[i + 1][k] - part) * (at - i))).join(',')})`;
}

const place = (axis, value) => {
  const [a, b] = [axis.at[0], axis.at[axis.at.length - 1]];
  return axis.logarithmic ? Math.log(value / a) / Math.log(b / a) : (value - a) / (b - a);
};

/* told: what foretime plot --json tells of a plane. */
export function heat(told) {
  const [ax, ay] = told.axes, {value, lower, upper, extrapolated} = told.model;
  const all = value.flat().filter(v => v !== null), least = Math.min(...all), most = Math.max(...all);
  const log = least > 0 && most / least > 10, inks = stops();
  const shade = v => most === least ? 0.5 : log ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least);
  const w = WIDTH - LEFT - RIGHT, height = HEIGHT - TOP - BOTTOM, cw = w / ax.at.length, ch = height / ay.at.length;
  const px = i => LEFT + i * cw, py = j => TOP + height - (j + 1) * ch;
  const runX = x => LEFT + cw / 2 + place(ax, x) * (w - cw), runY = y => TOP + height - ch / 2 - place(ay, y) * (height - ch);
  const ends = (axis, at) => [0, 0.25, 0.5, 0.75, 1].map(share => Math.round(share * (axis.at.length - 1))).map(i => at(i, number(Number(axis.at[i].toPrecision(3)))));
  const mark = s('rect', {width: cw, height: ch, fill: 'none', stroke: '#fff', 'stroke-width': 2, visibility: 'hidden'});
  const picture = s('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'heat', role: 'img', tabindex: 0, 'aria-label': `${told.name}: ${told.title} over ${ax.parameter} and ${ay.parameter}. Arrow keys read the values.`},
    ...value.flatMap((row, j) => row.map((v, i) => v === null ? '' : s('rect', {x: px(i), y: py(j), width: cw + 0.5, height: ch + 0.5, fill: colourAt(shade(v), inks), 'fill-opacity': extrapolated[j][i] ? 0.55 : 1}))),
    ...told.runs.x.map((x, k) => s('circle', {cx: runX(x), cy: runY(told.runs.y[k]), r: 3.5, fill: '#fff', stroke: '#222'})),
    ...ends(ax, (i, said) => s('text', {x: px(i) + cw / 2, y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle'}, said)),
    ...ends(ay, (j, said) => s('text', {x: LEFT - 6, y: py(j) + ch / 2 + 4, 'text-anchor': 'end'}, said)),
    s('text', {x: LEFT + w / 2, y: HEIGHT - 3, 'text-anchor': 'middle'}, `size ${ax.parameter}`), s('text', {x: 2, y: TOP + 10}, `size ${ay.parameter}`), mark);
  const reading = h('output', {class: 'reading', 'aria-live': 'polite'}, 'Point at the picture, or use the arrow keys.');
  let at = [0, 0];
  const say = v => format(v, told.unit);
  const read = (i, j) => {
    at = [Math.max(0, Math.min(ax.at.length - 1, i)), Math.max(0, Math.min(ay.at.length - 1, j))];
    [i, j] = at;
    mark.setAttribute('x', px(i));
    mark.setAttribute('y', py(j));
    mark.setAttribute('visibility', 'visible');
    reading.textContent = `${ax.parameter} = ${number(ax.at[i])}, ${ay.parameter} = ${number(ay.at[j])}: ` + (value[j][i] === null ? 'no such size'
      : `${say(value[j][i])}, single runs ${say(lower[j][i])} … ${say(upper[j][i])}, ${extrapolated[j][i] ? 'extrapolated' : 'inside the measured range'}`);
  };
  picture.addEventListener('pointermove', event => {
    const box = picture.getBoundingClientRect();
    read(Math.floor(((event.clientX - box.left) / box.width * WIDTH - LEFT) / cw), Math.floor((TOP + height - (event.clientY - box.top) / box.height * HEIGHT) / ch));
  });
  picture.addEventListener('keydown', event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (!step) return;
    event.preventDefault();
    read(at[0] + step[0], at[1] + step[1]);
  });
  const csv = () => [`${ax.parameter},${ay.parameter},${told.resource},lower,upper,extrapolated`, ...value.flatMap((row, j) => row.map((v, i) => [ax.at[i], ay.at[j], v, lower[j][i], upper[j][i], extrapolated[j][i]].join(',')))].join('\n') + '\n';
  const element = h('figure', {class: 'chart'}, h('figcaption', {}, `${told.name}: ${told.title}${told.machine ? ' on ' + told.machine : ''}`), picture, reading,
    h('p', {class: 'soft'}, `dark ${say(least)}, light ${say(most)}${log ? ', logarithmic' : ''}; paler where extrapolated, which are points`),
    tools(picture, WIDTH, HEIGHT, `${told.name}-${told.resource}`, csv));
  return {element, end() {}, show: next => put(element, ...heat(next).element.childNodes)};
}
