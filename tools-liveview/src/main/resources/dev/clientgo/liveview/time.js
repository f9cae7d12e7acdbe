'use strict';

/* The pace of the boxes, and earlier states. A change runs through the whole program between two
   pictures, so a box is drawn from two of them: for the keys of some steps from the one before. */

// ---- a picture between two pictures

/** Returns the items of a set: those of late keys are as before. */
function mixSet(before, after, late) {
  const isLate = ({ key }) => late.some(each => each.key === '(' || each.key === key);
  return before.filter(isLate).concat(after.filter(each => !isLate(each)));
}

/** Returns the items of a list that only grows, of which each picture has the last ones. */
function mixLog(before, after, late) {
  const all = before.concat(after.filter(each => !before.some(other => other.number === each.number)));
  return all.slice(0, Math.max(0, all.length - late.length)).slice(-Math.max(after.length, 1));
}

/** Returns the items of a queue: first those that still leave, and without the last ones, which still come. */
function mixQueue(before, after, late, make, whatOf) {
  const leaving = late.filter(each => each.out);
  const known = before.slice();
  const all = leaving.map(({ step }) => {
    const at = known.findIndex(item => keyOf(item) === keyOf(step) && whatOf(item) === step.what);
    return at < 0 ? make(step) : known.splice(at, 1)[0];
  }).concat(after);
  return all.slice(0, Math.max(0, all.length - (late.length - leaving.length)));
}

/** Returns the entries of a DeltaFIFO, which come and grow with each step, and leave whole. */
function mixEntries(before, after, late) {
  const leaving = before.filter(each => late.some(step => step.out && step.key === each.key));
  return leaving.concat(after.filter(each => !leaving.some(other => other.key === each.key))).map(each => {
    const missing = leaving.includes(each) ? 0 : late.filter(step => step.key === each.key).length;
    return { ...each, deltas: each.deltas.slice(0, Math.max(0, each.deltas.length - missing)) };
  }).filter(each => each.deltas.length);
}

/** Returns the values of an index: those of late keys are as before. */
function mixIndex(before, after, isLate) {
  const keysOf = (index, value) => ((index.values.find(each => each.value === value) || {}).keys || []);
  const values = [...new Set([...before.values, ...after.values].map(each => each.value))].sort().map(value => {
    const now = after.values.find(each => each.value === value);
    const keys = keysOf(before, value).filter(isLate).concat(keysOf(after, value).filter(key => !isLate(key))).sort();
    return { value, keys, size: now ? now.size - now.keys.length + keys.length : keys.length };
  }).filter(each => each.size > 0);
  return { ...after, values, size: after.size + values.length - after.values.length };
}

const unseenDelta = step => ({ number: 'step ' + step.number, key: step.key, deltas: [{ what: step.what, version: '' }] });
const unseenCall = step => ({ number: 'step ' + step.number, key: step.key, what: step.what });

/** Returns a number that grows without its late steps. */
function less(before, after, late) {
  return Math.max(Math.min(before, after), after - late);
}

function counted(late) {
  return Math.max(late.filter(each => each.out).length, late.filter(each => !each.out).length);
}

/** Returns the keys of a set that they enter and leave: a key that leaves it next is still there. */
function mixKeys(before, after, late) {
  const next = new Map();
  late.forEach(({ key, out }) => { if (!next.has(key)) next.set(key, out); });
  const leaving = [...next.keys()].filter(key => next.get(key))
    .map(key => [...before, ...after].find(each => each.key === key) || { key, ms: -1 });
  return leaving.concat(after.filter(each => !next.has(each.key)));
}

const nothing = { items: [], size: 0 };

/** Returns an informer that has not begun, with the boxes of another. */
function newInformer(now) {
  return { ...now, state: 'NEW', version: '', received: 0, frames: [], error: '', queue: { ...nothing, entries: 0 }, listeners: now.listeners.map(newListener),
    store: now.store && { size: 0, objects: [], version: '', indices: now.store.indices.map(each => ({ ...each, size: 0, values: [] })) } };
}

function newListener(now) {
  return { ...now, ...nothing, current: {}, calls: 0, failures: 0 };
}

function newQueue(now) {
  return { ...now, waiting: nothing, dirty: nothing, queue: nothing, processing: nothing, merged: 0, done: 0, failed: 0 };
}

