// The workbench: shows what was run, each run in the viewer, edits scenarios, and asks for
// explanations, orders and smaller ones.
'use strict';

(() => {
  const { element, byId, cut, fill } = Page;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  // `base` is the text on which that of the editor is based, as the file had it; null for a new file.
  const state = { version: 0, newest: 0, left: 0, file: null, base: null, saved: '', isNew: false, clients: [], order: '', seen: 0, job: null, isSaving: false };

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
    if (!answer.ok || json.asks !== undefined) throw Object.assign(new Error(json.error ?? text), { status: answer.status, disk: json.disk, asks: json.asks });
    return json;
  }

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  function say(id, text) {
    if (byId(id).textContent !== text) byId(id).textContent = text;
    byId(id).hidden = text === '';
  }

  const complain = (error) => say('problems', error ? String(error.message ?? error) : '');

  let attempts = 0;

  /** Does something that takes a while, maybe beside something else that does; what goes wrong is shown. */
  async function attempt(body) {
    attempts += 1;
    document.body.classList.add('busy');
    try {
      complain(null);
      question(null);
      return await body();
    } catch (error) {
      if (error.asks === undefined) complain(error);
      else question(error, body);
      return undefined;
    } finally {
      attempts -= 1;
      document.body.classList.toggle('busy', attempts > 0);
    }
  }

  /** A command of the project file is started only after its user has agreed to that; then `body` goes on. */
  function question(error, body) {
    say('question-text', error ? `${error.message}.` : '');
    byId('question').hidden = !error;
    byId('agree').onclick = error && (() => attempt(async () => {
      await ask('POST', '/api/agree', { subject: error.asks });
      return body();
    }));
  }

  // The list.

  const fleet = new ScenarioFleet(() => { order(''); run(); });
  const tree = new ScenarioTree(byId('tree'), (id) => choose(id));

  function wanted(scenario, outcome) {
    const value = (id) => byId(id).value;
    const words = value('search').toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${scenario.id} ${scenario.title}`.toLowerCase();
    const has = (id, list) => value(id) === '' || list.includes(value(id));
    return words.every((word) => text.includes(word)) && has('status', [outcome, tree.isOld(scenario.id) ? 'old' : ''])
      && has('by-profile', scenario.profiles) && has('by-rule', scenario.rules)
      && has('by-tag', scenario.tags) && has('by-needs', scenario.needs);
  }

  function filter() {
    tree.show(wanted);
    const [shown, all] = [tree.shown.length, tree.scenarios.length];
    const noun = all === 1 ? 'scenario' : 'scenarios';
    byId('count').textContent = shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
  }

  /** The counts, in the words of the last line of `kennel run`. */
  function totals() {
    const counts = { failed: 0, known: 0, advised: 0, passed: 0, skipped: 0 };
    let old = 0;
    for (const run of tree.results.values()) {
      counts[run.outcome] += 1;
      if (run.isOld) old += 1;
    }
    const words = [`${counts.passed + counts.advised} passed`, `${counts.failed} failed`, `${counts.skipped} skipped`];
    if (counts.known > 0) words.push(`${counts.known} known`);
    const text = tree.results.size === 0 ? 'Nothing has run' : words.join(', ');
    byId('bar').replaceChildren(...Object.entries(counts).filter(([, count]) => count > 0).map(([name, count]) => {
      const part = element('span', { className: name });
      part.style.flexGrow = count;
      return part;
    }));
    byId('bar').setAttribute('aria-label', text);
    byId('totals').textContent = old > 0 ? `${text} (${old} before the last change)` : text;
    document.title = counts.failed > 0 ? `✗ ${counts.failed} failed - Kennel` : 'Kennel';
    return text;
  }

  async function load() {
    const list = await ask('GET', '/api/scenarios');
    byId('client').textContent = list.client;
    fleet.set(list.players);
    complain(list.problems.length > 0 ? list.problems.join('\n') : null);
    tree.set(list.scenarios);
    Object.assign(state, { version: list.version, newest: 0 });
    const names = (member) => [...new Set(list.scenarios.flatMap((scenario) => scenario[member]))].sort();
    for (const [id, all, member] of [['by-profile', 'any profile', 'profiles'], ['by-rule', 'any rule', 'rules'],
      ['by-tag', 'any tag', 'tags'], ['by-needs', 'any capability', 'needs']]) {
      const chosen = byId(id).value;
      fill(byId(id), all, names(member));
      byId(id).value = chosen;
    }
    take(await ask('GET', '/api/progress?after=0'));
    filter();
    if (tree.chosen !== null) tree.select(tree.chosen);
  }

  // What all pages share: the runs of the list, and changes of files.

  function take(progress) {
    const { results, left, total, running, trouble } = progress;
    const isEnd = left === 0 && state.left > 0;
    Object.assign(state, { newest: progress.newest, left });
    tree.take(results);
    say('trouble', trouble ?? '');
    byId('stop').hidden = left === 0;
    say('running', running ? `running ${cut(running.id, 80)}, ${running.profile}: ${total - left} of ${total} done` : '');
    if (results.length > 0) {
      const text = totals();
      if (isEnd) byId('finished').textContent = text;
      if (isEnd || byId('status').value !== '') filter();
    }
  }

  /** Shows the runs of others where they are what the page shows. */
  async function follow(results) {
    const failed = results.find((result) => result.outcome === 'failed');
    if (tree.chosen === null && state.file === null && failed) return choose(failed.id, failed.profile);
    const { id, profile } = key();
    const last = tree.results.get(`${profile} ${id}`);
    if (!isUsual() || !(last?.number > state.seen) || document.body.classList.contains('busy')) return undefined;
    return attempt(() => show(id, profile));
  }

  async function watch() {
    try {
      const progress = await ask('GET', `/api/progress?after=${state.newest}`);
      if (state.isSaving) return setTimeout(watch, 250);
      if (progress.version !== state.version) await reread();
      else {
        take(progress);
        await follow(progress.results);
      }
    } catch (error) {
      say('trouble', error instanceof TypeError ? 'kennel ui does not answer; start it again' : error.message);
    }
    return setTimeout(watch, state.left > 0 ? 250 : 1000);
  }

  /** Files have changed: the text in the editor may be based on one that is no more. */
  async function reread() {
    const { chosen } = tree;
    await load();
    if (state.file === null || state.isNew) return;
    const entry = tree.byId.get(chosen) ?? tree.scenarios.find((scenario) => scenario.file === state.file);
    if (!entry) return notice(`${state.file} is no longer there.`, null);
    tree.select(entry.id);
    const answer = await ask('GET', `/api/scenario?id=${encodeURIComponent(entry.id)}`);
    const isSame = answer.text === state.base;
    if (!isSame && isEdited()) return notice(`${state.file} has changed on disk. Saving would undo that, and is refused.`, answer.text);
    describe(entry, answer);
    if (isSame) editor.judge();
    else {
      open(answer);
      byId('edited').textContent = 'loaded again: the file has changed on disk';
    }
    if (isUsual()) present(resultOf(answer));
    return undefined;
  }

  const start = (scenarios) => attempt(async () => {
    const runs = scenarios.filter((scenario) => !scenario.isBroken).flatMap((scenario) => scenario.profiles.map((profile) => ({ id: scenario.id, profile })));
    await ask('POST', '/api/start', { runs });
    take(await ask('GET', `/api/progress?after=${state.newest}`));
  });

  // Runs that this page asks for.

  const key = () => ({ id: tree.chosen, profile: byId('profile').value, seed: byId('seed').value || '0', order: state.order, players: fleet.choice });
  const usualSeed = () => tree.byId?.get(tree.chosen)?.seed ?? '0';
  const isUsual = () => key().seed === usualSeed() && state.order === '' && fleet.choice === '' && !isEdited();
  const resultOf = ({ results }) => results.find((result) => result.profile === byId('profile').value);
  const isEdited = () => state.isNew || editor.value !== state.saved;
  const isDraft = () => isEdited() || tree.byId.get(tree.chosen)?.isBroken === true;
  const draft = () => (isDraft() ? { text: editor.value, file: byId('file').value } : {});

  async function run() {
    if (tree.chosen !== null) await attempt(runNow);
  }

  async function runNow() {
    const result = await ask('POST', '/api/run', { ...key(), ...draft() });
    // What counts for the scenario has a number.
    if (result.number > 0) {
      tree.take([result]);
      totals();
    }
    present(result);
    // The ways that an exploration has found stay in sight.
    if (result.text && state.order === '') showText(result.text);
    look();
  }

  /** Shows the run in the viewer, which begins at the failure. */
  function look() {
    const words = Object.entries({ ...key(), ...(isEdited() ? { draft: 1 } : {}), token });
    byId('frame').src = `/view?${words.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  }

  /** Chooses one of the ways that an exploration has found; without a text, the usual one. */
  function order(text) {
    state.order = text;
    byId('order').hidden = text === '';
    byId('order').textContent = `${/^fault:/.test(text) ? '' : 'order '}${cut(text.replace(/^\w+:/, ''), 40)} ×`;
  }

  function present(result) {
    const badge = byId('verdict');
    badge.textContent = `${result?.verdict ?? 'not run'}${result?.isOld ? ', old' : ''}`;
    badge.className = `badge ${result?.outcome ?? ''}`;
    byId('sentence').textContent = result?.sentence || result?.reason || '';
    say('played', result?.players ? `played by ${result.players}` : '');
    const entry = tree.byId.get(tree.chosen);
    say('standing', [result?.standing, entry?.found ? `Run as a hunt has found it: ${entry.found}.` : '', result?.isOld ? 'This verdict is from before the last change.' : '', entry?.isBroken ? 'The file has mistakes; Scenario lists them.' : '']
      .filter(Boolean).join(' '));
    if (result?.number > state.seen) state.seen = result.number;
  }

  // One scenario.

  async function choose(id, profile) {
    if (!tree.byId.has(id)) return;
    if (isEdited() && state.file !== null && id !== tree.chosen) {
      complain('The text has changes that are not saved: save or revert them first.');
      return;
    }
    tree.select(id);
    order('');
    if (byId('id').dataset.id !== id) fleet.begin(id);
    state.job = null;
    byId('output').replaceChildren();
    await attempt(() => show(id, profile));
  }

  /** Opens a scenario, with its last result if that says what a run would. */
  async function show(id, profile) {
    const entry = tree.byId.get(id);
    const answer = await ask('GET', `/api/scenario?id=${encodeURIComponent(id)}`);
    describe(entry, answer, profile);
    if (!isEdited() && (state.file !== answer.file || state.base !== answer.text)) open(answer);
    const last = resultOf(answer);
    present(last);
    if (!isUsual() || (!entry.isBroken && (!last || last.isOld))) return runNow();
    if (last?.text && byId('output').children.length === 0) showText(last.text);
    if (last) look();
    else byId('frame').src = 'about:blank';
    return undefined;
  }

  /** Everything about a scenario but its text. */
  function describe(scenario, { rules, why, clients, players, problems }, profile) {
    byId('nothing').hidden = true;
    byId('chosen').hidden = false;
    byId('title').textContent = cut(scenario.title, 300);
    byId('id').textContent = cut(scenario.id, 300);
    const now = byId('id').dataset.id === scenario.id ? byId('profile').value : undefined;
    if (now === undefined) setSeed(scenario.seed);
    byId('id').dataset.id = scenario.id;
    const failing = scenario.profiles.find((name) => tree.results.get(`${name} ${scenario.id}`)?.outcome === 'failed');
    byId('profile').replaceChildren(...scenario.profiles.map((name) => element('option', { value: name }, name)));
    const wishes = [profile, now, failing, scenario.profiles[scenario.profiles.length - 1]];
    byId('profile').value = wishes.find((name) => scenario.profiles.includes(name)) ?? '';
    history.replaceState(null, '', `${location.pathname}${location.search}#${encodeURIComponent(scenario.id)}`);
    state.clients = clients;
    fleet.show(clients, players);
    byId('rules').replaceChildren(why ? element('p', {}, why) : '', ...rules.map((rule) => element('article', { className: 'card' },
      element('h2', {}, `${rule.id} ${rule.title}`), element('p', { className: 'soft' }, `${rule.force.toUpperCase()} · ${rule.source}`),
      element('p', {}, rule.text))));
    if (problems.length > 0) complain(problems.join('\n'));
  }

  // Tabs.

  /** A list of tabs: by mouse, by the arrows, and by the function that is returned. */
  function tabList(names, opened = () => {}) {
    const show = (name) => {
      for (const tab of names) {
        byId(tab).hidden = tab !== name;
        byId(`tab-${tab}`).setAttribute('aria-selected', String(tab === name));
        byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
      }
      opened(name);
    };
    names.forEach((tab, index) => {
      byId(`tab-${tab}`).addEventListener('click', () => show(tab));
      byId(`tab-${tab}`).addEventListener('keydown', (event) => {
        const by = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
        if (by === undefined) return;
        const next = names[(index + by) % names.length];
        show(next);
        byId(`tab-${next}`).focus();
      });
    });
    show(names[0]);
    return show;
  }

  const showText = (text) => byId('output').replaceChildren(element('pre', { dir: 'ltr', tabIndex: 0 }, Page.visible(text).replaceAll('\\u{a}', '\n')));

  // Other commands. The newest ends those before.

  function begin(what) {
    const job = {};
    state.job = job;
    openTab('output');
    const button = element('button', { type: 'button' }, 'Stop');
    button.addEventListener('click', () => {
      state.job = null;
      button.disabled = true;
      if (what) ask('POST', '/api/tool', {}).catch(complain);
    });
    const text = element('p', { className: 'soft', role: 'status' });
    byId('output').replaceChildren(element('div', { className: 'row' }, text, button));
    return { isOn: () => state.job === job, text, button };
  }

  async function tool(name, options = {}) {
    if (tree.chosen === null) return;
    const job = begin(name);
    const since = Date.now();
    await attempt(async () => {
      let answer = await ask('POST', '/api/tool', { tool: name, ...key(), ...draft(), ...options });
      const { command } = answer;
      while (!answer.hasEnded && job.isOn()) {
        job.text.textContent = `${name} has been running for ${Math.round((Date.now() - since) / 1000)} s`;
        await pause(250);
        answer = await ask('GET', '/api/tool');
        if (job.isOn() && answer.command !== command) throw new Error('another page has started another command');
      }
      if (job.isOn()) finish(name, answer);
      else job.text.textContent = `${name} was stopped`;
    });
  }

  function finish(name, answer) {
    if (answer.lines?.length > 0) return name === 'matrix' ? showMatrix(answer) : showSurveys(answer);
    showText(answer.output + answer.complaint || 'nothing');
    if (!answer.text) return undefined;
    propose(answer.text, `found/${tree.chosen.replace(/[^\w-]+/g, '-')}.yaml`);
    return byId('output').prepend(element('p', {}, 'The smaller scenario is in the editor: run it, and save it under the name there.'));
  }

  const orders = (number) => `${number} ${number === 1 ? 'order' : 'orders'}`;

  function showMatrix({ lines, command }) {
    const show = (players) => {
      fleet.choose(players);
      order('');
      openTab('view');
      run();
    };
    byId('output').replaceChildren(element('p', { className: 'soft', dir: 'ltr' }, command), ...lines.map((row) => fleet.matrix(row, show)));
  }

  function showSurveys({ lines: surveys, command }) {
    const prefix = / --deliveries\b/.test(command) ? 'deliveries:' : '';
    byId('output').replaceChildren(element('p', { className: 'soft', dir: 'ltr' }, command), ...surveys.map((survey) => element('article', { className: 'card' },
      ...(survey.outcomes ? outcomes(survey, prefix) : findings(survey)))));
  }

  function outcomes(survey, prefix) {
    const { orders: all, reason, failures, unreached } = survey;
    return [
      element('h2', {}, `${orders(all)}, ${survey.outcomes.length} ${survey.outcomes.length === 1 ? 'outcome' : 'outcomes'}, ${failures} fail`),
      reason ? element('p', {}, reason) : '',
      ...survey.outcomes.slice(0, 100).map((outcome) => element('details', {},
        element('summary', { className: outcome.failed ? 'failed' : '' }, `${outcome.failed ? '✗ ' : ''}${outcome.orders} of ${orders(all)}`),
        wayButton(prefix + outcome.order, 'Show this order'),
        element('ol', {}, ...outcome.moves.map((move) => element('li', { dir: 'ltr' }, cut(move, 200)))),
        element('pre', { dir: 'ltr', tabIndex: 0 }, [...outcome.shown, `server  ${JSON.stringify(outcome.server)}`].join('\n'))))];
  }

  /** What one fault at every moment has led to. */
  function findings(survey) {
    const { runs, changed, failures, reason } = survey;
    return [
      element('h2', {}, `${runs} runs with one fault, ${changed} of them changed by it, ${failures} fail`),
      reason ? element('p', {}, reason) : '',
      ...survey.findings.slice(0, 100).map((finding) => element('details', {},
        element('summary', { className: 'failed' }, `✗ ${finding.runs} of ${runs} runs: ${cut(finding.signature ?? 'without a divergence', 120)}`),
        wayButton(`fault:${finding.fault}`, 'Show the first of them'),
        element('p', { dir: 'ltr' }, `${cut(finding.fault, 80)}, after ${cut(finding.after, 200)}`),
        element('p', { className: 'soft', dir: 'ltr' }, `after ${cut(finding.faults.join(', '), 400)}`)))];
  }

  function wayButton(way, text) {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => {
      order(way);
      openTab('view');
      run();
    });
    return button;
  }

  async function trySeeds() {
    if (tree.chosen === null) return;
    const job = begin();
    const { id, profile, players } = key();
    const first = seedNumber() + 1n;
    const found = element('ul', {});
    byId('output').append(found);
    await attempt(async () => {
      for (let number = 0; number < 100 && job.isOn(); number += 1) {
        const result = await ask('POST', '/api/run', { id, profile, players, seed: String(first + BigInt(number)), ...draft() });
        if (!job.isOn()) break;
        if (result.outcome === 'failed') {
          const button = element('button', { type: 'button' }, `seed ${result.seed}`);
          button.addEventListener('click', () => seed(BigInt(result.seed)));
          found.append(element('li', {}, button, ' ', cut(result.sentence, 200)));
        }
        job.text.textContent = `${found.children.length} of ${number + 1} seeds fail, ${first} to ${result.seed}`;
      }
    });
    job.button.hidden = true;
  }

  // A seed has up to 64 bits, more than a number of this language keeps.

  const seedNumber = () => (/^\d+$/.test(key().seed) ? BigInt(key().seed) : 0n);

  /** Shows a seed with all of its digits. */
  function setSeed(text) {
    byId('seed').value = text;
    byId('seed').size = Math.max(7, text.length);
  }

  async function seed(number) {
    setSeed(String(number < 0n ? 0n : number));
    order('');
    await run();
    openTab('view');
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

  /** Puts a file into the editor. */
  function open({ file, text }) {
    byId('file').value = file;
    Object.assign(state, { file, base: text, isNew: false, saved: null });
    editor.set(text);
    // The field has its own ends of lines.
    state.saved = editor.value;
    editor.changed();
    notice(null);
  }

  /** Puts a text into the editor that is not in any file yet. */
  function propose(text, file) {
    Object.assign(state, { isNew: true });
    byId('file').value = file;
    editor.set(text);
    notice(null);
  }

  /** Says that the file is not what the text is based on, and offers what can be done. */
  function notice(message, disk) {
    state.disk = disk;
    byId('notice').hidden = !message;
    byId('notice-text').textContent = message ?? '';
    byId('load').hidden = typeof disk !== 'string';
  }

  async function save() {
    const file = byId('file').value;
    const base = state.isNew || file !== state.file ? null : state.base;
    const text = base?.includes('\r\n') ? editor.value.replaceAll('\n', '\r\n') : editor.value;
    const written = editor.value;
    state.isSaving = true;
    await attempt(async () => {
      try {
        const answer = await ask('POST', '/api/save', { file, text, ...(base === null ? {} : { base }) });
        Object.assign(state, { file, base: text, saved: written, isNew: false });
        notice(null);
        await settle(answer);
      } catch (error) {
        if (error.status !== 409 || base === null) throw error;
        notice(`${error.message}.`, error.disk);
      }
    });
    state.isSaving = false;
  }

  /** Shows what was saved, in the list as well; the text in the editor stays. */
  async function settle({ id, isNamed }) {
    byId('edited').textContent = isNamed ? 'saved' : 'saved; the scenarios that kennel ui was started with do not include this file';
    await load();
    if (!tree.byId.has(id)) return;
    tree.select(id);
    order('');
    const answer = await ask('GET', `/api/scenario?id=${encodeURIComponent(id)}`);
    describe(tree.byId.get(id), answer);
    if (tree.byId.get(id).isBroken) present(resultOf(answer));
    else await runNow();
  }

  /** Puts what the reference client does into the text, as what it expects. */
  async function record() {
    if (tree.chosen === null) return;
    const old = editor.value;
    const answer = await attempt(() => ask('POST', '/api/record', { file: byId('file').value, text: old }));
    if (!answer || editor.value !== old) return;
    openTab('output');
    if (answer.text === old) return showText('The reference client does what the text expects already.');
    showText(answer.difference);
    editor.set(answer.text);
    byId('output').prepend(element('p', {}, 'The text in the editor expects what the reference client does. Read it, and save it if it is right.'));
  }

  const revert = () => open({ file: state.file, text: state.disk ?? state.base });

  function keep() {
    propose(editor.value, byId('file').value.replace(/(\.\w+)?$/, '-mine$1'));
    byId('edited').textContent = 'not saved: choose a name, and save';
    openTab('edit');
    byId('file').focus();
  }

  /** Faults can be dropped onto the lines of the text, and onto the events of the run. */
  function offerFaults(faults) {
    byId('faults').replaceChildren(...faults.map((fault) => {
      const id = `what-${fault.step.replace('.', '-')}`;
      const chip = element('button', { type: 'button', draggable: true, title: fault.title, 'aria-describedby': id }, fault.step.replace('network.', ''));
      const text = () => ScenarioEditor.step(fault.step, state.clients[0] ?? 'alice');
      chip.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', text()));
      chip.addEventListener('click', () => {
        if (!byId('view').hidden && parts.run) return strike(parts.selected, text());
        const line = editor.value.slice(0, editor.text.selectionStart).split('\n').length - 1;
        return editor.insert(line, text());
      });
      return element('div', { className: 'chip' }, chip, element('span', { id, className: 'soft', hidden: true }, `${fault.title}.`));
    }));
  }

  function explainFaults() {
    const isShown = byId('explain-faults').getAttribute('aria-expanded') !== 'true';
    byId('explain-faults').setAttribute('aria-expanded', String(isShown));
    byId('faults').classList.toggle('explained', isShown);
    for (const text of byId('faults').querySelectorAll('.chip > span')) text.hidden = !isShown;
  }

  /** Makes a fault happen behind the step to which an event of the run belongs. */
  function strike(event, text) {
    editor.insertAfter(parts.run.events[event].j.step, text);
    return run();
  }

  // The run beside the viewer.

  const parts = new RunParts((number) => {
    byId('frame').contentDocument.dispatchEvent(new CustomEvent('go', { detail: number }));
  });

  function see(number) {
    parts.select(number);
    editor.mark(parts.run.events[number].j.step);
  }

  byId('frame').addEventListener('load', () => {
    const page = byId('frame').contentDocument;
    const rows = page?.getElementById('events');
    parts.clear();
    if (!rows) return;
    parts.show(JSON.parse(page.getElementById('data').textContent));
    see(+(/^#step=(\d+)$/.exec(page.location.hash)?.[1] ?? 0));
    page.addEventListener('step', (event) => see(event.detail));
    page.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') byId('tree').focus();
    });
    rows.addEventListener('dragover', (event) => event.preventDefault());
    rows.addEventListener('drop', (event) => {
      event.preventDefault();
      const row = event.target.closest('.row');
      const text = event.dataTransfer.getData('text/plain');
      if (!row || !text) return;
      strike(+row.dataset.event, text);
    });
  });

  // Keys and buttons.

  const openTab = tabList(['view', 'edit', 'rules', 'output'], (name) => {
    byId('chips').hidden = name !== 'view' && name !== 'edit';
    byId('glance').hidden = byId('chips').hidden;
    if (name !== 'edit') return;
    editor.reveal();
    parts.reveal();
  });
  tabList(['messages', 'differences'], () => parts.reveal());

  const explore = () => tool('explore', { deliveries: byId('deliveries').checked, faults: byId('with-faults').checked });

  const commands = {
    j: () => choose(tree.neighbour(1)), k: () => choose(tree.neighbour(-1)), n: () => choose(tree.nextFailure()),
    ArrowDown: () => choose(tree.neighbour(1)), ArrowUp: () => choose(tree.neighbour(-1)),
    r: run, Enter: run, a: () => start(tree.scenarios), '/': () => byId('search').focus(),
    '[': () => seed(seedNumber() - 1n), ']': () => seed(seedNumber() + 1n),
    e: () => tool('why'), x: explore, s: () => tool('shrink'),
    1: () => openTab('view'), 2: () => openTab('edit'), 3: () => openTab('rules'), 4: () => openTab('output'),
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
    'run-all': () => start(tree.scenarios), 'run-shown': () => start(tree.shown), stop: () => start([]), run,
    why: () => tool('why'), explore, shrink: () => tool('shrink'), seeds: trySeeds,
    matrix: () => tool('matrix', { with: fleet.implementations }),
    'seed-less': () => seed(seedNumber() - 1n), 'seed-more': () => seed(seedNumber() + 1n),
    save, revert, record, keep, load: () => { open({ file: state.file, text: state.disk }); run(); }, 'explain-faults': explainFaults,
    order: () => { order(''); run(); },
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', () => action());
  for (const id of ['profile', 'seed']) {
    byId(id).addEventListener('change', () => {
      order('');
      run();
    });
  }
  byId('seed').addEventListener('input', () => setSeed(byId('seed').value));
  byId('filters').addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());

  (async () => {
    await attempt(load);
    const words = await attempt(() => ask('GET', '/api/words'));
    if (words) {
      editor.words = words;
      offerFaults(words.faults);
    }
    const linked = decodeURIComponent(location.hash.slice(1));
    if (linked) await choose(linked);
    else await follow([...tree.results.values()]);
    watch();
  })();
})();
