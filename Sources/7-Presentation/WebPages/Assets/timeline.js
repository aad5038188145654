// The events of a run as rows with a lane for each participant and arrows for messages. Only the rows
// that are in view exist, so ten thousand events cost no more than fifty.
'use strict';

class Timeline {
  static heights = [3, 6, 12, 24, 34];
  static lane = 26;

  /** `links` are [from, to, isLost] by the numbers of events; `spans` [from, to] by column, like `players`. */
  constructor({ host, columns, players, events, links, spans, wrong, pick }) {
    Object.assign(this, { host, columns, players, events, links, spans, wrong, pick });
    this.zoom = 3;
    this.rows = events.map((_, index) => index);
    this.selected = -1;
    this.space = Page.element('div', { className: 'space' });
    this.layer = Page.element('div', { className: 'layer' });
    this.picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.picture.setAttribute('class', 'lanes');
    this.picture.setAttribute('aria-hidden', 'true');
    this.space.append(this.layer, this.picture);
    host.append(this.space);
    host.before(this.head());
    host.after(Timeline.legend());
    host.style.setProperty('--lanes', `${columns.length * Timeline.lane + 10}px`);
    host.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(host);
    this.layer.addEventListener('click', (event) => {
      const row = event.target.closest('.row');
      if (row) this.pick(+row.dataset.event);
    });
    this.place();
  }

  /** What the columns are, with a name above each lane. */
  head() {
    const { element, cut } = Page;
    const names = this.columns.map((name, column) => {
      const player = this.players[column];
      const label = element('span', { dir: 'ltr', title: player ? `${name}, played by ${player}` : name }, cut(name, 40));
      label.style.left = `${column * Timeline.lane + 10}px`;
      return label;
    });
    const head = element('div', { className: 'row heads', 'aria-hidden': 'true' },
      element('span', { className: 'number' }, '#'), element('span', { className: 'time' }, 'time'),
      element('span', { className: 'lane' }, ...names), element('span', { className: 'who' }, 'who'),
      element('span', { className: 'what' }, 'what'));
    head.style.setProperty('--lanes', `${this.columns.length * Timeline.lane + 10}px`);
    return head;
  }

  /** What the colours mean. */
  static legend() {
    const { element } = Page;
    const kinds = [['call', 'call'], ['event', 'event at a listener'], ['end', 'completion'], ['fault', 'fault, lost message'], ['send', 'message']];
    return element('p', { className: 'key' }, ...kinds.map(([kind, text]) => element('span', { className: `k-${kind}` },
      element('span', { className: 'what', 'aria-hidden': 'true' }, '● '), text)),
    element('span', {}, element('span', { className: 'thick', 'aria-hidden': 'true' }), 'connected'));
  }

  get height() {
    return Timeline.heights[this.zoom];
  }

  /** Shows these events and no others. */
  filter(rows) {
    this.rows = rows;
    this.place();
    this.select(this.selected);
  }

  zoomBy(change) {
    this.zoom = Math.max(0, Math.min(Timeline.heights.length - 1, this.zoom + change));
    this.place();
    this.select(this.selected);
  }

  place() {
    this.positions = new Int32Array(this.events.length).fill(-1);
    this.rows.forEach((number, index) => {
      this.positions[number] = index;
    });
    this.space.style.height = `${this.rows.length * this.height}px`;
    this.host.classList.toggle('small', this.height < 12);
    this.draw();
  }

