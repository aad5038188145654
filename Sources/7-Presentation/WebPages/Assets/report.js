// The report: which scenario came to which verdict with which implementation, and each run closely.
'use strict';

(() => {
  const { element, byId, cut, longText, fill } = Page;
  const report = Page.data();
  const { columns, scenarios } = report;
  const signs = { passed: '✓', advised: '!', failed: '✗', known: '~', skipped: '–' };
  const outcomes = Object.keys(signs);
  const topic = (scenario) => scenario.id.split('/')[0];
  const allRuns = (scenario) => scenario.runs.flat();

  // Totals.

  function totals() {
    const head = element('tr', {}, element('th', {}, 'implementation'), ...outcomes.map((name) => element('th', {}, name)));
    const rows = columns.map((name, index) => {
      const runs = scenarios.flatMap((scenario) => scenario.runs[index]);
      return element('tr', {}, element('th', { scope: 'row', dir: 'ltr' }, cut(name, 80)),
        ...outcomes.map((outcome) => {
          const count = runs.filter((run) => run.outcome === outcome).length;
          return element('td', { className: count > 0 ? outcome : 'soft' }, String(count));
        }));
    });
    byId('totals').replaceChildren(element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
  }

  // The matrix.

  function cell(runs) {
    const marks = runs.map((run) => element('span', {
      className: `mark ${run.outcome}`, title: `${run.profile}: ${run.outcome}`, role: 'img',
      'aria-label': `${run.profile}: ${run.outcome}`,
    }, signs[run.outcome]));
    const isSame = runs.length > 0 && runs.every((run) => run.outcome === runs[0].outcome);
    if (isSame) {
      const profiles = runs.map((run) => run.profile).join(', ');
      marks.splice(1);
      marks[0].title = `${profiles}: ${runs[0].outcome}`;
      marks[0].setAttribute('aria-label', marks[0].title);
    }
    return element('td', {}, element('span', { className: 'cell' }, ...marks));
  }

  const rows = scenarios.map((scenario) => element('tr', {},
    element('td', { dir: 'ltr' },
      element('a', { href: `#scenario=${encodeURIComponent(scenario.id)}` }, cut(scenario.id, 120)),
      element('span', { className: 'title' }, cut(scenario.title ?? '', 160))),
    ...scenario.runs.map(cell)));

  function filter() {
    const [outcome, wanted, profile] = ['outcome', 'topic', 'profile'].map((id) => byId(id).value);
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const onlyDifferent = byId('differs')?.checked ?? false;
    let count = 0;
    scenarios.forEach((scenario, index) => {
      const runs = allRuns(scenario).filter((run) => profile === '' || run.profile === profile);
      const text = `${scenario.id} ${scenario.title ?? ''}`.toLowerCase();
      const kinds = scenario.runs.map((part) =>
        part.filter((run) => profile === '' || run.profile === profile)
          .map((run) => `${run.profile} ${run.outcome}`).sort().join());
      const isShown = runs.length > 0 && (outcome === '' || runs.some((run) => run.outcome === outcome))
        && (wanted === '' || topic(scenario) === wanted) && words.every((word) => text.includes(word))
        && (!onlyDifferent || new Set(kinds).size > 1);
      rows[index].hidden = !isShown;
      if (isShown) count += 1;
    });
    byId('count').textContent =
      count === scenarios.length ? plural(count, 'scenario') : `${count} of ${plural(scenarios.length, 'scenario')}`;
  }

  // One scenario.

  const section = (title, ...content) =>
    element('details', {}, element('summary', {}, title), ...content);

  function table(className, rows) {
    return element('div', { className: 'scroll' }, element('table', { className }, element('tbody', {}, ...rows)));
  }

  const code = (text, className = '') =>
    element('td', { className }, longText(text, 300, 'span'));

  function divergence(part) {
    const names = { same: 'as expected', expected: 'expected', observed: 'observed' };
    const place = [part.subject, `step ${part.step}`, part.rules.join(', '), `${part.file}:${part.line}`];
    const rows = part.rows.slice(0, 500).map((row) => element('tr', { className: row.side },
      element('td', {}, names[row.side] ?? row.side), element('td', {}, String(row.number)), code(row.text)));
    return element('div', {},
      element('p', { className: 'sentence', dir: 'ltr' }, cut(part.sentence, 1000)),
      element('p', { className: 'soft', dir: 'ltr' }, cut(place.filter(Boolean).join('   '), 400)),
      rows.length > 0 ? table('rows', rows) : null);
  }

  // What failed, by cause: one explanation, a count and a list.

  const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
  const listed = 100;

  function causes() {
    const found = new Map();
    for (const scenario of scenarios) {
      for (const run of allRuns(scenario)) {
        if (!run.cause) continue;
        if (!found.has(run.cause)) found.set(run.cause, []);
        found.get(run.cause).push({ scenario, run });
      }
    }
    return [...found].map(([cause, failed]) => {
      const ids = [...new Set(failed.map(({ scenario }) => scenario.id))];
      const first = failed[0].run.divergences?.[0];
      const links = ids.slice(0, listed).map((id) => element('li', {},
        element('a', { href: `#scenario=${encodeURIComponent(id)}` }, cut(id, 120))));
      if (ids.length > listed) links.push(element('li', {}, `and ${ids.length - listed} more`));
      return element('section', { className: 'cause' },
        element('h2', {}, element('span', { className: 'badge failed' }, cut(cause, 80)), ' ',
          `${plural(failed.length, 'run')} of ${plural(ids.length, 'scenario')}`),
        first ? divergence(first) : element('p', {}, cut(failed[0].run.reason ?? '', 1000)),
        section(plural(ids.length, 'scenario'), element('ul', {}, ...links)));
    });
  }

  function picture(text) {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return element('div', { className: 'scroll' }, document.importNode(parsed.documentElement, true));
  }

  function details(run) {
    const { details } = run;
    if (!details) return [];
    const row = (event, number) => element('tr', { className: number === details.wrong ? 'wrong' : '' },
      element('td', {}, String(number)), element('td', {}, `${+event[0].toFixed(3)} ms`),
      element('td', { dir: 'ltr' }, cut(event[2], 60)), code(event[3]));
    const events = details.events.map(row);
    if (details.count > events.length) {
      events.push(element('tr', {}, element('td', { colSpan: 4 }, `and ${details.count - events.length} more`)));
    }
    const frames = details.events.flatMap((event, number) => event.length < 5 ? [] : [element('tr', {},
      element('td', {}, String(number)), element('td', {}, `${+event[0].toFixed(3)} ms`),
      element('td', { dir: 'ltr' }, cut(event[2], 60)), code(event[4]))]);
    const steps = details.steps.map((text) => element('li', {}, longText(text, 300, 'code')));
    const drawing = details.picture === null ? [] : [section('Picture', picture(details.picture))];
    return [
      section(`Steps (${steps.length})`, element('ol', { className: 'steps' }, ...steps)),
      ...drawing,
      section(`Events (${details.count})`, table('events', events)),
      section(`Frames (${frames.length})`, table('events', frames)),
    ];
  }

  function runPart(run, name) {
    const { known } = run;
    const part = element('section', { className: 'run' },
      element('h3', {}, cut(name, 80), ', ', run.profile, ' ',
        element('span', { className: `badge ${run.outcome}` }, run.verdict)));
    if (run.reason) part.append(element('p', {}, cut(run.reason, 1000)));
    if (known) {
      const words = { known: 'a known failure', stale: 'listed as known, but does not fail any more', different: 'listed as known, but fails in another way', expired: 'was known until its day' };
      part.append(element('p', { className: 'known' }, `${words[known.standing] ?? known.standing}: ${known.signature}, ${known.issue}, until ${known.until} (${known.file}:${known.line})`));
    }
    const parts = run.divergences ?? [];
    if (parts.length > 0) part.append(divergence(parts[0]));
    if (parts.length > 1) part.append(section(plural(parts.length - 1, 'more difference'), ...parts.slice(1, 50).map(divergence)));
    if (run.text) part.append(section('Report as text', element('pre', { dir: 'ltr' }, cut(run.text, 20000))));
    part.append(...details(run));
    const first = part.querySelectorAll('details');
    if (run.outcome !== 'passed') for (const item of first) if (/^Picture|^Steps/.test(item.firstChild.textContent)) item.open = true;
    return part;
  }

  function show(id) {
    const host = byId('scenario');
    const index = scenarios.findIndex((scenario) => scenario.id === id);
    byId('overview').hidden = index >= 0;
    host.hidden = index < 0;
    if (index < 0) {
      host.replaceChildren();
      return;
    }
    const scenario = scenarios[index];
    const next = (by) => {
      for (let at = index + by; at >= 0 && at < scenarios.length; at += by) {
        if (!rows[at].hidden) return `#scenario=${encodeURIComponent(scenarios[at].id)}`;
      }
      return null;
    };
    const link = (text, href, key) => href === null ? element('span', { className: 'soft' }, text) : element('a', { href, id: key }, text);
    host.replaceChildren(
      element('p', {}, link('← all scenarios', '#', 'up'), '   ', link('previous (k)', next(-1), 'before'), '   ', link('next (j)', next(1), 'after')),
      element('h2', {}, cut(scenario.title ?? scenario.id, 300)),
      element('p', { className: 'soft', dir: 'ltr' }, cut(scenario.id, 300)),
      ...scenario.runs.flatMap((runs, column) => runs.map((run) => runPart(run, columns[column]))),
    );
    window.scrollTo(0, 0);
  }

  const route = () => {
    const match = /^#scenario=(.*)$/.exec(location.hash);
    show(match ? decodeURIComponent(match[1]) : null);
  };

  document.addEventListener('keydown', (event) => {
    if (/^(input|select|textarea)$/i.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { j: 'after', k: 'before', u: 'up' }[event.key];
    if (target) byId(target)?.click();
    else if (event.key === '/') {
      event.preventDefault();
      byId('search').focus();
    }
  });

  totals();
  byId('causes').replaceChildren(...causes());
  byId('matrix').tHead.replaceChildren(element('tr', {}, element('th', { scope: 'col' }, 'scenario'),
    ...columns.map((name) => element('th', { scope: 'col', dir: 'ltr' }, cut(name, 40)))));
  byId('matrix').tBodies[0].replaceChildren(...rows);
  const runs = scenarios.flatMap(allRuns);
  fill(byId('outcome'), 'all', outcomes.filter((name) => runs.some((run) => run.outcome === name)));
  fill(byId('topic'), 'all', [...new Set(scenarios.map(topic))].sort());
  fill(byId('profile'), 'all', [...new Set(runs.map((run) => run.profile))].sort());
  for (const id of ['search', 'outcome', 'topic', 'profile', 'differs']) byId(id)?.addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('filters').addEventListener('reset', () => setTimeout(filter));
  window.addEventListener('hashchange', route);
  filter();
  route();
})();
