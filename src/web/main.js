// SPDX-License-Identifier: GPL-3.0-or-later
// main.js - which view is shown: "#/models/matmul" is the view models with the word matmul.
import {Failure, listen} from './api.js';
import {failure, h, put} from './dom.js';

/* A view is src/web/views/NAME.js, loaded when it is first shown: it exports NAME = {show(main, words, events)}, where
 * events(each) calls each(event, data) until another view is shown. show may return what ends it. */
const views = Object.entries({models: 'Models', live: 'Live', traces: 'Traces', plans: 'Plans', promises: 'Accuracy', report: 'Report', manager: 'Manager'})
  .map(([name, about]) => ({name, about}));

const main = document.getElementById('main');
const state = document.getElementById('state');
const listeners = new Set();
let end = null, turn = 0;

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

const unloaded = () => new Failure('This view cannot be loaded.', 'Check that foretime serve still runs, and reload the page.', 0);

async function navigate() {
  const [view, words] = route(), mine = ++turn;
  if (end) end();
  end = null;
  listeners.clear();
  put(document.getElementById('views'), views.map(each =>
    h('a', {href: `#/${each.name}`, 'aria-current': each === view && 'page'}, each.about)));
  document.title = words[0] ? `${words[0]} – foretime` : `${view.about} – foretime`;
  put(main);
  const loaded = await import(`./views/${view.name}.js`).catch(unloaded);
  if (mine !== turn) return;
  try {
    if (loaded instanceof Failure) throw loaded;
    end = loaded[view.name].show(main, words, each => listeners.add(each)) || null;
  } catch (error) {
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
  state.textContent = up ? '' : 'foretime serve does not answer; the values may be out of date.';
});
