'use strict';

/* Draws each picture that the server sends. Nodes are kept by key, so the focus stays where it is. */

/** The picture that is drawn: the newest one as far as its tokens have come, or an earlier one. */
let picture = null;
let newest = null;
let selected = '';
let opener = null;

// ---- the connection

/** The program speaks every 2 s, so after this time it is stopped, hangs, or cannot be reached. */
const SILENT_MS = 7000;
let events = null;
let connection = 'connecting';
/** When the program was heard last. */
let heard = performance.now();
/** When the newest picture was known to be current. */
let confirmed = performance.now();
/** Which run of the program the pictures are of. */
let run = '';
/** How late the next picture is, and why the program could not make one. */
let late = {};
let failure = '';

/** Returns why the picture may be old, or an empty text if it is not. */
function trouble() {
  if (connection !== 'live') return words[connection];
  const silent = performance.now() - heard;
  if (silent > SILENT_MS) return words.silent(inFives(silent / 1000));
  if (failure) return words.noPicture + ' ' + failure;
  const seconds = Math.max(late.seconds, (performance.now() - confirmed) / 1000);
  return late.seconds ? (late.server ? words.lateServer : words.late)(inFives(seconds)) : '';
}

/** Seconds that do not change every second, for those who listen to the page. */
function inFives(seconds) {
  return Math.floor(seconds / 5) * 5 || Math.round(seconds);
}

function drawStatus() {
  const text = trouble();
  write($('status'), text || words.live);
  document.body.classList.toggle('old', !!text && connection !== 'connecting');
}

