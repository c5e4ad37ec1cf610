import type { Mistake } from '#harness/testing';

/** Mistakes of Level 12: eviction. */
export const level12: readonly Mistake[] = [
  {
    id: 'priority-before-requests',
    why: 'Evicts a low-priority pod within its request before a pod that exceeds its request.',
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
    why: 'Evicts the pod with the highest usage, not the one that exceeds its request most.',
    origin: 'common',
    law: 'Level 12',
    edits: [['aboveRequest: used - requested', 'aboveRequest: used']],
  },
  {
    id: 'high-priority-first',
    why: 'Evicts the pod with the highest priority first.',
    origin: 'common',
    law: 'Level 12',
    edits: [['a.priority - b.priority', 'b.priority - a.priority']],
  },
  {
    id: 'evicts-before-it-reclaims',
    why: 'Evicts pods although the disk is full of unused images.',
    origin: 'common',
    law: 'Level 12',
    edits: [["if (pressureOf(first.signal) === 'DiskPressure' && (await this.#reclaimed())) return [];", '']],
  },
  {
    id: 'evicts-all',
    why: 'Evicts all pods above their request at once, although one would have been enough.',
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
    why: 'Evicts critical pods.',
    origin: 'common',
    law: 'Level 12',
    edits: [['.find((each) => !isCriticalPod(each));', '[0];']],
  },
  {
    id: 'refuses-critical-pods',
    why: 'Rejects critical pods while the node is under pressure.',
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
    why: 'Reports the end of pressure right after an eviction: the scheduler sends the next pod, which is evicted, too.',
    origin: 'common',
    law: 'Level 12',
    edits: [['const TRANSITION_MS = 300_000;', 'const TRANSITION_MS = 1;']],
  },
  {
    id: 'soft-is-hard',
    why: 'Ignores grace periods: a peak of a second costs a pod.',
    origin: 'common',
    law: 'Level 12',
    edits: [['>= (each.gracePeriodMs ?? 0)', '>= 0']],
  },
  {
    id: 'counts-through-a-break',
    why: 'A grace period starts at the first time that a threshold was met, even if it was not met in between.',
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
    why: 'Stops as soon as the threshold is not met any more: the next byte causes another eviction.',
    origin: 'common',
    law: 'Level 12',
    edits: [['met.includes(each) || lasting.includes(each)', 'met.includes(each)']],
  },
  {
    id: 'overcommits',
    why: 'Admits a pod that would fit an empty node, regardless of the other pods.',
    origin: 'k#104560',
    law: 'Level 12',
    edits: [['amount > capacity - used', 'amount > capacity']],
  },
  {
    id: 'threshold-at-equality',
    why: 'A threshold is met as soon as exactly its amount is available.',
    origin: 'common',
    law: 'Evicts under pressure',
    edits: [
      ['return observed.available < thresholdQuantity', 'return observed.available <= thresholdQuantity'],
    ],
  },
  {
    id: 'unknown-usage-last',
    why: 'Evicts a pod whose usage is unknown last.',
    origin: 'common',
    law: 'Eviction order',
    edits: [['Number(a.isKnown) - Number(b.isKnown)', 'Number(b.isKnown) - Number(a.isKnown)']],
  },
  {
    id: 'soft-grace-is-the-longer',
    why: 'A soft eviction gives a pod the longer one of its own grace period and the maximum of the node.',
    origin: 'common',
    law: 'Eviction grace',
    edits: [
      ['return Math.min(maxPodGracePeriodSeconds, spec', 'return Math.max(maxPodGracePeriodSeconds, spec'],
    ],
  },
  {
    id: 'reclaims-for-memory',
    why: 'Removes unused images when memory is short, which frees no memory.',
    origin: 'common',
    law: 'Reclaims first',
    edits: [["if (pressureOf(first.signal) === 'DiskPressure' && (await", 'if ((await']],
  },
  {
    id: 'message-of-the-first-threshold',
    why: 'The message has the quantity of the first threshold, also if that one is about another resource.',
    origin: 'common',
    law: 'Eviction messages',
    edits: [
      [
        'const threshold = thresholds.find(({ signal }) => resourceOf(signal) === resource);',
        'const [threshold] = thresholds;',
      ],
    ],
  },
  {
    id: 'pressure-at-five-minutes',
    why: 'Still reports a pressure exactly five minutes after a threshold was met.',
    origin: 'common',
    law: 'Pressure lasts',
    edits: [['nowMs - atMs < TRANSITION_MS', 'nowMs - atMs <= TRANSITION_MS']],
  },
  {
    id: 'memory-hides-the-disk',
    why: 'Admits a pod with a request of memory while the node is short of memory and of disk space.',
    origin: 'common',
    law: 'Admission',
    edits: [["pressure.size === 1 && pressure.has('MemoryPressure')", "pressure.has('MemoryPressure')"]],
  },
  {
    id: 'grace-starts-again',
    why: 'A soft threshold that only lacks its minReclaim starts its grace period again: the eviction stops half-way.',
    origin: 'common',
    law: 'Evicts under pressure',
    edits: [['this.#metSince = new Map(all.map(', 'this.#metSince = new Map(met.map(']],
  },
];
