'use strict';

/* The pace of the boxes, and earlier states. A change runs through the whole program between two
   pictures, so a box is drawn from two of them: for the keys of some steps from the one before. */

// ---- a picture between two pictures

/** Returns the items of a set: those of late keys are as before. */
function mixSet(before, after, late) {
  const isLate = ({ key }) => late.some(each => each.key === '(' || each.key === key);
  return before.filter(isLate).concat(after.filter(each => !isLate(each)));
}

/** Returns the items of a list with numbers: a late step keeps its item out, or still in. */
function mixList(before, after, late) {
  const affected = (items, others, out) => {
    const keys = late.filter(each => each.out === out).map(each => each.key);
    return items.filter(item => !others.some(each => each.number === item.number)).reverse().filter(item => {
      const at = keys.indexOf(keyOf(item));
      if (at >= 0) keys.splice(at, 1);
      return at >= 0;
    });
  };
  const notYet = affected(after, before, false);
  return affected(before, after, true).concat(after.filter(item => !notYet.includes(item))).sort((a, b) => a.number - b.number);
}

/** Returns a number that only grows, without that of the late steps. */
function less(before, after, late) {
  return Math.max(Math.min(before, after), after - late);
}

function pacedInformer(old, now, server, late) {
  const [reflector, fifo, store] = ['reflector', 'fifo', 'store'].map(part => late(part + ' ' + now.name));
  const made = { ...now };
  if (reflector.length) {
    made.frames = mixList(old.frames, now.frames, reflector);
    made.received = less(old.received, now.received, now.frames.length - made.frames.length);
    Object.assign(made, { state: old.state, version: old.version, error: old.error });
  }
  if (fifo.length) {
    const items = (now.deltaFIFO ? mixSet : mixList)(old.queue.items, now.queue.items, fifo);
    const deltas = list => list.reduce((sum, each) => sum + each.deltas.length, 0);
    made.queue = { items, size: now.queue.size + deltas(items) - deltas(now.queue.items),
      entries: now.queue.entries + items.length - now.queue.items.length };
  }
  if (store.length && old.store && now.store) {
    const objects = mixSet(old.store.objects, now.store.objects, store).sort((a, b) => a.key < b.key ? -1 : 1);
    made.store = { objects, size: now.store.size + objects.length - now.store.objects.length,
      version: old.store.version, indices: old.store.indices };
    const truth = server && server.objects || [];
    const same = objects.filter(o => truth.some(t => t.key === o.key && t.version === o.version)).length;
    const known = objects.filter(o => truth.some(t => t.key === o.key)).length;
    made.differs = truth.length + objects.length - known - same;
  }
  made.listeners = now.listeners.map(listener => {
    const before = old.listeners.find(each => each.name === listener.name);
    const steps = late(`listeners ${now.name} ${listener.name}`);
    if (!before || !steps.length) return listener;
    const arriving = steps.filter(each => !each.out);
    const items = mixList(before.items, listener.items, steps);
    const current = arriving.some(each => each.key === listener.current.key) ? before.current : listener.current;
    return { ...listener, items, current, size: listener.size + items.length - listener.items.length,
      calls: less(before.calls, listener.calls, steps.length), failures: less(before.failures, listener.failures, steps.length) };
  });
  return made;
}

function pacedQueue(old, now, late) {
  const steps = late('queue ' + now.name);
  if (!steps.length) return now;
  const made = { ...now };
  ['waiting', 'dirty', 'queue', 'processing'].forEach(name => {
    const items = mixSet(old[name].items, now[name].items, steps);
    made[name] = { items, size: now[name].size + items.length - now[name].items.length };
  });
  const keys = new Set(steps.map(each => each.key)).size;
  ['merged', 'done', 'failed'].forEach(name => { made[name] = less(old[name], now[name], keys); });
  return made;
}

/**
 * Returns a picture in which some steps have not happened yet.
 *
 * @param late returns the keys of these steps for a box, and whether the key leaves the box
 */
function paced(old, now, late) {
  if (old === now) return now;
  const named = (list, name) => list.find(each => each.name === name);
  return { ...now,
    informers: now.informers.map(each => {
      const before = named(old.informers, each.name);
      return before ? pacedInformer(before, each, now.server, late) : each;
    }),
    queues: now.queues.map(each => {
      const before = named(old.queues, each.name);
      return before ? pacedQueue(before, each, late) : each;
    }) };
}

/** Returns the picture as it was after a step that is between two pictures. */
function pictureAfter(old, now, number) {
  const later = now.log.steps.filter(step => step.number > number);
  const boxOf = ({ kind, source }) => ({ request: 'reflector ', frame: 'reflector ', error: 'reflector ', queued: 'fifo ', popped: 'fifo ',
    stored: 'store ', work: 'queue ', notified: 'listeners ', delivered: 'listeners ' }[kind] + source.replace(' handler ', ' '));
  const late = box => later.filter(step => boxOf(step) === box)
    .map(step => ({ key: keyOf(step), out: step.kind === 'popped' || step.kind === 'delivered' }));
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
  if (shown < 0) return send('next');
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
  write($('left-out'), leftOut ? words.leftOut(leftOut, MOST_TOKENS) : '');
}
