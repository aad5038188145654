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

  const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
  /** Runs that went the same way in several profiles stand together. */
  const weight = (runs) => runs.reduce((sum, run) => sum + run.profiles.length, 0);

  // What the report is about, and how far everything passed.

  function facts() {
    const profiles = [...new Set(scenarios.flatMap(allRuns).flatMap((run) => run.profiles))].sort();
    const all = [...report.facts.slice(0, 1), ['profiles', profiles.join(', ')], ...report.facts.slice(1)];
    return all.flatMap(([name, value]) => [
      element('dt', {}, name),
      element('dd', { dir: 'ltr' }, name === 'command' ? longText(value, 400, 'code') : cut(value, 200)),
    ]);
  }

  const words = { passed: 'passed', advised: 'with advice', failed: 'failed', known: 'known failures', skipped: 'skipped' };
  // Failures first, here and everywhere.
  const gravity = ['failed', 'known', 'advised', 'passed', 'skipped'];

  function bar(name, index) {
    const runs = scenarios.flatMap((scenario) => scenario.runs[index]);
    const all = weight(runs);
    const counts = gravity.map((outcome) => [outcome, weight(runs.filter((run) => run.outcome === outcome))])
      .filter(([, count]) => count > 0);
    const text = counts.map(([outcome, count]) => `${count.toLocaleString('en')} ${words[outcome]}`).join(', ');
    const parts = counts.map(([outcome, count]) => {
      const part = element('span', { className: `part ${outcome}` });
      part.style.flexGrow = count;
      return part;
    });
    const legend = counts.map(([outcome, count]) => element('button', { type: 'button', className: outcome },
      element('span', { 'aria-hidden': 'true' }, `${signs[outcome]} `), `${count.toLocaleString('en')} ${words[outcome]}`));
    legend.forEach((button, at) => button.addEventListener('click', () => {
      byId('outcome').value = counts[at][0];
      filter();
      byId('filters').scrollIntoView();
    }));
    const origin = report.origins[index];
    return element('section', { className: 'total' },
      element('h2', { dir: 'ltr' }, columns.length > 1 ? cut(name, 80) : headline(counts, all)),
      origin.length > 0 ? element('p', { className: 'soft origin', dir: 'ltr' }, cut(origin.join(' · '), 200)) : null,
      badge(name, report.badges[index]),
      element('div', { className: 'bar', role: 'img', 'aria-label': text }, ...parts),
      element('p', { className: 'legend' }, ...legend, element('span', { className: 'soft' }, `of ${plural(all, 'run')}`)));
  }

  /** The badge of an implementation, which can be saved and put beside others. */
  function badge(name, svg) {
    if (!svg) return null;
    const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return element('a', { className: 'saved', href: source, download: `${name}.svg`, title: 'Save the badge' },
      element('img', { src: source, alt: `Badge of ${name}`, height: 20 }));
  }

  function headline(counts, all) {
    const failed = counts.find(([outcome]) => outcome === 'failed');
    if (failed) return element('span', { className: 'failed' }, `${failed[1].toLocaleString('en')} of ${plural(all, 'run')} failed`);
    const skipped = counts.find(([outcome]) => outcome === 'skipped');
    return element('span', { className: 'passed' }, skipped ? 'Nothing failed' : `All ${plural(all, 'run')} passed`);
  }

  const totals = () => byId('totals').replaceChildren(...columns.map(bar));

  /** How many runs of each implementation came to what, as the cells of a row. */
  function countCells(chosen) {
    return columns.map((_, index) => {
      const runs = chosen.flatMap((scenario) => scenario.runs[index]);
      const marks = gravity.map((outcome) => [outcome, weight(runs.filter((run) => run.outcome === outcome))])
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => element('span', { className: outcome, title: words[outcome] },
          element('span', { role: 'img', 'aria-label': words[outcome] }, signs[outcome]), ` ${count.toLocaleString('en')}`));
      return element('td', {}, element('span', { className: 'counts' }, ...marks));
    });
  }

  const columnHeads = () => columns.map((name) => element('th', { scope: 'col', dir: 'ltr' }, cut(name, 40)));

  /** How much of what was judged passed: in words, and as a bar. */
  function shareCells(chosen) {
    return columns.map((_, index) => {
      const runs = chosen.flatMap((scenario) => scenario.runs[index]);
      const judged = weight(runs.filter((run) => run.outcome !== 'skipped'));
      const good = weight(runs.filter((run) => run.outcome === 'passed' || run.outcome === 'advised'));
      if (judged === 0) return element('td', { className: 'soft' }, 'not judged');
      const share = Math.floor(good / judged * 100);
      const bar = element('span', { className: 'share', 'aria-hidden': 'true' });
      bar.style.setProperty('--part', `${share}%`);
      return element('td', {}, bar, element('strong', {}, `${share} %`),
        element('small', { className: 'soft' }, ` ${good.toLocaleString('en')} of ${judged.toLocaleString('en')}`));
    });
  }

  /** How much passed of the scenarios that cite rules of a family, for each family. */
  function families() {
    const names = Object.keys(report.families);
    if (names.length === 0) return [];
    const rows = names.map((name) => {
      const choose = element('button', { type: 'button', className: 'more', title: `Show the scenarios of ${name}` }, name);
      choose.addEventListener('click', () => {
        byId('family').value = name;
        filter();
        byId('filters').scrollIntoView();
      });
      return element('tr', {}, element('th', { scope: 'row' }, choose, ` ${report.families[name]}`),
        ...shareCells(scenarios.filter((scenario) => scenario.families.includes(name))));
    });
    const all = element('tr', { className: 'all' }, element('th', { scope: 'row' }, 'All scenarios'), ...shareCells(scenarios));
    const part = section('Share passed, by families of rules', table('families', [all, ...rows], ['family']),
      element('p', { className: 'soft' }, 'Of what was judged. A scenario counts in each family of which it cites a rule.'));
    part.open = columns.length > 1;
    return [part];
  }

  /** The failures that are known, by their causes, with what the lists say of them. */
  function knownFailures() {
    const found = new Map();
    for (const scenario of scenarios) {
      scenario.runs.forEach((runs, column) => runs.forEach((run) => {
        if (run.outcome !== 'known') return;
        const { note, issue, signature, kind, until } = run.known;
        const key = [columns[column], note ?? issue ?? signature, kind, until ?? '', issue ?? ''];
        if (!found.has(key.join('\n'))) found.set(key.join('\n'), { key, scenarios: new Set() });
        found.get(key.join('\n')).scenarios.add(scenario.id);
      }));
    }
    if (found.size === 0) return [];
    const link = (issue) => /^https?:\/\//.test(issue)
      ? element('a', { href: issue, rel: 'noreferrer' }, cut(issue, 60)) : cut(issue, 60);
    const rows = [...found.values()].map(({ key: [name, cause, kind, until, issue], scenarios: ids }) => element('tr', {},
      ...(columns.length > 1 ? [element('td', { dir: 'ltr' }, cut(name, 40))] : []),
      element('td', {}, cut(cause, 400)), element('td', {}, cut(kind ?? '', 20)), element('td', {}, until),
      element('td', {}, link(issue)),
      element('td', {}, section(plural(ids.size, 'scenario'), element('ul', {}, ...scenarioLinks([...ids]))))));
    const heads = [...(columns.length > 1 ? ['client'] : []), 'cause', 'class', 'until', 'issue', 'scenarios'];
    return [section(plural(found.size, 'known cause'), table('knowns', rows, heads, false))];
  }

  const listed = 100;

  function scenarioLinks(ids) {
    const links = ids.slice(0, listed).map((id) => element('li', {},
      element('a', { href: `#scenario=${encodeURIComponent(id)}` }, cut(id, 120))));
    if (ids.length > listed) links.push(element('li', {}, `and ${ids.length - listed} more`));
    return links;
  }

  /** Why runs were skipped, the commonest reason first. */
  function skips() {
    const reasons = new Map();
    for (const run of scenarios.flatMap(allRuns)) {
      if (run.outcome !== 'skipped') continue;
      const reason = run.reason ?? run.verdict;
      reasons.set(reason, (reasons.get(reason) ?? 0) + run.profiles.length);
    }
    if (reasons.size === 0) return [];
    const all = [...reasons].sort((a, b) => b[1] - a[1]);
    const items = all.slice(0, 50).map(([reason, count]) => element('li', {},
      element('strong', {}, count.toLocaleString('en')), ' ', cut(reason, 300)));
    const sum = all.reduce((total, [, count]) => total + count, 0);
    return [section(`${plural(sum, 'skipped run')}: reasons`, element('ul', {}, ...items))];
  }

  // The matrix.

  function cell(runs) {
    const marks = runs.map((run) => {
      const text = `${run.profiles.join(', ')}: ${words[run.outcome]}`;
      return element('span', { className: `mark ${run.outcome}`, title: text, role: 'img', 'aria-label': text },
        signs[run.outcome]);
    });
    return element('td', {}, element('span', { className: 'cell' }, ...marks));
  }

  const rank = (scenario) => Math.min(...allRuns(scenario).map((run) => gravity.indexOf(run.outcome)));
  const ranks = new Map(scenarios.map((scenario) => [scenario, rank(scenario)]));
  scenarios.sort((a, b) => ranks.get(a) - ranks.get(b));

  /** What is wrong, in a line below the title. */
  function message(scenario) {
    const run = allRuns(scenario).find((candidate) => candidate.outcome === 'failed');
    const text = run?.divergences?.[0]?.sentence ?? run?.reason;
    return text ? element('span', { className: 'title failed' }, cut(text, 200)) : null;
  }

  const row = (scenario) => element('tr', { className: 'scenario' },
    element('td', { dir: 'ltr' },
      element('a', { href: `#scenario=${encodeURIComponent(scenario.id)}` }, cut(scenario.id, 120)),
      element('span', { className: 'title' }, cut(scenario.title ?? '', 160)), message(scenario)),
    ...scenario.runs.map(cell));

  // What the filters leave, and the topics, whose rows are made when they are opened.
  let shown = [];
  const topics = [...new Set(scenarios.map(topic))].map((name) => ({ name, body: element('tbody', {}), isOpen: false }));
  const fewRows = 100;

  function draw(group) {
    const members = shown.filter((scenario) => topic(scenario) === group.name);
    const button = element('button', { type: 'button', className: 'more', 'aria-expanded': String(group.isOpen) },
      element('span', { 'aria-hidden': 'true' }, group.isOpen ? '▾ ' : '▸ '), cut(group.name, 60));
    button.addEventListener('click', () => {
      group.isOpen = !group.isOpen;
      draw(group);
      group.body.querySelector('button').focus();
    });
    const head = element('tr', { className: 'topic' },
      element('th', { scope: 'row', dir: 'ltr' }, button, element('span', { className: 'soft' }, ` ${plural(members.length, 'scenario')}`)),
      ...countCells(members));
    group.body.hidden = members.length === 0;
    group.body.replaceChildren(head, ...(group.isOpen ? members.map(row) : []));
  }

  function filter() {
    const [outcome, wanted, family, profile] = ['outcome', 'topic', 'family', 'profile'].map((id) => byId(id).value);
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const onlyDifferent = byId('differs')?.checked ?? false;
    shown = scenarios.filter((scenario) => {
      const isWanted = (run) => profile === '' || run.profiles.includes(profile);
      const runs = allRuns(scenario).filter(isWanted);
      const sentences = runs.map((run) => run.divergences?.[0]?.sentence ?? '').join(' ');
      const text = `${scenario.id} ${scenario.title ?? ''} ${sentences}`.toLowerCase();
      const kinds = scenario.runs.map((part) =>
        part.filter(isWanted).flatMap((run) => run.profiles.map((name) => `${name} ${run.outcome}`)).sort().join());
      return runs.length > 0 && (outcome === '' || runs.some((run) => run.outcome === outcome))
        && (wanted === '' || topic(scenario) === wanted) && (family === '' || scenario.families.includes(family))
        && words.every((word) => text.includes(word)) && (!onlyDifferent || new Set(kinds).size > 1);
    });
    for (const group of topics) {
      group.isOpen = shown.length <= fewRows;
      draw(group);
    }
    byId('count').textContent =
      shown.length === scenarios.length ? plural(shown.length, 'scenario') : `${shown.length} of ${plural(scenarios.length, 'scenario')}`;
  }

  // One scenario.

  const section = (title, ...content) =>
    element('details', {}, element('summary', {}, title), ...content);

  /** A table, with a head where there are names for its first columns; those of the clients may follow. */
  function table(className, rows, names = [], hasClients = true) {
    const head = names.map((name) => element('th', { scope: 'col' }, name));
    const parts = names.length === 0 ? []
      : [element('thead', {}, element('tr', {}, ...head, ...(hasClients ? columnHeads() : [])))];
    return element('div', { className: 'scroll', tabIndex: 0 },
      element('table', { className }, ...parts, element('tbody', {}, ...rows)));
  }

  const code = (text, className = '') =>
    element('td', { className }, longText(text, 300, 'span'));

  function divergence(part, likely) {
    const names = { same: 'as expected', expected: 'expected', observed: 'observed' };
    const place = [part.subject, `step ${part.step}`, `${part.file}:${part.line}`];
    const rows = (part.rows ?? []).slice(0, 500).map((row) => element('tr', { className: row.side },
      element('td', {}, names[row.side] ?? row.side), element('td', {}, String(row.number)), code(row.text)));
    return element('div', {},
      element('p', { className: 'sentence', dir: 'ltr' }, cut(part.sentence, 1000)),
      ...(part.clues ?? []).map((clue) => element('p', { className: 'clue', dir: 'ltr' }, cut(clue, 1000))),
      element('p', { className: 'soft place', dir: 'ltr' }, cut(place.filter(Boolean).join(' · '), 400)),
      rows.length > 0 ? table('rows', rows) : null,
      ...[...new Set([likely, ...part.rules].filter(Boolean))].map(rule));
  }

  /** A rule, with its text where the report has it; the first is the one that is broken. */
  function rule(id, number) {
    const [title, text] = report.rules?.[id] ?? [];
    const name = [number === 0 ? 'Breaks ' : 'Also about ', element('strong', {}, cut(id, 40))];
    if (!title) return element('p', { className: 'rule' }, ...name);
    return element('details', { className: 'rule' },
      element('summary', {}, ...name, ' ', cut(title, 200)), element('p', {}, cut(text, 3000)));
  }

  // What failed, by cause: one explanation, a count and a list; of several clients on demand.

  function causes() {
    const parts = failingCauses();
    if (columns.length < 2 || parts.length === 0) return parts;
    return [section(plural(parts.length, 'cause') + ' of failures', ...parts)];
  }

  function failingCauses() {
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
      const list = section(plural(ids.length, 'scenario'), element('ul', {}, ...scenarioLinks(ids)));
      list.open = ids.length <= 3;
      return element('section', { className: 'cause' },
        element('h2', {}, element('span', { className: 'badge failed' }, cut(cause, 80)), ' ',
          `${plural(weight(failed.map(({ run }) => run)), 'run')} of ${plural(ids.length, 'scenario')}`),
        first ? divergence(first, failed[0].run.likelyRule) : element('p', {}, cut(failed[0].run.reason ?? '', 1000)),
        list);
    });
  }

  function picture(text) {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return element('div', { className: 'scroll', tabIndex: 0 }, document.importNode(parsed.documentElement, true));
  }

  function details(run) {
    const { details } = run;
    if (!details) {
      return run.outcome === 'skipped' ? [] : [element('p', { className: 'soft' },
        'The page has no room for the events of this run; kennel run ID --trace FOLDER writes them.')];
    }
    const row = (event, number) => element('tr', { className: number === details.wrong ? 'wrong' : '' },
      element('td', {}, String(number)), element('td', {}, `${+event[0].toFixed(3)} ms`),
      element('td', { dir: 'ltr' }, cut(event[2], 60)), code(event[3]));
    const steps = details.steps.map((text) => element('li', {}, longText(text, 300, 'code')));
    const stepPart = section(`Steps (${steps.length})`, element('ol', { className: 'steps' }, ...steps));
    if (!details.events) return [stepPart];
    const events = details.events.map(row);
    if (details.count > events.length) {
      events.push(element('tr', {}, element('td', { colSpan: 4 }, `and ${details.count - events.length} more`)));
    }
    const frames = details.events.flatMap((event, number) => event.length < 5 ? [] : [element('tr', {},
      element('td', {}, String(number)), element('td', {}, `${+event[0].toFixed(3)} ms`),
      element('td', { dir: 'ltr' }, cut(event[2], 60)), code(event[4]))]);
    const drawing = details.picture === null ? [] : [section('Picture', picture(details.picture))];
    return [
      stepPart,
      ...drawing,
      section(`Events (${details.count})`, table('events', events)),
      section(`Frames (${frames.length})`, table('events', frames)),
    ];
  }

  function runPart(run, name) {
    const { known } = run;
    const part = element('section', { className: 'run' },
      element('h3', {}, cut(name, 80), ' · ', run.profiles.join(', '), ' ',
        element('span', { className: `badge ${run.outcome}` }, run.verdict)));
    if (run.reason) part.append(element('p', {}, cut(run.reason, 1000)));
    if (known) {
      const words = { known: 'a known failure', stale: 'listed as known, but does not fail any more', different: 'listed as known, but fails in another way', expired: 'was known until its day', renamed: 'known of a scenario that is no more' };
      part.append(element('p', { className: 'known' }, `${words[known.standing] ?? known.standing}: ${[known.signature, known.issue ?? known.note, known.until && `until ${known.until}`].filter(Boolean).join(', ')} (${known.file}:${known.line})`));
    }
    const parts = run.divergences ?? [];
    if (parts.length > 0) part.append(divergence(parts[0], run.likelyRule));
    if (parts.length > 1) part.append(section(plural(parts.length - 1, 'more difference'), ...parts.slice(1, 50).map((other) => divergence(other))));
    if (run.text) part.append(section('Report as text', Page.longText(run.text, 20000, 'pre')));
    part.append(...details(run));
    const first = part.querySelectorAll('details');
    if (run.outcome !== 'passed') for (const item of first) if (/^Picture|^Steps/.test(item.firstChild.textContent)) item.open = true;
    return part;
  }

  function show(id) {
    const host = byId('scenario');
    const index = scenarios.findIndex((scenario) => scenario.id === id);
    byId('overview').hidden = index >= 0;
    byId('totals').hidden = index >= 0;
    host.hidden = index < 0;
    if (index < 0) {
      host.replaceChildren();
      return;
    }
    const scenario = scenarios[index];
    const isShown = new Set(shown);
    const next = (by) => {
      for (let at = index + by; at >= 0 && at < scenarios.length; at += by) {
        if (isShown.has(scenarios[at])) return `#scenario=${encodeURIComponent(scenarios[at].id)}`;
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

  byId('facts').replaceChildren(...facts());
  totals();
  byId('skips').replaceChildren(...skips());
  byId('causes').replaceChildren(...causes());
  byId('known').replaceChildren(...knownFailures());
  byId('families').replaceChildren(...families());
  byId('matrix').tHead.replaceChildren(element('tr', {}, element('th', { scope: 'col' }, 'scenario'),
    ...columnHeads()));
  byId('matrix').append(...topics.map((group) => group.body));
  const runs = scenarios.flatMap(allRuns);
  fill(byId('outcome'), 'all', outcomes.filter((name) => runs.some((run) => run.outcome === name)));
  fill(byId('topic'), 'all', [...new Set(scenarios.map(topic))].sort());
  fill(byId('family'), 'all', Object.keys(report.families));
  fill(byId('profile'), 'all', [...new Set(runs.flatMap((run) => run.profiles))].sort());
  for (const id of ['search', 'outcome', 'topic', 'family', 'profile', 'differs']) byId(id)?.addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('filters').addEventListener('reset', () => setTimeout(filter));
  window.addEventListener('hashchange', route);
  filter();
  route();
})();