/** Returns the newest of some versions. */
function newer(versions) {
  return versions.reduce((newest, each) => (Number(each) > Number(newest) ? each : newest), '');
}

/** Returns the state of a Reflector after the last event or request that is shown. */
function stateAfter(frames, old, now) {
  const isRequest = each => !!each && /^(LIST|WATCH)/.test(each.what);
  const [before, last] = frames.slice(-2);
  const again = isRequest(before) && isRequest(last); // The first one was refused.
  if (!last || (isRequest(last) && !again)) return { state: old.state, error: old.error };
  if (again || last.what === 'ERROR') return { state: 'BACKING_OFF', error: now.error || old.error };
  return { state: now.state === 'BACKING_OFF' ? 'WATCHING' : now.state, error: '' };
}

/** Returns the objects of a store in which some deltas have not arrived: of a key, all but its last ones. */
function mixObjects(before, now, late) {
  if (late.some(each => each.key === '(')) return before;
  const keys = new Set(late.map(each => each.key));
  const made = now.store.objects.filter(each => !keys.has(each.key));
  keys.forEach(key => {
    const left = late.filter(each => each.key === key);
    if (left[0].step.what === 'ADDED') return;
    const waiting = now.queue.items.filter(each => each.key === key).reduce((sum, each) => sum + each.deltas.length, 0);
    const seen = now.frames.filter(each => each.key === key && each.version && each.what !== 'ERROR');
    const last = seen[seen.length - 1 - waiting - left.length];
    const known = before.find(each => each.key === key);
    if (last || known) made.push({ key, version: newer([last && last.version, known && known.version]) });
  });
  return made.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function pacedInformer(old, now, server, late) {
  const [reflector, fifo, store] = ['reflector', 'fifo', 'store'].map(part => late(part + ' ' + now.name));
  const made = { ...now };
  if (reflector.length) {
    made.frames = mixLog(old.frames, now.frames, reflector);
    made.received = less(old.received, now.received, reflector.length);
    Object.assign(made, stateAfter(made.frames, old, now), { version: newer([old.version, ...made.frames.map(each => each.version)]) });
  }
  if (fifo.length) {
    const items = now.deltaFIFO ? mixEntries(old.queue.items, now.queue.items, fifo)
      : mixQueue(old.queue.items, now.queue.items, fifo, unseenDelta, item => item.deltas[0].what);
    const deltas = list => list.reduce((sum, each) => sum + each.deltas.length, 0);
    made.queue = { items, size: now.queue.size + deltas(items) - deltas(now.queue.items),
      entries: now.queue.entries + items.length - now.queue.items.length };
  }
  if ((store.length || late('server').length) && old.store && now.store) {
    const objects = mixObjects(old.store.objects, now, store);
    const isNew = key => objects.some(each => each.key === key) && !old.store.objects.some(each => each.key === key);
    const isLate = key => store.some(each => each.key === '(' || each.key === key) && !isNew(key);
    made.store = { objects, size: now.store.size + objects.length - now.store.objects.length,
      version: store.length ? newer([old.store.version, ...objects.map(each => each.version)]) : now.store.version,
      indices: now.store.indices.map((index, i) => mixIndex(old.store.indices[i] || { values: [] }, index, isLate)) };
    const truth = server && server.objects || [];
    const same = objects.filter(o => truth.some(t => t.key === o.key && t.version === o.version)).length;
    const known = objects.filter(o => truth.some(t => t.key === o.key)).length;
    made.differs = truth.length + objects.length - known - same;
  }
  made.listeners = now.listeners.map(listener => {
    const steps = late(`listeners ${now.name} handler ${listener.name}`);
    if (!steps.length) return listener;
    const before = old.listeners.find(each => each.name === listener.name) || newListener(listener);
    const arriving = steps.filter(each => !each.out);
    const items = mixQueue(before.items, listener.items, steps, unseenCall, item => item.what);
    const current = arriving.some(each => each.key === listener.current.key) ? before.current : listener.current;
    return { ...listener, items, current, size: listener.size + items.length - listener.items.length,
      calls: less(before.calls, listener.calls, counted(steps)),
      failures: less(before.failures, listener.failures, counted(steps)) };
  });
  return made;
}

function pacedQueue(old, now, late) {
  const made = { ...now };
  ['waiting', 'dirty', 'queue', 'processing'].forEach(name => {
    const steps = late(`${name} ${now.name}`);
    if (!steps.length) return;
    const items = mixKeys(old[name].items, now[name].items, steps);
    made[name] = { items, size: now[name].size + items.length - now[name].items.length };
  });
  // A success that is not shown yet does not explain a wait.
  made.waiting = { ...made.waiting, items: made.waiting.items.map(each =>
    (!each.times && late('done ' + now.name).some(({ key }) => key === each.key) ? { ...each, ms: -1 } : each)) };
  const [merged, done] = ['merged', 'done'].map(name => late(`${name} ${now.name}`).length);
  return { ...made, merged: less(old.merged, now.merged, merged), done: less(old.done, now.done, done), failed: less(old.failed, now.failed, done),
    unwritten: late('written ' + now.name).length };
}

/** Returns the server without some writes of workers, but with what others have written before them. */
function serverBefore(writes, old, now) {
  const own = writes.map(({ step }) => (step.what.match(/@(\d+)/) || [])[1]);
  const seen = now.informers.flatMap(each => each.frames).filter(each => each.version && each.what !== 'ERROR' && !own.includes(each.version));
  const objects = mixSet(old.server.objects, now.server.objects, writes).map(o => (writes.some(({ key }) => key === o.key)
    ? { ...o, version: newer([o.version, ...seen.filter(each => each.key === o.key).map(each => each.version)]) } : o));
  return { ...now.server, objects, version: newer([old.server.version, ...objects.map(each => each.version)]) };
}

/**
 * Returns a picture in which some steps have not happened yet.
 *
 * @param late returns the keys of these steps for a box, and whether the key leaves the box
 */
function paced(old, now, late) {
  if (old === now) return now;
  const writes = late('server');
  const server = writes.length && old.server && old.server.objects && now.server.objects
    ? serverBefore(writes, old, now) : now.server;
  const isSame = old.log.began === now.log.began; // An earlier program has boxes of the same names.
  const before = (list, { name }) => isSame && list.find(each => each.name === name);
  return { ...now, server,
    informers: now.informers.map(each => pacedInformer(before(old.informers, each) || newInformer(each), each, server, late)),
    queues: now.queues.map(each => pacedQueue(before(old.queues, each) || newQueue(each), each, late)) };
}

/** Returns the picture as it was after a step that is between two pictures. */
function pictureAfter(old, now, number) {
  const later = now.log.steps.filter(step => step.number > number);
  const late = box => later.flatMap(step => effectsOf(step).filter(each => each.box === box).map(({ out }) => ({ key: keyOf(step), out, step })));
  return { ...paced(old, now, late), log: { ...now.log, total: number, steps: now.log.steps.filter(step => step.number <= number) } };
}

// ---- the last pictures

/** The last pictures, as they came, with the number of steps until each. */
const pictures = [];
const MOST_PICTURES = 4000;
const MOST_CHARACTERS = 20_000_000;
let characters = 0;
/** Which picture is shown; -1 for the newest. */
let shown = -1;

/** Keeps a picture; one in which only a countdown has moved replaces the one before. */
function keep(text, now) {
  const mark = JSON.stringify([now.log.total, now.scene.id, now.scene.step, now.scene.running, now.stages, now.server && now.server.version]);
  const last = pictures[pictures.length - 1];
  if (last && last.mark === mark) {
    characters -= pictures.pop().text.length;
  }
  pictures.push({ text, mark, total: now.log.total, scene: now.scene.id, step: now.scene.step });
  characters += text.length;
  while (pictures.length > MOST_PICTURES || (characters > MOST_CHARACTERS && pictures.length > 1)) {
    characters -= pictures.shift().text.length;
    if (shown > 0) shown--;
  }
}

/** Shows a picture and stays there, or follows the newest one with -1; as it was after a step, if that is given. */
function travel(to, step = Infinity) {
  if (!pictures.length) return;
  const last = pictures.length - 1;
  shown = to < 0 ? -1 : Math.min(to, last);
  const parsed = at => JSON.parse(pictures[at].text);
  const now = parsed(shown < 0 ? last : shown);
  picture = shown > 0 && step < now.log.total ? pictureAfter(parsed(shown - 1), now, step) : now;
  clearTokens();
  lastStep = now.log.total;
  draw();
  if (shown >= 0) restToken(picture.log.steps.find(each => each.number === picture.log.total));
}

/** Returns the picture that has a step; the last one, if nothing has happened since. */
function pictureWith(step) {
  const first = pictures.findIndex(each => each.total >= step);
  return pictures[first].total === step ? pictures.findLastIndex(each => each.total === step) : first;
}

function travelTo(step) {
  travel(pictureWith(step), step);
}

/**
 * Stays at what is seen. The time is that before the first step whose token has not arrived; later
 * ones may have, on other ways.
 */
function hold() {
  const now = performance.now();
  const coming = [...comingTo.values()].flat().filter(each => each.until > now).map(each => each.step.number);
  const step = Math.max(pictures[0].total, Math.min(newest.log.total, ...coming.map(number => number - 1)));
  shown = pictureWith(step);
  picture = { ...picture, log: { ...newest.log, total: step, steps: newest.log.steps.filter(each => each.number <= step) } };
  document.getAnimations().filter(each => $('tokens').contains(each.effect.target)).forEach(each => each.pause());
  forgetComing();
  draw();
}

function live() {
  if (shown >= 0) travel(-1);
}

/** Returns the numbers of the listed steps between a picture and the one before, the last one included. */
function stepsOf(at) {
  const from = pictures[at - 1].total;
  const numbers = JSON.parse(pictures[at].text).log.steps.map(step => step.number).filter(number => number > from);
  return pictures[at].total > from ? numbers.filter(number => number < pictures[at].total).concat(pictures[at].total) : [];
}

function stepBack() {
  const at = shown < 0 ? pictures.length - 1 : shown;
  if (at < 1) return;
  const earlier = stepsOf(at).filter(number => number < picture.log.total).pop();
  const before = pictures.findLast(each => each.total < picture.log.total);
  if (earlier) travel(at, earlier);
  else if (before) travelTo(before.total);
}

function stepOn() {
  if (shown < 0) return;
  const at = pictures.findIndex(each => each.total > picture.log.total);
  if (at < 0) live();
  else travelTo(at > 0 ? stepsOf(at).find(number => number > picture.log.total) : pictures[at].total);
}

/** Returns the last picture of a step of a scene that plays, or -1. */
function pictureOf(scene, step) {
  for (let i = (shown < 0 ? pictures.length : shown + 1) - 1; i >= 0 && pictures[i].scene === scene; i--) {
    if (pictures[i].step === step) return i;
  }
  return -1;
}

/** The next step of the scene: one that has been played, if the page shows an earlier one. */
function nextStep() {
  if (shown < 0) return picture.scene.running ? send('next') : play(nextScene().id);
  const { scene, step } = pictures[shown];
  let to = pictures.findIndex((each, i) => i > shown && each.scene === scene && each.step > step);
  while (to >= 0 && pictures[to + 1] && pictures[to + 1].scene === scene && pictures[to + 1].step === pictures[to].step) to++;
  travel(to === pictures.length - 1 ? -1 : to);
}

function drawTime() {
  const last = pictures.length - 1;
  $('time-slider').min = pictures[0].total;
  $('time-slider').max = pictures[last].total;
  $('time-slider').value = picture.log.total;
  const step = shown < 0 ? undefined : picture.log.steps.find(each => each.number === picture.log.total);
  const text = words.at(picture.log.total, pictures[last].total) + (step ? words.colon + stepText(step) : '') +
    (shown < 0 ? '' : words.comma + words.earlier);
  write($('time-text'), text);
  $('time-slider').setAttribute('aria-valuetext', text);
  $('time-slider').setAttribute('aria-labelledby', 'time-title');
  $('time-back').setAttribute('aria-label', words.stepBack);
  $('time-on').setAttribute('aria-label', words.stepOn);
  write($('time-pause'), shown < 0 ? words.pause : words.backToLive);
  $('time-pause').setAttribute('aria-pressed', shown >= 0);
  document.body.classList.toggle('past', shown >= 0);
  write($('left-out'), leftOut ? words.leftOut(leftOut) : '');
  const filter = $('filter').value.trim();
  $('only').hidden = !filter && !selected;
  $('filter').classList.toggle('on', !!filter);
  write($('only'), [filter && words.only(filter), selected && words.follows(selected)].filter(text => text).join(words.comma));
}
