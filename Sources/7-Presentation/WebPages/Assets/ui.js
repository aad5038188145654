// The workbench: runs scenarios, shows their runs in the viewer, edits them, and asks for
// explanations, orders and smaller ones.
'use strict';

(() => {
  const { element, byId, cut, fill } = Page;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const state = { version: 0, running: null, file: null, saved: '', isNew: false, clients: [], order: '' };

  async function ask(method, path, body) {
    const answer = await fetch(path, {
      method, headers: { 'x-kennel-token': token, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      json = { error: text };
    }
    if (!answer.ok) throw new Error(json.error ?? text);
    return json;
  }

  function complain(error) {
    byId('problems').textContent = error ? String(error.message ?? error) : '';
    byId('problems').hidden = !error;
  }

  /** Does something that takes a while; what goes wrong is shown. */
  async function attempt(body) {
    document.body.classList.add('busy');
    try {
      complain(null);
      return await body();
    } catch (error) {
      complain(error);
      return undefined;
    } finally {
      document.body.classList.remove('busy');
    }
  }

  // The list.

  const tree = new ScenarioTree(byId('tree'), (id) => choose(id));

  function wanted(scenario, outcome) {
    const value = (id) => byId(id).value;
    const words = value('search').toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${scenario.id} ${scenario.title}`.toLowerCase();
    const has = (id, list) => value(id) === '' || list.includes(value(id));
    return words.every((word) => text.includes(word)) && (value('status') === '' || value('status') === outcome)
      && has('by-profile', scenario.profiles) && has('by-rule', scenario.rules)
      && has('by-tag', scenario.tags) && has('by-needs', scenario.needs);
  }

  function filter() {
    tree.show(wanted);
    const [shown, all] = [tree.shown.length, tree.scenarios.length];
    byId('count').textContent = shown === all ? `${all} scenarios` : `${shown} of ${all} scenarios`;
  }

  function totals() {
    const counts = { failed: 0, known: 0, advised: 0, passed: 0, skipped: 0 };
    for (const run of tree.results.values()) counts[run.outcome] += 1;
    const shown = Object.entries(counts).filter(([, count]) => count > 0);
    const text = shown.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ') || 'Nothing has run';
    byId('bar').replaceChildren(...shown.map(([name, count]) => {
      const part = element('span', { className: name });
      part.style.flexGrow = count;
      return part;
    }));
    byId('bar').setAttribute('aria-label', text);
    byId('totals').textContent = text;
    document.title = counts.failed > 0 ? `✗ ${counts.failed} failed - Kennel` : 'Kennel';
  }

  async function load() {
    const list = await ask('GET', '/api/scenarios');
    state.version = list.version;
    byId('client').textContent = list.client;
    complain(list.problems.length > 0 ? list.problems.join('\n') : null);
    tree.set(list.scenarios);
    const names = (member) => [...new Set(list.scenarios.flatMap((scenario) => scenario[member]))].sort();
    for (const [id, all, member] of [['by-profile', 'any profile', 'profiles'], ['by-rule', 'any rule', 'rules'],
      ['by-tag', 'any tag', 'tags'], ['by-needs', 'any capability', 'needs']]) {
      const chosen = byId(id).value;
      fill(byId(id), all, names(member));
      byId(id).value = chosen;
    }
    filter();
  }

  // Runs.

  async function runAll(scenarios) {
    const runs = scenarios.flatMap((scenario) => scenario.profiles.map((profile) => ({ id: scenario.id, profile })));
    const mine = {};
    state.running = mine;
    byId('stop').hidden = false;
    await attempt(async () => {
      for (let start = 0; start < runs.length && state.running === mine; start += 40) {
        const { results } = await ask('POST', '/api/run', { runs: runs.slice(start, start + 40) });
        tree.take(results);
        totals();
        const failed = results.find((result) => result.outcome === 'failed');
        if (failed && tree.chosen === null) await choose(failed.id, failed.profile);
      }
    });
    if (state.running === mine) {
      state.running = null;
      byId('stop').hidden = true;
    }
    filter();
  }

  const key = () => ({ id: tree.chosen, profile: byId('profile').value, seed: byId('seed').value || '0', order: state.order });
  const isEdited = () => state.isNew || editor.value !== state.saved;
  const draft = () => (isEdited() ? { text: editor.value, file: byId('file').value } : {});

  async function run() {
    if (tree.chosen === null) return;
    await attempt(async () => {
      const { results } = await ask('POST', '/api/run', { runs: [key()], ...draft() });
      if (state.order === '') tree.take(results);
      totals();
      present(results[0]);
      look(results[0].id);
    });
  }

  /** Shows the run in the viewer, which begins at the failure. */
  function look(id) {
    const { profile, seed, order } = key();
    const words = Object.entries({ id, profile, seed, order, token }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    byId('frame').src = `/view?${words.join('&')}`;
  }

  /** Chooses one order of those that a scenario leaves open; without a text, the usual one. */
  function order(text) {
    state.order = text;
    byId('order').hidden = text === '';
    byId('order').textContent = `order ${cut(text, 40)} ×`;
  }

  function present(result) {
    const badge = byId('verdict');
    badge.textContent = result?.verdict ?? 'not run';
    badge.className = `badge ${result?.outcome ?? ''}`;
    byId('sentence').textContent = result?.sentence || result?.reason || '';
    if (result?.text) showText(result.text);
  }

  // One scenario.

  async function choose(id, profile) {
    if (!tree.byId.has(id)) return;
    if (isEdited() && tree.chosen !== null && id !== tree.chosen) {
      complain('The text has changes that are not saved: save or revert them first.');
      return;
    }
    tree.select(id);
    order('');
    const scenario = tree.byId.get(id);
    byId('nothing').hidden = true;
    byId('chosen').hidden = false;
    byId('title').textContent = cut(scenario.title, 300);
    byId('id').textContent = cut(id, 300);
    const failing = scenario.profiles.find((name) => tree.results.get(`${name} ${id}`)?.outcome === 'failed');
    byId('profile').replaceChildren(...scenario.profiles.map((name) => element('option', { value: name }, name)));
    byId('profile').value = profile ?? failing ?? scenario.profiles[scenario.profiles.length - 1];
    history.replaceState(null, '', `${location.pathname}${location.search}#${encodeURIComponent(id)}`);
    await attempt(async () => {
      const { file, text, rules, why, clients } = await ask('GET', `/api/scenario?id=${encodeURIComponent(id)}`);
      Object.assign(state, { file, saved: text, isNew: false, clients });
      byId('file').value = file;
      editor.set(text);
      byId('rules').replaceChildren(why ? element('p', {}, why) : '', ...rules.map((rule) => element('article', { className: 'card' },
        element('h2', {}, `${rule.id} ${rule.title}`), element('p', { className: 'soft' }, `${rule.force.toUpperCase()} · ${rule.source}`),
        element('p', {}, rule.text))));
      byId('output').replaceChildren();
    });
    present(tree.results.get(`${byId('profile').value} ${id}`));
    await run();
  }

  // Tabs.

  const tabs = ['view', 'edit', 'rules', 'output'];

  function open(name) {
    for (const tab of tabs) {
      byId(tab).hidden = tab !== name;
      byId(`tab-${tab}`).setAttribute('aria-selected', String(tab === name));
      byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    }
    byId('faults').hidden = name !== 'view' && name !== 'edit';
    if (name === 'edit') editor.scroll();
  }

  const showText = (text) => byId('output').replaceChildren(element('pre', { dir: 'ltr' }, Page.visible(text).replaceAll('\\u{a}', '\n')));

  // Other commands.

  async function tool(name) {
    if (tree.chosen === null) return;
    open('output');
    byId('output').replaceChildren(element('p', { className: 'soft' }, `${name} is running …`));
    const answer = await attempt(() => ask('POST', '/api/tool', { tool: name, ...key(), ...draft() }));
    if (!answer) return;
    if (answer.surveys?.length > 0) return showSurveys(answer);
    showText(answer.output + answer.complaint || 'nothing');
    if (answer.text) {
      state.isNew = true;
      byId('file').value = `found/${tree.chosen.replace(/[^\w-]+/g, '-')}.yaml`;
      editor.set(answer.text);
      byId('output').prepend(element('p', {}, 'The smaller scenario is in the editor: run it, and save it under the name there.'));
    }
  }

  function showSurveys({ surveys, command }) {
    byId('output').replaceChildren(element('p', { className: 'soft', dir: 'ltr' }, command), ...surveys.map((survey) => element('article', { className: 'card' },
      element('h2', {}, `${survey.orders} orders, ${survey.outcomes.length} outcomes, ${survey.failures} failures`),
      ...survey.outcomes.slice(0, 100).map((outcome) => element('details', {},
        element('summary', { className: outcome.failed ? 'failed' : '' }, `${outcome.failed ? '✗ ' : ''}${outcome.orders} of ${survey.orders} orders`),
        orderButton(outcome.order),
        element('ol', {}, ...outcome.moves.map((move) => element('li', { dir: 'ltr' }, cut(move, 200)))),
        element('pre', { dir: 'ltr' }, [...outcome.shown, `server  ${JSON.stringify(outcome.server)}`].join('\n')))))));
  }

  function orderButton(text) {
    const button = element('button', { type: 'button' }, 'Show this order');
    button.addEventListener('click', () => {
      order(text);
      open('view');
      run();
    });
    return button;
  }

  async function trySeeds() {
    if (tree.chosen === null) return;
    open('output');
    const { id, profile } = key();
    const first = +key().seed + 1;
    const seeds = Array.from({ length: 100 }, (_, index) => String(first + index));
    const answer = await attempt(() => ask('POST', '/api/run', { runs: seeds.map((seed) => ({ id, profile, seed })) }));
    if (!answer) return;
    const failed = answer.results.filter((result) => result.outcome === 'failed');
    byId('output').replaceChildren(
      element('p', {}, `${failed.length} of 100 seeds fail, ${first} to ${first + 99}`),
      element('ul', {}, ...failed.map((result) => {
        const button = element('button', { type: 'button' }, `seed ${result.seed}`);
        button.addEventListener('click', () => seed(+result.seed));
        return element('li', {}, button, ' ', cut(result.sentence, 200));
      })));
  }

  async function seed(number) {
    byId('seed').value = Math.max(0, number);
    order('');
    await run();
    open('view');
  }

  // The editor.

  const editor = new ScenarioEditor({
    check: async (text) => {
      try {
        return (await ask('POST', '/api/check', { text, file: byId('file').value })).problems;
      } catch (error) {
        return [{ line: 1, column: 1, message: error.message }];
      }
    },
    changed: () => {
      byId('edited').textContent = isEdited() ? 'not saved' : '';
    },
  });

  async function save() {
    await attempt(async () => {
      const file = byId('file').value;
      const answer = await ask('POST', '/api/save', { file, text: editor.value });
      Object.assign(state, { file: answer.file, saved: editor.value, isNew: false, version: answer.version });
      byId('edited').textContent = 'saved';
      await load();
      tree.select(tree.chosen);
      await run();
    });
  }

  /** Puts what the reference client does into the text, as what it expects. */
  async function record() {
    if (tree.chosen === null) return;
    const old = editor.value;
    const answer = await attempt(() => ask('POST', '/api/record', { file: byId('file').value, text: old }));
    if (!answer || editor.value !== old) return;
    open('output');
    if (answer.text === old) return showText('The reference client does what the text expects already.');
    showText(answer.difference);
    editor.set(answer.text);
    byId('output').prepend(element('p', {}, 'The text in the editor expects what the reference client does. Read it, and save it if it is right.'));
  }

  function revert() {
    Object.assign(state, { isNew: false });
    byId('file').value = state.file;
    editor.set(state.saved);
  }

  /** Faults can be dropped onto the lines of the text, and onto the events of the run. */
  function offerFaults(faults) {
    byId('faults').replaceChildren(...faults.map((fault) => {
      const chip = element('button', { type: 'button', title: fault.title, draggable: true }, fault.step.replace('network.', ''));
      const text = () => ScenarioEditor.step(fault.step, state.clients[0] ?? 'alice');
      chip.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', text()));
      chip.addEventListener('click', () => {
        const { contentDocument: page } = byId('frame');
        const selected = /^#step=(\d+)$/.exec(page?.location.hash ?? '');
        if (!byId('view').hidden && selected) return strike(page, +selected[1], text());
        const line = editor.value.slice(0, editor.text.selectionStart).split('\n').length - 1;
        return editor.insert(line, text());
      });
      return chip;
    }));
  }

  /** Makes a fault happen behind the step to which an event of the run belongs. */
  function strike(page, event, text) {
    const { events } = JSON.parse(page.getElementById('data').textContent);
    editor.insertAfter(events[event].j.step, text);
    return run();
  }

  byId('frame').addEventListener('load', () => {
    const page = byId('frame').contentDocument;
    const rows = page?.getElementById('events');
    if (!rows) return;
    page.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') byId('tree').focus();
    });
    rows.addEventListener('dragover', (event) => event.preventDefault());
    rows.addEventListener('drop', (event) => {
      event.preventDefault();
      const row = event.target.closest('.row');
      const text = event.dataTransfer.getData('text/plain');
      if (!row || !text) return;
      strike(page, +row.dataset.event, text);
    });
  });

  // Changes of files.

  async function watch() {
    try {
      const { version } = await ask('GET', '/api/changes');
      if (version !== state.version) {
        const { chosen } = tree;
        const wasEdited = isEdited();
        await load();
        if (chosen !== null && tree.byId.has(chosen) && !wasEdited) await choose(chosen, byId('profile').value);
        runAll(tree.scenarios);
      }
    } catch (error) {
      complain(error);
    }
    setTimeout(watch, 1000);
  }

  // Keys and buttons.

  const commands = {
    j: () => choose(tree.neighbour(1)), k: () => choose(tree.neighbour(-1)), n: () => choose(tree.nextFailure()),
    ArrowDown: () => choose(tree.neighbour(1)), ArrowUp: () => choose(tree.neighbour(-1)),
    r: run, Enter: run, a: () => runAll(tree.scenarios), '/': () => byId('search').focus(),
    '[': () => seed(+byId('seed').value - 1), ']': () => seed(+byId('seed').value + 1),
    e: () => tool('why'), x: () => tool('explore'), s: () => tool('shrink'),
    1: () => open('view'), 2: () => open('edit'), 3: () => open('rules'), 4: () => open('output'),
    '?': () => { byId('keys').open = true; byId('keys').scrollIntoView(); },
  };

  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 's') save();
      else if (event.key === 'Enter') run();
      else return;
      event.preventDefault();
      return;
    }
    if (event.key === 'Escape') byId('tree').focus();
    const isButton = /^(button|summary|a)$/i.test(event.target.tagName);
    if (isTyping || event.altKey || (isButton && event.key === 'Enter') || !(event.key in commands)) return;
    event.preventDefault();
    commands[event.key]();
  });

  const clicks = {
    'run-all': () => runAll(tree.scenarios), 'run-shown': () => runAll(tree.shown), run,
    stop: () => { state.running = null; byId('stop').hidden = true; },
    why: () => tool('why'), explore: () => tool('explore'), shrink: () => tool('shrink'), seeds: trySeeds,
    'seed-less': () => seed(+byId('seed').value - 1), 'seed-more': () => seed(+byId('seed').value + 1), save, revert, record,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', () => action());
  for (const tab of tabs) byId(`tab-${tab}`).addEventListener('click', () => open(tab));
  for (const id of ['profile', 'seed']) {
    byId(id).addEventListener('change', () => {
      order('');
      run();
    });
  }
  byId('order').addEventListener('click', () => {
    order('');
    run();
  });
  byId('filters').addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());

  (async () => {
    open('view');
    await attempt(load);
    const words = await attempt(() => ask('GET', '/api/words'));
    if (words) {
      editor.words = words;
      offerFaults(words.faults);
    }
    const linked = decodeURIComponent(location.hash.slice(1));
    if (linked) await choose(linked);
    watch();
    if (!linked) await runAll(tree.scenarios);
  })();
})();
