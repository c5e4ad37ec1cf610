import type { Mistake } from '#harness/testing';

/** Level 5 · Back-off */
export const level5: readonly Mistake[] = [
  {
    id: 'by-name',
    why: 'A pod waits for the failures of an earlier pod with the same name.',
    origin: 'k#20550',
    law: 'Backs off',
    edits: [
      [
        `\${request.pod.metadata.uid}_\${image}`,
        `\${request.pod.metadata.namespace}/\${request.pod.metadata.name}_\${image}`,
      ],
    ],
  },
  {
    id: 'one-for-each-container',
    why: 'Pulls an image for the second container of a pod that has just failed for the first.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `const key = \`\${request.pod.metadata.uid}_\${image}\`;`,
        `const key = \`\${request.pod.metadata.uid}_\${request.container.name}_\${image}\`;`,
      ],
    ],
  },
  {
    id: 'one-for-all-images-of-a-pod',
    why: 'The second container of a pod waits because the image of the first could not be pulled.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [`const key = \`\${request.pod.metadata.uid}_\${image}\`;`, 'const key = request.pod.metadata.uid;'],
    ],
  },
  {
    id: 'one-for-the-node',
    why: 'After one failure, every pod waits for the image.',
    origin: 'common',
    law: 'Backs off',
    edits: [[`const key = \`\${request.pod.metadata.uid}_\${image}\`;`, 'const key = image;']],
  },
  {
    id: 'always-ten-seconds',
    why: 'The back-off is ten seconds after each failure.',
    origin: 'common',
    law: 'Backs off',
    edits: [['Math.min(2 * last.waitMs, MAX_MS)', 'Math.min(last.waitMs, MAX_MS)']],
  },
  {
    id: 'longer-and-longer',
    why: 'The back-off is unlimited: after a night without a registry the pod waits until the evening.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      ['counts ? Math.min(2 * last.waitMs, MAX_MS) : INITIAL_MS', 'counts ? 2 * last.waitMs : INITIAL_MS'],
    ],
  },
  {
    id: 'forgets-nothing',
    why: 'The back-off never resets, however old the last failure is.',
    origin: 'common',
    law: 'Backs off',
    edits: [['last !== undefined && this.#sinceMs(last) <= FORGOTTEN_MS', 'last !== undefined']],
  },
  {
    id: 'each-failure-is-the-first',
    why: 'The failures are dropped as soon as the back-off is over.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'if (this.#sinceMs(entry) > FORGOTTEN_MS) this.#entries.delete(key);',
        'if (this.#sinceMs(entry) > entry.waitMs) this.#entries.delete(key);',
      ],
    ],
  },
  {
    id: 'says-that-it-waits',
    why: 'Reports that the pod waits, but not why.',
    origin: 'common',
    law: 'Right reason',
    edits: [[`\`\${imageMessages.backOff(image)}: \${blocked.why}\``, 'imageMessages.backOff(image)']],
  },
  {
    id: 'waits-from-its-start',
    why: 'Counts the wait from the start of the pull: after a pull of a minute there is none.',
    origin: 'common: upstream did so until k#121192',
    law: 'Backs off',
    edits: [
      [
        `    const entry = this.#entries.get(key);
    return entry && this.#sinceMs(entry) < entry.waitMs ? entry : undefined;`,
        `    const entry = this.#entries.get(key);
    const isBlocked = entry && this.#sinceMs(entry) < entry.waitMs;
    if (!isBlocked) this.#begun.set(key, this.#clock.monotonicMs());
    return isBlocked ? entry : undefined;`,
      ],
      [
        'failedAtMs: this.#clock.monotonicMs(), why });',
        'failedAtMs: this.#begun.get(key) ?? this.#clock.monotonicMs(), why });',
      ],
      [
        '  readonly #entries = new Map<string, Entry>();',
        `  readonly #entries = new Map<string, Entry>();
  readonly #begun = new Map<string, number>();`,
      ],
    ],
  },
];
