/**
 * Schedulers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * everybody takes who builds one. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · The queue
  {
    id: 'backoff-never-grows',
    why: 'Whoever has failed ten times is tried as often as whoever has failed once.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);',
        'return Math.min(initialMs, maxMs);',
      ],
    ],
  },
  {
    id: 'backoff-without-end',
    why: 'The wait doubles for ever: after an hour of failures a pod waits for days.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);',
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs * 2 ** count);',
      ],
    ],
  },
  {
    id: 'backoff-by-bits',
    why: 'A shift of 32 bits begins anew: who has failed often enough is tried without a pause.',
    origin: 'common',
    law: 'Level 1',
    edits: [['2 ** Math.min(count - 1, DOUBLINGS_MAX)', '(1 << (count - 1))']],
  },
  {
    id: 'no-backoff',
    why: 'Whoever has failed is tried at the next opportunity, however often that has come to nothing.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'return this.#backoffEndsMs(info) >= this.#clock.now();',
        'return info.timestampMs >= this.#clock.now();',
      ],
    ],
  },
  {
    id: 'backoff-ends-early',
    why: 'A backoff of a second is over when a second has begun to pass: at its very end the pod still waits.',
    origin: 'common: vectors, "Backoff expiring exactly now still waits"',
    law: 'Level 1',
    edits: [
      [
        'return this.#backoffEndsMs(info) >= this.#clock.now();',
        'return this.#backoffEndsMs(info) > this.#clock.now();',
      ],
    ],
  },
  {
    id: 'first-come-first-served',
    why: 'The important wait in line like everybody else.',
    origin: 'common',
    law: 'Important first',
    edits: [
      [
        'return priorityA > priorityB || (priorityA === priorityB && a.timestampMs < b.timestampMs);',
        'return a.timestampMs < b.timestampMs || (a.timestampMs === b.timestampMs && priorityA === priorityB && false);',
      ],
    ],
  },
  {
    id: 'the-least-first',
    why: 'As with nice(1), the lower number is taken for the more important one.',
    origin: 'common',
    law: 'Important first',
    edits: [['return priorityA > priorityB ||', 'return priorityA < priorityB ||']],
  },
  {
    id: 'who-waits-longest-does-not-count',
    why: 'Among equals the last to come may go first, and the first may wait for ever.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '(priorityA === priorityB && a.timestampMs < b.timestampMs)',
        '(priorityA === priorityB && a.timestampMs > b.timestampMs)',
      ],
    ],
  },
  {
    id: 'opens-gates',
    why: 'A pod that is not to be scheduled yet is scheduled.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      ['return (spec.schedulingGates ?? []).length > 0;', 'return (spec.schedulingGates ?? []).length > 9;'],
    ],
  },
  {
    id: 'one-count-for-all',
    why: 'A server that fails is laid to the charge of the pod: after an outage everybody waits ten seconds.',
    origin: 'k#133170: errors and rejections are counted apart since 1.34',
    law: 'Level 1',
    edits: [
      [
        'timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.#limits);',
        'timestampMs + backoffDurationMs(consecutiveErrorsCount + unschedulableCount, this.#limits);',
      ],
    ],
  },
  {
    id: 'forgotten-when-changed',
    why: 'With every change a pod begins anew: a controller that labels it keeps it out of its backoff for ever.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'const info = { ...known, pod: newPod };',
        'const info = { ...known, pod: newPod, unschedulableCount: 0, consecutiveErrorsCount: 0 };',
      ],
    ],
  },
  {
    id: 'sleeps-for-ever',
    why: 'Hints may be wrong, and nobody ever looks whether they were.',
    origin: 'common',
    law: 'Level 1',
    edits: [['now - info.timestampMs <= POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;', 'now > 0) continue;']],
  },
  {
    id: 'restless',
    why: 'All who sleep are tried every half minute, in case something has happened: with thousands of them nobody else is.',
    origin: 'common',
    law: 'Quiet at rest',
    edits: [
      [
        'now - info.timestampMs <= POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;',
        'now - info.timestampMs <= 10_000) continue;',
      ],
    ],
  },
  {
    id: 'errors-are-never-over',
    why: 'What went wrong before counts on after it has gone right, and the next error waits ten seconds.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'consecutiveErrorsCount: rejected ? 0 : info.consecutiveErrorsCount + 1',
        'consecutiveErrorsCount: info.consecutiveErrorsCount + (rejected ? 0 : 1)',
      ],
    ],
  },
  {
    id: 'without-priority-goes-last',
    why: 'A pod without a priority has one, 0, and goes before those who say that they can wait.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '[a.pod.spec.priority ?? 0, b.pod.spec.priority ?? 0]',
        '[a.pod.spec.priority ?? -Infinity, b.pod.spec.priority ?? -Infinity]',
      ],
    ],
  },
  {
    id: 'keeps-the-old-version',
    why: 'A pod that changed while it waits is scheduled as it was.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (heap) heap.put(info);', 'if (heap) heap.put(known);']],
  },
  {
    id: 'leaves-them-waiting',
    why: 'Whoever waits for a pod when the queue is closed waits for ever, and the process does not end.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '    this.#closed = true;\n    for (const resolve of this.#waiters.splice(0)) resolve(undefined);',
        '    this.#closed = true;',
      ],
    ],
  },

  // Level 2 · Who wakes whom
  {
    id: 'everything-wakes-everybody',
    why: 'Whatever happens to any node has every pod tried again.',
    origin: 'k#94009: why events were first told apart',
    law: 'Wakes for good reason',
    edits: [
      ['const candidates = isWildcard(event)', 'const candidates = event.resource'],
      [
        'if (isPodWorthRequeuing(info, event, oldObject, newObject, interested)) this.#requeue(info);',
        'this.#requeue(info);',
      ],
    ],
  },
  {
    id: 'hints-are-not-asked',
    why: 'That a plugin wants to hear of an event is taken for its word that it helps: a node too small wakes the giant.',
    origin: 'common before 1.32',
    law: 'Wakes for good reason',
    edits: [
      [
        "  queueingHintFn: framework.QueueingHintFn = () => 'Queue',\n): boolean {\n",
        "  queueingHintFn: framework.QueueingHintFn = () => 'Queue',\n): boolean {\n  if (oldObject || newObject) return true;\n",
      ],
    ],
  },
  {
    id: 'nothing-wakes-anybody',
    why: 'Room is made, and whoever waits for it sleeps on until the five minutes are over.',
    origin: 'common',
    law: 'Wakes in time',
    edits: [
      [
        'if (isPodWorthRequeuing(info, event, oldObject, newObject, interested)) this.#requeue(info);',
        'void info;',
      ],
    ],
  },
  {
    id: 'misses-what-happens-meanwhile',
    why: 'A node comes while a pod is being tried; the pod is turned away, and has missed it.',
    origin: 'k#102790',
    law: 'Level 2',
    edits: [
      [
        'if (rejected && !this.#missedSomething(back)) this.#unschedulable',
        'if (rejected) this.#unschedulable',
      ],
    ],
  },
  {
    id: 'all-that-ever-happened',
    why: 'What happened before a pod was popped is counted as well: while anybody is in flight, nobody ever sleeps.',
    origin: 'common',
    law: 'Level 2',
    edits: [['.slice(flight.since - this.#eventsGone)', '.slice(0 * flight.since)']],
  },
  {
    id: 'a-broken-hint-says-no',
    why: 'A hint that throws lets the pod sleep: for five minutes nobody knows what it would have said.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '// To try in vain costs little; to let it sleep on could cost five minutes.\n    return true;',
        '// To try in vain costs little; to let it sleep on could cost five minutes.\n    return false;',
      ],
    ],
  },
  {
    id: 'uncordoned-unnoticed',
    why: 'A node is open again, and those who were turned away because it was not are not told.',
    origin: 'common',
    law: 'Wakes in time',
    edits: [["['UpdateNodeTaint', before.spec.unschedulable === true && !now.spec.unschedulable],\n", '']],
  },
  {
    id: 'heartbeats-are-news',
    why: 'The time of a condition is taken for a change of the node, which happens every few seconds on each.',
    origin: 'common',
    law: 'Level 2',
    edits: [['[condition.type, condition.status]', '[condition.type, JSON.stringify(condition)]']],
  },
  {
    id: 'cordoning-wakes',
    why: 'That a node takes no more pods helps nobody, and yet all are tried again.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'before.spec.unschedulable === true && !now.spec.unschedulable',
        '(before.spec.unschedulable ?? false) !== (now.spec.unschedulable ?? false)',
      ],
    ],
  },
  {
    id: 'written-otherwise-wakes',
    why: '1000m is 1: what is only written otherwise has not changed.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '!semanticEqual(allocatableOf(now), allocatableOf(before))',
        '!deepEqual(allocatableOf(now), allocatableOf(before))',
      ],
    ],
  },
  {
    id: 'one-change-at-a-time',
    why: 'Of several changes of one update only the first is told, and who waits for another sleeps on.',
    origin: 'kubernetes/kubernetes up to v1.30: an update of a node was one event',
    law: 'Level 2',
    edits: [
      [
        "return changes.flatMap(([actionType, applies]) => (applies ? [{ resource: 'Node', actionType }] : []));",
        "return changes.flatMap(([actionType, applies]): framework.ClusterEvent[] => (applies ? [{ resource: 'Node', actionType }] : [])).slice(0, 1);",
      ],
    ],
  },
  {
    id: 'one-done-all-forgotten',
    why: 'What happened while several pods were in flight is forgotten when the first of them is done.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'const needless = first ? first.since - this.#eventsGone : this.#events.length;',
        'const needless = first || this.#events.length ? this.#events.length : 0;',
      ],
    ],
  },
  {
    id: 'own-change-is-lost-in-flight',
    why: 'Somebody mends the pod while it is being tried, and it sleeps on with the mended spec.',
    origin: 'common; upstream remembers it since k#125578',
    law: 'Level 2',
    edits: [['      this.#rememberOwnChange(oldPod, newPod);\n', '      void oldPod;\n']],
  },

  // Level 3 · The cache
  {
    id: 'a-node-takes-its-pods-along',
    why: 'A node that was away for a moment comes back empty, and is filled a second time.',
    origin: 'k#49280: pods of a node that is gone stay in the cache',
    law: 'Never overcommits',
    edits: [
      [
        'this.#homeless.set(name, new Map(known.pods.map(({ pod }) => [pod.metadata.uid, pod])));',
        'for (const { pod } of known.pods) this.#pods.delete(pod.metadata.uid);',
      ],
    ],
  },
  {
    id: 'confirmed-is-counted-again',
    why: 'The watch shows a pod that was assumed, and it takes its room twice.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        '    this.removePod(pod);\n    this.#addPod({ pod, assumed: false });',
        '    this.#addPod({ pod, assumed: false });',
      ],
    ],
  },
  {
    id: 'forgets-what-is-confirmed',
    why: 'A bind fails late, and the pod that the watch has shown on its node is taken off it.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    if (!this.isAssumedPod(pod)) return false;\n', '']],
  },
  {
    id: 'stale-snapshot',
    why: 'A snapshot is made when a node comes or goes, not when a pod does.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    this.#changed.add(info.name);\n', '']],
  },
  {
    id: 'pods-before-their-node',
    why: 'Of two streams one is faster: a pod is seen before its node, and forgotten.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    this.#homeless.set(nodeName, homeless.set(pod.metadata.uid, pod));', '    void homeless;']],
  },
  {
    id: 'assumes-twice',
    why: 'A pod that is in the cache is assumed once more, and takes room on two nodes.',
    origin: 'k#26043',
    law: 'Level 3',
    edits: [
      [
        '    if (known) {\n      throw new Error(\n        `Failed to assume',
        '    if (known?.assumed === false) {\n      throw new Error(\n        `Failed to assume',
      ],
    ],
  },
  {
    id: 'removes-where-it-is-said-to-be',
    why: 'The last known state of a pod that is gone may be from before it had a node; its room is then taken for ever.',
    origin: 'common; upstream reckons with it',
    law: 'Level 3',
    edits: [
      [
        'removePod({ metadata: { uid } }: Pod): void {\n    const known = this.#pods.get(uid);\n    if (!known) return;',
        'removePod({ metadata: { uid }, spec }: Pod): void {\n    const known = this.#pods.get(uid);\n    if (!known || !spec.nodeName) return;',
      ],
    ],
  },

  // Level 4 · One cycle
  {
    id: 'no-node-fits-nobody',
    why: 'That there is no node at all is laid to no plugin, and no event wakes a pod that nobody turned away.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (numAllNodes === 0) throw new NoNodesAvailableError();', 'void numAllNodes;']],
  },
  {
    id: 'the-first-that-fits',
    why: 'Nobody asks where a pod would run best.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length >= 1) return']],
  },
  {
    id: 'schedules-the-dying',
    why: 'A pod that is being deleted takes room from those who live.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        'return pod.metadata.deletionTimestamp !== undefined || cache',
        "return pod.metadata.uid === '' || cache",
      ],
    ],
  },
  {
    id: 'scores-the-only-one',
    why: 'Where there is one node there is nothing to compare, and every score plugin is asked for nothing.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length === 0) return']],
  },
  {
    id: 'always-begins-at-the-first',
    why: 'In a large cluster only some nodes are looked at: always the same, if one always begins with the same.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex })',
        'filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex: startIndex && 0 })',
      ],
    ],
  },

  // Level 5 · Binding
  {
    id: 'no-answer-is-a-no',
    why: 'A bind that was carried out and not answered is taken back, and the room is given to another.',
    origin: 'kubernetes/kubernetes@v1.34.0, as it is',
    law: 'Never overcommits',
    edits: [
      [
        'export function mayBeBound(error: unknown): boolean {\n',
        'export function mayBeBound(error: unknown): boolean {\n  if (error) return false;\n',
      ],
    ],
  },
  {
    id: 'whoever-bears-the-name',
    why: 'Between the choice and the bind the pod was made anew, ten times as big: it is bound where the small one fitted.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      [
        'await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });',
        'await client.bind(keyOf(pod), nodeName);',
      ],
    ],
  },
  {
    id: 'a-refusal-keeps-the-room',
    why: 'The bind is refused, and the pod goes on taking up the room that it never had.',
    origin: 'k#28883, k#26043',
    law: 'Forgets what failed',
    edits: [['  if (cache.forgetPod(assumed)) {\n', '  if (cache.isAssumedPod(assumed)) {\n']],
  },
  {
    id: 'frees-in-silence',
    why: 'Room is free again because a bind failed, and whoever was turned away for want of it is not told.',
    origin: 'k#106780',
    law: 'Level 5',
    edits: [['    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, assumed, undefined);\n', '']],
  },
  {
    id: 'an-error-is-the-end',
    why: 'Who could not be bound once is never tried again.',
    origin: 'common',
    law: 'Everyone is bound',
    edits: [
      [
        '    else if (live) await handleSchedulingFailure(scheduler, info, error);',
        '    else if (live) scheduler.log(messageOf(error ?? info));',
      ],
    ],
  },
  {
    id: 'brings-back-the-dead',
    why: 'A pod that was deleted while it was being bound goes back into the queue, and is tried for ever.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        '  const current = scheduler.getPod(keyOf(info.pod));\n  if (!isUnbound(info.pod, current)) {',
        "  const current = info.pod;\n  if (current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'everything-is-unschedulable',
    why: 'That the server was away is told as if the pod asked for too much.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        "unschedulable ? 'Unschedulable' : 'SchedulerError'",
        "unschedulable ? 'Unschedulable' : 'Unschedulable'",
      ],
    ],
  },
  {
    id: 'last-word-on-the-bound',
    why: 'Why a pod waits is written after it was bound: it runs, and says that it cannot.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };',
        'const body = { metadata: { uid: uid || resourceVersion }, status: { conditions: [condition] } };',
      ],
    ],
  },
  {
    id: 'counts-its-chickens',
    why: 'It tells that a pod was scheduled when it has only been decided.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        '  queue.done(uid);\n  try {\n    const { live, error } =',
        "  queue.done(uid);\n  recorder.event(assumed, 'Normal', 'Scheduled', ['Successfully assigned', namespace, name, 'to', nodeName].join(' '));\n  try {\n    const { live, error } =",
      ],
    ],
  },
  {
    id: 'says-it-once',
    why: 'A pod that waits for something else than at first still says what it waited for then.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        'if (wasFalse && old.reason === reason && old.message === message) return undefined;',
        'if (wasFalse && old.reason === reason) return undefined;',
      ],
    ],
  },
  {
    id: 'undoes-what-was-done-only',
    why: 'A plugin that refuses, or breaks, may have done half of it: it is asked to undo as well.',
    origin: 'common; upstream unreserves all',
    law: 'Level 5',
    edits: [
      [
        '      runReservePluginsUnreserve(plugins, state, pod, nodeName);\n      return { status, plugin: plugin.name };',
        '      runReservePluginsUnreserve(plugins.slice(0, plugins.indexOf(plugin)), state, pod, nodeName);\n      return { status, plugin: plugin.name };',
      ],
    ],
  },
  {
    id: 'undoes-in-order',
    why: 'What was built last is taken down last, with what it stands on gone.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'for (const plugin of [...plugins].reverse()) plugin.unreserve',
        'for (const plugin of [...plugins]) plugin.unreserve',
      ],
    ],
  },
  {
    id: 'says-it-again-and-again',
    why: 'The condition is written after each attempt, though it says the same: each write wakes everybody who watches pods.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (wasFalse && old.reason === reason && old.message === message) return undefined;', '']],
  },
  {
    id: 'condition-drives-out-others',
    why: 'A list in a merge patch replaces the list: what others say of the pod is gone.',
    origin: 'common',
    law: 'Level 5',
    edits: [["{ type: 'strategic', body }, options)", "{ type: 'merge', body }, options)"]],
  },
  {
    id: 'brings-back-the-old-version',
    why: 'The pod was changed while it was tried; what goes back into the queue is what was popped.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'queue.addUnschedulableIfNotPresent({ ...info, pod: current, unschedulablePlugins });',
        'queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins });',
      ],
    ],
  },
  {
    id: 'never-done',
    why: 'A pod that is bound stays in flight, and with it everything that has happened since.',
    origin: 'k#126962: pods that were skipped were never done, and what happened piled up behind them',
    law: 'Level 5',
    edits: [['tried again.\n  queue.done(uid);', 'tried again.\n  void uid;']],
  },
  {
    id: 'skips-for-success',
    why: 'A plugin that skips leaves the pod to the next one; who takes that for done binds it never.',
    origin: 'common',
    law: 'Level 5',
    edits: [["if (status.code !== 'Skip') return status;", 'if (status) return status;']],
  },

  // Level 6 · The loop
  {
    id: 'does-not-assume',
    why: 'Until the watch shows that a pod is bound, its room is given away again and again.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      [
        'const assumed = cache.assumePod(pod, found.suggestedHost);',
        'const assumed = { ...pod, spec: { ...pod.spec, nodeName: found.suggestedHost } };',
      ],
    ],
  },
  {
    id: 'the-ended-take-up-room',
    why: 'A job that is done keeps its cpu until somebody deletes its pod.',
    origin: 'k#22398',
    law: 'The cache is true',
    edits: [
      [
        "  if (!pod || hasEnded(pod)) return 'nothing';",
        "  if (!pod || (hasEnded(pod) && !pod.spec.nodeName)) return 'nothing';",
      ],
    ],
  },
  {
    id: 'trusts-its-first-list',
    why: 'It starts on a list from before its earlier self was stopped, and gives away what that one has given away.',
    origin: 'kubernetes/kubernetes@v1.34.0, as it is',
    law: 'Never overcommits',
    edits: [['    await this.#assumeBound();\n', '']],
  },
  {
    id: 'takes-what-is-not-its-own',
    why: 'A pod that names another scheduler is scheduled, by both.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        "return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';",
        "return schedulerName ? 'waiting' : 'nothing';",
      ],
    ],
  },
  {
    id: 'waits-with-the-first',
    why: 'Whoever is turned away is waited for, ten seconds long, and all others wait with it.',
    origin: 'common',
    law: 'Starves nobody',
    edits: [
      [
        '      this.#scheduleOne(info);\n',
        '      this.#scheduleOne(info);\n      if (!this.#scheduler.cache.isAssumedPod(info.pod)) await this.#context.clock.sleep(10_000).catch(() => {});\n',
      ],
    ],
  },
  {
    id: 'binds-in-turn',
    why: 'The loop waits until a pod is bound: a request that gets no answer holds up everybody for a minute.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '      while (this.#onTheirWay >= ON_THEIR_WAY_MAX && !signal.aborted) await this.#untilOneLess();',
        '      while (this.#onTheirWay >= 1 && !signal.aborted) await this.#untilOneLess();',
      ],
    ],
  },
  {
    id: 'bound-twice',
    why: 'A pod that is on its way is changed, goes back into the queue, and is bound once more.',
    origin: 'common',
    law: 'Never two nodes',
    edits: [
      ['if (!cache.isAssumedPod(is)) queue.update(was, is);', 'queue.update(was, is);'],
      [
        'pod.metadata.deletionTimestamp !== undefined || cache.isAssumedPod(pod);',
        'pod.metadata.deletionTimestamp !== undefined;',
      ],
      [
        'const assumed = cache.assumePod(pod, found.suggestedHost);',
        'cache.forgetPod(pod);\n    const assumed = cache.assumePod(pod, found.suggestedHost);',
      ],
    ],
  },
  {
    id: 'gone-before-it-was-seen',
    why: 'A pod that was bound and deleted before the watch showed it on its node takes up its room for ever.',
    origin: 'k#56261',
    law: 'The cache is true',
    edits: [['    if (!placed) return;\n', "    if (!placed || before !== 'placed') return;\n"]],
  },
  {
    id: 'tombstones-unread',
    why: 'What was deleted while the watch was down is still there.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        'last instanceof DeletedFinalStateUnknown ? last.object : last, undefined)',
        'last instanceof DeletedFinalStateUnknown ? undefined : last, undefined)',
      ],
    ],
  },
  {
    id: 'nodes-never-go',
    why: 'Pods are bound to a node that is gone.',
    origin: 'common',
    law: 'Only where it may',
    edits: [['    cache.removeNode(previous);\n', '']],
  },
  {
    id: 'nobody-flushes',
    why: 'Whose backoff is over stays where it is.',
    origin: 'common',
    law: 'Everyone is bound',
    edits: [['() => queue.flushBackoffQCompleted());', '() => queue.podsInBackoffQ());']],
  },
  {
    id: 'same-name-same-pod',
    why: 'A pod that was deleted and made anew while the watch was down is taken for the old one, changed.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'if (previous && current && !isSame(previous, current)) {',
        "if (previous && current && current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'the-larger-count',
    why: 'A pod that was turned away often waits ten seconds after the first error that is not its own.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.#limits)',
        'backoffDurationMs(Math.max(consecutiveErrorsCount, unschedulableCount), this.#limits)',
      ],
    ],
  },
  {
    id: 'room-for-the-ended',
    why: 'A pod that had ended before the scheduler began takes up room for ever.',
    origin: 'k#22398, at the start',
    law: 'Level 6',
    edits: [
      [
        'if (!nodeName || hasEnded(pod) || cache.getPod(pod)) continue;',
        'if (!nodeName || cache.getPod(pod)) continue;',
      ],
    ],
  },
  {
    id: 'goes-on-without-a-list',
    why: 'What is taken is not known, because the server refused to say it; and is given away.',
    origin: 'common: an error taken for an empty answer',
    law: 'Level 6',
    edits: [
      [
        'if (!signal.aborted) log(`Failed to list pods: ',
        'if (delayMs > 0) return [];\n        if (!signal.aborted) log(`Failed to list pods: ',
      ],
    ],
  },
];
