'use strict';

/* Draws each picture that the server sends. Nodes are kept by key, so the focus stays where it is. */

let picture = null;
let selected = '';
let opener = null;
let connection = 'connecting';

// ---- nodes

/** Makes the children of a node those of the items; keeps the nodes of items that stay. */
function sync(parent, items, keyOf, make, update) {
  const before = parent.kept || new Map();
  const after = new Map();
  items.forEach((item, i) => {
    let key = String(keyOf(item));
    while (after.has(key)) key += '+';
    const child = before.get(key) || make(item);
    const state = JSON.stringify(item) + language + selected;
    if (child.state !== state) {
      child.state = state;
      update(child, item);
    }
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] || null);
    after.set(key, child);
  });
  before.forEach((child, key) => { if (after.get(key) !== child) child.remove(); });
  parent.kept = after;
}

// ---- commands

async function send(path, parameters) {
  const response = await fetch(path + '?' + new URLSearchParams(parameters || {}), {
    method: 'POST', headers: { 'X-Live-View': '1' },
  });
  write($('message'), response.ok ? '' : (await response.text()).trim());
}

// ---- chips

/** A button that stands for an object. Chips without a key of an object are plain texts. */
function chips(parent, items, keyOf, label, className) {
  const filter = $('filter').value.trim();
  const shown = filter ? items.filter(item => item.key && item.key.includes(filter)) : items;
  sync(parent, shown, keyOf,
    () => { const li = node('li'); li.append(button('', () => select(li.key, li.firstChild))); return li; },
    (li, item) => {
      li.key = item.key || '';
      write(li.firstChild, label(item));
      li.firstChild.className = 'chip ' + className(item).toLowerCase() + (item.key && item.key === selected ? ' selected' : '');
    });
}

function version(item) {
  return item.version ? (item.version === 'finalStateUnknown' ? ' (finalStateUnknown)' : ' @' + item.version) : '';
}

// ---- the boxes

function card(title) {
  const made = node('article', 'card');
  const heading = node('h3', '', title);
  const count = node('p', 'count');
  const list = node('ul', 'chips');
  made.append(heading, count, list);
  Object.assign(made, { heading, count, list });
  return made;
}

function paused(target, stage) {
  const now = picture.stages[stage].paused;
  target.classList.toggle('paused', now);
  return now ? words.paused + words.comma : '';
}

function makeInformer() {
  const lane = node('section', 'lane');
  lane.heading = node('h2');
  const cards = node('div', 'cards');
  lane.frames = card();
  lane.queue = card();
  lane.store = card();
  lane.indices = node('div');
  lane.store.append(lane.indices);
  lane.listeners = node('div', 'listeners');
  cards.append(lane.frames, lane.queue, lane.store, lane.listeners);
  lane.append(lane.heading, cards);
  return lane;
}

function drawInformer(lane, informer) {
  write(lane.heading, `${informer.name} · ${informer.state || ''} @${informer.version || ''}` +
    (informer.error ? ' · ' + informer.error : ''));
  write(lane.frames.heading, words.frames);
  write(lane.frames.count, paused(lane.frames, 'receive') + words.received(informer.received));
  chips(lane.frames.list, informer.frames.slice().reverse(), f => f.number,
    f => f.what + (f.key ? ' ' + f.key : '') + version(f), f => f.what);

  write(lane.queue.heading, informer.deltaFIFO ? 'DeltaFIFO' : 'RealFIFO');
  const queue = informer.queue;
  write(lane.queue.count, paused(lane.queue, 'pop') + words.queue(queue.size));
  chips(lane.queue.list, queue.items, d => d.number,
    d => d.deltas.map(each => each.what + version(each)).join(' · ') + ' ' + d.key,
    d => d.deltas[d.deltas.length - 1].what);

  write(lane.store.heading, words.store);
  const store = informer.store || { size: 0, objects: [], indices: [], version: '' };
  write(lane.store.count, words.objects(store.size) + (store.version ? ' @' + store.version : '') +
    (store.size > store.objects.length ? words.comma + words.more(store.size - store.objects.length) : ''));
  chips(lane.store.list, store.objects, o => o.key, o => o.key + version(o), () => 'plain');
  sync(lane.indices, store.indices, i => i.name, () => node('div', 'index'), (box, index) => {
    box.replaceChildren(node('b', '', words.indexValues(index.name, index.size)));
    index.values.forEach(v => box.append(node('div', '', `${v.value || '""'} → ${v.keys.join(', ')}` +
      (v.size > v.keys.length ? ' ' + words.more(v.size - v.keys.length) : ''))));
  });

  sync(lane.listeners, informer.listeners, l => l.name, () => card(), (box, listener) => {
    write(box.heading, words.listener + ' ' + listener.name);
    const current = listener.current.key;
    write(box.count, paused(box, 'deliver') + words.buffer(listener.size) + words.comma +
      words.calls(listener.calls, listener.failures) + words.comma + (current ? words.calling : words.idle));
    chips(box.list, (current ? [{ ...listener.current, number: 'now' }] : []).concat(listener.items),
      n => n.number, n => (n.number === 'now' ? '▶ ' : '') + n.what + ' ' + n.key,
      n => n.what + (n.number === 'now' ? ' current' : ''));
  });
}

