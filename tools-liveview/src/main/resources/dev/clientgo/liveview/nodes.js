'use strict';

/* The language, and nodes of the document: what the pages share. */

const $ = id => document.getElementById(id);
let language = new URLSearchParams(location.search).get('lang') ||
  localStorage.getItem('language') || (navigator.language.startsWith('zh') ? 'zh' : 'en');
if (!WORDS[language]) language = 'en';
let words = WORDS[language];

function node(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

function button(text, run, className) {
  const made = node('button', className, text);
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}

/** Writes the words of the page, and lets its button switch the language. */
function drawWords(title) {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  document.title = words[title];
  document.querySelectorAll('[data-word]').forEach(n => write(n, words[n.dataset.word]));
  write($('language'), words.language);
  $('language').lang = language === 'zh' ? 'en' : 'zh-CN';
}

function onLanguage(draw) {
  $('language').addEventListener('click', () => {
    language = language === 'zh' ? 'en' : 'zh';
    localStorage.setItem('language', language);
    words = WORDS[language];
    draw();
  });
}
