// SPDX-License-Identifier: GPL-3.0-or-later
// palette.js - the search over everything: views, programs, and a size of a program, as "matmul n=5000". Ctrl+K opens it.
import {fresh} from './api.js';
import {h, later, put} from './dom.js';

const MOST = 12;

/* palette - open it. views: [{name, about}] */
export function palette(views) {
  if (document.querySelector('dialog')) return;
  const list = h('ul', {class: 'programs', role: 'listbox', id: 'found', 'aria-label': 'found'});
  const input = h('input', {type: 'search', class: 'search', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'found', 'aria-label': 'go to a view, a program, or a size of it', placeholder: 'view, program, or program n=5000'});
  const dialog = h('dialog', {'aria-label': 'search'}, input, list);
  let items = [], at = 0, turn = 0;
  const go = item => {
    dialog.close();
    if (item) location.hash = item.hash;
  };
  const show = () => {
    at = Math.max(0, Math.min(at, items.length - 1));
    put(list, items.length ? items.map((item, i) => h('li', {role: 'option', id: `found-${i}`, 'aria-selected': String(i === at), onclick: () => go(item)}, item.words, h('small', {}, item.about)))
      : h('li', {role: 'option', 'aria-selected': 'false'}, h('small', {}, 'no view and no program has that in its name')));
    input.setAttribute('aria-activedescendant', `found-${at}`);
    list.children[at]?.scrollIntoView({block: 'nearest'});
  };
  const {get, stop} = fresh();
  const find = async () => {
    stop();
    const mine = ++turn, [name, ...sizes] = input.value.trim().split(/\s+/);
    const values = sizes.filter(each => /^[^=]+=./.test(each)).map(each => each.split('='));
    const found = views.filter(view => !sizes.length && view.about.toLowerCase().includes(name.toLowerCase())).map(view => ({words: view.about, about: 'view', hash: `#/${view.name}`}));
    const rows = await get('list', '', {search: name, most: MOST}).then(told => told.programs, () => []);
    if (mine !== turn) return;
    const names = [...new Set(rows.map(row => row.name))].sort((a, b) => (b === name) - (a === name));
    items = [...found, ...names.map(each => ({words: [each, ...sizes].join(' '), about: 'program', hash: `#/models/${encodeURIComponent(each)}${values.length ? '?' + new URLSearchParams(values) : ''}`}))];
    at = 0;
    show();
  };
  const soon = later(find, 80);
  input.addEventListener('input', soon);
  input.addEventListener('keydown', event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) {
      at += step;
      show();
    } else if (event.key === 'Enter') go(items[at]);
    else if (event.key === 'Escape') dialog.close();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('close', () => {
    turn++;
    stop();
    dialog.remove();
  });
  dialog.addEventListener('click', event => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  find();
}
