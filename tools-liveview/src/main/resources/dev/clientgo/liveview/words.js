'use strict';

/** The words of the page. Names of classes and of events stay as client-go has them. */
const WORDS = {
  en: {
    language: '中文', comma: ', ', title: 'An informer at work', skip: 'Skip to the pipeline',
    connecting: 'connecting …', live: 'live', lost: 'connection lost, trying again …',
    scenes: 'Scenes', next: 'Next', auto: 'Play by itself', stop: 'End the scene',
    step: (n, of) => `step ${n} of ${of}`, sceneEnd: 'the scene is over', failed: 'The scene failed:',
    controls: 'Controls', actions: 'Cause:', pause: 'Pause', one: 'Step', slow: 'Slow',
    waiting: n => `${n} waiting`,
    stages: { receive: 'Frames', pop: 'Queue → store', deliver: 'Handlers', work: 'Workers' },
    filter: 'Show only keys with', close: 'Close', paused: 'paused', selected: 'selected:',
    frames: 'Server → Reflector', queue: n => `${n} in the queue`, received: n => `${n} requests and frames`,
    store: 'Indexer', objects: n => n === 1 ? '1 object' : `${n} objects`, more: n => `and ${n} more`,
    indexValues: (name, n) => `index “${name}”, values: ${n}`,
    listener: 'ProcessorListener', buffer: n => `${n} in the buffer`, calls: (n, failed) => `${n} calls, ${failed} failed`,
    calling: 'the handler runs', idle: 'the handler is idle', none: 'no handler',
    workQueue: 'queue', dirty: 'dirty set', processing: 'processing set (workers)', delayed: 'delayed',
    merged: n => `${n} adds merged`, done: n => `${n} done`, inMs: (ms, times) => `in ${ms} ms, retry ${times}`,
    log: 'Steps', history: 'History', noHistory: 'No step of this object is remembered.',
    sample: (total, rate, skipped, limit) => `${total} steps so far, ${rate} in the last full second. ` +
      (skipped ? `${skipped} are counted and not listed: the list takes at most ${limit} a second. Counts and boxes are exact.` : 'All are listed in turn.'),
    kinds: { request: 'request', frame: 'frame', queued: 'queued', popped: 'popped', stored: 'stored', notified: 'notified', delivered: 'delivered', work: 'work queue', error: 'error' },
  },
  zh: {
    language: 'English', comma: '，', title: '运行中的 informer', skip: '跳到流水线',
    connecting: '正在连接……', live: '实时', lost: '连接中断，正在重试……',
    scenes: '场景', next: '下一步', auto: '自动播放', stop: '结束场景',
    step: (n, of) => `第 ${n} 步，共 ${of} 步`, sceneEnd: '场景结束', failed: '场景失败：',
    controls: '控制', actions: '制造事件：', pause: '暂停', one: '单步', slow: '放慢',
    waiting: n => `${n} 个在等待`,
    stages: { receive: '事件帧', pop: '队列 → 存储', deliver: '处理函数', work: 'worker' },
    filter: '只显示包含以下文字的 key', close: '关闭', paused: '已暂停', selected: '已选中：',
    frames: '服务器 → Reflector', queue: n => `队列中 ${n} 个`, received: n => `${n} 个请求和事件帧`,
    store: 'Indexer', objects: n => `${n} 个对象`, more: n => `还有 ${n} 个`,
    indexValues: (name, n) => `索引 “${name}”：${n} 个值`,
    listener: 'ProcessorListener', buffer: n => `缓冲区中 ${n} 个`, calls: (n, failed) => `调用 ${n} 次，失败 ${failed} 次`,
    calling: '处理函数正在运行', idle: '处理函数空闲', none: '没有处理函数',
    workQueue: '队列', dirty: 'dirty 集合', processing: 'processing 集合（worker）', delayed: '延迟中',
    merged: n => `合并了 ${n} 次 add`, done: n => `完成 ${n} 个`, inMs: (ms, times) => `${ms} 毫秒后，第 ${times} 次重试`,
    log: '步骤', history: '历史', noHistory: '没有记录到这个对象的步骤。',
    sample: (total, rate, skipped, limit) => `至今 ${total} 步，最近一整秒 ${rate} 步。` +
      (skipped ? `其中 ${skipped} 步只计数、未列出：列表每秒最多 ${limit} 步。计数和各个方框始终准确。` : '全部依次列出。'),
    kinds: { request: '请求', frame: '事件帧', queued: '入队', popped: '出队', stored: '存储', notified: '通知', delivered: '送达', work: '工作队列', error: '错误' },
  },
};
