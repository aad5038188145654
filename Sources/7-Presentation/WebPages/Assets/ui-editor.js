// The editor of a scenario: colours, completion, mistakes as the checker finds them, and faults that
// are dropped onto lines.
'use strict';

class ScenarioEditor {
  static lineHeight = 20;

  /** `check` gets a text and returns its mistakes; `changed` is called after each change. */
  constructor({ check, changed }) {
    Object.assign(this, { check, changed, words: null, problems: [], offered: [], at: 0, current: null });
    for (const name of ['text', 'painted', 'lines', 'completions', 'errors']) this[name] = Page.byId(name);
    this.text.addEventListener('input', () => this.edited());
    this.text.addEventListener('scroll', () => this.scroll());
    this.text.addEventListener('keydown', (event) => this.key(event));
    this.text.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    this.text.addEventListener('dragover', (event) => this.hover(event));
    this.text.addEventListener('drop', (event) => this.drop(event));
    this.completions.addEventListener('mousedown', (event) => {
      const item = event.target.closest('li');
      if (item) this.accept(+item.dataset.index);
    });
  }

  get value() {
    return this.text.value;
  }

  set(text) {
    this.text.value = text;
    this.text.scrollTop = 0;
    this.edited(true);
  }

  edited(isNew = false) {
    this.paint();
    this.changed();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.judge(), isNew ? 0 : 250);
    if (!isNew) this.complete(false);
  }

  async judge() {
    const text = this.value;
    const problems = await this.check(text);
    if (text !== this.value) return;
    this.problems = problems;
    this.paintLines();
    this.errors.replaceChildren(...problems.slice(0, 50).map((problem) => {
      const button = Page.element('button', { type: 'button' }, `${problem.line}:${problem.column} ${Page.cut(problem.message, 500)}`);
      button.addEventListener('click', () => this.goTo(problem.line, problem.column));
      return Page.element('li', {}, button);
    }));
  }

  // Colours.

  static token = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|((?:network|server)\.[\w-]+|[\w.-]+\.(?:kill|start|clock|storage)\b)|([\w.$-]+)(?=:(?:\s|$))|(-?\b\d+(?:\.\d+)?(?:ms|s|min|h)?\b|\b(?:true|false|null)\b)/g;

  paint() {
    const names = ['y-comment', 'y-string', 'y-fault', 'y-key', 'y-number'];
    const host = document.createDocumentFragment();
    for (const line of this.value.split('\n')) {
      let end = 0;
      for (const match of line.matchAll(ScenarioEditor.token)) {
        const kind = match.slice(1).findIndex((group) => group !== undefined);
        // A hash begins a comment only at the start or behind a blank.
        if (kind === 0 && match.index > 0 && !/\s/.test(line[match.index - 1])) continue;
        host.append(line.slice(end, match.index), Page.element('span', { className: names[kind] }, match[0]));
        end = match.index + match[0].length;
      }
      host.append(`${line.slice(end)}\n`);
    }
    this.painted.replaceChildren(host);
    this.paintLines();
    this.scroll();
  }

  /** Marks the line at which a step begins, counted from 1; none for other numbers. */
  mark(step) {
    this.current = this.stepLines()[step - 1] ?? null;
    this.paintLines();
  }

  paintLines(target = this.current) {
    const wrong = new Set(this.problems.map((problem) => problem.line));
    this.lines.replaceChildren(...this.value.split('\n').flatMap((_, index) => {
      const name = [wrong.has(index + 1) ? 'wrong' : '', target === index ? 'target' : ''].join(' ').trim();
      return [Page.element('span', { className: name }, `${wrong.has(index + 1) ? '✗ ' : ''}${index + 1}`), '\n'];
    }));
    this.lines.scrollTop = this.text.scrollTop;
  }

  scroll() {
    this.painted.scrollTop = this.text.scrollTop;
    this.painted.scrollLeft = this.text.scrollLeft;
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** Brings the marked line into view. */
  reveal() {
    const top = (this.current ?? 0) * ScenarioEditor.lineHeight;
    const { scrollTop, clientHeight } = this.text;
    if (top < scrollTop || top > scrollTop + clientHeight - 2 * ScenarioEditor.lineHeight) {
      this.text.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.scroll();
  }

  goTo(line, column) {
    const before = this.value.split('\n').slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(before + column - 1, before + column - 1);
    this.text.scrollTop = Math.max(0, (line - 6) * ScenarioEditor.lineHeight);
  }

  // Completion.

  /** The words that fit where the cursor is, each with what it means. */
  candidates(line, head) {
    if (!this.words) return [];
    const { schema, rules, tags } = this.words;
    const described = (properties) => Object.entries(properties ?? {}).map(([word, value]) => [word, value.description ?? '']);
    const step = schema.$defs?.step?.anyOf?.[0] ?? {};
    if (/^rules:/.test(line)) return rules;
    if (/^tags:/.test(line)) return tags.map((tag) => [tag, '']);
    if (/^\S*$/.test(head)) return described(schema.properties).map(([word, text]) => [`${word}: `, text]);
    if (/^\s+-\s+[\w.-]*$/.test(head)) {
      const clients = /^clients:\s*\[([^\]]*)\]/m.exec(this.value)?.[1].split(',').map((name) => name.trim()).filter(Boolean) ?? [];
      const all = described(step.properties);
      const calls = all.filter(([word]) => word.startsWith('alice.')).map(([word]) => word.slice(6));
      return [...clients.flatMap((client) => calls.map((call) => [`${client}.${call}: `, ''])),
        ...all.filter(([word]) => !/^(alice|bob)\./.test(word)).map(([word, text]) => [`${word}: `, text])];
    }
    const call = Object.values(step.patternProperties ?? {}).find((value) => value.anyOf)?.anyOf.find((value) => value.properties);
    const events = call?.properties.event?.anyOf?.[0]?.enum ?? [];
    const listener = Object.values(schema.$defs?.expectation?.patternProperties ?? {})[0];
    const event = listener?.anyOf?.[0]?.items?.anyOf?.find((value) => value.properties);
    return [...described(call?.properties), ...described(event?.properties), ...described(schema.$defs?.expectation?.properties)]
      .map(([word, text]) => [`${word}: `, text]).concat(events.map((word) => [word, 'an event']));
  }

  complete(isAsked) {
    const start = this.text.selectionStart;
    const begin = this.value.lastIndexOf('\n', start - 1) + 1;
    const head = this.value.slice(begin, start);
    const line = this.value.slice(begin).split('\n', 1)[0];
    const word = /[\w.$-]*$/.exec(head)[0];
    if (!isAsked && word.length < 2) return this.close();
    const seen = new Set();
    const offered = this.candidates(line, head).filter(([name]) => name.startsWith(word) && name.trim() !== `${word}:` && !seen.has(name) && seen.add(name)).slice(0, 40);
    this.offered = offered.map(([name, text]) => ({ name, text, from: start - word.length }));
    this.at = 0;
    this.completions.hidden = offered.length === 0;
    this.completions.style.left = `${Math.max(0, Math.min(head.length * 7.8 - this.text.scrollLeft, this.text.clientWidth - 240))}px`;
    const row = this.value.slice(0, begin).split('\n').length;
    this.completions.style.top = `${row * ScenarioEditor.lineHeight + 10 - this.text.scrollTop}px`;
    this.offer();
  }

  offer() {
    this.completions.replaceChildren(...this.offered.map(({ name, text }, index) => {
      const item = Page.element('li', { role: 'option', 'aria-selected': String(index === this.at) }, name, ' ',
        Page.element('span', { className: 'soft' }, Page.cut(text, 80)));
      item.dataset.index = index;
      return item;
    }));
    this.completions.children[this.at]?.scrollIntoView({ block: 'nearest' });
  }

  accept(index) {
    const { name, from } = this.offered[index];
    this.text.setRangeText(name, from, this.text.selectionStart, 'end');
    this.close();
    this.text.focus();
    this.edited(true);
  }

  close() {
    this.completions.hidden = true;
    this.offered = [];
  }

  key(event) {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      return this.complete(true);
    }
    if (this.completions.hidden) return undefined;
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) {
      this.at = (this.at + moves[event.key] + this.offered.length) % this.offered.length;
      this.offer();
    } else if (event.key === 'Enter' || event.key === 'Tab') this.accept(this.at);
    else if (event.key === 'Escape') this.close();
    else return undefined;
    event.stopPropagation();
    event.preventDefault();
    return undefined;
  }

  // Faults.

  /** The lines at which the steps begin, counted from 0. */
  stepLines() {
    const lines = this.value.split('\n');
    const start = lines.findIndex((line) => /^steps:\s*(#.*)?$/.test(line));
    if (start < 0) return [];
    const found = [];
    let indent = null;
    for (let index = start + 1; index < lines.length; index += 1) {
      if (/^\S/.test(lines[index]) && !/^(#|-)/.test(lines[index])) break;
      const match = /^(\s*)- /.exec(lines[index]);
      if (!match) continue;
      indent ??= match[1];
      if (match[1] === indent) found.push(index);
    }
    return found;
  }

  /** A fault as a step, with what is needed to be run at once. */
  static step(fault, client) {
    const needed = {
      'network.latency': `{client: ${client}, each-way: 50ms}`, 'network.close-after': `{client: ${client}, messages: 1}`,
      'server.restart': '{down: 1s}', 'server.clock': '{skew: 5s}', 'network.lose-acknowledgement': client,
    };
    if (fault.startsWith('client.')) return `${client}.${fault.slice(7)}`;
    return `${fault}: ${needed[fault] ?? client}`;
  }

  /** Inserts a step before a line. */
  insert(line, text) {
    const lines = this.value.split('\n');
    const steps = this.stepLines();
    const indent = steps.length > 0 ? /^\s*/.exec(lines[steps[0]])[0] : '  ';
    const next = steps.find((start) => start >= line);
    const at = next ?? (lines[lines.length - 1] === '' ? lines.length - 1 : lines.length);
    lines.splice(at, 0, `${indent}- ${text}`);
    this.text.value = lines.join('\n');
    this.edited(true);
    this.goTo(at + 1, 1);
  }

  /** Inserts a step behind the step with this number, counted from 1. */
  insertAfter(step, text) {
    const steps = this.stepLines();
    this.insert(step < steps.length ? steps[Math.max(0, step)] : Infinity, text);
  }

  lineAt(event) {
    const { top } = this.text.getBoundingClientRect();
    return Math.floor((event.clientY - top - 8 + this.text.scrollTop) / ScenarioEditor.lineHeight);
  }

  hover(event) {
    event.preventDefault();
    this.paintLines(this.lineAt(event));
  }

  drop(event) {
    event.preventDefault();
    const text = event.dataTransfer.getData('text/plain');
    if (text) this.insert(this.lineAt(event), text);
  }
}
