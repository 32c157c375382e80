// SPDX-License-Identifier: GPL-3.0-or-later
// program.js - what is known of one program: its curves, its law, and what can be asked of it.
import {fresh, get} from '../api.js';
import {chart} from '../chart.js';
import {choice, copyable, failure, h, loading, put, single, table} from '../dom.js';
import {heat} from '../heat.js';
import {age, format, number, share, size} from '../units.js';

/* What is shown of a program, in this order; the rest by choice. */
const FIRST = ['wall_s', 'peak_rss_bytes', 'energy_j'];
const INKS = ['one', 'two', 'three', 'four', 'five', 'six'];

/* ---- pictures ---- */

const only = (values, keep) => values.map((value, i) => keep(i) ? value : null);

/* What foretime plot --json tells of a curve, as a chart's series. name, ink: of several over each other. */
function curveSeries(told, name = '', ink = 'one') {
  const x = told.axes[0].at, {value, value_least, value_most, lower, upper, extrapolated} = told.model, silent = !!name;
  const said = text => name ? `${name}: ${text}` : text;
  // A dashed piece begins where the drawn one ends.
  const edge = i => extrapolated[i] || extrapolated[i - 1] || extrapolated[i + 1];
  return [
    {kind: 'band', name: said(`${number(told.confidence * 100)} % of single runs`), x, low: lower, high: upper, ink, share: 0.13, silent},
    {kind: 'band', name: said('interval of the typical run'), x, low: value_least, high: value_most, ink, share: 0.24, silent},
    {kind: 'line', name: name || 'typical run', x, y: only(value, i => !extrapolated[i]), ink},
    ...(extrapolated.some(Boolean) ? [{kind: 'line', name: said('extrapolated'), x, y: only(value, edge), ink, dash: true, silent}] : []),
    {kind: 'points', name: said('runs'), x: told.runs.x, y: told.runs.value, ink: name ? ink : 'quiet', silent},
  ];
}

const nearest = (values, x) => values.reduce((best, value, i) => Math.abs(value - x) < Math.abs(values[best] - x) ? i : best, 0);

function readCurve(told, x) {
  const axis = told.axes[0], i = nearest(axis.at, x), m = told.model, say = value => format(value, told.unit);
  const at = `${axis.parameter} = ${number(Number(axis.at[i].toPrecision(4)))}: `;
  return at + (m.value[i] === null ? 'no such size'
    : `${say(m.value[i])}, single runs ${say(m.lower[i])} … ${say(m.upper[i])}, ${m.extrapolated[i] ? 'extrapolated' : 'inside the measured range'}`);
}

const fixedText = told => Object.keys(told.fixed).length ? `, ${size(told.fixed)}` : '';

