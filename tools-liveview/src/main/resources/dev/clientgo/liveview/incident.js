'use strict';

/* Shows the reconciles of an incident. The browser reads the file itself: a line of text, and then, in gzip, lines of
   JSON: a head, objects, reconciles, and an end with the number of lines before it. */

const MAGIC = 'client-go incident ';
const VERSION = 1;
const MOST_BYTES = 256 * 1024 * 1024;
const PAGE = 200;

let incident = null; // { about, objects: Map, reconciles }
let problem = '';
let shown = PAGE;
let selected = null;

// ---- the file

async function read(file) {
  const first = (await file.slice(0, 100).text()).split('\n', 1)[0];
  if (!first.startsWith(MAGIC)) throw new Error(words.noIncident);
  if (first !== MAGIC + VERSION) throw new Error(words.otherVersion(first, VERSION));
  const read = { about: null, objects: new Map(), reconciles: [] };
  let number = 0;
  let end = -1;
  for await (const line of lines(file.slice(first.length + 1))) {
    const tree = JSON.parse(line);
    if (number === 0) read.about = tree;
    else if (typeof tree.end === 'number') end = tree.end === number ? number : end;
    else if (typeof tree.object === 'number') read.objects.set(tree.object, tree.content);
    else read.reconciles.push(tree);
    number++;
  }
  if (end !== number - 1) throw new Error(words.notComplete);
  // They are in the order in which they ended; a replay numbers them as they began.
  read.reconciles.sort((a, b) => order(a.start) < order(b.start) ? -1 : order(a.start) > order(b.start) ? 1 : 0);
  read.reconciles.forEach((each, i) => { each.number = i + 1; });
  return read;
}

/** Returns a time as a text that sorts; fractions of seconds have up to nine digits. */
function order(time) {
  const [seconds, fraction = ''] = time.replace('Z', '').split('.');
  return seconds + '.' + fraction.padEnd(9, '0');
}

async function* lines(zipped) {
  const reader = zipped.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > MOST_BYTES) throw new Error(words.tooLarge);
    const pieces = decoder.decode(part.value, { stream: true }).split('\n');
    if (pieces.length > 1) {
      yield rest.join('') + pieces[0];
      yield* pieces.slice(1, -1);
      rest = [];
    }
    rest.push(pieces[pieces.length - 1]);
  }
}

async function open(file) {
  incident = selected = null;
  shown = PAGE;
  problem = words.reading;
  draw();
  try {
    incident = await read(file);
    problem = '';
  } catch (e) {
    problem = words.cannotRead + ' ' + e.message;
  }
  draw();
}

/** Opens the file that the program of the view has named, if there is one. */
async function openNamed() {
  const answer = await fetch('incident.bin');
  if (answer.status === 200) await open(await answer.blob());
  else if (!answer.ok) { problem = words.cannotRead + ' ' + await answer.text(); draw(); }
}

// ---- texts

function key(reconcile) {
  return [reconcile.cluster, reconcile.namespace, reconcile.name].filter(part => part).join('/');
}

function took(reconcile) {
  return words.ms(Math.max(0, Date.parse(reconcile.end) - Date.parse(reconcile.start)));
}

function end(reconcile) {
  const error = reconcile.error;
  return error ? '✗ ' + error.class.split('.').pop() + ': ' + error.message : '✓ ' + reconcile.result;
}

/** Why it ran, as far as the file says: it has no events. */
function why(reconcile) {
  return reconcile.failures ? words.retry(reconcile.failures) : reconcile.priority ? words.priority(reconcile.priority) : '';
}

/** Returns what was asked, with “deployments.apps/v1” for the long name of a resource. */
function ask(call) {
  return call.ask.replace(/(\S*), Resource=(\S+)/, (all, version, resource) => resource + (version === '/v1' ? '' : '.' + version));
}

function isRequest(call) {
  return call.code !== undefined;
}

function isWrite(call) {
  return call.wanted !== undefined || isRequest(call) && !call.ask.startsWith('GET ');
}

