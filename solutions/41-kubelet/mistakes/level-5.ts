import type { Mistake } from '#harness/testing';

/** Mistakes of Level 5: back-off. */
export const level5: readonly Mistake[] = [
  {
    id: 'does-not-double',
    why: 'The back-off is ten seconds after every failure.',
    origin: 'common',
    law: 'Backs off',
    edits: [['Math.min(2 * this.get(key), maxMs)', 'Math.min(this.get(key), maxMs)']],
  },
  {
    id: 'no-maximum',
    why: 'The back-off is unlimited: after a day a container waits for a day.',
    origin: 'common',
    law: 'Level 5',
    edits: [['Math.min(2 * this.get(key), maxMs)', '2 * this.get(key)']],
  },
  {
    id: 'waits-from-now',
    why: 'The back-off runs from the last start, not from the end: after a long run there is no wait.',
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
    why: 'A container that has run for a week waits five minutes after its next failure.',
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
    why: 'The back-off resets ten minutes after the last start, although the container crashed after one minute and has waited since.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'No back-off is longer than five minutes.',
    edits: [
      [
        `return entry === undefined || eventTimeMs - entry`,
        `return entry === undefined || Math.max(eventTimeMs, this.options.clock.now()) - entry`,
      ],
    ],
  },
  {
    id: 'every-question-counts',
    why: 'Each check of a container counts as a failure, so that the back-off grows while it waits.',
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
    why: 'A container with policy Always that exits with 0 is restarted in a hot loop.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['  if (!exited) return undefined;', '  if (!exited || exited.exitCode === 0) return undefined;'],
    ],
  },
  {
    id: 'oldest-end',
    why: 'The back-off runs from the oldest exit that the runtime knows, and so has already passed.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`own.find(({ state })`, `own.findLast(({ state })`]],
  },
  {
    id: 'one-key-for-the-pod',
    why: 'One crashing container makes all others of its pod wait.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`const key = backOffKey(pod, container);`, `const key = pod.metadata.uid + container.image;`]],
  },
  {
    id: 'name-is-identity',
    why: 'A recreated pod of the same name waits for the failures of its predecessor.',
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
    why: 'A container with a fixed image still waits for the failures of the broken one.',
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
    why: 'The container already waits after its first failure.',
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
    why: 'An unknown key counts as one with a back-off of 0, which stays 0 when doubled.',
    origin: 'common',
    law: 'Level 5',
    edits: [[`return entry === undefined || eventTimeMs`, `return entry !== undefined && eventTimeMs`]],
  },
  {
    id: 'health-up-to-now',
    why: 'The healthy time of a container runs until its end is noticed, not until its end.',
    origin: 'common',
    law: 'Level 5',
    edits: [['backOff.next(key, finishedAtMs);', "backOff.next(key, backOff['options'].clock.now());"]],
  },
];
