// SPDX-License-Identifier: GPL-3.0-or-later
// models.js - all programs, and what is known of one.
import {fresh} from '../api.js';
import {failure, h, later, put} from '../dom.js';
import {age} from '../units.js';
import {program} from './program.js';

const MOST = 100;

/* Rows of the store as programs: devices, machines and older versions of a name stand together. */
function byName(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.name, [...(found.get(row.name) || []), row]);
  return [...found];
}

const item = ([name, rows], chosen) => {
  const runs = rows.filter(row => row.current).reduce((sum, row) => sum + row.runs, 0);
  const last = rows.map(row => row.last_run).filter(Boolean).sort().pop();
  return h('li', {}, h('a', {href: `#/models/${encodeURIComponent(name)}`, 'aria-current': name === chosen && 'true'}, name,
    h('small', {}, `${runs} run${runs === 1 ? '' : 's'}${last ? ', ' + age(last) : ''}`)));
};

export const models = {
  show(main, [chosen], events, values) {
    const here = location.hash, {get, stop} = fresh();
    const names = h('ul', {class: 'programs'});
    const count = h('p', {class: 'soft', role: 'status'});
    const more = h('button', {type: 'button', hidden: true, onclick: () => load(true)}, 'more');
    const search = h('input', {type: 'search', class: 'search', placeholder: 'search programs', 'aria-label': 'search programs', oninput: later(() => load())});
    const one = h('section', {'aria-label': 'program'});
    let last = '', asked = 0, end = chosen ? program(one, chosen, events, values) : null;

    async function load(on = false) {
      const mine = ++asked;
      stop();
      try {
        const told = await get('list', '', {search: search.value, most: MOST, after: on ? last : ''});
        if (mine !== asked) return;
        const found = byName(told.programs);
        last = found.length ? found[found.length - 1][0] : last;
        // The first one is shown where none is chosen, unless somebody has left meanwhile.
        if (!chosen && found.length && location.hash === here) {
          [[chosen]] = found;
          history.replaceState(null, '', `#/models/${encodeURIComponent(chosen)}`);
          document.title = `${chosen} – foretime`;
          end = program(one, chosen, events, values, found[0][1]);
        }
        const items = found.map(each => item(each, chosen));
        if (on) names.append(...items);
        else put(names, items);
        more.hidden = !told.found;
        count.textContent = on || found.length ? told.found ? `${told.found} programs${on ? ' from there on' : ''}` : '' : search.value ? 'no program has that in its name' : 'The store is empty: foretime build makes the first model.';
      } catch (error) {
        if (mine === asked) put(names, failure(error));
      }
    }
    put(main, h('div', {class: 'split'}, h('section', {'aria-label': 'programs'}, search, names, more, count), one));
    load();
    // Not at each run of a build, and not where more was asked for.
    const again = later(() => names.children.length <= MOST && load(), 3000);
    events(event => event === 'store' && again());
    return () => {
      asked++;
      stop();
      if (end) end();
    };
  },
};
