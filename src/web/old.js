// SPDX-License-Identifier: GPL-3.0-or-later
// old.js - for a browser that knows no modules.
document.getElementById('main').textContent = 'This browser is too old for the page. ' +
  'The commands print the same: foretime list, foretime show NAME.';
