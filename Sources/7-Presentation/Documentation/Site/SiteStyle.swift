/// How the site looks: one style sheet for light and dark screens, phones and paper.
public enum SiteStyle {
  /// The colours of one appearance, as `#rrggbb`.
  public struct Colours: Sendable {
    /// The background of the page and of diagrams.
    public var paper: String
    /// Ordinary text, and messages in diagrams.
    public var ink: String
    /// Text of less weight, such as the captions of tables.
    public var faint: String
    /// Links, the outline of the focus, and the background of the skip link.
    public var link: String
    /// The background of code, of table heads and of notes in diagrams.
    public var box: String
    /// Borders of tables and headings, and the lines of diagrams.
    public var rule: String
    /// The background of steps in diagrams.
    public var step: String
    /// The background of faults in diagrams.
    public var alarm: String
    /// What is on `alarm`, and the marks of lost messages.
    public var alarmInk: String

    /// Every pair that words are read in: what they are written in, and on what.
    public var pairs: [(ink: String, paper: String)] {
      [
        (ink, paper), (faint, paper), (link, paper), (ink, box), (faint, box), (link, box),
        (ink, step), (alarmInk, alarm), (ink, alarm), (paper, link),
      ]
    }

    fileprivate var variables: String {
      """
      --paper:\(paper);--ink:\(ink);--faint:\(faint);--link:\(link);--box:\(box);--rule:\(rule);\
      --step:\(step);--alarm:\(alarm);--alarm-ink:\(alarmInk)
      """
    }
  }

  /// The colours of light screens and of paper.
  public static let light = Colours(
    paper: "#ffffff", ink: "#1c2024", faint: "#555d66", link: "#0a51a8", box: "#f1f3f5",
    rule: "#77808a", step: "#e4ecf7", alarm: "#fde3df", alarmInk: "#9c1c0c")
  /// The colours of screens that prefer a dark scheme.
  public static let dark = Colours(
    paper: "#15181b", ink: "#e8eaec", faint: "#a9b1ba", link: "#8fbcff", box: "#22272c",
    rule: "#7d8791", step: "#20304a", alarm: "#4a1f1a", alarmInk: "#ffb4a8")

  /// The style sheet.
  public static var sheet: String {
    """
    :root{color-scheme:light dark;\(light.variables)}
    @media (prefers-color-scheme:dark){:root{\(dark.variables)}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:64rem;padding:0 1rem 3rem;background:var(--paper);color:var(--ink);
    font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
    h1{line-height:1.25;font-size:1.7rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--rule)}
    h3{margin-top:1.6rem}
    a{color:var(--link)}a:hover{text-decoration-thickness:2px}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px}
    .skip{position:absolute;left:-999rem}
    .skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--link);color:var(--paper)}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:.75rem 0;padding:0}
    nav a{display:inline-block;padding:.4rem 0}
    code,pre,svg{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.9em}
    code{background:var(--box);padding:.1em .25em;border-radius:3px}
    pre{background:var(--box);padding:.8rem;overflow:auto;max-height:32rem;border-radius:4px}
    pre code{padding:0;background:none}
    .wide{margin:1rem 0;overflow:auto;max-height:52rem}
    table{border-collapse:collapse;min-width:100%}
    caption{text-align:left;color:var(--faint);padding:.2rem 0}
    th,td{border:1px solid var(--rule);padding:.3rem .5rem;text-align:left;vertical-align:top}
    th{background:var(--box)}td{min-width:4rem;max-width:36rem}
    summary{cursor:pointer;padding:.3rem 0}li{margin:.2rem 0}
    svg{display:block;font-size:12px;background:var(--paper)}
    svg text{fill:var(--ink)}svg .name{font-weight:bold;font-size:13px}
    svg .halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    svg line,svg rect{stroke:var(--rule)}svg .life{stroke-dasharray:3 3}
    svg .message{stroke:var(--ink)}svg .head{fill:var(--ink)}
    svg .note{fill:var(--box)}svg .step{fill:var(--step)}svg .fault{fill:var(--alarm)}
    svg .may{stroke-dasharray:5 4}
    svg .lost{stroke-dasharray:4 3}svg .cross,svg .lost{stroke:var(--alarm-ink);stroke-width:2}
    @media print{body{max-width:none;color:#000;background:#fff}nav,.skip{display:none}
    :root{\(light.variables)}.wide,pre{overflow:visible;max-height:none}svg{max-width:100%;height:auto}
    h2,h3{break-after:avoid}figure,tr{break-inside:avoid}}

    """
  }
}

extension SiteStyle {
  /// The style sheet of what is around the content, and the script of the search.
  static let shell = """
    body.site{max-width:none;padding:0}
    .top{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;padding:.5rem 1.2rem;
    background:var(--paper);border-bottom:1px solid var(--box)}
    .product{font-weight:700;font-size:1.15rem;text-decoration:none;color:var(--ink)}
    #site-search{flex:1;max-width:30rem}#site-search input{width:100%;font:inherit;padding:.35rem .7rem;
    color:inherit;background:var(--box);border:1px solid var(--rule);border-radius:6px}
    #site-results{position:fixed;top:3.2rem;left:1rem;right:1rem;max-width:44rem;max-height:75vh;overflow:auto;
    z-index:3;margin:0;padding:.4rem;list-style:none;background:var(--paper);border:1px solid var(--rule);
    border-radius:8px;box-shadow:0 6px 24px rgb(0 0 0/.25)}
    #site-results a{display:block;padding:.4rem .6rem;text-decoration:none;border-radius:5px;color:var(--ink)}
    #site-results a:hover,#site-results a:focus{background:var(--box)}#site-results small{display:block;color:var(--faint)}
    #site-results mark{background:var(--step);color:inherit}
    .columns{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:84rem;margin:0 auto}
    .side{padding:1rem .5rem 2rem 1.2rem;font-size:.9rem;position:sticky;top:3.1rem;
    height:calc(100vh - 3.1rem);overflow:auto;border-right:1px solid var(--box)}
    .side>summary{display:none}.side summary{font-weight:600}
    .side ul{display:block;list-style:none;margin:.2rem 0 .6rem;padding:0 0 0 .9rem}
    .side a{display:block;padding:.15rem .4rem;text-decoration:none;border-radius:4px;color:var(--ink)}
    .side a:hover{background:var(--box)}.side [aria-current]{background:var(--step);font-weight:600}
    .site main{padding:1rem 2.2rem 3rem;max-width:56rem;width:100%}
    .site main p,.site main li{max-width:75ch}.site main h2{font-size:1.3rem}
    .crumbs{color:var(--faint);font-size:.9rem}.crumbs a{padding:0}
    .contents{border:1px solid var(--box);border-radius:6px;padding:.4rem .9rem;margin:1rem 0;font-size:.92rem}
    .contents ul{margin:.3rem 0;padding:0;list-style:none;columns:2 18rem}.contents .level3{padding-left:1rem}
    .site td:has(+td){max-width:24rem}.site th{overflow-wrap:normal}.site img{max-width:100%;background:#fff}
    h2,h3,h4{scroll-margin-top:3.6rem}
    @media (max-width:800px){.columns{display:block}.side{position:static;height:auto;border:0;
    border-bottom:1px solid var(--box);padding:.6rem 1rem}.side>summary{display:list-item}
    .site main{padding:.5rem 1rem 3rem}.top{padding:.5rem 1rem}.contents ul{columns:1}}
    @media print{.top,.side,.contents,.crumbs{display:none}.columns{display:block}}

    """

  /// The script of the search. It reads the data when a reader begins to search, also from a file.
  static let search = """
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
        const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean);
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

    """
}
