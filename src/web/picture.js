// SPDX-License-Identifier: GPL-3.0-or-later
// picture.js - a picture of shapes (bars in time), as SVG: it scales, is read as text, and is kept as it stands.
//
//   const bar = s('rect', {x: 1, y: 1, width: 50, height: 20, fill: 'var(--one)'}, s('title', {}, 'what it is'));
//   main.append(picture({title: 'plan', width: 800, height: 90, shapes: [bar], csv: 'task,machine\n'}));
import {h, save} from './dom.js';

export const s = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/* Colours by name become what they are, so that the file is the same where no style sheet is. */
function text(svg, width, height) {
  const style = getComputedStyle(document.documentElement);
  const plain = svg.cloneNode(true);
  for (const [key, value] of Object.entries({xmlns: 'http://www.w3.org/2000/svg', width, height, fill: 'var(--soft)', 'font-family': 'system-ui, sans-serif', 'font-size': 12})) plain.setAttribute(key, value);
  plain.prepend(s('rect', {width: '100%', height: '100%', fill: 'var(--paper)'}));
  return new XMLSerializer().serializeToString(plain).replace(/var\(--([a-z]+)\)/g, (all, name) => style.getPropertyValue(`--${name}`).trim()) + '\n';
}

function png(svg, width, height, name) {
  const image = new Image();
  image.onload = () => {
    const canvas = h('canvas', {width: 2 * width, height: 2 * height});
    canvas.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob(blob => save(name, 'image/png', blob), 'image/png');
  };
  image.src = 'data:image/svg+xml,' + encodeURIComponent(text(svg, width, height));
}

/* tools - what keeps a picture as files. csv(): its numbers. */
export function tools(svg, width, height, title, csv) {
  const name = end => title.replace(/[^\w.-]+/g, '-').slice(0, 80) + end;
  return h('div', {class: 'tools'}, h('span', {class: 'gap'}),
    h('button', {type: 'button', onclick: () => save(name('.csv'), 'text/csv', csv())}, 'CSV'),
    h('button', {type: 'button', onclick: () => save(name('.svg'), 'image/svg+xml', text(svg, width, height))}, 'SVG'),
    h('button', {type: 'button', onclick: () => png(svg, width, height, name('.png'))}, 'PNG'));
}

/* picture - told: what it says, in a sentence. csv: its numbers, a text. */
export function picture({title, told, width, height, shapes, csv}) {
  const svg = s('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': told || title,
    'font-size': 12, 'font-family': 'system-ui, sans-serif'}, ...shapes);
  return h('figure', {class: 'chart'}, h('figcaption', {}, title),
    h('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': title}, svg), tools(svg, width, height, title, () => csv));
}

/* round - some 3 to 8 round values from 0 to most. */
export function round(most) {
  const raw = most / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= raw * 0.999);
  return Array.from({length: Math.floor(most / step * 1.0001) + 1}, (_, i) => i * step);
}

/* bars - rows of bars over one axis of time. rows: [{name, bars: [{from, to, label, about, ink, open}]}]; say: a place
 * on the axis in words; ticks: where it is said, else at round values. The same file has room for whoever prints it: 900 wide. */
export function bars({title, told, rows, most, say, csv, ticks}) {
  const left = 132, right = 20, row = 34, width = 900, top = 10;
  const height = top + rows.length * row + 34, bottom = height - 28;
  const x = at => left + at / (most || 1) * (width - left - right);
  const cut = (name, room) => name.length > room ? name.slice(0, Math.max(1, room - 1)) + '…' : name;
  const shapes = (ticks || round(most)).map(at => s('g', {},
    s('path', {d: `M${x(at).toFixed(1)} ${top}V${bottom}`, stroke: 'var(--line)'}),
    s('text', {x: x(at).toFixed(1), y: bottom + 18, 'text-anchor': 'middle', fill: 'var(--soft)'}, say(at))));
  rows.forEach(({name, bars: some}, i) => {
    const y = top + i * row;
    shapes.push(s('text', {x: left - 10, y: y + 21, 'text-anchor': 'end', fill: 'var(--text)'}, cut(name, 18), s('title', {}, name)));
    for (const bar of some) {
      const wide = Math.max(1.5, x(bar.to) - x(bar.from));
      const ink = `var(--${bar.ink || 'one'})`;
      shapes.push(s('g', {}, s('title', {}, bar.about),
        s('rect', {x: x(bar.from).toFixed(1), y: y + 5, width: wide.toFixed(1), height: row - 10, rx: 3, fill: ink, 'fill-opacity': bar.open ? 0.18 : 0.32, stroke: ink, 'stroke-opacity': 0.75})));
      if (bar.label && wide > 24)
        shapes.push(s('text', {x: (x(bar.from) + wide / 2).toFixed(1), y: y + 21, 'text-anchor': 'middle', fill: 'var(--text)', 'pointer-events': 'none'}, cut(bar.label, Math.floor(wide / 7.5))));
    }
  });
  return picture({title, told, width, height, shapes, csv});
}
