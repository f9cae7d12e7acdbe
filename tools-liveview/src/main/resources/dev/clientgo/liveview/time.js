'use strict';

/* The pace of the boxes, and earlier states. A change runs through the whole program between two
   pictures, so a box is drawn from two of them: for the keys of some steps from the one before. */

// ---- a picture between two pictures

/** Returns the items of a set: those of late keys are as before. */
function mixSet(before, after, late) {
  const isLate = ({ key }) => late.some(each => each.key === '(' || each.key === key);
  return before.filter(isLate).concat(after.filter(each => !isLate(each)));
}

/**
 * Returns the items of a list with numbers: a late step keeps its item out, or still in. An item that
 * came and left between the pictures is in neither; it is made from the step with which it leaves.
 */
function mixList(before, after, late, make) {
  const affected = (items, others, out) => {
    const keys = late.filter(each => each.out === out).map(each => each.key);
    return items.filter(item => !others.some(each => each.number === item.number)).reverse().filter(item => {
      const at = keys.indexOf(keyOf(item));
      if (at >= 0) keys.splice(at, 1);
      return at >= 0;
    });
  };
  const notYet = affected(after, before, false);
  const items = affected(before, after, true).concat(after.filter(item => !notYet.includes(item))).sort((a, b) => a.number - b.number);
  const leaving = late.filter(each => each.out);
  const unseen = after.length + leaving.length * 2 - late.length - items.length;
  return unseen > 0 && make ? leaving.slice(-unseen).map(make).concat(items) : items;
}

const unseenDelta = ({ step }) => ({ number: 'step ' + step.number, key: step.key, deltas: [{ what: step.what, version: '' }] });
const unseenCall = ({ step }) => ({ number: 'step ' + step.number, key: step.key, what: step.what });

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
    .map(key => [...before, ...after].find(each => each.key === key) || { key, ms: 0, times: 1 });
  return leaving.concat(after.filter(each => !next.has(each.key)));
}

function pacedInformer(old, now, server, late) {
  const [reflector, fifo, store] = ['reflector', 'fifo', 'store'].map(part => late(part + ' ' + now.name));
  const made = { ...now };
  if (reflector.length) {
    made.frames = mixList(old.frames, now.frames, reflector);
    made.received = less(old.received, now.received, reflector.length);
    Object.assign(made, { state: old.state, version: old.version, error: old.error });
  }
  if (fifo.length) {
    const items = (now.deltaFIFO ? mixSet : mixList)(old.queue.items, now.queue.items, fifo, unseenDelta);
    const deltas = list => list.reduce((sum, each) => sum + each.deltas.length, 0);
    made.queue = { items, size: now.queue.size + deltas(items) - deltas(now.queue.items),
      entries: now.queue.entries + items.length - now.queue.items.length };
  }
  if ((store.length || late('server').length) && old.store && now.store) {
    // Of an object that has arrived and changes again, the first version is in no picture.
    const arrived = o => store.some(each => each.key === o.key && each.first < performance.now()) && !old.store.objects.some(each => each.key === o.key);
    const objects = mixSet(old.store.objects, now.store.objects, store)
      .concat(now.store.objects.filter(arrived).map(o => ({ key: o.key, version: '' }))).sort((a, b) => a.key < b.key ? -1 : 1);
    made.store = { objects, size: now.store.size + objects.length - now.store.objects.length,
      version: (store.length ? old : now).store.version, indices: (store.length ? old : now).store.indices };
    const truth = server && server.objects || [];
    const same = objects.filter(o => truth.some(t => t.key === o.key && t.version === o.version)).length;
    const known = objects.filter(o => truth.some(t => t.key === o.key)).length;
    made.differs = truth.length + objects.length - known - same;
  }
  made.listeners = now.listeners.map(listener => {
    const before = old.listeners.find(each => each.name === listener.name);
    const steps = late(`listeners ${now.name} handler ${listener.name}`);
    if (!before || !steps.length) return listener;
    const arriving = steps.filter(each => !each.out);
    const items = mixList(before.items, listener.items, steps, unseenCall);
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
  const [merged, done] = ['merged', 'done'].map(name => late(`${name} ${now.name}`).length);
  return { ...made, merged: less(old.merged, now.merged, merged), done: less(old.done, now.done, done), failed: less(old.failed, now.failed, done),
    unwritten: late('written ' + now.name).length };
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
    ? { ...now.server, objects: mixSet(old.server.objects, now.server.objects, writes), version: old.server.version } : now.server;
  const named = (list, name) => list.find(each => each.name === name);
  return { ...now, server,
    informers: now.informers.map(each => {
      const before = named(old.informers, each.name);
      return before ? pacedInformer(before, each, server, late) : each;
    }),
    queues: now.queues.map(each => {
      const before = named(old.queues, each.name);
      return before ? pacedQueue(before, each, late) : each;
    }) };
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

/** Shows an earlier picture, or the newest one with -1; as it was after a step, if that is given. */
function travel(to, step = Infinity) {
  if (!pictures.length) return;
  const last = pictures.length - 1;
  shown = to < 0 || (to >= last && step >= pictures[last].total) ? -1 : Math.min(to, last);
  const parsed = at => JSON.parse(pictures[at].text);
  const now = parsed(shown < 0 ? last : shown);
  picture = shown > 0 && step < now.log.total ? pictureAfter(parsed(shown - 1), now, step) : now;
  clearTokens();
  lastStep = now.log.total;
  draw();
  if (shown >= 0) restToken(picture.log.steps.find(each => each.number === picture.log.total));
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
  if (earlier) travel(at, earlier);
  else travel(at - 1);
}

function stepOn() {
  if (shown < 0) return;
  const at = picture.log.total < pictures[shown].total ? shown : shown + 1;
  travel(at, at > 0 ? stepsOf(at).find(number => number > picture.log.total) : undefined);
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
  const at = shown < 0 ? last : shown;
  $('time-slider').max = Math.max(0, last);
  $('time-slider').value = at;
  const step = shown < 0 ? undefined : picture.log.steps.find(each => each.number === picture.log.total);
  const text = words.at(picture.log.total, pictures[last].total) + (step ? ': ' + stepText(step) : '') +
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
