import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Which events wake which pods. */
export const level2: readonly Mistake[] = [
  {
    id: 'own-change-wakes-no-pod',
    why: 'A pod that sleeps is changed so that it fits, and sleeps on: its own change is no event.',
    origin: 'common',
    law: 'Changes of a pod',
    edits: [['      else if (this.#ownChangeHelps(info, oldPod)) this.#requeue(info);\n', '']],
  },
  {
    id: 'waits-anew-at-each-change',
    why: 'The backoff of a pod begins again each time that a label of it changes.',
    origin: 'common',
    law: 'Changes of a pod',
    edits: [
      [
        'const info = { ...known, pod: newPod };',
        'const info = { ...known, pod: newPod, timestampMs: this.clock.now() };',
      ],
    ],
  },
  {
    id: 'every-event-wakes-every-pod',
    why: 'Whatever happens to any node has every pod tried again.',
    origin: 'k#94009: why events were first told apart',
    law: 'Wakes for good reason',
    edits: [
      [
        'if (isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins)) this.#requeue(info);',
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
    id: 'one-is-woken',
    why: 'Of the pods that an event could help only one is woken, the one that came first: the more important ones sleep on.',
    origin: 'common',
    law: 'Wakes in time',
    edits: [
      [
        'if (isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins)) this.#requeue(info);',
        'if (!isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins)) continue;\n      this.#requeue(info);\n      break;',
      ],
    ],
  },
  {
    id: 'no-event-wakes-a-pod',
    why: 'Room is made, and a pod that waits for it sleeps on until the five minutes are over.',
    origin: 'common',
    law: 'Wakes in time',
    edits: [
      [
        'if (isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins)) this.#requeue(info);',
        'void info;',
      ],
    ],
  },
  {
    id: 'misses-what-happens-meanwhile',
    why: 'A node comes while a pod is being tried; the pod is turned away, and has missed it.',
    origin: 'k#102790',
    law: 'Level 2',
    hidden: 'Nothing is awaited between pop and the verdict of the plugins, so nothing happens meanwhile.',
    edits: [
      [
        'if (rejected && !this.#missedSomething(back)) this.unschedulable',
        'if (rejected) this.unschedulable',
      ],
    ],
  },
  {
    id: 'a-broken-hint-says-no',
    why: 'A hint that throws lets the pod sleep: for five minutes it is not known what it would have said.',
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
    id: 'own-change-is-lost-in-flight',
    why: 'A user mends the pod while it is being tried, and it sleeps on with the mended spec.',
    origin: 'common; upstream remembers it since k#125578',
    law: 'Level 2',
    hidden:
      'Nothing is awaited between pop and the verdict of the plugins, so the pod does not change meanwhile.',
    edits: [
      [
        '        flight.events.push({ event, oldObject: oldPod, newObject: newPod });\n',
        '        void event;\n',
      ],
    ],
  },
  {
    id: 'sleepers-hear-it-first',
    why: 'What wakes a pod that sleeps is not remembered for those in flight, which could use it, too.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Nothing is awaited between pop and the verdict of the plugins, so nothing happens meanwhile.',
    edits: [
      [
        '    for (const info of this.unschedulable.values()) {\n      if (scheduling.isGated(info.pod) || !preCheck',
        '    const sleepers = this.unschedulable.size;\n    for (const info of this.unschedulable.values()) {\n      if (scheduling.isGated(info.pod) || !preCheck',
      ],
      [
        'for (const { events } of this.inFlight.values()) events.push({ event, oldObject, newObject });',
        'for (const { events } of this.inFlight.values()) {\n      if (sleepers === 0) events.push({ event, oldObject, newObject });\n    }',
      ],
    ],
  },
];
