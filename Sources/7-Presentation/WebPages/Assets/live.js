// What the parts of the live page share: questions to the server, the stream of what happens, words.
'use strict';

const Live = (() => {
  const { byId } = Page;
  const parts = [];
  const state = { token: '', hasControl: false, offset: 0, clients: new Map() };

  /** A part of the page: what it does with `hello`, `item`, `clients`, `lost` and `selected`. */
  const add = (part) => parts.push(part);
  const tell = (name, ...values) => parts.forEach((part) => part[name]?.(...values));

  /** The answer to a question, or an error with the server's words. */
  async function ask(method, path, body) {
    const answer = await fetch(`/.kennel/${path}`, {
      method, headers: { 'X-Kennel-Token': state.token }, body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    let json = null;
    try {
      json = JSON.parse(text);
    } catch {
      // Not every answer is JSON.
    }
    if (!answer.ok) throw new Error(json?.error ?? `the server answered ${answer.status}`);
    return json;
  }

  /**
   * Calls `work` soon, at most once in `pause` milliseconds, and never while it is at work already.
   * Nothing is read while nobody looks.
   */
  function throttled(pause, work) {
    let [isBusy, isWanted] = [false, false];
    async function run() {
      if (isBusy || document.hidden) {
        isWanted = true;
        return;
      }
      [isBusy, isWanted] = [true, false];
      try {
        await work();
      } catch {
        // The stream tells when the server is gone, and everything is read anew when it is back.
      }
      setTimeout(() => {
        isBusy = false;
        if (isWanted) run();
      }, pause);
    }
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && isWanted) run();
    });
    return run;
  }

  const refresh = throttled(400, async () => {
    const found = await ask('GET', 'connections');
    state.offset = found.time - Date.now();
    const all = [...found.connections, ...found.ended];
    state.clients = new Map(all.map((client) => [client.connection, client]));
    tell('clients', found);
  });

  // What happens.

  function show(text, className = '') {
    const badge = byId('state');
    if (badge.textContent === text) return;
    badge.textContent = text;
    badge.className = `badge ${className}`;
  }

  function connect() {
    const stream = new EventSource('/.kennel/traffic');
    stream.addEventListener('hello', (event) => {
      const hello = JSON.parse(event.data);
      const isOther = state.token !== '' && state.token !== hello.token;
      [state.token, state.hasControl] = [hello.token, hello.control];
      show('connected', 'connected');
      if (isOther) select(null);
      tell('hello', hello, isOther);
      refresh();
    });
    stream.addEventListener('message', (event) => {
      tell('item', JSON.parse(event.data));
      refresh();
    });
    stream.addEventListener('error', () => {
      if (byId('state').textContent === 'connected') tell('lost');
      show('not connected', 'failed');
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
    });
  }

  // Who is selected.

  let selected = null;

  function select(number) {
    selected = number;
    tell('selected', number);
  }

  // Words.

  const count = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

  function size(bytes) {
    if (bytes < 1000) return `${bytes} B`;
    const power = bytes < 1e6 ? ['KB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
    return `${(bytes / power[1]).toFixed(1)} ${power[0]}`;
  }

  function age(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
    return `${Math.floor(seconds / 3600)} h`;
  }

  function clock(time) {
    const date = new Date(time);
    const digits = (number, width = 2) => String(number).padStart(width, '0');
    return `${digits(date.getHours())}:${digits(date.getMinutes())}:${digits(date.getSeconds())}.${digits(date.getMilliseconds(), 3)}`;
  }

  /** A connection, by its number and the name of its client. */
  function name(number) {
    if (number === undefined || number === null) return '';
    if (number === 0) return 'REST';
    const client = state.clients.get(number)?.client;
    return client ? `${number} ${client}` : String(number);
  }

  return {
    state, add, ask, throttled, refresh, connect, select, count, size, age, clock, name,
    get selected() {
      return selected;
    },
    now: () => Date.now() + state.offset,
  };
})();
