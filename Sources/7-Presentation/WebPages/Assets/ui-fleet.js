// Who plays whom: what plays each client of the scenario, and the combinations of a matrix.
'use strict';

class ScenarioFleet {
  /** `changed` is called when a reader has chosen something else for a client. */
  constructor(changed) {
    Object.assign(this, { changed, all: [], usual: new Map(), own: new Map(), selects: new Map(), boxes: new Map() });
    for (const name of ['fleet', 'players', 'implementations']) this[`${name}Part`] = Page.byId(name);
  }

  /** Takes what can play clients; the client under test is first. */
  set(all) {
    const isSame = JSON.stringify(all) === JSON.stringify(this.all);
    this.all = all;
    this.fleetPart.hidden = all.length < 2;
    if (isSame) return;
    const { element, cut } = Page;
    this.implementationsPart.replaceChildren(...all.map(({ subject, label }) => {
      // The reference client is worth a run beside others only where there is but one other.
      const box = element('input', { type: 'checkbox', checked: subject !== 'reference' || all.length < 3 });
      this.boxes.set(subject, box);
      return element('label', { dir: 'ltr' }, box, ` ${cut(label, 60)}`);
    }));
  }

  /** The implementations of a matrix. */
  get implementations() {
    return this.all.map(({ subject }) => subject).filter((subject) => this.boxes.get(subject).checked);
  }

  /** Shows the clients of a scenario, with what usually plays them. What was chosen for them stays. */
  show(clients, usual) {
    const { element, cut } = Page;
    this.usual = new Map(clients.map((client, index) => [client, usual[index]]));
    this.selects = new Map(clients.map((client) => {
      const select = element('select', {}, ...this.all.map(({ subject, label }) => element('option', { value: subject },
        subject === '' ? `${cut(label, 60)}, under test` : cut(label, 60))));
      const own = this.own.get(client);
      select.value = this.all.some(({ subject }) => subject === own) ? own : this.usual.get(client);
      select.addEventListener('change', () => {
        this.own.set(client, select.value);
        this.keep();
        this.changed();
      });
      return [client, select];
    }));
    this.playersPart.replaceChildren(...[...this.selects].map(([client, select]) => element('label', { dir: 'ltr' }, `${cut(client, 30)} `, select)));
  }

  /** Has each client of another scenario played as in all runs; of the first one as before the page was loaded again. */
  begin(id) {
    const kept = this.id === undefined ? JSON.parse(sessionStorage.getItem('kennel-fleet') ?? '{}') : {};
    this.id = id;
    this.own = new Map(kept.id === id ? kept.own : []);
    this.keep();
  }

  /** Keeps the choice for when the page is loaded again. */
  keep() {
    sessionStorage.setItem('kennel-fleet', JSON.stringify({ id: this.id, own: [...this.own] }));
  }

  /** Has the clients played by these. */
  choose(subjects) {
    for (const [client, subject] of subjects) {
      this.own.set(client, subject);
      this.selects.get(client).value = subject;
    }
    this.keep();
  }

  /** A line for each client, such as alice=old; empty where all clients are played as usual. */
  get choice() {
    const now = [...this.selects].map(([client, select]) => [client, select.value]);
    const isUsual = now.every(([client, subject]) => subject === this.usual.get(client));
    return isUsual ? '' : now.map(([client, subject]) => `${client}=${subject}`).join('\n');
  }

  // The matrix.

  called(name) {
    return this.all.find((player) => player.name === name) ?? { subject: name, label: name };
  }

  /** The runs of a matrix; `show` gets what played each client of the one that a reader wants to see. */
  matrix({ pairs, runs, leftOut }, show) {
    const { element, cut } = Page;
    const label = (name) => cut(this.called(name).label, 60);
    const names = Object.keys(runs[0]?.clients ?? {});
    const alone = runs.filter((run) => run.verdict === 'fail' && new Set(Object.values(run.clients)).size === 1);
    const heads = [...alone.map((run) => `${label(run.clients[names[0]])} fails alone`),
      ...pairs.map(([first, second]) => `${label(first)} with ${label(second)} diverges`)];
    const row = ({ clients, verdict, sentence }) => {
      const button = element('button', { type: 'button', 'aria-label': `Show ${names.map((name) => `${name} played by ${label(clients[name])}`).join(', ')}` }, 'Show');
      button.addEventListener('click', () => show(names.map((name) => [name, this.called(clients[name]).subject])));
      return element('tr', {}, ...names.map((name) => element('td', { dir: 'ltr' }, label(clients[name]))),
        element('td', { className: verdict === 'fail' ? 'failed' : '' }, verdict), element('td', { dir: 'ltr' }, cut(sentence, 300)), element('td', {}, button));
    };
    return element('article', { className: 'card' },
      element('h2', {}, heads.length > 0 ? heads.join('; ') : 'No pair diverges'),
      leftOut > 0 ? element('p', { className: 'soft' }, `left out ${leftOut} of ${leftOut + runs.length} runs, in which clients that do the same change places`) : '',
      element('div', { className: 'scroll', tabIndex: 0 }, element('table', {},
        element('thead', {}, element('tr', {}, ...[...names, 'verdict', 'what differs', 'run'].map((name) => element('th', { scope: 'col' }, name)))),
        element('tbody', {}, ...runs.map(row)))));
  }
}
