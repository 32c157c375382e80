// SPDX-License-Identifier: GPL-3.0-or-later
// main.js - which view is shown: "#/models/matmul" is the view models with the word matmul.
import {Failure, listen} from './api.js';
import {failure, h, loading, put} from './dom.js';

/* A view is src/web/views/NAME.js, loaded when it is first shown: it exports NAME = {show(main, words, events, values)},
 * where events(each) calls each(event, data) until another view is shown, at first for what is already known of builds and
 * queues, and values are what stands behind '?' in the address. show may return what ends it. */
const views = Object.entries({models: 'Models', live: 'Live', compare: 'Compare', traces: 'Traces', plans: 'Plans', promises: 'Accuracy', report: 'Report', manager: 'Manager'})
  .map(([name, about]) => ({name, about}));

const main = document.getElementById('main');
const state = document.getElementById('state');
const listeners = new Set(), newest = new Map();
let end = null, turn = 0;

function route() {
  const [path, values] = location.hash.replace(/^#\/?/, '').split('?'), [name, ...words] = path.split('/').map(word => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  });
  return [views.find(view => view.name === name) || views[0], words, Object.fromEntries(new URLSearchParams(values || ''))];
}

const unloaded = () => new Failure('This view cannot be loaded.', 'Check that foretime serve still runs, and reload the page.', 0);

async function navigate() {
  const [view, words, values] = route(), mine = ++turn;
  if (end) end();
  end = null;
  listeners.clear();
  put(document.getElementById('views'), views.map(each =>
    h('a', {href: `#/${each.name}`, 'aria-current': each === view && 'page'}, each.about)));
  document.title = words[0] ? `${words[0]} – foretime` : `${view.about} – foretime`;
  put(main, loading(view.about));
  const loaded = await import(`./views/${view.name}.js`).catch(unloaded);
  if (mine !== turn) return;
  try {
    if (loaded instanceof Failure) throw loaded;
    end = loaded[view.name].show(main, words, each => {
      listeners.add(each);
      newest.forEach((data, event) => each(event, data));
    }, values) || null;
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
/* Ctrl+K, as in an editor. */
const search = () => import('./palette.js').then(({palette}) => palette(views));
document.getElementById('search').addEventListener('click', search);
window.addEventListener('keydown', event => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  search();
});
navigate();
listen((event, data) => {
  if (event !== 'store') newest.set(event, data);
  listeners.forEach(each => each(event, data));
}, up => {
  state.textContent = up ? '' : 'foretime serve does not answer; the values may be out of date.';
});
