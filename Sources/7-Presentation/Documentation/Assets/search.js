// Which parts of the pages answer a question, best first.
'use strict';

const Ranking = (() => {
  // Words that a question has and an answer need not have.
  const empty = new Set(('a an and any are at be been by can come comes could did do does for from happen happens has have how i if in into is it its '
    + 'kennel made make many me mean means much my of on one or raise raised raises raising should so some than that the their them then there these they this time times to use used using was were what when where '
    + 'which who why will with without would you your').split(' '));

  // Words that mean the same to who asks. The first of each row stands for all.
  const same = [
    'disconnect drop dropped drops lose loses lost cut break breaks outage connectionless', 'order ordered orders sequence', 'first before',
    'restart restarts reboot killed relaunch persistence process', 'keep keeps kept survive survives remain retain', 'receive fire fires fired emit emits emitted trigger receives',
    'retry retries tries again', 'reject rejected denied refuse refused forbidden', 'limited limit limits limittofirst limittolast window', 'rollback revert reverted undone',
    'allowed valid legal permitted', 'delete deleted deletes remove removed removes removal', 'ci pipeline github gitlab', 'subscribe listen listens listener listeners observer observers',
    'minimise shrink shrinking reduce smaller', 'add added adds addition additions', 'reconnect reconnects reconnection', 'differ differs difference differences differently different',
    'write writes writing wrote written', 'move moved moves',
    'child_added childadded', 'child_changed childchanged', 'child_moved childmoved', 'child_removed childremoved',
  ].map((row) => row.split(' '));

  /** A word without its ending, so that its forms are the same; an ordering is no order. */
  const stem = (word) => {
    if (word.length < 4 || /[_\d]|^--/.test(word)) return word;
    if (/^orderings?$/.test(word)) return 'ordering';
    const rest = word.replace(/(ied|ies|y)$/, 'i').replace(/(ations?|itions?|als?|ings?|ed|es|s|ly)$/, '');
    return rest.length < 3 ? word : rest.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '');
  };
  const synonyms = new Map();
  for (const row of same) {
    const stems = [...new Set(row.map(stem))];
    for (const word of stems) synonyms.set(word, [...(synonyms.get(word) ?? []), ...stems]);
  }

  const split = (text) => text.toLowerCase().replace(/\bon[ -]disconnect/g, 'on_disconnect').match(/--[a-z][a-z-]*[a-z]|[a-z][a-z]*-\d+|[\p{L}\d_.]*[\p{L}\d_]/gu) ?? [];
  // What names of SDKs are called here; another one is taken apart where capitals begin.
  const names = {
    ondisconnectsetvalue: 'on_disconnect set', ondisconnectupdatechildren: 'on_disconnect update', runtransactionblock: 'transaction', keepsynced: 'keep-synced',
    prevchildkey: 'previous key', previouschildname: 'previous key', 'servervalue.timestamp': 'timestamp placeholder', applylocally: 'transaction without local events',
  };
  /** A question in the words of these pages. */
  const translated = (question) => question.replace(/[\w.]*[a-z][A-Z][\w.]*/g, (name) => {
    const whole = name.toLowerCase();
    if (synonyms.has(stem(whole))) return name;
    return names[whole] ?? `${name} ${name.replace(/([a-z])(?=[A-Z])/g, '$1 ')}`;
  });

  /** What a word is found by: itself, and the parts of a name such as `child_moved` or `--keep-going`. */
  const stems = (text) => split(text).flatMap((word) => [stem(word), ...(/_|^--/.test(word) ? word.split(/_|-+/).filter(Boolean).map(stem) : [])]);

  /** What the pages are for, by where they are. */
  const kind = (file) => /^(rules|guides|event-order|clients)\//.exec(file)?.[1] ?? 'reference';
  // Pages that list what others state: their headings answer, and not their lists.
  const lists = /^(map|mutants|requirements|sources|examples|accidents|defects|robustness|dependencies|architecture|decisions)\.html|^guides\/(changelog|contributing|checks|figures)|^clients\/|^event-order\/[^/]*$/;

  /** How much more a page counts for a question of its kind. */
  function preference(question) {
    const text = question.toLowerCase();
    const isTask = /\bhow (do|can|to|should) (i|we|one|you)?\b|\bhow to\b|^(write|run|record|install|find|make|list|declare|hunt|shrink)\b/.test(text);
    const isEvent = /child_|\bevents?\b|\brais|\border\b|\bfirst\b|\bwhat happens\b|\bwhen (is|are|does)\b|\bcallback/.test(text);
    const isRule = /\b(must|may|should|allowed|rule|valid|many|is|are|inclusive)\b/.test(text);
    if (isTask) return { guides: 1.8, reference: 1.2, rules: 0.8, 'event-order': 0.7, clients: 0.6 };
    if (isEvent) return { 'event-order': 1.5, rules: 1.15, guides: 0.7, reference: 0.8, clients: 0.5 };
    if (isRule) return { rules: 1.4, 'event-order': 1.1, guides: 0.9, reference: 0.9, clients: 0.5 };
    return { rules: 1.1, 'event-order': 1.1, guides: 1, reference: 0.9, clients: 0.5 };
  }

  /** The parts of all pages with where each word stands. */
  function index(pages) {
    const parts = [];
    const words = new Map();
    const add = (text, part, weight) => {
      const count = new Map();
      for (const word of stems(text)) count.set(word, (count.get(word) ?? 0) + 1);
      for (const [word, times] of count) {
        if (!words.has(word)) words.set(word, new Map());
        const places = words.get(word);
        places.set(part, (places.get(part) ?? 0) + weight * (1 + Math.log(times)));
      }
    };
    for (const [file, title, section, contents, keywords] of pages) {
      contents.forEach(([anchor, heading, text], number) => {
        const part = parts.length;
        const whole = number === 0 ? `${text} ${keywords}` : text;
        const length = split(whole).length;
        parts.push({ file, title, section, anchor, heading, text: text || keywords });
        add(heading || title, part, 4 + 5 / split(heading || title).length);
        if (heading) add(title, part, 2.5);
        add(`${section} ${file.replace(/\.html$/, '').replace(/[/-]/g, ' ')}`, part, 1.5);
        add(whole, part, (lists.test(file) ? 0.5 : 2) / (1 + Math.log(1 + length / 40)));
        // A line that begins with an option, or the number of an invariant, says what it is.
        for (const [name] of lists.test(file) ? [] : whole.matchAll(/^(?:--[a-z][a-z-]*[a-z]|[A-Z]+-\d+)(?=[ =:])/gm)) add(name, part, 8);
      });
    }
    return { parts, words, all: [...words.keys()] };
  }

  /** The places of a word, of its forms and of what means the same, each with its weight. */
  function places({ words, all }, word, isLast) {
    const found = new Map();
    const take = (name, factor) => {
      for (const [part, weight] of words.get(name) ?? []) found.set(part, Math.max(found.get(part) ?? 0, weight * factor));
    };
    take(word, 1);
    for (const other of synonyms.get(word) ?? []) take(other, 0.6);
    if (isLast || found.size === 0) for (const other of all) if (other !== word && other.startsWith(word)) take(other, 0.5);
    return found;
  }

  /** The parts that answer a question, best first: of each page the best two. */
  function find(pages, question) {
    const asked = split(translated(question));
    const telling = asked.filter((word) => !empty.has(word));
    // What no page names is taken apart.
    const terms = [...new Set((telling.length > 0 ? telling : asked).flatMap((word) => (pages.words.has(stem(word)) ? [stem(word)] : stems(word.replace(/^--/, '')))))];
    if (terms.length === 0) return [];
    const liking = preference(question);
    const scores = new Map();
    let total = 0;
    terms.forEach((term, number) => {
      const found = places(pages, term, number === terms.length - 1);
      const rarity = Math.log(1 + pages.parts.length / (1 + found.size));
      total += rarity;
      for (const [part, weight] of found) {
        const score = scores.get(part) ?? { points: 0, share: 0 };
        score.points += rarity * weight / (weight + 2.5);
        score.share += rarity;
        scores.set(part, score);
      }
    });
    const ranked = [...scores].map(([part, { points, share }]) => {
      const { file } = pages.parts[part];
      return { part: pages.parts[part], points: points * (share / total) ** 1.5 * (liking[kind(file)] ?? 1) };
    }).sort((a, b) => b.points - a.points);
    const counts = new Map();
    return ranked.filter(({ part: { file } }) => {
      counts.set(file, (counts.get(file) ?? 0) + 1);
      return counts.get(file) <= 2;
    }).slice(0, 20).map(({ part }) => part);
  }

  /** Whether a word answers one of the question. */
  function hits(question) {
    const terms = split(translated(question)).filter((word) => !empty.has(word)).map(stem);
    const alike = new Set(terms.flatMap((term) => [term, ...(synonyms.get(term) ?? [])]));
    return (word) => stems(word).some((form) => alike.has(form) || (terms.length > 0 && form.startsWith(terms[terms.length - 1])));
  }

  /** A text as pieces: [words, whether they are a hit]. */
  function marked(text, question) {
    const isHit = hits(question);
    return text.split(/([\p{L}\d_-]+)/u).map((piece, number) => [piece, number % 2 === 1 && isHit(piece)]);
  }

  /** A long text up to the end of a sentence, or else of a part of one. */
  function shortened(text) {
    if (text.length <= 240) return text;
    const ends = [/[.!?](?= )/g, /[,;:](?= )/g, / /g].map((end) => [...text.slice(0, 240).matchAll(end)].at(-1)?.index ?? 0);
    const [sentence, part, word] = ends;
    if (sentence > 80) return text.slice(0, sentence + 1);
    return `${text.slice(0, part > 80 ? part : word)} …`;
  }

  /** The sentence of a part that has most of the question. */
  function excerpt(part, question) {
    const isHit = hits(question);
    const sentences = part.text.split('\n').flatMap((line) => line.split(/(?<=[.!?])\s+(?=\p{Lu})/u)).filter((line) => /\s/.test(line));
    const counted = sentences.map((text) => new Set(split(text).filter(isHit).map(stem)).size);
    const best = counted.indexOf(Math.max(...counted));
    if (best < 0) return '';
    let text = sentences[best];
    if (text.length < 80 && sentences[best + 1]) text += `${/[.!?]$/.test(text) ? '' : ' ·'} ${sentences[best + 1]}`;
    return shortened(text);
  }

  return { index, find, excerpt, marked };
})();