function summary(reconcile) {
  const writes = reconcile.calls.filter(isWrite).length;
  return [`#${reconcile.number} ${reconcile.start.substring(11, 23).replace('Z', '')} ${reconcile.controller} ${key(reconcile)}`,
    end(reconcile), took(reconcile), words.callCounts(reconcile.calls.length - writes, writes), why(reconcile)]
    .filter(text => text).join(' · ');
}

function answer(call) {
  if (call.error) return '✗ ' + (call.code ? call.code + ' ' : '') + call.error.class.split('.').pop() + ': ' + call.error.message;
  if (isRequest(call)) return String(call.code);
  return call.objects ? words.objects(call.objects.length) : String(call.value);
}

// ---- the page

function draw() {
  drawWords('incident');
  const filter = $('filter').value.trim();
  const all = incident ? incident.reconciles : [];
  const found = all.filter(each => !filter || (each.controller + ' ' + key(each)).includes(filter));
  write($('status'), problem || (incident ? words.about(found.length, all.length, incident.about) : words.noFile));
  $('reconciles').setAttribute('aria-label', words.reconciles);
  $('reconciles').replaceChildren(...found.slice(0, shown).map(reconcile => {
    const row = node('li');
    const made = button(summary(reconcile), () => select(reconcile),
      'chip ' + (reconcile.error ? 'error' : 'plain') + (reconcile === selected ? ' selected' : ''));
    made.dataset.number = reconcile.number;
    row.append(made);
    return row;
  }));
  $('more').hidden = found.length <= shown;
  write($('more'), words.more(found.length - shown));
  drawReconcile();
}

function drawReconcile() {
  $('object').hidden = !selected;
  if (!selected) return;
  write($('object-title'), `#${selected.number} ${selected.controller} ${key(selected)}`);
  write($('object-end'), [selected.start + ' – ' + selected.end, end(selected), why(selected),
    selected.complete ? '' : words.partMissing].filter(text => text).join(' · '));
  $('calls').replaceChildren(...selected.calls.map(call => {
    const item = node('li');
    const kind = call.error ? 'error' : isWrite(call) ? 'updated' : 'plain';
    const line = node('p', '', `${ask(call)} → ${answer(call)}`);
    line.prepend(node('span', 'chip ' + kind, isWrite(call) ? words.write : words.read), ' ');
    item.append(line);
    if (call.sent !== undefined) item.append(tree(words.sent, call.sent));
    if (call.wanted !== undefined) item.append(tree(words.sent, incident.objects.get(call.wanted)));
    if (call.received !== undefined) item.append(tree(words.receivedBody, call.received));
    (call.objects || []).forEach(number => {
      const object = incident.objects.get(number);
      const name = object && object.metadata ? [object.metadata.namespace, object.metadata.name].filter(part => part).join('/') : '';
      item.append(tree(name + ' @' + (object && object.metadata ? object.metadata.resourceVersion : ''), object));
    });
    return item;
  }));
}

/** A tree that opens, and is made only then. */
function tree(title, value) {
  const details = node('details');
  details.append(node('summary', '', title));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(node('pre', '', JSON.stringify(value, null, 2)));
  });
  return details;
}

function select(reconcile) {
  selected = reconcile;
  draw();
  $('object-close').focus();
}

function unselect() {
  if (!selected) return;
  const number = selected.number;
  selected = null;
  draw();
  const opener = document.querySelector(`[data-number="${number}"]`);
  if (opener) opener.focus();
}

onLanguage(draw);
$('file').addEventListener('change', () => { if ($('file').files.length) open($('file').files[0]); });
$('filter').addEventListener('input', () => { shown = PAGE; draw(); });
$('more').addEventListener('click', () => { shown += PAGE; draw(); });
$('object-close').addEventListener('click', unselect);
document.addEventListener('keydown', event => { if (event.key === 'Escape') unselect(); });
draw();
openNamed();
