// The switches for faults, what is on, and what became of each fault. Without a port for control the
// switches can be seen, and not used.
'use strict';

(() => {
  const { element, byId, cut } = Page;
  const { state } = Live;
  const later = 'any';
  let clients = [];

  // What the buttons do, in the words of scenarios. Each is said of one client, or of everybody.

  const amount = (id) => {
    const field = byId(id);
    if (!field.reportValidity()) throw new Error(`${field.labels[0].textContent.trim()}: ${field.validationMessage}`);
    return field.valueAsNumber;
  };

  /** What a button states besides its client: by the inputs beside it that its fault knows. */
  function stated(button) {
    const own = button.dataset.fields.split(' ');
    const inputs = [...button.closest('.fields').querySelectorAll('[data-field]')].filter((input) => own.includes(input.dataset.field));
    return Object.fromEntries(inputs.map(({ dataset, type, id, value }) => {
      if (type !== 'number') return [dataset.field, value];
      return [dataset.field, dataset.unit ? `${amount(id)}${dataset.unit}` : amount(id)];
    }));
  }

  function latency() {
    const [from, to] = [amount('least'), amount('most')].sort((a, b) => a - b);
    const text = from === to ? `${from}ms` : `${from}ms..${to}ms`;
    return chosen().map((client) => ({ 'network.latency': client === null || client === later ? text : { [client]: text } }));
  }

  /** The clients that are meant; null is everybody. */
  const chosen = () => [byId('whom').value === '' ? null : byId('whom').value];

  function rules(button) {
    const { fault, step, scope } = button.dataset;
    if (fault === 'latency') return latency();
    if (scope === 'server') return [{ [step]: stated(button) }];
    const [client] = chosen();
    const names = client === null ? clients.map((one) => one.client) : [client];
    if (names.length === 0) throw new Error('Nobody is connected.');
    return names.map((name) => ({ [step]: { client: name, ...stated(button) } }));
  }

  const commands = {
    'cut-all': async () => `${Live.count((await Live.ask('POST', 'control/cut')).cut, 'connection')} cut`,
    'heal-all': async () => {
      await Live.ask('DELETE', 'control/faults');
      await Live.ask('POST', 'control/heal');
      return 'everything is well, and nothing waits';
    },
    withdraw: async (button) => {
      await Live.ask('DELETE', `control/faults/${button.dataset.number}`);
      return `fault ${button.dataset.number} is withdrawn`;
    },
  };

  function say(text, isWrong = false) {
    byId('said').textContent = text;
    byId('said').className = isWrong ? 'wrong' : 'soft';
  }

  async function act(button) {
    const kind = button.dataset.fault;
    try {
      if (commands[kind]) say(await commands[kind](button));
      else {
        const done = await Live.ask('POST', 'control/faults', rules(button));
        say(`${button.textContent}: ${done.faults.length === 1 ? 'fault' : 'faults'} ${done.faults.join(', ')}`);
      }
    } catch (error) {
      say(error.message, true);
    }
    read();
  }

  // What is on.

  function lines() {
    const rows = clients.slice(0, 50).map((one) => {
      const isOff = one.network !== 'up' || one.stalled.length > 0;
      return element('tr', { className: isOff ? 'off' : '' },
        element('th', { scope: 'row', dir: 'ltr' }, cut(one.client, 30)),
        element('td', {}, one.network === 'up' ? 'works' : one.network),
        element('td', {}, one.latency),
        element('td', {}, one.stalled.length === 2 ? 'both ways' : one.stalled.join(', ')));
    });
    byId('lines').tBodies[0].replaceChildren(...rows);
    byId('lines').hidden = rows.length === 0;
  }

  function fate(mark) {
    if (mark.withdrawn) return 'withdrawn';
    if (mark.waits) return mark.bit ? 'happened, and waits again' : 'waits';
    if (!mark.fired) return 'has not happened';
    return mark.bit ? 'happened, and changed something' : 'happened';
  }

  function marks(all) {
    const items = all.slice(-30).reverse().map((mark) => {
      const whose = mark.client === null ? '' : ` (${cut(mark.client, 30)})`;
      const when = mark.when === null ? '' : `, ${mark.when}`;
      const item = element('li', { dir: 'ltr' }, `${mark.fault}. ${cut(mark.text, 120)}${whose}${when}: ${fate(mark)}`);
      if (mark.waits) {
        const button = element('button', { type: 'button', className: 'more', 'aria-label': `withdraw fault ${mark.fault}` }, 'withdraw');
        Object.assign(button.dataset, { fault: 'withdraw', number: mark.fault });
        item.append(' ', button);
      }
      return item;
    });
    // Somebody may stand on a button of the list; it is drawn anew only when it says something else.
    const list = byId('marks');
    const text = items.map((item) => item.textContent).join('\n');
    if (list.dataset.text === text) return;
    list.dataset.text = text;
    list.replaceChildren(...items);
  }

  let names = '';

  function offer() {
    const all = clients.map((one) => one.client);
    if (all.join('\n') === names) return;
    names = all.join('\n');
    const field = byId('whom');
    const { value } = field;
    field.replaceChildren(
      element('option', { value: '' }, 'everybody'), element('option', { value: later }, 'everybody, also to come'),
      ...all.map((name) => element('option', { value: name }, cut(name, 40))));
    field.value = value;
    if (field.selectedIndex < 0) field.value = '';
  }

  const read = Live.throttled(700, async () => {
    if (!state.hasControl) return;
    const found = await Live.ask('GET', 'control/faults');
    clients = found.clients;
    offer();
    lines();
    marks(found.faults);
  });

  byId('switches').addEventListener('submit', (event) => event.preventDefault());
  byId('faults').addEventListener('click', (event) => {
    const button = event.target.closest('button[data-fault]');
    if (button) act(button);
  });
  byId('slider').addEventListener('input', () => {
    for (const id of ['least', 'most']) byId(id).value = byId('slider').value;
  });

  Live.add({
    hello({ control }) {
      byId('all-switches').disabled = !control;
      byId('no-control').hidden = control;
      read();
    },
    item: read,
    selected(number) {
      const name = state.clients.get(number)?.client;
      if (name && clients.some((one) => one.client === name)) byId('whom').value = name;
    },
  });
})();
