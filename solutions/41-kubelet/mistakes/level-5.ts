import type { Mistake } from '#harness/testing';

/** Wrong about Level 5: back-off. */
export const level5: readonly Mistake[] = [
  {
    id: 'does-not-double',
    why: 'Waits ten seconds after every failure.',
    origin: 'common',
    law: 'Backs off',
    edits: [['Math.min(2 * this.get(key), maxMs)', 'Math.min(this.get(key), maxMs)']],
  },
  {
    id: 'no-maximum',
    why: 'Doubles for ever: after a day a container waits for a day.',
    origin: 'common',
    law: 'Level 5',
    edits: [['Math.min(2 * this.get(key), maxMs)', '2 * this.get(key)']],
  },
  {
    id: 'waits-from-now',
    why: 'Counts the wait from the last start instead of from the end: after a long run there is no wait.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        `const elapsedMs = this.options.clock.now() - eventTimeMs;`,
        `const elapsedMs = this.options.clock.now() - (this.entry(key)?.lastUpdateMs ?? eventTimeMs);`,
      ],
    ],
  },
  {
    id: 'never-forgets',
    why: 'A container that has run well for a week waits five minutes after its next failure.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        `eventTimeMs - entry.lastUpdateMs > this.options.expiryMs`,
        `eventTimeMs - entry.lastUpdateMs > Number.MAX_SAFE_INTEGER`,
      ],
    ],
  },
  {
    id: 'forgets-by-the-clock',
    why: 'Forgets ten minutes after the last start, though the container crashed after one of them and has waited since.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'No wait is longer than five minutes.',
    edits: [
      [
        `return entry === undefined || eventTimeMs - entry`,
        `return entry === undefined || Math.max(eventTimeMs, this.options.clock.now()) - entry`,
      ],
    ],
  },
  {
    id: 'every-question-counts',
    why: 'Each look at a container counts as a failure, so that the wait grows while it waits.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        `  if (backOff.isInBackOffSince(key, finishedAtMs))
`,
        `  const waits = backOff.isInBackOffSince(key, finishedAtMs);
  backOff.next(key, finishedAtMs);
  if (waits)
`,
      ],
      [
        `  backOff.next(key, finishedAtMs);
  return undefined;`,
        `  return undefined;`,
      ],
    ],
  },
  {
    id: 'no-wait-after-success',
    why: 'A container that ends well and is to run always is started again without a wait, as fast as it ends.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['  if (!exited) return undefined;', '  if (!exited || exited.exitCode === 0) return undefined;'],
    ],
  },
  {
    id: 'oldest-end',
    why: 'Waits from the oldest end that the runtime remembers, which is over.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`own.find(({ state })`, `own.findLast(({ state })`]],
  },
  {
    id: 'one-key-for-the-pod',
    why: 'One container that crashes makes the others of its pod wait.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`const key = backOffKey(pod, container);`, `const key = pod.metadata.uid + container.image;`]],
  },
  {
    id: 'name-is-identity',
    why: 'A pod that is made again under the same name waits for its predecessor.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        `const key = backOffKey(pod, container);`,
        `const key = backOffKey({ ...pod, metadata: { ...pod.metadata, uid: '' } }, container);`,
      ],
    ],
  },
  {
    id: 'new-image-waits',
    why: 'A container whose image was mended goes on waiting for the broken one.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        `const key = backOffKey(pod, container);`,
        `const key = backOffKey(pod, { ...container, image: '' });`,
      ],
    ],
  },
  {
    id: 'first-failure-waits',
    why: 'Waits after the first failure already.',
    origin: 'k#133472',
    law: 'Level 5',
    edits: [
      [
        `  if (backOff.isInBackOffSince(key, finishedAtMs))
`,
        `  if (backOff.get(key) === 0) backOff.next(key, finishedAtMs);
  if (backOff.isInBackOffSince(key, finishedAtMs))
`,
      ],
    ],
  },
  {
    id: 'doubles-nothing',
    why: 'Takes a key that it does not know for one that has waited no time: twice that is no time either.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`return entry === undefined || eventTimeMs`, `return entry !== undefined && eventTimeMs`]],
  },
  {
    id: 'health-up-to-now',
    why: 'Measures the health of a container up to when its end is noticed, and not up to its end.',
    origin: 'common',
    law: 'Level 5',
    edits: [['backOff.next(key, finishedAtMs);', "backOff.next(key, backOff['options'].clock.now());"]],
  },
];