function makeQueue() {
  const lane = node('section', 'lane');
  lane.heading = node('h2');
  const cards = node('div', 'cards');
  ['waiting', 'dirty', 'queue', 'processing'].forEach(name => {
    lane[name] = card();
    cards.append(lane[name]);
  });
  lane.append(lane.heading, cards);
  return lane;
}

function drawQueue(lane, queue) {
  write(lane.heading, `WorkQueue ${queue.name} · ${words.merged(queue.merged)} · ${words.done(queue.done)}`);
  const draw = (box, title, set, label, kind) => {
    write(box.heading, title);
    write(box.count, (kind === 'current' ? paused(box, 'work') : '') + set.size +
      (set.size > set.items.length ? words.comma + words.more(set.size - set.items.length) : ''));
    chips(box.list, set.items, i => i.key, label, () => kind);
  };
  draw(lane.waiting, words.delayed, queue.waiting, i => i.key + ' ' + words.inMs(i.ms, i.times), 'waiting');
  draw(lane.dirty, words.dirty, queue.dirty, i => i.key, 'updated');
  draw(lane.queue, words.workQueue, queue.queue, i => i.key, 'plain');
  draw(lane.processing, words.processing, queue.processing, i => '▶ ' + i.key, 'current');
}

// ---- controls and scenes

function makeStage(stage) {
  const box = node('div', 'stage-control');
  box.setAttribute('role', 'group');
  box.label = node('span');
  box.label.id = 'stage-' + stage.name;
  box.setAttribute('aria-labelledby', box.label.id);
  box.pause = button('', () => send(box.stage.paused ? 'resume' : 'pause', { stage: stage.name }));
  box.one = button('', () => send('step', { stage: stage.name }));
  box.slow = button('', () => send('slow', { stage: stage.name, ms: box.stage.delay ? 0 : 700 }));
  box.waiting = node('span', 'muted');
  box.append(box.label, box.pause, box.one, box.slow, box.waiting);
  return box;
}

function drawStage(box, stage) {
  box.stage = stage;
  write(box.label, words.stages[stage.name]);
  write(box.pause, words.pause);
  write(box.one, words.one);
  write(box.slow, words.slow);
  box.pause.setAttribute('aria-pressed', stage.paused);
  box.slow.setAttribute('aria-pressed', stage.delay > 0);
  write(box.waiting, stage.waiting ? words.waiting(stage.waiting) : '');
}

function drawControls() {
  $('controls').hidden = !picture.control;
  $('scenes').hidden = !picture.control || picture.scenes.length === 0;
  if (!picture.control) return;
  sync($('stages'), Object.entries(picture.stages).map(([name, stage]) => ({ name, ...stage })),
    s => s.name, makeStage, drawStage);
  let list = $('actions').list;
  if (!list) {
    list = $('actions').list = node('div', 'contents');
    $('actions').append(list);
  }
  sync(list, picture.actions, a => a.id,
    a => { const made = button('', () => send('action', { id: a.id, key: selected })); made.dataset.action = a.id; return made; },
    (b, a) => write(b, a.text[language]));
  sync($('scene-list'), picture.scenes.map(s => ({ ...s, now: s.id === picture.scene.id })), s => s.id,
    s => { const made = button('', () => send('play', { scene: s.id, auto: true })); made.dataset.scene = s.id; return made; },
    (b, s) => { write(b, s.title[language]); b.setAttribute('aria-pressed', s.now); });
  drawCaption(picture.scene);
}

