import type { Mistake } from '#harness/testing';

/** Level 9 · Present is not enough */
export const level9: readonly Mistake[] = [
  {
    id: 'present-is-enough',
    why: 'Gives every pod what is there.',
    origin: 'k#9620',
    law: 'Verifies',
    edits: [['      return pulledByKubelet;', '      return false;']],
  },
  {
    id: 'any-secret-will-do',
    why: 'Lets a pod in that has some secret for the registry, and not one that has pulled the image.',
    origin: 'common',
    law: 'Verifies',
    edits: [
      [
        '(other) => mine.credentialHash === other.credentialHash || isSameSecret(mine, other),',
        '(other) => mine.credentialHash !== other.uid || isSameSecret(mine, other),',
      ],
    ],
  },
  {
    id: 'same-name-same-secret',
    why: 'Takes a secret for the one that was deleted because it has the same name.',
    origin: 'common',
    law: 'Verifies',
    edits: [['return a.uid === b.uid && a.namespace', 'return a.namespace']],
  },
  {
    id: 'credentials-only',
    why: 'Does not know the secret again after its password was changed.',
    origin: 'common',
    law: 'Trusts',
    edits: [
      [
        'mine.credentialHash === other.credentialHash || isSameSecret(mine, other)',
        'mine.credentialHash === other.credentialHash',
      ],
    ],
  },
  {
    id: 'secret-only',
    why: 'Does not know the same user and password in the secret of another namespace.',
    origin: 'common',
    law: 'Trusts',
    edits: [
      [
        'mine.credentialHash === other.credentialHash || isSameSecret(mine, other)',
        'isSameSecret(mine, other)',
      ],
    ],
  },
  {
    id: 'no-intent',
    why: 'Writes nothing down before the pull: what a kubelet has pulled that died meanwhile is there for all.',
    origin: 'common',
    law: 'Verifies',
    edits: [
      [
        `      await store.writeIntent(image);
`,
        '',
      ],
    ],
  },
  {
    id: 'intent-goes-first',
    why: 'Takes the intent back before the record is written, and may die in between.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `      await this.#remember(repository, id, credential && secretOf(credential)[0]);
`,
        '',
      ],
      [
        `      if (last) await this.#options.store.deleteIntent(image);
      this.#doubtful.delete(image);`,
        `      if (last) await this.#options.store.deleteIntent(image);
      this.#doubtful.delete(image);
      await this.#remember(repository, id, credential && secretOf(credential)[0]);`,
      ],
    ],
  },
  {
    id: 'a-failure-ends-the-doubt',
    why: 'Takes the intent of the kubelet before back after a pull of its own that failed.',
    origin: 'k@v1.36.3 pullmanager, for an image that has come in between',
    law: 'Verifies',
    edits: [['if (last && !this.#doubtful.has(image)) {', 'if (last) {']],
  },
  {
    id: 'given-up-is-failed',
    why: 'Takes the intent back when the pod is deleted, though the runtime may go on with the pull.',
    origin: 'k@v1.36.3 image_manager.go pullImage',
    law: 'Verifies',
    edits: [
      [
        `    if (givenUp) this.#doubtful.add(image);
`,
        '',
      ],
    ],
  },
  {
    id: 'prunes-what-it-did-not-look-at',
    why: 'Forgets the records of images that are in use: each pod may use them.',
    origin: 'k@v1.36.3 image_gc_manager.go freeSpace',
    law: 'Verifies',
    edits: [['prune([...this.#known.keys()], beganMs)', 'prune([], beganMs)']],
  },
  {
    id: 'younger-by-a-fraction',
    why: 'Compares times in whole seconds with milliseconds: what was pulled in that second is forgotten, and is there for all.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'It takes a pull that ends during a collection, and in the second in which that began.',
    edits: [
      [
        `    const since = formatTime(sinceMs);
`,
        '',
      ],
      ['lastUpdatedTime >= since', 'Date.parse(lastUpdatedTime) >= sinceMs'],
    ],
  },
  {
    id: 'public-images-are-forgotten',
    why: 'Keeps no record of an anonymous pull: each pod pulls it again.',
    origin: 'common',
    law: 'Trusts',
    edits: [
      [
        'if (known?.nodePodsAccessible || !secret) return { nodePodsAccessible: true };',
        'if (known?.nodePodsAccessible || !secret) return known ?? {};',
      ],
    ],
  },
  {
    id: 'a-star-is-a-letter',
    why: 'Takes the star of the list of images that need no proof as it is written.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern`,
        'name === pattern',
      ],
    ],
  },
];