/* several: what other machines or versions tell, over it; each has a `called`. */
export function curveSpec(told, several = []) {
  const all = [told, ...several], log = told.axes[0].logarithmic, values = told.model.value.filter(value => value !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const inside = told.axes[0].at.filter((at, i) => !told.model.extrapolated[i]);
  return {
    title: `${told.name}: ${told.title}${several.length ? '' : told.machine ? ' on ' + told.machine : ''}${fixedText(told)}`,
    x: {label: `size ${told.axes[0].parameter}`, unit: '', log},
    y: {label: told.title, unit: told.unit, log: log && least > 0 && most >= 3 * least, zero: true},
    series: several.length ? all.flatMap((each, i) => curveSeries(each, each.called, INKS[i % INKS.length])) : curveSeries(told),
    read: x => all.map(each => (several.length ? `${each.called}: ` : '') + readCurve(each, x)).join('; '),
    known: !several.length && inside.length && [inside[0], inside[inside.length - 1]],
    rest: 'Point at the curve, or use the arrow keys; drag to zoom in, double-click to zoom out. Hatched: outside the sizes measured.',
    sync: told.name,
  };
}

/* Work by time, where the work is known. */
function speedSpec(told) {
  const x = told.axes[0].at, {value, lower, upper, work} = told.model;
  const by = times => times.map((time, i) => time > 0 && work[i] !== null ? work[i] / time : null);
  return {
    title: `${told.name}: speed, work / time`,
    x: {label: `size ${told.axes[0].parameter}`, unit: '', log: told.axes[0].logarithmic},
    sync: told.name,
    y: {label: 'work / s', unit: '', log: false, zero: true},
    series: [{kind: 'band', name: 'single runs', x, low: by(upper), high: by(lower), ink: 'three'}, {kind: 'line', name: 'typical run', x, y: by(value), ink: 'three'}],
    read: at => `${told.axes[0].parameter} = ${number(at)}: ${format(by(value)[nearest(x, at)], '')} units of work a second`,
    rest: '',
  };
}

const pictures = (told, several) => told.axes.length > 1 ? told.pictures.map((_, which) => heat(told, which))
  : [chart(curveSpec(told, several)), ...(told.unit === 's' && told.model.work && told.model.work.some(Boolean) && !several.length ? [chart(speedSpec(told))] : [])];

/* ---- questions ---- */

/* "8 of 30 runs met a limit of 40 min", as the command says; '': none did. Processor times of runs that were ended at their
   time limit are bounds, and no limits. */
export function limitsText(model) {
  const {limits, resource, unit} = model;
  if (!limits || (resource !== 'wall_s' && !resource.startsWith('peak_'))) return '';
  const [least, most] = [format(limits.least, unit), format(limits.most, unit)];
  return `${limits.runs} of ${limits.of} runs met a limit of ${least}${most === least ? '' : ` to ${most}`}`;
}

const field = (label, attributes) => h('label', {}, label, h('input', {size: 8, autocomplete: 'off', ...attributes}));

const LABELS = {wall_s: 'Time', peak_rss_bytes: 'Memory', energy_j: 'Energy'};
const reliable = p => p.zeros ? `0 in ${p.zeros} of ${p.runs} runs` : `accurate to ${share(p.accuracy).replace('± ', '')}`;
const based = p => p.basis + (p.basis === 'extrapolated' && p.distance > 1 ? `, ${number(p.distance)}× the measured range` : '');
const ofRuns = (p, confidence) => `${number(100 * confidence)} % of runs: ${format(p.lower, p.unit)} … ${p.upper === null ? 'not known' : format(p.upper, p.unit)}`;

/* What to request of a batch system, or why that is not known. */
function requested(told) {
  if (!told.slurm) return h('p', {class: 'soft'}, told.reason ? `${told.reason}; ${told.advice}` : told.message || 'not known');
  return [h('p', {class: 'figure'}, [told.time, told.memory].filter(each => each?.request).map(each => format(each.request, each.unit)).join(', ')),
    h('p', {class: 'soft'}, `for jobs of Slurm; exceeded by ${number(100 * told.risk)} % of them`), copyable(`sbatch ${told.slurm}`)];
}

/* One bar: a size in; time, memory, energy and a request out. The address has the size, so that it can be sent to others.
   given: sizes of the address. badge: where the accuracy of earlier predictions will stand. */
function answerBar(name, {params, models, machine: {host} = {}}, machine, given, badge) {
  const limits = Object.fromEntries(models.map(model => [model.resource, limitsText(model)]));
  const tiles = h('div', {class: 'answer', role: 'status'}, loading('the prediction')), request = h('div'), more = h('details', {}, h('summary', {}, 'All resources')), problem = h('div');
  const inputs = params.map(param => [param.name, field(param.name, {value: given[param.name] ?? String(param.most ?? param.least ?? 1), inputmode: 'decimal', name: param.name})]);
  const values = () => Object.fromEntries(inputs.map(([key, label]) => [key, label.querySelector('input').value.trim()]));
  const tile = (p, confidence) => h('section', {}, h('h2', {}, LABELS[p.resource] || p.resource), h('p', {class: 'figure'}, format(p.value, p.unit)),
    h('p', {}, ofRuns(p, confidence)), h('p', {class: 'soft'}, `${reliable(p)}; ${based(p)}`), limits[p.resource] && h('p', {class: 'soft'}, limits[p.resource]));
  const own = fresh();
  let turn = 0;
  const ask = async () => {
    const mine = ++turn, at = values();
    own.stop();
    put(problem);
    tiles.setAttribute('aria-busy', 'true');
    try {
      const wants = own.get('request', name, {machine, ...at}).catch(error => error), told = await own.get('predict', name, {resource: 'all', machine, ...at});
      if (mine !== turn) return;
      const first = FIRST.filter(each => told.predictions.some(p => p.resource === each)), all = told.predictions;
      put(request, loading('the request'));
      put(tiles, all.filter(p => first.length ? first.includes(p.resource) : true).slice(0, 3).map(p => tile(p, told.confidence)), h('section', {}, h('h2', {}, 'Request'), request));
      put(more, h('summary', {}, `All resources (${all.length})`), table(['resource', '>typical run', '>accuracy', '>lower', '>upper', 'basis', 'limits met'],
        all.map(p => [p.resource, format(p.value, p.unit), p.zeros ? reliable(p) : share(p.accuracy), format(p.lower, p.unit), format(p.upper, p.unit), based(p), limits[p.resource] || '']), 'all resources'));
      const wanted = await wants;
      if (mine === turn) put(request, requested(wanted));
    } catch (error) {
      if (mine !== turn) return;
      put(tiles, h('p', {class: 'soft'}, 'No prediction.'));
      put(problem, failure(error));
    } finally {
      if (mine === turn) tiles.removeAttribute('aria-busy');
    }
  };
  const submit = event => {
    event.preventDefault();
    history.replaceState(null, '', `#/models/${encodeURIComponent(name)}?${new URLSearchParams({...values(), ...(given.machine && {machine: given.machine})})}`);
    ask();
  };
  ask();
  return {element: h('section', {'aria-label': 'prediction'}, h('form', {class: 'row', onsubmit: submit}, inputs.map(([, label]) => label), h('button', {}, 'predict'), badge), tiles, problem, more), end() {
    turn++;
    own.stop();
  }};
}

/* The largest size within a time or a memory; of several parameters all but one are given. */
function askLargest(name, params, machine) {
  const answer = h('div', {role: 'status'}), time = field('time', {value: '1h', placeholder: '1h'}), memory = field('memory', {placeholder: '8GiB'});
  const others = params.slice(1).map(param => [param.name, field(param.name, {value: String(param.most ?? 1), inputmode: 'decimal'})]);
  const text = label => label.querySelector('input').value.trim(), own = fresh();
  const ask = async event => {
    event.preventDefault();
    own.stop();
    try {
      const told = await own.get('largest', name, {machine, time: text(time), memory: text(memory), ...Object.fromEntries(others.map(([key, label]) => [key, text(label)]))});
      put(answer, told.size ? [h('p', {class: 'figure'}, size(told.size)), (told.limits || []).map(limit => h('p', {}, `${limit.resource}: ${format(limit.value, limit.unit)}, single runs ${format(limit.lower, limit.unit)} … ${format(limit.upper, limit.unit)} of ${format(limit.limit, limit.unit)}; ${limit.basis}`))]
        : h('p', {}, 'No size fits.'));
    } catch (error) {
      if (error.name !== 'AbortError') put(answer, failure(error));
    }
  };
  return h('section', {}, h('h2', {}, 'The largest size that fits'), h('form', {class: 'row', onsubmit: ask}, time, memory, others.map(([, label]) => label), h('button', {}, 'ask')), answer);
}

const lawOf = fit => fit.error ? h('p', {class: 'soft'}, fit.error) : [h('p', {}, fit.words || 'of several parameters'), h('pre', {tabindex: 0}, fit.law.replace(/\d+\.\d{4,}(e[-+]\d+)?/g, digits => String(Number(Number(digits).toPrecision(4))))),
  h('p', {class: 'soft'}, `misses the means by ${share(fit.misfit)}; runs of one size vary by ${share(fit.noise)}`)];

/* The row whose last run is the newest. */
export const newest = rows => rows.filter(row => row.current && row.last_run).sort((a, b) => a.last_run < b.last_run ? 1 : -1)[0];

/* ---- the view ---- */

/* rows: what the list has of it, where that was asked already. */
export function program(place, name, events, given = {}, rows = null) {
  const head = h('div', {}, h('h1', {}, name)), choices = h('div', {class: 'row', hidden: true}), curves = h('div', {class: 'two'}, [1, 2].map(() => h('div', {class: 'chart area'}, loading('the curves')))), asks = h('div'), largest = h('div'), law = h('section'), functions = h('section', {'aria-label': 'functions'});
  const badge = h('a', {class: 'badge', href: `#/promises/${encodeURIComponent(name)}`, hidden: true});
  /* over: '', 'machines' or 'versions' */
  let charts = [], drawn = '', machine = given.machine || '', over = '', fixed = false, turn = 0, bar = null;
  const {get, stop} = fresh();
  put(place, head, choices, asks, curves, largest, law, functions);

  const resourcesOf = known => {
    const all = known.models.map(model => model.resource), first = FIRST.filter(each => all.includes(each));
    return first.length ? first : all.slice(0, 3);
  };

  const redraw = () => {
    turn++;
    stop();
    drawn = '';
    look();
  };
  /* What is chosen with stands while all else is drawn anew: that closes no list, and loses no click. */
  const hosts = choice('machine', chosen => {
    machine = given.machine = chosen;
    fixed = false;
    redraw();
  });
  const overs = [['machines', 'overlay machines'], ['versions', 'overlay versions']].map(([what, words]) => [what, h('button', {type: 'button', hidden: true, onclick: () => {
    over = over === what ? '' : what;
    redraw();
  }}, words)]);
  put(choices, hosts.element, overs.map(([, button]) => button));

  function offer(machines, here, has) {
    hosts.show(machines, here);
    for (const [what, button] of overs) {
      button.hidden = !has[what];
      button.setAttribute('aria-pressed', String(over === what));
    }
    choices.hidden = !has.machines && !has.versions;
  }

  /* What may be drawn over the newest version on this machine: {machine, hash, called}. */
  function tell(known, rows) {
    const here = machine || known.machine?.host, machines = [...new Set(rows.filter(row => row.current).map(row => row.machine).filter(Boolean))];
    const older = rows.filter(row => !row.current && row.hash && row.machine === here);
    put(head, h('h1', {}, name), h('p', {class: 'soft'}, `${known.runs} run${known.runs === 1 ? '' : 's'}${known.failed ? `, ${known.failed} failed` : ''}${known.machine ? ' on ' + known.machine.host : ''}, the newest ${age(known.last_run)}`),
      known.models.filter(limitsText).map(model => h('p', {class: 'soft'}, `${model.resource}: ${limitsText(model)}`)),
      known.traces.length > 0 && h('p', {class: 'soft'}, 'traces of runs: ', known.traces.slice(0, 8).flatMap((each, i) => [i ? ', ' : '', h('a', {href: `#/traces/run:${each.run}`}, `${size(each.size)}, ${age(each.started)}`)])));
    offer(machines, here, {machines: machines.length > 1, versions: older.length > 0});
    return over === 'machines' ? machines.filter(host => host !== here).map(host => ({machine: host, called: host}))
      : over === 'versions' ? older.slice(0, 5).map(row => ({machine: here, hash: row.hash, called: `${row.hash.slice(0, 7)}, until ${age(row.last_run)}`})) : [];
  }

  async function draw(known, others, mine) {
    const resources = resourcesOf(known), own = over === 'versions' ? 'the newest' : machine || known.machine?.host;
    for (const each of others) each.has = each.hash ? resources : (await get('show', name, {machine: each.machine})).models.map(model => model.resource);
    const one = async (resource, {called, has, ...which}) => ({...await get('plot', name, {resource, ...which}), called});
    const told = await Promise.all(resources.map(async resource => {
      try {
        return [await one(resource, {machine, called: own}), (await Promise.all(others.filter(each => each.has.includes(resource)).map(each => one(resource, each).catch(() => null)))).filter(each => each && each.axes.length === 1)];
      } catch (error) {
        return error;
      }
    }));
    if (mine !== turn) return;
    const now = `${machine} ${over} ${told.map(each => each.message || each[0].axes.length + !!each[0].model.work + each[0].resource)}`;
    if (now === drawn) {
      let i = 0;
      for (const each of told.filter(each => !each.message)) {
        if (each[0].pictures.length) each[0].pictures.forEach(() => charts[i++].show(each[0]));
        else charts[i++].show(curveSpec(...each));
        if (charts[i] && each[0].axes.length === 1 && each[0].unit === 's' && each[0].model.work?.some(Boolean) && !each[1].length) charts[i++].show(speedSpec(each[0]));
      }
      return;
    }
    drawn = now;
    charts.forEach(each => each.end());
    charts = told.filter(each => !each.message).flatMap(each => pictures(...each));
    put(curves, charts.map(each => each.element), told.filter(each => each.message).map(failure));
  }

  /* Where another machine was chosen meanwhile, what was asked for the last one is dropped. */
  /* How many of the last runs lay where they were predicted: once, as it takes longest. */
  async function rate() {
    if (!badge.hidden) return;
    const kept = (await get('show', name, {machine, kept: 50}).catch(() => null))?.coverage, n = kept && kept.inside + kept.less + kept.more;
    if (!n) return;
    badge.textContent = `${kept.inside} of ${n} runs inside, ${number(100 * kept.confidence)} % expected`;
    badge.classList.toggle('bad', kept.most < kept.confidence);
    badge.hidden = false;
  }

    /* Once, and also of a program of which nothing but its functions is kept. */
  async function parts(mine) {
    if (functions.hasChildNodes()) return;
    const kept = (await get('list', '', {search: name + '/', most: 40})).programs.filter(row => row.name.startsWith(name + '/'));
    if (kept.length && mine === turn) (await import('./functions.js')).functions(functions, name, kept);
  }

  const load = single(look, 2);
  async function look() {
    const mine = turn;
    try {
      const listed = rows || (await get('list', name)).programs;
      rows = null;
      if (mine !== turn) return;
      // As the command does: this machine where it has runs, else the only one; of several others the one that measured last.
      const several = listed.some(row => row.machine !== listed[0].machine);
      if (several && !listed.some(row => row.here)) machine ||= newest(listed)?.machine || '';
      const known = await get('show', name, {machine});
      if (mine !== turn) return;
      if (several) machine ||= known.machine?.host || '';
      const others = tell(known, listed);
      if (!fixed && known.models.length) {
        bar?.end();
        bar = answerBar(name, known, machine, given, badge);
        put(asks, bar.element);
        put(largest, askLargest(name, known.params, machine));
      }
      fixed = true;
      await draw(known, others, mine);
      if (mine !== turn) return;
      const fits = await get('fit', name, {machine});
      if (mine !== turn) return;
      put(law, h('h2', {}, 'Law'), fits.fits.map(lawOf));
      await parts(mine);
      await rate();
    } catch (error) {
      if (mine !== turn) return;
      put(head, h('h1', {}, name), failure(error));
      put(curves);
      await parts(mine).catch(() => null);
    }
  }
  load();
  events(event => event === 'store' && load());
  return () => {
    turn++;
    stop();
    bar?.end();
    charts.forEach(each => each.end());
  };
}
