import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Which events wake which pods. */
export const level2: readonly Mistake[] = [
  {
    id: 'own-change-wakes-no-pod',
    why: 'A change that makes a sleeping pod schedulable does not wake it: its own change is not an event.',
    misconception: 'You seem to believe that only other objects can make room for a pod.',
    origin: 'common',
    law: 'Pod changes',
    edits: [['      else if (this.#ownChangeHelps(info, oldPod)) this.#requeue(info);\n', '']],
  },
  {
    id: 'waits-anew-at-each-change',
    why: 'The back-off of a pod starts again whenever one of its labels changes.',
    misconception: 'You seem to believe that a changed pod has failed just now.',
    origin: 'common',
    law: 'Pod changes',
    edits: [
      [
        'const info = { ...known, pod: newPod };',
        'const info = { ...known, pod: newPod, timestampMs: this.clock.now() };',
      ],
    ],
  },
  {
    id: 'every-event-wakes-every-pod',
    why: 'Every event of any node wakes every pod.',
    misconception: 'You seem to believe that any event may help any pod.',
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
    why: 'A registered event wakes the pod without a call of the hint: a node that is too small wakes a pod with large requests.',
    misconception: 'You seem to believe that the kind of an event tells whether it helps.',
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
    why: 'Only the first of the pods that an event could help is woken; the more important ones stay asleep.',
    misconception: 'You seem to believe that an event helps one pod at most.',
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
    why: 'No event wakes a pod: it waits five minutes, even if room becomes free.',
    misconception: 'You seem to believe that it is soon enough to try a pod when its time is over.',
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
    why: 'A node is added while a pod is in flight; the pod is rejected, and the event is lost.',
    origin: 'k#102790',
    law: 'Level 2',
    hidden: 'No await is between pop and the result of the plugins, so no event can occur in between.',
    edits: [
      [
        'if (rejected && !this.#missedSomething(back)) this.unschedulable',
        'if (rejected) this.unschedulable',
      ],
    ],
  },
  {
    id: 'a-broken-hint-says-no',
    why: "If a hint throws, the pod stays asleep, although the hint's answer is unknown.",
    misconception: 'You seem to believe that a hint that fails has answered.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '// A useless retry is cheap; a missed one could cost five minutes.\n    return true;',
        '// A useless retry is cheap; a missed one could cost five minutes.\n    return false;',
      ],
    ],
  },
  {
    id: 'own-change-is-lost-in-flight',
    why: 'A user fixes the pod while it is in flight, and it sleeps with the fixed spec.',
    origin: 'common; upstream remembers it since k#125578',
    law: 'Level 2',
    hidden: 'No await is between pop and the result of the plugins, so the pod does not change in between.',
    edits: [
      [
        '        flight.events.push({ event, oldObject: oldPod, newObject: newPod });\n',
        '        void event;\n',
      ],
    ],
  },
  {
    id: 'sleepers-hear-it-first',
    why: 'An event that wakes a sleeping pod is not recorded for pods in flight, which could use it, too.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'No await is between pop and the result of the plugins, so no event can occur in between.',
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
  {
    id: 'one-at-each-flush',
    why: 'Each flush of the backoff queue takes only its first pod: if many backoffs end together, one pod a second is retried.',
    misconception: 'You seem to believe that waits do not end together.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'for (let first = this.backoff.peek(); first && !this.isBackingOff(first); first = this.backoff.peek()) {',
        'for (let first = this.backoff.peek(), taken = 0; taken++ < 1 && first && !this.isBackingOff(first); ) {',
      ],
    ],
  },
  {
    id: 'no-pre-check',
    why: 'The check of a caller is ignored: an event also wakes pods that cannot use it.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'No event handler of the scheduler passes a check: hints have replaced it.',
    edits: [
      [
        'if (scheduling.isGated(info.pod) || !preCheck(info.pod)) continue;',
        'if (scheduling.isGated(info.pod) || (!preCheck(info.pod) && info.attempts < 0)) continue;',
      ],
    ],
  },
];
