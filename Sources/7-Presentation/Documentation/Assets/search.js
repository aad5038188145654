'use strict';
(() => {
  const script = document.currentScript;
  const root = script.dataset.root;
  const [form, query, results] = ['search', 'query', 'results']
    .map((id) => document.getElementById(`site-${id}`));
  const side = document.querySelector('.side');
  if (matchMedia('(max-width:800px)').matches) side.open = false;
  form.hidden = false;
  let loading = null;
  const load = () => loading ??= new Promise((done) => {
    const data = document.createElement('script');
    data.src = `${root}search-data.js`;
    data.onload = done;
    document.head.append(data);
  });
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  function score([file, title, section, headings, text], words) {
    let sum = 0;
    for (const word of words) {
      const places = [[title, 20], [file, 8], [headings, 6], [section, 4], [text, 1]];
      const found = places.filter(([place]) => place.toLowerCase().includes(word));
      if (found.length === 0) return 0;
      sum += found.reduce((total, [place, weight]) => total + weight * (place.toLowerCase().startsWith(word) ? 2 : 1), 0);
    }
    return sum;
  }

  function excerpt(text, words) {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0), text.length) - 50);
    const host = element('small', '');
    let rest = text.slice(at, at + 160);
    while (rest !== '') {
      const next = words.map((word) => [rest.toLowerCase().indexOf(word), word.length]).filter(([index]) => index >= 0).sort((a, b) => a[0] - b[0])[0];
      if (!next) break;
      host.append(rest.slice(0, next[0]), element('mark', rest.slice(next[0], next[0] + next[1])));
      rest = rest.slice(next[0] + next[1]);
    }
    host.append(rest);
    return host;
  }

  async function find() {
    await load();
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    const found = words.length === 0 ? [] : PAGES.map((page) => [score(page, words), page])
      .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
    results.replaceChildren(...found.map(([, page]) => {
      const link = element('a', '');
      link.href = root + page[0];
      link.append(element('strong', page[1]), ' ', element('span', page[2]), excerpt(page[4], words));
      const item = element('li', '');
      item.append(link);
      return item;
    }));
    if (words.length > 0 && found.length === 0) results.replaceChildren(element('li', 'Nothing found'));
  }

  query.addEventListener('focus', load);
  query.addEventListener('input', find);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|textarea)$/i.test(event.target.tagName);
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      query.focus();
    } else if (event.key === 'Escape') results.hidden = true;
    else if (event.key === 'ArrowDown' && !results.hidden && event.target === query) results.querySelector('a')?.focus();
  });
})();
