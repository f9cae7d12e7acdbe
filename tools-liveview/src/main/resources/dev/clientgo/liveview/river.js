'use strict';

/* The arrows between the boxes, and a token on its way for each step. Tokens move by transform and
   opacity alone, so the browser lays out nothing while they move. */

/** How many tokens are on their way at once, and start later; the page shows how many steps move without one. */
const MOST_TOKENS = 24;
const MOST_TIMERS = 120;
/** Tokens stop moving above this rate: the steps are a sample then, and a reader could not follow them. */
const MOST_STEPS_A_SECOND = 200;
const HOP_MS = 600;
/** If the tokens of an object form a line. */
const FAST_HOP_MS = 250;
/** How long a worker is seen to have a key, and a delayed key to wait. */
const STAY_MS = { workers: 300, waiting: 500 };
/** Between two tokens on the same way, so that they do not cover each other. */
const GAP_MS = 200;
/** A step whose token would start later than this has none. */
const LATEST_MS = 6000;

/** The points of each arrow, and its path in the document, by its name. */
let ways = new Map();
let paths = new Map();
let drawnWays = '';
const still = matchMedia('(prefers-reduced-motion: reduce)');
const wide = matchMedia('(min-width: 1000px)');

function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

// ---- arrows

/** Returns where a node is in the picture. */
function place(target) {
  const origin = $('pipeline').getBoundingClientRect();
  const r = target.getBoundingClientRect();
  const [left, top, right, bottom] = [r.left - origin.left, r.top - origin.top, r.right - origin.left, r.bottom - origin.top];
  return { left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** From the side of a box to that of the box beside it, which may begin higher. */
function bend(from, to) {
  const y = Math.min(from.y, to.bottom - 20);
  const x = (from.right + to.left) / 2;
  return [[from.right, from.y], [x, from.y], [x, y], [to.left, y]];
}

/** From a box to the next: beside it, or below it. */
function between(from, to) {
  if (to.top > from.bottom) return [[from.x, from.bottom], [from.x, to.top]];
  return from.left < to.left ? [[from.right, from.y], [to.left, from.y]] : [[from.left, from.y], [to.right, from.y]];
}

/** Finds the ways between all boxes: beside each other on a wide page, below each other on a narrow one. */
function findWays() {
  const found = [];
  const add = (name, part, points) => found.push({ name, part, points });
  const server = place($('server'));
  const library = place($('library'));
  const program = place($('program'));
  const gap = (library.right + program.left) / 2;
  const lanes = [...$('informers').children];
  lanes.forEach(lane => {
    const [reflector, fifo, controller, store] = [lane.reflector, lane.fifo, lane.controller, lane.store].map(place);
    const name = lane.name;
    add('wire ' + name, 'wire', wide.matches
      ? [[server.right, reflector.y], [reflector.left, reflector.y]]
      : [[reflector.left - 12, server.bottom], [reflector.left - 12, reflector.y], [reflector.left, reflector.y]]);
    add('read ' + name, 'fifo', [[reflector.x, reflector.bottom], [reflector.x, fifo.top]]);
    add('pop ' + name, 'controller', [[fifo.x, fifo.bottom], [fifo.x, controller.top]]);
    add('store ' + name, 'store', wide.matches
      ? bend(controller, store) : [[controller.x, controller.bottom], [controller.x, store.top]]);
    const handlers = [...lane.handlers.children];
    const first = handlers.length && place(handlers[0]);
    handlers.forEach(box => {
      const to = place(box);
      const isBelow = to.top > first.bottom; // On a narrow page: then past those above it.
      const level = (store.bottom + first.top) / 2;
      const from = Math.max(store.left + 20, Math.min(store.right - 20, isBelow ? store.right : to.x));
      add(`notify ${name} ${box.name}`, 'listeners', isBelow
        ? [[from, store.bottom], [from, level], [to.right + 6, level], [to.right + 6, to.y], [to.right, to.y]]
        : [[from, store.bottom], [from, level], [to.x, level], [to.x, to.top]]);
    });
  });
  const queues = [...$('queues').children];
  queues.forEach(lane => {
    const name = lane.name;
    const [waiting, dirty, queue, processing, workers] =
      [lane.waiting, lane.dirty, lane.queue, lane.processing, lane.workers].map(place);
    const source = lanes.find(each => each.name === name) || lanes[0];
    if (source) {
      const from = place(source.handlers);
      add('keys ' + name, 'queue', wide.matches
        ? [[from.right, from.y], [gap + 8, from.y], [gap + 8, dirty.y], [dirty.left, dirty.y]]
        : [[dirty.left - 12, library.bottom], [dirty.left - 12, dirty.y], [dirty.left, dirty.y]]);
      if (wide.matches) {
        const store = place(source.store);
        add('reads ' + name, 'reads', [[store.right, store.y], [gap - 8, store.y], [gap - 8, workers.y], [workers.left, workers.y]]);
      }
    }
    add('ready ' + name, 'queue', between(dirty, queue));
    add('due ' + name, 'queue', between(waiting, dirty));
    add('get ' + name, 'queue', between(queue, processing));
    add('work ' + name, 'workers', [[processing.x, processing.bottom], [processing.x, workers.top]]);
    const side = (wide.matches ? program.right : place(lane).right) - (wide.matches ? 10 : 2);
    add('later ' + name, 'queue', [[workers.right, workers.y], [side, workers.y], [side, waiting.y], [waiting.right, waiting.y]]);
    const below = program.bottom + 22;
    if (wide.matches && lane !== queues[queues.length - 1]) {
      const beside = program.right - 4; // The other lanes are below.
      add('write ' + name, 'write', [[workers.right, workers.bottom - 14], [beside, workers.bottom - 14], [beside, below], [server.x, below], [server.x, server.bottom]]);
    } else if (wide.matches) {
      add('write ' + name, 'write', [[workers.x, workers.bottom], [workers.x, below], [server.x, below], [server.x, server.bottom]]);
    } else {
      add('write ' + name, 'write', [[workers.x, workers.bottom], [workers.x, below - 8], [6, below - 8], [6, server.y], [server.left, server.y]]);
    }
  });
  return found;
}

function boxNames({ control, queues, informers }) {
  return JSON.stringify([control, queues.map(q => q.name), informers.map(i => [i.name, i.listeners.map(l => l.name)])]);
}

/** Draws the arrows, if there are other boxes. Boxes keep their places while their content changes. */
function drawArrows() {
  const state = language + boxNames(picture);
  if (state === drawnWays) return;
  drawnWays = state;
  const found = findWays();
  ways = new Map(found.map(way => [way.name, way.points]));
  const head = svg('marker', { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 12, markerHeight: 12, markerUnits: 'userSpaceOnUse', orient: 'auto' });
  head.append(svg('path', { d: 'M0 0 8 4 0 8z' }));
  paths = new Map(found.map(way => [way.name,
    svg('path', { d: 'M' + way.points.map(p => p.join(' ')).join('L'), 'data-part': way.part, 'marker-end': 'url(#head)' })]));
  $('arrows').replaceChildren(head, ...paths.values());
  drawLabels(found);
}

/** The arrows of the wire and of the writes explain themselves as the boxes do. */
function drawLabels(found) {
  const shown = ['wire', 'reads', 'write'].map(part => found.findLast(way => way.part === part)).filter(way => way);
  sync($('labels'), shown, way => way.part, way => button('', () => explain(way.part === 'reads' ? 'workers' : way.part), 'label'), (label, way) => {
    write(label, way.part === 'reads' ? words.reads : words.parts[way.part].name);
    label.dataset.part = way.part;
    label.style.transform = `translate(${labelPlace(way).map(Math.round).join('px, ')}px)`;
  });
}

function labelPlace({ part, points: [first, second, third] }) {
  if (part === 'reads') return [second[0] - 15, (second[1] + third[1]) / 2 - 12];
  if (part === 'wire') return [first[0] + (wide.matches ? 1 : 8), first[1] + 8];
  return [(second[0] + third[0]) / 2 - (wide.matches ? 0 : 60), second[1] - 14];
}

/** Shows whether the informers have a connection, and what a scene is about. */
function highlight(parts) {
  picture.informers.forEach(informer => {
    const path = paths.get('wire ' + informer.name);
    if (path) path.classList.toggle('cut', /BACK|STOP/.test(informer.state) || !!picture.server && picture.server.watches === 0);
  });
  document.querySelectorAll('#pipeline [data-part]').forEach(each =>
    each.classList.toggle('spoken', parts.includes(each.dataset.part)));
}

// ---- tokens

let lastStep = -1;
/** How many steps had no token lately, and when the last of them was. */
let leftOut = 0;
let leftOutAt = 0;
/** When the last token of a key arrives at a place. */
const arrivals = new Map();
/** When the last token of a way starts, and on which of its lines. */
const lanesOf = new Map();
/** The tokens that a box waits for, by box: a box changes when a token leaves it or arrives. */
const comingTo = new Map();

/** Bookmarks, errors, requests and deltas of all objects have one key. */
function keyOf(step) {
  return !step.key || step.key.startsWith('(') || step.kind === 'request' || step.what === 'ERROR' ? '(' : step.key;
}

/** The tokens that start later. */
const timers = new Set();

/** The step before, by the name of its queue; and whether an informer's last delta was a whole list. */
const before = new Map();

/**
 * Returns the way of a step, and the places at its ends, or undefined if it moves nothing. A token
 * starts when those of its key have arrived at the place that it comes from.
 */
function routeOf(step) {
  const { source, what } = step;
  const [informer, handler] = source.split(' handler ');
  const route = (names, from, to) => ({ name: names[0] + ' ' + source, from: [].concat(from), to,
    points: () => names.flatMap(name => ways.get(name + ' ' + source) || []) });
  const reflector = 'reflector ' + source;
  switch (step.kind) {
    case 'request': { const way = route(['wire'], reflector, 'server'); return { ...way, points: () => way.points().reverse() }; }
    case 'frame': return route(['wire'], 'server', reflector);
    case 'error': return what === 'ERROR' ? route(['wire'], 'server', reflector) : undefined;
    case 'queued': return route(['read'], reflector, 'fifo ' + source);
    case 'popped':
      before.set('list ' + source, step.key.startsWith('('));
      return route(['pop', 'store'], 'fifo ' + source, 'store ' + source);
    case 'stored': // The Controller finds a deletion that no event has reported, in a list.
      return what === 'deleted' && before.get('list ' + source) ? route(['pop', 'store'], 'fifo ' + source, 'store ' + source) : undefined;
    case 'notified': return { ...route(['notify'], 'store ' + informer, 'listeners'), points: () => ways.get(`notify ${informer} ${handler}`) || [] };
    case 'delivered': return route(['deliver'], 'listeners', 'delivered');
    case 'written': return route(['write'], 'workers ' + source, 'server');
    case 'work': return workRoute(step, route);
    default: return undefined;
  }
}

function workRoute({ source, what, key }, route) {
  const [queue, workers, waiting] = ['queue ', 'workers ', 'waiting '].map(place => place + source);
  const last = before.get(source);
  const call = what.split(/[, ]/)[0];
  before.set(source, call + ' ' + key);
  switch (call) {
    case 'add': // An item that is due is added by the queue itself.
      return last === 'due ' + key ? route([], queue, queue) : route(['keys'], 'listeners', queue);
    case 'enters': return route(['ready'], queue, queue);
    case 'get': return route(['get', 'work'], queue, workers);
    case 'addAfter': return route(['later'], workers, waiting);
    case 'due': return route(['due'], waiting, queue);
    case 'done': return route([], workers, queue);
    default: return undefined;
  }
}

/** Returns the boxes that a step changes: whether its key leaves the box, and whether it does so before the token moves. */
function effectsOf({ kind, source, what }) {
  const effect = (box, out = false, early = out) => ({ box: `${box} ${source}`, out, early });
  switch (kind) {
    case 'request': case 'frame': case 'error': return [effect('reflector')];
    case 'queued': return [effect('fifo')];
    case 'popped': return [effect('fifo', true), effect('store')];
    case 'stored': return [effect('store')];
    case 'notified': return [effect('listeners')];
    case 'delivered': return [effect('listeners', true)];
    case 'written': return [effect('written', true)].concat(/→ 2/.test(what) ? { ...effect(''), box: 'server' } : []);
    case 'work': break;
    default: return [];
  }
  switch (what.split(/[, ]/)[0]) {
    case 'add': return [effect(what === 'add' ? 'dirty' : 'merged')];
    case 'enters': return [effect('queue')];
    case 'get': return [effect('dirty', true), effect('queue', true), effect('processing')];
    case 'done': return [effect('processing', true), effect('done', true)];
    case 'addAfter': return [effect('waiting')];
    case 'due': return [effect('waiting', true)];
    default: return [];
  }
}

/** Puts a write before its event, which may be faster than the answer: the first one since the worker got the key. */
function inOrder(steps) {
  const sorted = [];
  steps.forEach(step => {
    const isOf = (each, kind) => each.key === step.key && each.kind === kind;
    const begin = sorted.findLastIndex(each => isOf(each, 'written') || (isOf(each, 'work') && each.what === 'get')) + 1;
    const event = sorted.findIndex((each, i) => i >= begin && isOf(each, 'frame'));
    sorted.splice(step.kind === 'written' && event >= 0 ? event : sorted.length, 0, step);
  });
  return sorted;
}

/** Starts a token for each step that is new in the picture. */
function moveTokens(log) {
  const fresh = inOrder(log.steps.filter(step => step.number > lastStep));
  const first = lastStep < 0;
  const steps = log.total - lastStep;
  lastStep = log.total;
  if (first || document.hidden) return;
  if (log.rate > MOST_STEPS_A_SECOND) {
    leaveOut(steps);
    return;
  }
  if (steps > fresh.length) leaveOut(steps - fresh.length);
  const now = performance.now();
  [arrivals, lanesOf].forEach(map => map.forEach((at, key) => { if ((at.start || at) < now - LATEST_MS) map.delete(key); }));
  fresh.forEach(step => {
    const route = routeOf(step);
    if (!route || (selected && step.key !== selected)) return;
    const key = keyOf(step);
    const moves = route.points().length > 0;
    const isSpaced = moves || step.kind === 'delivered';
    const lane = isSpaced && lanesOf.get(route.name) || { start: 0, end: 0, line: 0 };
    const start = Math.max(now, lane.start + GAP_MS, ...route.from.flatMap(place => [arrivals.get(place + key) || 0, arrivals.get(place + '(') || 0]));
    if (start - now > LATEST_MS || (moves && timers.size >= MOST_TIMERS)) {
      if (moves) leaveOut(1);
      return;
    }
    const hop = !moves ? 0 : start - now > 1500 ? FAST_HOP_MS : HOP_MS;
    const time = Math.max(hop, lane.end - start); // Not past the one before it.
    effectsOf(step).forEach(effect => holdBox(effect, step, effect.early ? start : start + time));
    const line = start - lane.start < time ? (lane.line + 1) % 3 : 0;
    if (isSpaced) lanesOf.set(route.name, { start, end: start + time, line });
    if (!moves) { arrive(route.to, key, start); return; }
    arrive(route.to, key, start + time + (STAY_MS[route.to.split(' ')[0]] || 0));
    const timer = setTimeout(() => {
      timers.delete(timer);
      if ($('tokens').childElementCount < MOST_TOKENS) launch(step, route.points(), time, line);
      else leaveOut(1);
    }, start - now);
    timers.add(timer);
  });
}

function arrive(place, key, at) {
  arrivals.set(place + key, Math.max(arrivals.get(place + key) || 0, at));
}

/** A box changes at a time: when a token leaves it, or arrives. */
function holdBox({ box, out }, step, at) {
  if (still.matches) return; // Nothing moves that the eye could follow.
  const until = Math.ceil(at / 100) * 100; // Many boxes change with one drawing.
  const list = comingTo.get(box) || [];
  const key = keyOf(step);
  comingTo.set(box, list.concat({ key, step, until, out }).sort((a, b) => a.until - b.until));
  setTimeout(drawSoon, until + 20 - performance.now()); // A timer may be early.
}

/** Returns the tokens for which a box waits, the next one first. */
function stillComing(box) {
  const list = comingTo.get(box);
  if (!list) return [];
  const now = performance.now();
  const left = list.filter(each => each.until > now);
  if (left.length) comingTo.set(box, left);
  else comingTo.delete(box);
  return left;
}

function leaveOut(steps) {
  leftOut += steps;
  leftOutAt = performance.now();
}

function forgetLeftOut() {
  if (!leftOut || performance.now() - leftOutAt < 10_000) return;
  leftOut = 0;
  if (picture) drawTime();
}

const SIGNS = { added: '+ ', updated: '~ ', modified: '~ ', deleted: '− ', resync: '= ' };

/** Returns what a token says: the name of its object, with a sign for what happened to it. */
function tokenText(step) {
  const what = step.what.split(/[ ,]/)[0].toLowerCase();
  if (step.kind === 'request' || what === 'bookmark' && !step.key) return step.what;
  if (step.kind === 'error') return (step.what + ' ' + (step.key.match(/^\d+/) || '')).trim();
  if (step.key.startsWith('(')) return inWords(step.key);
  const sign = step.kind === 'work' || step.kind === 'written' ? '' : SIGNS[what] || '';
  const note = step.kind === 'stored' ? words.notInList
    : step.what === 'add, merged' ? words.mergedKey
    : step.kind === 'written' ? ' ' + step.what.replace(/^.*→ /, '').replace(/^(\d+).*$/, '$1') : '';
  return sign + step.key.split('/').pop() + note;
}

function makeToken(step) {
  const refused = step.kind === 'written' && !/→ 2/.test(step.what) ? ' error' : '';
  const token = node('div', 'token ' + step.kind + ' ' + step.what.split(/[ ,]/)[0].toLowerCase() + refused, tokenText(step));
  $('tokens').append(token);
  return token;
}

/** Returns where tokens on a way are: not outside of the page, and on a short way on one of three lines. */
function placesOf(points, line, text) {
  const [first, last] = [points[0], points[points.length - 1]];
  const [wideness, height] = [Math.abs(last[0] - first[0]), Math.abs(last[1] - first[1])];
  const sideways = wideness >= height;
  const half = 8 + text.length * 3.5;
  const aside = wideness + height < 250 ? [0, 1, -1][line] : 0;
  const most = $('pipeline').clientWidth - half;
  return points.map(([x, y]) => {
    const left = Math.min(most, Math.max(half, x + (sideways ? 0 : aside * 2 * half)));
    return `translate(${Math.round(left)}px, ${Math.round(y + (sideways ? aside * 22 : 0))}px) translate(-50%, -50%)`;
  });
}

function launch(step, points, duration, line) {
  const token = makeToken(step);
  const places = placesOf(points, line, token.textContent);
  let frames;
  if (still.matches) {
    const middle = places[Math.floor(points.length / 2)];
    frames = [{ transform: middle, opacity: 0 }, { transform: middle, opacity: 1 }, { transform: middle, opacity: 0 }];
  } else {
    const lengths = points.map((p, i) => i ? Math.hypot(p[0] - points[i - 1][0], p[1] - points[i - 1][1]) : 0);
    const whole = lengths.reduce((sum, each) => sum + each) || 1;
    let done = 0;
    frames = places.map((transform, i) => ({ transform, opacity: 1, offset: Math.min(1, (done += lengths[i]) / whole) }));
  }
  const moving = token.animate(frames, { duration, easing: 'ease-in-out', fill: 'none' });
  moving.startTime = performance.now(); // Not with the first frame, which may be late: the boxes go by this clock.
  moving.onfinish = moving.oncancel = () => token.remove();
}

/** Shows a token at rest: that of the step that the time slider is at. */
function restToken(step) {
  const route = step && routeOf(step);
  const points = route ? route.points() : [];
  if (!points.length) return;
  const token = makeToken(step);
  token.style.transform = placesOf(points, 0, token.textContent)[Math.floor(points.length / 2)];
  token.style.opacity = 1;
}

function clearTokens() {
  $('tokens').replaceChildren();
  forgetComing();
}

/** Forgets the tokens that have not started, and those for which boxes wait. */
function forgetComing() {
  timers.forEach(clearTimeout);
  [arrivals, lanesOf, comingTo, timers].forEach(each => each.clear());
}

const resized = new ResizeObserver(() => {
  drawnWays = '';
  $('tokens').replaceChildren(); // Their ways have moved; those that start later take the new ones.
  if (!picture) return;
  drawArrows();
  $('caption').state = ''; // The boxes have moved, perhaps out of sight.
  speak(picture.scene);
});
