// The list of scenarios: what is shown, in which state each is, and which one is chosen.
'use strict';

class ScenarioTree {
  static signs = { passed: '✓', advised: '!', failed: '✗', known: '~', skipped: '–', running: '…' };

  /** `choose` is called with the id of a scenario that a reader wants to see. */
  constructor(host, choose) {
    Object.assign(this, { host, choose, scenarios: [], shown: [], items: new Map(), chosen: null });
    // By scenario and profile: what its last run came to.
    this.results = new Map();
    host.addEventListener('click', (event) => {
      const item = event.target.closest('.item');
      if (item) this.choose(item.dataset.id);
    });
  }

  set(scenarios) {
    this.scenarios = scenarios;
    this.results.clear();
    this.byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
    this.items = new Map(scenarios.map((scenario) => [scenario.id, this.item(scenario)]));
    for (const scenario of scenarios) this.paint(scenario.id);
  }

  item(scenario) {
    const { element, cut } = Page;
    const item = element('div', { className: 'item', role: 'option', id: `item-${scenario.id}`, title: scenario.title },
      element('span', { className: 'sign', 'aria-hidden': 'true' }),
      element('span', { className: 'name', dir: 'ltr' }, cut(scenario.id.replace(/^[^/]*\//, ''), 120)));
    item.dataset.id = scenario.id;
    return item;
  }

  static worst(outcomes) {
    return ['failed', 'known', 'advised', 'skipped', 'passed'].find((name) => outcomes.includes(name)) ?? 'none';
  }

  /** The worst outcome of a scenario's last runs. */
  outcome(id) {
    const runs = (this.byId.get(id)?.profiles ?? []).map((profile) => this.results.get(`${profile} ${id}`));
    const outcomes = runs.filter(Boolean).map((run) => run.outcome);
    // What is skipped in one profile and passes in another one has passed.
    return ScenarioTree.worst(outcomes.filter((outcome) => outcome !== 'skipped' || !outcomes.includes('passed')));
  }

  /** Whether a verdict is from before the last change. */
  isOld(id) {
    const { profiles = [], isBroken } = this.byId.get(id) ?? {};
    return isBroken || profiles.some((profile) => this.results.get(`${profile} ${id}`)?.isOld);
  }

  take(results) {
    for (const result of results) {
      this.results.set(`${result.profile} ${result.id}`, result);
      this.paint(result.id);
    }
  }

  paint(id) {
    const item = this.items.get(id);
    if (!item) return;
    const outcome = this.outcome(id);
    const { isBroken } = this.byId.get(id);
    item.firstChild.textContent = ScenarioTree.signs[outcome] ?? '·';
    item.firstChild.className = `sign ${outcome}`;
    item.classList.toggle('old', this.isOld(id));
    item.classList.toggle('broken', isBroken);
    const words = [id, outcome === 'none' ? 'not run' : outcome, this.isOld(id) ? 'before the last change' : '', isBroken ? 'the file has mistakes' : ''];
    item.setAttribute('aria-label', words.filter(Boolean).join(', '));
  }

  /** Shows those that `filter` wants, by their folders. */
  show(filter) {
    this.shown = this.scenarios.filter((scenario) => filter(scenario, this.outcome(scenario.id)));
    const groups = new Map();
    for (const scenario of this.shown) {
      const name = scenario.id.includes('/') ? scenario.id.split('/')[0] : '';
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(this.items.get(scenario.id));
    }
    this.host.replaceChildren(...[...groups].map(([name, items]) => Page.element('div', { role: 'group', 'aria-label': name },
      Page.element('div', { className: 'group', 'aria-hidden': 'true' }, Page.cut(name, 60), ' ',
        Page.element('span', { className: 'soft' }, String(items.length))), ...items)));
  }

  select(id) {
    this.items.get(this.chosen)?.setAttribute('aria-selected', 'false');
    this.chosen = id;
    const item = this.items.get(id);
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    if (item) this.host.setAttribute('aria-activedescendant', item.id);
  }

  /** The id of a scenario that is shown, so far from the chosen one. */
  neighbour(by) {
    const here = this.shown.findIndex((scenario) => scenario.id === this.chosen);
    const next = here < 0 ? (by > 0 ? 0 : this.shown.length - 1) : here + by;
    return this.shown[Math.max(0, Math.min(this.shown.length - 1, next))]?.id;
  }

  /** The id of the next scenario that failed. */
  nextFailure() {
    const here = this.shown.findIndex((scenario) => scenario.id === this.chosen);
    const order = [...this.shown.slice(here + 1), ...this.shown.slice(0, here + 1)];
    return order.find((scenario) => this.outcome(scenario.id) === 'failed')?.id;
  }
}