// The field and its list: data are read when a reader begins to search, also from a file.
(() => {
  if (typeof document === 'undefined') return;
  const script = document.currentScript;
  const root = script.dataset.root;
  const [form, query, results, status] = ['search', 'query', 'results', 'found']
    .map((id) => document.getElementById(`site-${id}`));
  const side = document.querySelector('.side');
  const current = side.querySelector('[aria-current]');
  if (matchMedia('(max-width:800px)').matches) for (const list of document.querySelectorAll('.side, .contents')) list.open = false;
  else if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2;
  form.hidden = false;
  let loading = null;
  const load = () => loading ??= new Promise((done) => {
    const data = document.createElement('script');
    data.src = `${root}search-data.js`;
    data.onload = () => done(Ranking.index(PAGES));
    document.head.append(data);
  });
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  function item(part) {
    const link = element('a', '');
    link.href = root + part.file + (part.anchor ? `#${part.anchor}` : '');
    const marked = (name, text) => {
      const host = element(name, '');
      host.append(...Ranking.marked(text, query.value).map(([piece, isHit]) => (isHit ? element('mark', piece) : piece)));
      return host;
    };
    const place = [part.section, part.heading ? part.title : ''].filter(Boolean).join(' › ');
    link.append(marked('strong', part.heading || part.title), ' ', element('span', place),
      marked('small', Ranking.excerpt(part, query.value)));
    const host = element('li', '');
    host.append(link);
    return host;
  }

  async function find() {
    const pages = await load();
    const asked = query.value.trim();
    const found = asked === '' ? [] : Ranking.find(pages, asked);
    results.hidden = asked === '';
    results.replaceChildren(...(found.length > 0 ? found.map(item) : [element('li', 'Nothing found')]));
    status.textContent = asked === '' ? '' : `${found.length} found`;
  }

  query.addEventListener('focus', load);
  query.addEventListener('input', find);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.top')) results.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|textarea)$/i.test(event.target.tagName);
    const links = [...results.querySelectorAll('a')];
    const place = links.indexOf(document.activeElement);
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      query.focus();
    } else if (results.hidden) return;
    else if (event.key === 'Escape') {
      results.hidden = true;
      query.focus();
    } else if (event.key === 'ArrowDown' && (event.target === query || place >= 0)) {
      event.preventDefault();
      links[Math.min(place + 1, links.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp' && place >= 0) {
      event.preventDefault();
      (links[place - 1] ?? query).focus();
    }
  });
})();