function drawCaption(scene) {
  $('caption').hidden = !scene.id;
  if (!scene.id) return;
  write($('scene-title'), scene.title[language]);
  write($('scene-text'), (scene.text ? scene.text[language] : '') +
    (scene.error ? ` ${words.failed} ${scene.error}` : ''));
  write($('scene-step'), words.step(scene.step, scene.steps) + (scene.running ? '' : words.comma + words.sceneEnd));
  $('scene-next').disabled = !scene.running;
  $('scene-auto').disabled = !scene.running;
  $('scene-auto').setAttribute('aria-pressed', scene.auto && scene.running);
}

// ---- an object

async function select(key, from) {
  if (!key || key.startsWith('(')) return;
  selected = key;
  opener = from || opener;
  draw();
  await drawObject();
  $('object-close').focus();
}

function unselect() {
  if (!selected) return;
  selected = '';
  $('object').hidden = true;
  draw();
  if (opener && opener.isConnected) opener.focus();
}

async function drawObject() {
  if (!selected) return;
  const key = selected;
  const history = await (await fetch('object?' + new URLSearchParams({ key }))).json();
  if (key !== selected) return;
  $('object').hidden = false;
  write($('object-title'), words.history + ': ' + key);
  const state = JSON.stringify(history) + language;
  if ($('object-steps').state === state) return;
  $('object-steps').state = state;
  $('object-steps').replaceChildren();
  if (history.informers.length === 0) $('object-steps').append(node('p', 'muted', words.noHistory));
  history.informers.forEach(informer => {
    const list = node('ol', 'history');
    list.tabIndex = 0;
    list.setAttribute('aria-label', informer.informer);
    informer.steps.forEach(step => {
      const item = node('li', '', step.time.substring(11, 23) + ' ' + step.step);
      const changes = node('ul');
      step.changes.forEach(change => {
        const line = node('li', '', change.path + ' ');
        if (change.before !== undefined) line.append(node('del', '', change.before));
        if (change.after !== undefined) line.append(' ', node('ins', '', change.after));
        changes.append(line);
      });
      if (step.changes.length) item.append(changes);
      list.append(item);
    });
    $('object-steps').append(node('h3', '', informer.informer), list);
  });
}

// ---- the whole

function drawAllWords() {
  drawWords('title');
  $('log-steps').setAttribute('aria-label', words.log);
}

function draw() {
  write($('status'), words[connection]);
  if (!picture) return;
  document.body.classList.toggle('calm', picture.log.rate < 30);
  drawControls();
  // A pause changes boxes although their content stays.
  const stages = JSON.stringify(picture.stages) + $('filter').value;
  sync($('informers'), picture.informers.map(i => ({ ...i, stages })), i => i.name, makeInformer, drawInformer);
  sync($('queues'), picture.queues.map(q => ({ ...q, stages })), q => q.name, makeQueue, drawQueue);
  const log = picture.log;
  write($('log-sample'), words.sample(log.total, log.rate, log.skipped, log.limit));
  const filter = $('filter').value.trim();
  const steps = log.steps.filter(s => !filter || s.key.includes(filter)).reverse();
  sync($('log-steps'), steps, s => s.number, () => node('li'), (li, s) => {
    li.value = s.number;
    write(li, `${s.source} · ${words.kinds[s.kind]} ${s.what} ${s.key}`);
  });
}

onLanguage(() => {
  drawAllWords();
  draw();
  drawObject();
});
$('filter').addEventListener('input', draw);
$('scene-next').addEventListener('click', () => send('next'));
$('scene-auto').addEventListener('click', () => send('auto', { on: !picture.scene.auto }));
$('scene-stop').addEventListener('click', () => send('stop'));
$('object-close').addEventListener('click', unselect);
document.addEventListener('keydown', event => { if (event.key === 'Escape') unselect(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) draw(); });

drawAllWords();
draw();
const events = new EventSource('events');
events.onopen = () => { connection = 'live'; draw(); };
events.onerror = () => { connection = 'lost'; draw(); };
events.onmessage = event => {
  picture = JSON.parse(event.data);
  if (!document.hidden) requestAnimationFrame(draw);
};
setInterval(() => { if (!document.hidden) drawObject().catch(() => {}); }, 1000);
