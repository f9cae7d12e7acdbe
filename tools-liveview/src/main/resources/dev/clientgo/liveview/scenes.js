'use strict';

/* The buttons that cause something, and the scenes: lessons whose steps wait for their reader. */

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
  box.one.title = words.oneHelp;
  box.one.disabled = !stage.paused;
  box.pause.setAttribute('aria-pressed', stage.paused);
  box.slow.setAttribute('aria-pressed', stage.delay > 0);
  write(box.waiting, stage.waiting ? words.held[stage.name](stage.waiting) : '');
}

function drawControls() {
  const scene = picture.scene;
  $('controls').hidden = !picture.control;
  // While a scene is shown, its steps alone cause events, and the picture has the room.
  $('actions').hidden = !picture.control || !!scene.id;
  $('play').hidden = $('scenes').hidden = !picture.control || picture.scenes.length === 0;
  $('intro').hidden = !!scene.id;
  write($('intro-do'), $('play').hidden ? words.introLook : words.introPlay);
  drawCaption(scene);
  if ($('scenes').scene !== (scene.id || '')) {
    // A scene that begins needs the room; after its end, the reader chooses another.
    if (!scene.id && $('scenes').scene) scrollTo({ top: 0 });
    $('scenes').open = !scene.id;
    $('scenes').scene = scene.id || '';
  }
  if (!picture.control) return;
  title({ heading: $('actions-title'), what: $('actions-what') }, words.actions);
  sync($('stages'), Object.entries(picture.stages).map(([name, stage]) => ({ name, ...stage })),
    s => s.name, makeStage, drawStage);
  sync($('action-list'), picture.actions, a => a.id,
    a => { const made = button('', () => send('action', { id: a.id, key: selected })); made.dataset.action = a.id; return made; },
    (b, a) => {
      write(b, a.text[language]);
      b.title = a.help[language];
      if (a.on) b.setAttribute('aria-pressed', a.on);
    });
  sync($('scene-list'), picture.scenes.map(s => ({ ...s, now: s.id === scene.id })), s => s.id,
    s => { const made = button('', () => play(s.id)); made.dataset.scene = s.id; return made; },
    (b, s) => { write(b, s.title[language]); b.setAttribute('aria-current', s.now); });
}

/** Plays a scene, which waits for its reader at each step. */
async function play(scene) {
  await send('play', { scene, auto: false });
  $('scene-next').focus({ preventScroll: true }); // The list of scenes is closed.
}

/** Ends the scene; the program begins afresh, without the pods and the replicas of the scene. */
async function endScene() {
  await send('stop');
  if (picture.actions.some(action => action.id === 'reset')) await send('action', { id: 'reset' });
}

/** Writes a text whose names, such as web-2, are not broken. */
function writeNames(target, text) {
  if (target.textContent === text) return;
  target.replaceChildren(...text.split(/([\w/]+(?:-\w+)+)/).map((part, i) => (i % 2 ? node('b', '', part) : part)));
}

function drawCaption(scene) {
  $('caption').hidden = !scene.id;
  if (!scene.id) return;
  const isBusy = scene.running && scene.busy;
  write($('scene-title'), scene.title[language]);
  writeNames($('scene-text'), (scene.text ? scene.text[language] : scene.error ? '' : words.begins) +
    (scene.error ? ` ${words.failed} ${scene.error}` : ''));
  write($('scene-step'), words.step(Math.max(1, scene.step), scene.steps) + (!scene.running ? words.comma + words.sceneEnd
    : isBusy ? words.comma + words.underWay : scene.step === 1 && !scene.auto ? words.comma + words.pressNext : ''));
  const next = nextScene();
  write($('scene-next'), scene.running ? words.next : words.nextScene);
  $('scene-next').disabled = isBusy && shown < 0;
  $('scene-next').hidden = !scene.running && !next;
  $('scene-back').disabled = scene.step < 2 || pictureOf(scene.id, scene.step - 1) < 0;
  $('scene-auto').hidden = !scene.running;
  $('scene-auto').setAttribute('aria-pressed', scene.auto && scene.running);
  $('scene-stop').title = words.stopHelp;
}

/** Returns the scene after the one that is shown, or undefined. */
function nextScene() {
  return picture.scenes && picture.scenes[picture.scenes.findIndex(scene => scene.id === picture.scene.id) + 1];
}

/** Highlights the boxes that the scene is about; a new step brings them into sight, below its text. */
function speak(scene) {
  highlight(scene.about || []);
  const state = scene.id + ' ' + scene.step;
  if (!scene.step || $('caption').state === state) return;
  $('caption').state = state;
  const caption = $('caption').offsetHeight;
  document.documentElement.style.setProperty('--caption', caption + 'px');
  const spoken = [...document.querySelectorAll('.box.spoken')].filter(box => box.checkVisibility())
    .map(place).sort((a, b) => a.top - b.top);
  if (!spoken.length) return;
  // As many of the boxes as there is room for, the first one among them.
  const top = $('pipeline').getBoundingClientRect().top + scrollY;
  const room = innerHeight - $('time').offsetHeight - caption - 16;
  const first = spoken[0].top;
  const end = Math.max(...spoken.filter(each => each.bottom - first <= room).map(each => each.bottom), first);
  const lowest = top + first - caption - 8;
  const highest = top + end + 8 + $('time').offsetHeight - innerHeight;
  scrollTo({ top: wide.matches ? Math.min(lowest, highest) : (lowest + Math.min(lowest, highest)) / 2, behavior: still.matches ? 'auto' : 'smooth' });
}
