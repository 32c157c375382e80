// SPDX-License-Identifier: GPL-3.0-or-later
// dom.js - elements. Text is always text: what others wrote (names, hosts, messages) is never read as HTML.

/* h - an element: h('button', {onclick: f, class: 'x'}, 'text', child, [more]). null and false are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const put = (parent, ...children) => {
  parent.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return parent;
};

/* onward - from one address to another, unless somebody has left it: the event that says so may be on its way. */
export const onward = (here, there) => location.hash === here && location.replace(there);

/* later - f, when nothing was typed for a while. */
export function later(f, ms = 200) {
  let timer;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...words), ms);
  };
}

/* single - f, of which one call at most is at work: what is asked for meanwhile is one call more behind it,
 * after `rest` times as long as the last one took: a busy machine is asked less often. */
export function single(f, rest = 0) {
  let works = false, again = false;
  return async () => {
    again = true;
    if (works) return;
    works = true;
    while (again) {
      again = false;
      const began = Date.now();
      await f();
      if (rest) await new Promise(go => setTimeout(go, rest * (Date.now() - began)));
    }
    works = false;
  };
}

/* copyable - a command, with a button that copies it. */
export const copyable = (text, label = 'copy') => h('div', {class: 'copy'}, h('pre', {tabindex: 0}, text),
  h('button', {type: 'button', onclick: event => navigator.clipboard.writeText(text).then(() => { event.target.textContent = 'copied'; })}, label));

export const loading = what => h('p', {class: 'loading', role: 'status'}, `Loading ${what} …`);

/* save - a file for the person who looks. */
export function save(name, type, text) {
  const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], {type}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/* failure - an error as a sentence, and what to do about it. */
export const failure = error => h('div', {class: 'failure', role: 'alert'}, h('p', {}, error.message), error.remedy && h('p', {class: 'remedy'}, error.remedy));

/* table - heads: ['name', '>number']; rows: arrays of cells. */
export const table = (heads, rows, caption) => h('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption},
  h('table', {}, h('thead', {}, h('tr', {}, heads.map(head => h('th', {scope: 'col', class: head.startsWith('>') && 'number'}, head.replace(/^>/, ''))))),
    h('tbody', {}, rows.map(row => h('tr', {}, row.map((cell, i) => h('td', {class: heads[i].startsWith('>') && 'number'}, cell)))))));

/* choice - a select with a label, which stands while what can be chosen does: who holds it open is not interrupted by
 * what is drawn anew. {element, show(values, chosen)}; of one value nothing is to be chosen. */
export function choice(label, change) {
  const select = h('select', {onchange: event => change(event.target.value)}), element = h('label', {hidden: true}, label, select);
  let offered = '';
  return {element, show: (values, chosen) => {
    if (offered !== JSON.stringify(values)) put(select, values.map(value => h('option', {value}, value)));
    offered = JSON.stringify(values);
    if (select.value !== chosen) select.value = chosen;
    element.hidden = values.length < 2;
  }};
}
