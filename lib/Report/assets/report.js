// The review report: filters, links between statements, the theme. All of it
// is an extra: without it the pages hold the same text.
'use strict';
(() => {
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const $ = (selector, from = document) => from.querySelector(selector);

  // --- Theme ---------------------------------------------------------------
  // A browser may refuse storage to a page that lies on disk.
  const stored = {
    get: () => { try { return localStorage.getItem('clang-raise-theme'); } catch { return null; } },
    set: (value) => { try { localStorage.setItem('clang-raise-theme', value); } catch { /* not kept */ } },
  };
  const themes = ['auto', 'light', 'dark'];
  const words = {auto: 'as the system', light: 'light', dark: 'dark'};
  const button = $('.theme');
  const setTheme = (theme) => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = 'Theme: ' + theme;
    button.setAttribute('aria-label', 'Theme: ' + words[theme]);
  };
  let theme = stored.get();
  if (!themes.includes(theme)) theme = 'auto';
  button.hidden = false;
  setTheme(theme);
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    stored.set(theme);
    setTheme(theme);
  });

  // --- Filters -------------------------------------------------------------
  const filters = $('.filters');
  if (filters) {
    const rows = $$('tr[data-status]');
    const buttons = $$('button[data-status]', filters);
    const kind = $('select', filters), text = $('input', filters), shown = $('.shown', filters);
    const none = $('.none');
    const contents = new Map(rows.map((row) => [row, (row.closest('.file').querySelector('h2').textContent + ' ' + row.textContent).toLowerCase()]));
    const apply = () => {
      const wanted = buttons.filter((b) => b.getAttribute('aria-pressed') === 'true').map((b) => b.dataset.status);
      const terms = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        const fits = (!wanted.length || wanted.includes(row.dataset.status)) &&
          (!kind.value || row.dataset.kind === kind.value) &&
          terms.every((t) => contents.get(row).includes(t));
        row.hidden = !fits;
        count += fits;
      }
      const any = wanted.length || kind.value || terms.length;
      for (const file of $$('.file'))
        file.hidden = any && !$('tr[data-status]:not([hidden])', file);
      shown.textContent = any ? `${count} of ${rows.length} shown` : `${rows.length} in all`;
      none.hidden = count > 0 || !rows.length;
    };
    for (const b of buttons)
      b.addEventListener('click', () => {
        b.setAttribute('aria-pressed', String(b.getAttribute('aria-pressed') !== 'true'));
        apply();
      });
    kind.addEventListener('change', apply);
    text.addEventListener('input', apply);
    document.addEventListener('keydown', (event) => {
      if (event.key === '/' && document.activeElement !== text) {
        event.preventDefault();
        text.focus();
      }
      if (event.key === 'Escape' && document.activeElement === text) {
        text.value = '';
        apply();
      }
    });
    filters.hidden = false;
    apply();
  }

  // --- Statements and what became of them ------------------------------------
  const links = $$('.l');
  if (!links.length) return;
  const partners = new Map();
  for (const link of links)
    for (const id of link.dataset.l.split(' ')) {
      if (!partners.has(id)) partners.set(id, []);
      partners.get(id).push(link);
    }
  const status = document.createElement('p');
  status.className = 'status';
  status.setAttribute('role', 'status');
  document.body.append(status);
  const paneOf = (link) => link.closest('.code');
  const lineOf = (link) => Number($('.no', link.closest('.line')).textContent);

  let lit = [], current = null, pinned = false;
  const clear = () => {
    for (const link of lit) link.classList.remove('lit');
    if (current) current.classList.remove('current');
    lit = [];
    current = null;
  };
  const light = (link) => {
    clear();
    const all = new Set();
    for (const id of link.dataset.l.split(' '))
      for (const other of partners.get(id)) all.add(other);
    lit = [...all];
    for (const other of lit) other.classList.add('lit');
    link.classList.add('current');
    current = link;
  };
  const others = () => lit.filter((link) => paneOf(link) !== paneOf(current));
  const tell = () => {
    const title = (link) => paneOf(link).getAttribute('aria-label');
    const lines = new Map();
    for (const link of others()) {
      if (!lines.has(title(link))) lines.set(title(link), new Set());
      lines.get(title(link)).add(lineOf(link));
    }
    status.textContent = `${title(current)}, line ${lineOf(current)}. ` + (lines.size
      ? [...lines].map(([pane, all]) => `${pane}: line ${[...all].join(', ')}.`).join(' ')
      : 'Nothing else came of it.');
  };
  // Within its pane alone: the page stays where it is.
  const show = (link) => {
    const pane = paneOf(link), line = link.closest('.line');
    const top = line.offsetTop - pane.offsetTop;
    if (top < pane.scrollTop || top + line.offsetHeight > pane.scrollTop + pane.clientHeight)
      pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
  };
  const showOthers = () => {
    const panes = new Set();
    for (const link of others()) {
      if (panes.has(paneOf(link))) continue;
      panes.add(paneOf(link));
      show(link);
    }
  };
  for (const link of links) {
    link.addEventListener('mouseenter', () => { if (!pinned) light(link); });
    link.addEventListener('mouseleave', () => { if (!pinned) clear(); });
    link.addEventListener('click', () => {
      pinned = !(pinned && current === link);
      light(link);
      showOthers();
      tell();
    });
  }
  const move = (pane, by) => {
    const own = $$('.l', pane);
    if (!own.length) return;
    const at = own.indexOf(current);
    const next = at < 0 ? (by > 0 ? 0 : own.length - 1) : Math.min(own.length - 1, Math.max(0, at + by));
    pinned = true;
    light(own[next]);
    show(own[next]);
    showOthers();
    tell();
  };
  for (const pane of $$('.code')) {
    pane.addEventListener('focus', () => {
      if (pane.matches(':focus-visible') && !(current && paneOf(current) === pane)) move(pane, 1);
    });
    pane.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'ArrowDown' || event.key === 'j') move(pane, 1);
      else if (event.key === 'ArrowUp' || event.key === 'k') move(pane, -1);
      else if (event.key === 'Enter') {
        if (!current || paneOf(current) !== pane) return;
        // The next pane that has something of it, around to the first.
        const panes = $$('.code', pane.closest('.panes'));
        const place = (link) => (panes.indexOf(paneOf(link)) - panes.indexOf(pane) + panes.length) % panes.length;
        const near = others().filter((link) => panes.includes(paneOf(link)));
        const other = near.find((link) => place(link) === Math.min(...near.map(place)));
        if (!other) return;
        pinned = true;
        light(other);
        show(other);
        paneOf(other).focus();
        tell();
      } else return;
      event.preventDefault();
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    pinned = false;
    clear();
  });
})();
