import type { Mistake } from '#harness/testing';

/** Wrong about Level 12: eviction. */
export const level12: readonly Mistake[] = [
  {
    id: 'priority-before-requests',
    why: 'Evicts a pod of low priority that keeps within its request before one that takes more than it asked for.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        `        Number(b.exceeds) - Number(a.exceeds) ||
        a.priority - b.priority ||`,
        `        a.priority - b.priority ||
        Number(b.exceeds) - Number(a.exceeds) ||`,
      ],
    ],
  },
  {
    id: 'largest-first',
    why: 'Evicts the pod that uses most, and not the one that uses most beyond what it has asked for.',
    origin: 'common',
    law: 'Level 12',
    edits: [['aboveRequest: used - requested', 'aboveRequest: used']],
  },
  {
    id: 'high-priority-first',
    why: 'Evicts what is most important first.',
    origin: 'common',
    law: 'Level 12',
    edits: [['a.priority - b.priority', 'b.priority - a.priority']],
  },
  {
    id: 'evicts-before-it-reclaims',
    why: 'Evicts pods from a disk that is full of images which no pod needs.',
    origin: 'common',
    law: 'Level 12',
    edits: [["if (pressureOf(first.signal) === 'DiskPressure' && (await this.#reclaimed())) return [];", '']],
  },
  {
    id: 'evicts-all',
    why: 'Evicts every pod that uses more than it asked for at once, where one would have been enough.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        'const pod = rankForEviction(resource, pods, usages).find((each) => !isCriticalPod(each));',
        'const [pod, ...others] = rankForEviction(resource, pods, usages).filter((each) => !isCriticalPod(each));\n    for (const other of others) await this.#options.evict({ pod: other, graceSeconds: 1, message: " " });',
      ],
    ],
  },
  {
    id: 'evicts-critical-pods',
    why: 'Evicts what the node itself stands on.',
    origin: 'common',
    law: 'Level 12',
    edits: [['.find((each) => !isCriticalPod(each));', '[0];']],
  },
  {
    id: 'refuses-critical-pods',
    why: 'Refuses pods that the node stands on while something is short.',
    origin: 'k#40573',
    law: 'Level 12',
    edits: [
      [
        'if (pressure.size === 0 || isCriticalPod(pod)) return undefined;',
        'if (pressure.size === 0) return undefined;',
      ],
    ],
  },
  {
    id: 'pressure-ends-at-once',
    why: 'Says that pressure is over as soon as a pod was evicted: the scheduler sends the next one, and that is evicted, too.',
    origin: 'common',
    law: 'Level 12',
    edits: [['const TRANSITION_MS = 300_000;', 'const TRANSITION_MS = 1;']],
  },
  {
    id: 'soft-is-hard',
    why: 'Takes no notice of grace periods: a peak of a second costs a pod.',
    origin: 'common',
    law: 'Level 12',
    edits: [['>= (each.gracePeriodMs ?? 0)', '>= 0']],
  },
  {
    id: 'counts-through-a-break',
    why: 'Counts a grace period from the first time that a threshold was met, though it was not met in between.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        'this.#metSince = new Map(all.map((each) => [each, this.#metSince.get(each) ?? nowMs]));',
        'for (const each of all) if (!this.#metSince.has(each)) this.#metSince.set(each, nowMs);',
      ],
    ],
  },
  {
    id: 'no-min-reclaim',
    why: 'Stops as soon as there is just enough: the next byte begins it all again.',
    origin: 'common',
    law: 'Level 12',
    edits: [['met.includes(each) || lasting.includes(each)', 'met.includes(each)']],
  },
  {
    id: 'overcommits',
    why: 'Takes a pod that fits an empty node, whatever the others have.',
    origin: 'k#104560',
    law: 'Level 12',
    edits: [['amount > capacity - used', 'amount > capacity']],
  },
];
