// SPDX-License-Identifier: GPL-3.0-or-later
// main.js - which view is shown: "#/models/matmul" is the view models with the word matmul.
import {Failure, listen} from './api.js';
import {failure, h, put} from './dom.js';
import {live} from './views/live.js';
import {manager} from './views/manager.js';
import {models} from './views/models.js';
import {plans} from './views/plans.js';
import {promises} from './views/promises.js';
import {traces} from './views/traces.js';

/* A view: {name, about, show(main, words, events)}; events(each) calls each(event, data) until another view is shown.
 * show may return what ends it. */
const views = [models, live, traces, plans, promises, manager];

const main = document.getElementById('main');
const state = document.getElementById('state');
const listeners = new Set();
let end = null;

function route() {
  const [name, ...words] = location.hash.replace(/^#\/?/, '').split('/').map(word => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  });
  return [views.find(view => view.name === name) || views[0], words];
}

function navigate() {
  const [view, words] = route();
  if (end) end();
  listeners.clear();
  put(document.getElementById('views'), views.map(each =>
    h('a', {href: `#/${each.name}`, 'aria-current': each === view && 'page'}, each.about)));
  document.title = words[0] ? `${words[0]} – foretime` : `${view.about} – foretime`;
  put(main);
  try {
    end = view.show(main, words, each => listeners.add(each)) || null;
  } catch (error) {
    end = null;
    put(main, failure(error));
  }
}

window.addEventListener('hashchange', () => {
  navigate();
  main.focus({preventScroll: true});
});
window.addEventListener('unhandledrejection', event => {
  if (event.reason instanceof Failure) {
    event.preventDefault();
    main.prepend(failure(event.reason));
  }
});
navigate();
listen((event, data) => listeners.forEach(each => each(event, data)), up => {
  state.textContent = up ? '' : 'foretime serve does not answer; what you see may be old.';
});
