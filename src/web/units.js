// SPDX-License-Identifier: GPL-3.0-or-later
// units.js - numbers for people, with their units. Inside all is SI, as in the answers.

const digits = (value, n = 3) => {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e4 && size < 1e15) return (Number.isInteger(value) ? value : Number(value.toPrecision(n + 1))).toLocaleString('en-US', {maximumFractionDigits: 0});
  if (size >= 1e6 || size < 1e-4) return value.toExponential(n - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(size >= 1000 ? 6 : n)));
};

const scaled = steps => value => {
  const size = Math.abs(value);
  const [factor, unit] = steps.find(([factor]) => size >= factor * 0.9995) || steps[steps.length - 1];
  return digits(Number((value / factor).toPrecision(4))) + ' ' + unit;
};

const formats = {
  s: scaled([[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']]),
  bytes: scaled([[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [1024, 'KiB'], [1, 'B']]),
  J: scaled([[3.6e6, 'kWh'], [1000, 'kJ'], [1, 'J'], [1e-3, 'mJ']]),
  W: scaled([[1e6, 'MW'], [1000, 'kW'], [1, 'W']]),
};

/* format - 1.5, 's' -> "1.5 s"; null -> "-". */
export function format(value, unit) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (formats[unit]) return value === 0 ? `0 ${unit === 'bytes' ? 'B' : unit}` : formats[unit](value);
  return digits(value) + (unit && unit !== '1' ? ' ' + unit : '');
}

export const number = value => format(value, '');
export const share = value => value === null || value === undefined ? '–' : `± ${digits(value * 100, 2)} %`;

/* size - {n: 300, m: 2} -> "n=300 m=2". */
export const size = (at, names = Object.keys(at)) => names.map(name => `${name}=${number(at[name])}`).join(' ');

/* quoted - a cell of CSV. */
export const quoted = text => /[",\n]/.test(text) ? `"${String(text).replace(/"/g, '""')}"` : String(text);

export const age = time => {
  if (!time) return 'at an unknown time';
  const s = (Date.now() - Date.parse(time)) / 1000;
  const [factor, unit] = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']].find(([factor]) => s >= factor) || [1, 's'];
  return `${Math.max(0, Math.floor(s / factor))} ${unit} ago`;
};
