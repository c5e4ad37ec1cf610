import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Who wakes whom. */
export const level2: readonly Mistake[] = [
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
  {
    id: 'taints-are-counted',
    why: 'Notices that a node has another number of taints, and not that one has become milder: pods sleep on for five minutes.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '!semanticEqual(now.spec.taints, before.spec.taints)',
        '(now.spec.taints ?? []).length !== (before.spec.taints ?? []).length',
      ],
    ],
  },
  {
    id: 'who-sleeps-hears-it-first',
    why: 'What wakes a pod that sleeps is not remembered for those in flight, which could use it, too.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'if (this.#inFlight.size > 0) this.#events.push({',
        'if (this.#inFlight.size > 0 && [...candidates].length === 0) this.#events.push({',
      ],
    ],
  },
];
