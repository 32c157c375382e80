// SPDX-License-Identifier: GPL-3.0-or-later
// api.js - questions to the server, with the token of the address; events, which come again where they were cut.

const KEY = 'foretime-token';
const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', '#/models');
}
const token = sessionStorage.getItem(KEY);

/* A failure is a sentence (message), what to do about it (remedy) and HTTP's status (0: nobody answered). */
export class Failure extends Error {
  constructor(message, remedy, status) {
    super(message);
    this.remedy = remedy;
    this.status = status;
  }
}

const gone = () => new Failure('foretime serve does not answer.', 'Check that it still runs; the page then continues by itself.', 0);

async function refused(response) {
  let told = {};
  try {
    told = await response.json();
  } catch { /* it is no answer of ours */ }
  if (response.status === 401)
    return new Failure('This page has no token.', 'Open the address that foretime serve printed.', 401);
  return new Failure(told.error || `HTTP ${response.status}`, told.remedy, response.status);
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, {...options, headers: {...options.headers, Authorization: `Bearer ${token}`}});
  } catch (error) {
    throw error.name === 'AbortError' ? error : gone();
  }
  if (!response.ok) throw await refused(response);
  return response;
}

const query = values => {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '')).toString();
  return text && '?' + text;
};

/* get - get('predict', 'matmul', {n: 300}) is what foretime predict matmul n=300 --json prints. signal: aborts it. */
export const get = async (question, name = '', values = {}, signal = undefined) =>
  (await ask(`api/${question}${name === '' ? '' : '/' + encodeURIComponent(name)}${query(values)}`, {signal})).json();

/* fresh - questions of which only the newest ones count: stop() aborts those on their way, at the server, too. */
export function fresh() {
  let control = new AbortController();
  return {
    get: (question, name, values) => get(question, name, values, control.signal),
    stop() {
      control.abort();
      control = new AbortController();
    },
  };
}

/* post - data (text, Blob) to a command that reads it. */
export const post = async (question, data, values = {}, signal = undefined) =>
  (await ask(`api/${question}${query(values)}`, {method: 'POST', body: data, signal})).json();

/* listen - each(event, data) for all that happens; up(true or false): whether the stream is there. Returns what ends
 * it. EventSource cannot send a token: this reads the same format, and says behind which event it goes on. */
export function listen(each, up = () => {}) {
  const stop = new AbortController();
  let last = null, begun = false;
  const hear = block => {
    const field = {};
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) field[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
    }
    if (field.id) last = field.id;
    // Where the server does not know any more what was missed, all may be another: so it is looked at.
    if (field.event) each(field.event === 'gap' ? 'store' : field.event, JSON.parse(field.data || '{}'));
  };
  const stream = async () => {
    const response = await ask('api/events', {signal: stop.signal, headers: last ? {'Last-Event-ID': last} : {}});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    up(true);
    if (begun && !last) each('store', {});
    begun = true;
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop();
      blocks.forEach(hear);
    }
  };
  (async () => {
    for (let wait = 500; !stop.signal.aborted; wait = Math.min(wait * 2, 8000)) {
      const began = Date.now();
      try {
        await stream();
      } catch (error) {
        if (error.status === 401) return;
      }
      if (stop.signal.aborted) return;
      if (Date.now() - began > 10000) wait = 500;
      up(false);
      await new Promise(done => setTimeout(done, wait));
    }
  })();
  return () => stop.abort();
}
