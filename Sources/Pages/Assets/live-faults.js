// The switches for faults. Without a port for control they can be seen, and not used.
'use strict';

(() => {
  const { element, byId } = Page;
  const form = byId('switches');
  const cut = element('button', { type: 'submit' }, 'Cut all lines');
  const fields = element('fieldset', { disabled: true }, element('legend', {}, 'at once'), cut);
  form.append(fields);

  function say(text, isWrong = false) {
    byId('said').textContent = text;
    byId('said').className = isWrong ? 'wrong' : '';
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const done = await Live.ask('POST', 'control/cut');
      say(`${Live.count(done.cut, 'line')} cut`);
    } catch (error) {
      say(error.message, true);
    }
  });

  Live.add({
    hello({ control }) {
      fields.disabled = !control;
      byId('no-control').hidden = control;
    },
  });
})();