/** Opens the stream of pictures; a browser tries again by itself unless the answer was an error. */
function connect() {
  events = new EventSource('events');
  events.onopen = () => { heard = performance.now(); }; // The picture is still the old one.
  events.onerror = () => {
    connection = 'lost';
    drawStatus();
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
  events.addEventListener('alive', ({ data }) => {
    heard = performance.now();
    late = JSON.parse(data);
    if (late.seconds) connection = 'live';
    else if (connection === 'live' && !failure) confirmed = heard;
    drawStatus();
  });
  events.onmessage = ({ data }) => {
    heard = performance.now();
    connection = 'live';
    const now = JSON.parse(data);
    failure = now.failure || '';
    drawStatus();
    if (failure) return;
    confirmed = heard;
    if (now.run !== run) forget();
    run = now.run;
    keep(data, now);
    newest = now;
    if (shown < 0) follow();
    drawSoon();
  };
}

/** Forgets the pictures of a program that has ended: a new one answers. */
function forget() {
  pictures.length = characters = 0;
  shown = lastStep = -1;
  leftOut = 0;
  clearTokens();
  picture = null;
}

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
  live();
  try {
    const response = await fetch(path + '?' + new URLSearchParams(parameters || {}), {
      method: 'POST', headers: { 'X-Live-View': '1' },
    });
    write($('message'), response.ok ? '' : (await response.text()).trim());
  } catch (e) {
    write($('message'), words.noAnswer);
  }
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

/** A delta of all objects has a count and a version instead of a key, a bookmark only a version. */
function inWords(key) {
  if (key === '(*)') return words.allObjects;
  const [, count, version] = key.match(/^\((?:(\d+) )?@(.*)\)$/) || [];
  return version === undefined ? key : (count ? words.listOf(Number(count)) : words.upTo) + ' @' + version;
}

// ---- the boxes

/** A box of the picture, with a button that explains it. */
function box(part, explained = part) {
  const made = node('article', 'box ' + part);
  made.dataset.part = part;
  const head = node('div', 'head');
  const heading = node('h3');
  const what = button('?', () => explain(explained, made), 'what');
  head.append(heading, what);
  const count = node('p', 'count');
  const list = node('ul', 'chips');
  made.append(head, count, list);
  Object.assign(made, { heading, what, count, list });
  return made;
}

function title(target, text) {
  write(target.heading, text);
  target.what.setAttribute('aria-label', words.whatIs(text));
}

/** Shows what a part is, where its lesson is, and all that its box has, which may have no room for it. */
function explain(part, target) {
  const about = words.parts[part];
  write($('about-title'), about.name);
  write($('about-text'), about.text);
  write($('about-lesson'), words.lesson);
  $('about-lesson').href = LESSONS + language + '/' + about.lesson + '.md';
  const items = part === 'actions' ? [...$('action-list').children].map(each => each.textContent + words.colon + each.title)
    : target ? [...target.list.children, ...target.querySelectorAll('.index > *')].map(each => each.textContent) : [];
  $('about-content').hidden = !items.length;
  $('about-items').replaceChildren(...items.map(text => node('li', '', text)));
  $('about').showPopover();
  $('about-close').focus();
}

/** A stage is paused when the tokens that have passed it before have arrived. */
function paused(target, stage, beyond) {
  const now = picture.stages[stage].paused && !(shown < 0 && beyond && stillComing(beyond).length);
  target.classList.toggle('paused', now);
  return now ? words.paused + words.comma : '';
}

/** Compares the objects of the server that the page knows with those of a store. */
function compare(store) {
  const server = picture.server;
  if (!server || !server.objects || !store) return null;
  const there = new Map(server.objects.map(o => [o.key, o.version]));
  const here = new Map(store.objects.map(o => [o.key, o.version]));
  // Of a long list, only the first objects are known.
  const known = server.size > there.size || store.size > here.size;
  const missing = server.objects.filter(o => here.get(o.key) !== o.version && !(known && !here.has(o.key)));
  const gone = store.objects.filter(o => !there.has(o.key) && !known);
  return { there, missing: new Set(missing.map(o => o.key)), gone };
}

function drawServer() {
  const server = picture.server;
  const target = $('server').box || ($('server').box = box('server'));
  if (!target.isConnected) $('server').insertBefore(target, $('actions'));
  title(target, words.parts.server.name);
  const first = picture.informers[0];
  if (!server || server.error) {
    write(target.count, (server && server.error) || words.serverUnknown(first && first.version || '–'));
    return;
  }
  const difference = compare(first && first.store);
  write(target.count, words.objects(server.size) + ' @' + server.version + more(server.size, server.objects.length) + words.comma + words.watches(server.watches));
  const objects = server.objects.map(o => ({ ...o, ahead: !!difference && difference.missing.has(o.key) }))
    .concat(difference ? difference.gone.map(o => ({ key: o.key, version: '', gone: true })) : []);
  chips(target.list, objects, o => o.key,
    o => o.gone ? words.deleted(o.key) : o.key + version(o),
    o => o.gone ? 'gone' : o.ahead ? 'truth ahead' : 'truth');
}

function more(size, shown) {
  return size > shown ? words.comma + words.more(size - shown) : '';
}

/** Draws the Lease for which replicas compete: an object on the server; on a narrow page beside the replicas. */
function drawLease() {
  const lease = picture.lease;
  const target = $('server').lease || ($('server').lease = makeLease());
  target.hidden = !lease.holder;
  const home = wide.matches ? $('server') : $('program');
  if (target.parentNode !== home) home.insertBefore(target, wide.matches ? $('actions') : $('queues'));
  if (target.hidden) return;
  title(target, words.parts.lease.name);
  write(target.count, words.holder(lease.holder));
  write(target.age, words.renewed(lease.age));
  write(target.limits, words.leaseLimit(lease.duration));
  write(target.leader, lease.leader ? words.leader(lease.leader) : words.noLeader);
  target.bar.style.setProperty('--age', Math.min(1, lease.age / lease.duration));
}

function makeLease() {
  const made = box('lease');
  made.list.remove();
  made.count.before(made.leader = node('p', 'count leader'));
  ['age', 'bar', 'limits'].forEach(part => made.append(made[part] = node('p', part === 'bar' ? 'bar' : 'count')));
  return made;
}

/** Says whether a replica leads, if there is a Lease. */
function leads(name) {
  const { holder, leader } = picture.lease;
  return holder ? words.colon + (leader === name ? words.leads : words.waits) : '';
}

function makeInformer(informer) {
  const lane = node('section', 'lane');
  lane.name = informer.name;
  lane.heading = node('h3', 'name');
  lane.reflector = box('reflector');
  lane.fifo = box('fifo');
  lane.controller = box('controller');
  lane.store = box('store');
  lane.indices = node('div', 'indices');
  lane.lag = node('p', 'lag');
  lane.store.count.after(lane.lag);
  lane.store.append(lane.indices);
  lane.handlers = node('div', 'handlers');
  lane.append(lane.heading, lane.reflector, lane.fifo, lane.controller, lane.store, lane.handlers);
  return lane;
}

function drawInformer(lane, informer) {
  write(lane.heading, informer.name + leads(informer.name));
  title(lane.reflector, 'Reflector');
  write(lane.reflector.count, paused(lane.reflector, 'receive') + `${informer.state || ''} @${informer.version || '–'} · ` +
    words.received(informer.received) + (informer.error ? ' · ' + informer.error : ''));
  lane.reflector.classList.toggle('failing', !!informer.error);
  const frames = informer.frames.slice().reverse();
  // The last request and error come first: otherwise the next events hide them.
  const kept = [/^(LIST|WATCH)/, /^ERROR/].map(what => frames.findIndex(f => what.test(f.what))).filter(at => at > 0).sort((a, b) => a - b);
  const listed = kept.map(at => ({ ...frames[at], ago: at })).concat(frames.filter((f, i) => !kept.includes(i)));
  chips(lane.reflector.list, listed, f => f.number,
    f => f.what + (f.key ? ' ' + f.key : '') + version(f) + (f.ago ? ' · ' + words.ago(f.ago) : ''), f => f.what);

  title(lane.fifo, informer.deltaFIFO ? 'DeltaFIFO' : 'RealFIFO');
  const queue = informer.queue;
  write(lane.fifo.count, words.deltas(queue.size, informer.deltaFIFO ? queue.entries : -1));
  chips(lane.fifo.list, queue.items, d => d.number,
    d => inWords(d.key) + ': ' + d.deltas.map(each => each.what + version(each)).join(' · '),
    d => d.deltas[d.deltas.length - 1].what);

  title(lane.controller, words.parts.controller.name);
  write(lane.controller.count, paused(lane.controller, 'pop', 'store ' + informer.name) + words.pops);
  title(lane.store, words.parts.store.name);
  const store = informer.store || { size: 0, objects: [], indices: [], version: '' };
  write(lane.store.count, words.objects(store.size) + (store.version ? ' @' + store.version : '') + more(store.size, store.objects.length));
  const difference = compare(informer.store);
  const behind = difference ? informer.differs : 0; // Of all objects; the page knows the first.
  write(lane.lag, difference && store.version ? (behind ? words.behind(behind, picture.server.version - store.version) : words.upToDate) : '');
  lane.lag.classList.toggle('late', behind > 0);
  const stale = o => behind > 0 && (difference.missing.has(o.key) || difference.gone.some(each => each.key === o.key));
  chips(lane.store.list, store.objects.map(o => ({ ...o, stale: stale(o) })), o => o.key, o => o.key + version(o),
    o => o.stale ? 'plain stale' : 'plain');
  sync(lane.indices, store.indices, i => i.name, () => node('div', 'index'), (target, index) => {
    target.replaceChildren(node('b', '', words.indexValues(index.name, index.size)));
    index.values.forEach(v => target.append(node('div', '', `${v.value || '""'} → ${v.keys.join(', ')}` +
      (v.size > v.keys.length ? ' ' + words.more(v.size - v.keys.length) : ''))));
  });

  sync(lane.handlers, informer.listeners, l => l.name,
    l => { const made = box('listeners'); made.name = l.name; return made; }, (target, listener) => {
      title(target, words.listener(listener.name));
      const current = listener.current.key;
      write(target.count, paused(target, 'deliver') + words.buffer(listener.size) + words.comma +
        words.calls(listener.calls, listener.failures) + words.comma + (current ? words.calling : words.idle));
      chips(target.list, (current ? [{ ...listener.current, number: 'now' }] : []).concat(listener.items),
        n => n.number, n => (n.number === 'now' ? '▶ ' : '') + n.what + ' ' + n.key,
        n => n.what + (n.number === 'now' ? ' current' : ''));
    });
}

function makeQueue(queue) {
  const lane = node('section', 'queue-lane');
  lane.name = queue.name;
  lane.heading = node('h3', 'name');
  const sets = node('div', 'sets');
  ['dirty', 'waiting', 'queue', 'processing'].forEach(name => sets.append(lane[name] = box('queue', name)));
  lane.workers = box('workers');
  lane.append(lane.heading, sets, lane.workers);
  return lane;
}

function drawQueue(lane, queue) {
  write(lane.heading, `WorkQueue ${queue.name}` + (leads(queue.name) || ' · ' + words.merged(queue.merged)));
  lane.classList.toggle('leads', picture.lease.leader === queue.name);
  const draw = (target, name, set, label, kind) => {
    title(target, name);
    write(target.heading, name + words.colon + set.size);
    write(target.count, set.size > set.items.length ? words.more(set.size - set.items.length) : '');
    chips(target.list, set.items, i => i.key, label, () => kind);
  };
  draw(lane.waiting, words.delayed, queue.waiting, i => i.key + (i.ms < 0 ? '' : ' ' + (i.times ? words.retryIn(i.ms, i.times) : words.noLongerNeeded(i.ms))), 'waiting');
  draw(lane.dirty, words.dirty, queue.dirty, i => i.key, 'updated');
  draw(lane.queue, words.workQueue, queue.queue, i => i.key, 'plain');
  draw(lane.processing, words.processing, queue.processing, i => i.key, 'current');
  title(lane.workers, words.parts.workers.name);
  write(lane.workers.count, paused(lane.workers, 'work') + words.done(queue.done, queue.failed));
  const all = picture.log.steps.filter(step => step.kind === 'written' && step.source === queue.name && step.number > picture.log.began);
  const writes = all.slice(0, all.length - (queue.unwritten || 0)).slice(-4).reverse();
  chips(lane.workers.list, queue.processing.items.map(i => ({ key: i.key, text: `▶ reconcile(${i.key})` }))
    .concat(writes.map(w => ({ key: w.key, text: w.what + ' ' + w.key, kind: /→ 2/.test(w.what) ? 'added' : 'error', number: w.number }))),
    i => i.number || i.key, i => i.text, i => i.kind || 'current');
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

/** Ends the filter and the choice of an object. */
function showAll() {
  $('filter').value = '';
  unselect();
  draw();
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
  let history;
  try {
    history = await (await fetch('object?' + new URLSearchParams({ key }))).json();
  } catch (e) {
    drawStatus(); // The last history stays; the status says why.
    return;
  }
  if (key !== selected) return;
  $('object').hidden = false;
  write($('object-title'), words.history + words.colon + key);
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
      const item = node('li', '', step.time.substring(11, 23) + ' ' + step.step.replace(/^\w+/, word => words.kinds[word === 'event' ? 'frame' : word] || word));
      const changes = node('ul');
      step.changes.forEach(change => {
        const line = node('li', '', change.path + ' ');
        if (change.before !== undefined) line.append(node('del', '', change.before));
        if (change.after !== undefined) line.append(' ', node('ins', '', change.after));
        changes.append(line);
      });
      if (step.forgotten) changes.append(node('li', 'muted', words.forgotten));
      if (changes.children.length) item.append(changes);
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
  drawStatus();
  if (!picture) return;
  document.body.classList.toggle('calm', picture.log.rate < 30);
  drawControls();
  // A pause changes boxes although their content stays; so does a change on the server.
  const others = JSON.stringify([picture.stages, picture.server, picture.lease]) + $('filter').value;
  $('pipeline').dataset.lanes = Math.max(picture.informers.length, picture.queues.length);
  $('pipeline').dataset.queues = picture.queues.length;
  drawServer();
  drawLease();
  sync($('informers'), picture.informers.map(i => ({ ...i, others })), i => i.name, makeInformer, drawInformer);
  const writes = picture.log.steps.filter(s => s.kind === 'written');
  sync($('queues'), picture.queues.map(q => ({ ...q, others, writes })), q => q.name, makeQueue, drawQueue);
  drawArrows();
  speak(picture.scene);
  drawTime();
  const log = picture.log;
  write($('log-sample'), words.sample(log.total, log.rate, log.skipped, log.limit));
  const filter = $('filter').value.trim();
  const steps = log.steps.filter(s => !filter || s.key.includes(filter)).slice(-MOST_LISTED).reverse();
  sync($('log-steps'), steps, s => s.number, () => node('li'), (li, s) => {
    li.value = s.number;
    write(li, stepText(s));
  });
}

/** How many steps are listed; the tokens need more of them. */
const MOST_LISTED = 40;
let isDue = false;

/** Draws with the next frame, once for all pictures that come before it. */
function drawSoon() {
  if (isDue || document.hidden) return;
  isDue = true;
  requestAnimationFrame(drawLive);
}

function drawLive() {
  isDue = false;
  if (shown < 0 && newest) picture = paced(picture, newest, stillComing);
  draw();
}

/** Starts the tokens of the newest picture. */
function follow() {
  picture = picture || newest;
  const { began } = newest.log;
  if (picture.log.began !== began) {
    clearTokens();
    lastStep = Math.max(lastStep, began);
    picture = { ...picture, informers: [], queues: [], log: { ...newest.log, total: began } };
  }
  if (boxNames(picture) !== boxNames(newest)) {
    const known = (list, each) => list.find(({ name }) => name === each.name);
    const informers = newest.informers.map(each => {
      const before = known(picture.informers, each) || newInformer(each);
      return { ...before, listeners: each.listeners.map(listener => known(before.listeners, listener) || newListener(listener)) };
    });
    picture = { ...newest, informers, queues: newest.queues.map(each => known(picture.queues, each) || newQueue(each)) };
    if (!document.hidden) draw(); // Tokens need the ways between the new boxes.
  }
  moveTokens(newest.log);
}

function stepText(s) {
  return `${s.source} · ${words.kinds[s.kind]} ${s.what} ${inWords(s.key)}`;
}

onLanguage(() => {
  drawAllWords();
  draw();
  drawObject();
});
$('filter').addEventListener('input', draw);
wide.addEventListener('change', draw);
$('play').addEventListener('click', () => play(picture.scenes[0].id));
$('scene-back').addEventListener('click', () => travel(pictureOf(picture.scene.id, picture.scene.step - 1)));
$('scene-next').addEventListener('click', nextStep);
$('scene-auto').addEventListener('click', () => send('auto', { on: !picture.scene.auto }));
$('scene-stop').addEventListener('click', endScene);
$('actions-what').addEventListener('click', () => explain('actions'));
$('only').addEventListener('click', showAll);
$('object-close').addEventListener('click', unselect);
$('time-slider').addEventListener('input', ({ target }) => (target.value === target.max ? live() : travelTo(Number(target.value))));
$('time-back').addEventListener('click', stepBack);
$('time-on').addEventListener('click', stepOn);
$('time-pause').addEventListener('click', () => (shown < 0 ? hold() : live()));
document.addEventListener('keydown', event => { if (event.key === 'Escape') unselect(); });
document.addEventListener('visibilitychange', () => {
  if (document.hidden || !picture) return;
  lastStep = newest.log.total; // What has moved meanwhile does not move now.
  drawLive();
});

drawAllWords();
draw();
['server', 'library', 'program'].forEach(zone => resized.observe($(zone)));
connect();
setInterval(() => {
  drawStatus();
  forgetLeftOut();
  if (!document.hidden) drawObject();
}, 1000);