  /** Marks an event and brings it into view. */
  select(number) {
    this.selected = number;
    const position = this.positions[number] ?? -1;
    if (position >= 0) {
      const top = position * this.height;
      const { scrollTop, clientHeight } = this.host;
      if (top < scrollTop + this.height) this.host.scrollTop = Math.max(0, top - clientHeight / 3);
      else if (top > scrollTop + clientHeight - 2 * this.height) {
        this.host.scrollTop = top - (2 * clientHeight) / 3;
      }
    }
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.host;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 4);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / this.height) + 4);
    this.layer.style.transform = `translateY(${first * this.height}px)`;
    const rows = [];
    for (let index = first; index < last; index += 1) rows.push(this.row(this.rows[index], index));
    this.layer.replaceChildren(...rows);
    this.drawLanes(first, last);
    const active = this.positions[this.selected] ?? -1;
    if (active >= first && active < last) {
      this.host.setAttribute('aria-activedescendant', `event-${this.selected}`);
    } else this.host.removeAttribute('aria-activedescendant');
  }

  row(number, index) {
    const { element, cut } = Page;
    const event = this.events[number];
    const isSelected = number === this.selected;
    const names = ['row', `k-${event.k}`];
    if (isSelected) names.push('selected');
    if (this.wrong.has(number)) names.push('wrong');
    if (event.m) names.push('lacks');
    const row = element('div', {
      className: names.join(' '), id: `event-${number}`, role: 'option',
      'aria-selected': String(isSelected), 'aria-setsize': this.rows.length, 'aria-posinset': index + 1,
    });
    row.dataset.event = number;
    row.style.height = `${this.height}px`;
    if (this.height < 12) return row;
    row.append(
      element('span', { className: 'number' }, String(number)),
      element('span', { className: 'time' }, `${+event.j.t.toFixed(3)} ms`),
      element('span', { className: 'lane' }),
      element('span', { className: 'who', dir: 'ltr' }, cut(this.who(event), 40)),
      element('span', { className: 'what', dir: 'ltr' }, cut(event.x, 200),
        event.m ? element('em', { className: 'missing' }, ` missing: ${cut(event.m, 200)}`) : ''),
    );
    return row;
  }

  /** Who did it, or from whom to whom it goes. */
  who(event) {
    if (event.c < 0) return `step ${event.j.step}`;
    const [name, other] = [this.columns[event.c], this.columns[event.o]];
    if (other === undefined || event.k === 'connection') return name;
    if (event.k === 'lost') return 'lostToClient' in event.j ? `server → ${name}` : `${name} → server`;
    return event.k === 'send' ? `${name} → ${other}` : `${name} ← ${other}`;
  }

  /** The lanes, the connections, a dot for each event and an arrow for each message in view. */
  drawLanes(first, last) {
    const { height } = this;
    const x = (column) => column * Timeline.lane + 18;
    const y = (index) => (index - first + 0.5) * height;
    const parts = [];
    const path = (d, className) => parts.push([className, d]);
    const bottom = (last - first) * height;
    this.columns.forEach((_, column) => path(`M${x(column)} 0V${bottom}`, 'life'));
    this.spans.forEach((spans, column) => {
      for (const [from, to] of spans) {
        const [start, end] = [this.below(from), this.below(to)];
        if (end < first || start > last) continue;
        path(`M${x(column)} ${Math.max(0, y(start))}V${Math.min(bottom, y(end))}`, 'band');
      }
    });
    for (const [from, to, isLost] of this.links) {
      const [start, end] = [this.positions[from], this.positions[to]];
      if (start < 0 || end < 0 || end < first || start > last) continue;
      const [a, b] = [x(this.events[from].c), x(this.target(from, to, isLost))];
      const share = isLost ? 0.7 : 1;
      const [bx, by] = [a + (b - a) * share, y(start) + (y(end) - y(start)) * share];
      path(`M${a} ${y(start)}L${bx} ${by}`, isLost ? 'way lost' : 'way');
      if (isLost) path(`M${bx - 4} ${by - 4}L${bx + 4} ${by + 4}M${bx - 4} ${by + 4}L${bx + 4} ${by - 4}`, 'way lost');
    }
    for (let index = first; index < last; index += 1) {
      const number = this.rows[index];
      const event = this.events[number];
      if (event.c < 0) continue;
      const r = height < 12 ? 1.5 : 3.5;
      const name = `dot k-${event.k}${this.wrong.has(number) ? ' wrong' : ''}`;
      path(`M${x(event.c) - r} ${y(index)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`, name);
    }
    this.picture.style.transform = `translateY(${first * height}px)`;
    this.picture.setAttribute('width', this.columns.length * Timeline.lane + 10);
    this.picture.setAttribute('height', Math.max(1, bottom));
    this.picture.replaceChildren(
      ...parts.map(([className, d]) => {
        const part = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        part.setAttribute('class', className);
        part.setAttribute('d', d);
        return part;
      }),
    );
  }

  /** Where a message goes; a lost one is noted with its client, but may have been on its way there. */
  target(from, to, isLost) {
    const { server } = this;
    if (!isLost) return this.events[to].c;
    return this.events[from].c === server ? this.events[to].c : server;
  }

  get server() {
    return this.columns.indexOf('server');
  }

  /** The first row at or after an event. */
  below(number) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
