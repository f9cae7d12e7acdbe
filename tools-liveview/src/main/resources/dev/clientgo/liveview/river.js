'use strict';

/* The arrows between the boxes, and a token on its way for each step. Tokens move by transform and
   opacity alone, so the browser lays out nothing while they move. */

/** How many tokens are on their way at once; the page shows how many steps move without one. */
const MOST_TOKENS = 24;
/**
 * Tokens stop moving above this rate: a reader could not follow one, and in a browser without a
 * graphics card 24 tokens use a quarter of a core.
 */
const MOST_STEPS_A_SECOND = 1000;
const HOP_MS = 600;
/** If the tokens of an object form a line. */
const FAST_HOP_MS = 250;
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
    const [reflector, fifo, store] = [lane.reflector, lane.fifo, lane.store].map(place);
    const name = lane.name;
    add('wire ' + name, 'wire', wide.matches
      ? [[server.right, reflector.y], [reflector.left, reflector.y]]
      : [[reflector.left - 12, server.bottom], [reflector.left - 12, reflector.y], [reflector.left, reflector.y]]);
    add('read ' + name, 'fifo', [[reflector.x, reflector.bottom], [reflector.x, fifo.top]]);
    add('store ' + name, 'store', wide.matches
      ? [[fifo.right, fifo.y], [store.left, fifo.y]] : [[fifo.x, fifo.bottom], [fifo.x, store.top]]);
    [...lane.handlers.children].forEach(box => {
      const to = place(box);
      const level = (store.bottom + to.top) / 2;
      const from = Math.max(store.left + 20, Math.min(store.right - 20, to.x));
      add(`notify ${name} ${box.name}`, 'listeners',
        [[from, store.bottom], [from, level], [to.x, level], [to.x, to.top]]);
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
    add('ready ' + name, 'queue', [[dirty.x, dirty.bottom], [dirty.x, queue.top]]);
    add('due ' + name, 'queue', [[waiting.left, waiting.y], [dirty.right, waiting.y]]);
    add('get ' + name, 'queue', [[queue.right, queue.y], [processing.left, queue.y]]);
    add('work ' + name, 'workers', [[processing.x, processing.bottom], [processing.x, workers.top]]);
    const side = program.right - 10;
    add('later ' + name, 'queue', [[workers.right, workers.y], [side, workers.y], [side, waiting.y], [waiting.right, waiting.y]]);
    const below = program.bottom + 22;
    if (wide.matches && lane !== queues[queues.length - 1]) {
      const beside = program.right - 4; // The other lanes are below.
      add('write ' + name, 'write', [[workers.right, workers.bottom - 14], [beside, workers.bottom - 14], [beside, below], [server.x, below], [server.x, server.bottom]]);
    } else if (wide.matches) {
      add('write ' + name, 'write', [[workers.x, workers.bottom], [workers.x, below], [server.x, below], [server.x, server.bottom]]);
    } else {
      add('write ' + name, 'write', [[workers.left, workers.y], [6, workers.y], [6, server.y], [server.left, server.y]]);
    }
  });
  return found;
}

/** Draws the arrows, if there are other boxes. Boxes keep their places while their content changes. */
function drawArrows() {
  const state = language + JSON.stringify([picture.control, picture.queues.map(q => q.name),
    picture.informers.map(i => [i.name, i.listeners.map(l => l.name)])]);
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
  if (part === 'reads') return [second[0] - 9, (second[1] + third[1]) / 2 - 20];
  if (part === 'wire') return [first[0] + (wide.matches ? 1 : 8), first[1] + 8];
  return wide.matches ? [(second[0] + third[0]) / 2, second[1] - 14] : [0, place($('program')).bottom + 4];
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
let leftOut = 0;
/** When the last token of each object starts and arrives. */
const trips = new Map();

/** Returns the points of the way of a step, or undefined if it moves nothing. */
function wayOf(step) {
  const handler = step.source.split(' handler ');
  switch (step.kind) {
    case 'request': return (ways.get('wire ' + step.source) || []).slice().reverse();
    case 'frame': return ways.get('wire ' + step.source);
    case 'queued': return ways.get('read ' + step.source);
    case 'popped': return ways.get('store ' + step.source);
    case 'notified': return ways.get(`notify ${handler[0]} ${handler[1]}`);
    case 'written': return ways.get('write ' + step.source);
    case 'work': {
      const way = { add: 'keys', get: 'get', due: 'due' }[step.what.split(',')[0]] || (step.what.startsWith('addAfter') ? 'later' : '');
      const points = ways.get(`${way} ${step.source}`);
      return way === 'get' && points ? points.concat(ways.get('work ' + step.source)) : points;
    }
    default: return undefined;
  }
}

/** Starts a token for each step that is new in the picture. */
function moveTokens(log) {
  const fresh = log.steps.filter(step => step.number > lastStep);
  const before = lastStep;
  lastStep = log.total;
  if (before < 0 || document.hidden) return;
  if (log.rate > MOST_STEPS_A_SECOND) {
    leftOut += log.total - before;
    return;
  }
  const now = performance.now();
  fresh.forEach(step => {
    const points = wayOf(step);
    if (!points || !points.length || (selected && step.key !== selected)) return;
    // Requests do not wait for one another.
    const last = step.kind === 'request' ? undefined : trips.get(step.key);
    // The notifications of two listeners leave together.
    const together = last && last.kind === 'notified' && step.kind === 'notified';
    const start = Math.max(now, last ? (together ? last.start : last.end) : now);
    if ($('tokens').childElementCount >= MOST_TOKENS || start - now > LATEST_MS) {
      leftOut++;
      return;
    }
    const time = start - now > 1500 ? FAST_HOP_MS : HOP_MS;
    trips.set(step.key, { kind: step.kind, start, end: start + time });
    launch(step, points, start - now, time);
  });
  trips.forEach((trip, key) => { if (trip.end < now) trips.delete(key); });
}

function launch(step, points, delay, duration) {
  const name = step.kind === 'request' ? step.what : step.key.split('/').pop();
  const token = node('div', 'token ' + step.kind + ' ' + step.what.split(/[ ,]/)[0].toLowerCase(), name);
  $('tokens').append(token);
  const at = ([x, y]) => `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
  let frames;
  if (still.matches) {
    const middle = at(points[Math.floor(points.length / 2)]);
    frames = [{ transform: middle, opacity: 0 }, { transform: middle, opacity: 1 }, { transform: middle, opacity: 0 }];
  } else {
    const lengths = points.map((p, i) => i ? Math.hypot(p[0] - points[i - 1][0], p[1] - points[i - 1][1]) : 0);
    const whole = lengths.reduce((sum, each) => sum + each) || 1;
    let done = 0;
    frames = points.map((p, i) => ({ transform: at(p), opacity: 1, offset: Math.min(1, (done += lengths[i]) / whole) }));
  }
  const moving = token.animate(frames, { duration, delay, easing: 'ease-in-out', fill: 'none' });
  moving.onfinish = moving.oncancel = () => token.remove();
}

function clearTokens() {
  $('tokens').replaceChildren();
  trips.clear();
}

const resized = new ResizeObserver(() => {
  drawnWays = '';
  clearTokens(); // Their ways have moved.
  if (!picture) return;
  drawArrows();
  $('caption').state = ''; // The boxes have moved, perhaps out of sight.
  speak(picture.scene);
});
