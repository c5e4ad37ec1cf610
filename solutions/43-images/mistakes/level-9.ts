import type { Mistake } from '#harness/testing';

/** Level 9 · Present is not enough */
export const level9: readonly Mistake[] = [
  {
    id: 'present-is-enough',
    why: 'Every pod may use a present image.',
    origin: 'k#9620',
    law: 'Verifies',
    edits: [['      return pulledByKubelet;', '      return false;']],
  },
  {
    id: 'any-secret-will-do',
    why: 'Any secret for the registry is enough, even if it has not pulled the image.',
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
    why: 'A secret counts as the same one as a deleted secret with the same name.',
    origin: 'common',
    law: 'Verifies',
    edits: [['return a.uid === b.uid && a.namespace', 'return a.namespace']],
  },
  {
    id: 'credentials-only',
    why: 'Does not recognize a secret after a change of its password.',
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
    why: 'Does not recognize the same user and password in a secret of another namespace.',
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
    why: 'Records no intent before the pull: after a crash of the kubelet, every pod may use the pulled image.',
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
    why: 'Deletes the intent before it writes the record, and may crash in between.',
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
    why: 'Deletes the intent of an earlier kubelet after its own failed pull.',
    origin: 'k@v1.36.3 pullmanager, for an image that has come in between',
    law: 'Verifies',
    edits: [['if (last && !this.#doubtful.has(image)) {', 'if (last) {']],
  },
  {
    id: 'given-up-is-failed',
    why: 'Deletes the intent when the pod is deleted, although the runtime may continue the pull.',
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
    why: 'Deletes the records of images in use: every pod may then use them.',
    origin: 'k@v1.36.3 image_gc_manager.go freeSpace',
    law: 'Verifies',
    edits: [['prune([...this.#known.keys()], beganMs)', 'prune([], beganMs)']],
  },
  {
    id: 'younger-by-a-fraction',
    why: 'Compares times in seconds with milliseconds: the record of a pull in the same second is deleted, and every pod may use the image.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'Only a pull that ends during a collection, and in the second in which it started, shows it.',
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
    why: 'Keeps no record of an anonymous pull: each pod pulls the image again.',
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
    why: 'Treats the star in the allowlist literally.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern`,
        'name === pattern',
      ],
    ],
  },
  {
    id: 'records-without-turns',
    why: 'Reads a record, and writes it later, while another pull does the same: one of two secrets is lost.',
    origin: 'common: read, change, write',
    law: 'Trusts',
    edits: [
      [
        `    const turn = this.#free.then(work);
    this.#free = turn.catch(() => {});
    return turn;`,
        '    return work();',
      ],
    ],
  },
  {
    id: 'one-repository-for-each-image',
    why: 'The record of an image has only the last repository from which it was pulled.',
    origin: 'common',
    law: 'Trusts',
    edits: [
      [
        'credentialMapping: { ...record?.credentialMapping, [repository]: credentials },',
        'credentialMapping: { [repository]: credentials },',
      ],
    ],
  },
  {
    id: 'the-first-to-end-takes-the-intent',
    why: 'The first of two pulls of an image to end deletes the intent of both.',
    origin: 'common',
    law: 'Verifies',
    edits: [['    return underWay === 0;', '    return true;']],
  },
  {
    id: 'proof-for-another-repository',
    why: 'Accepts a proof for another repository that has the same image.',
    origin: 'common: looks up by ID alone',
    law: 'Verifies',
    edits: [
      [
        `const known = record?.credentialMapping[repository];
      if (!known) return true;`,
        `const known = record?.credentialMapping[repository] ?? Object.values(record?.credentialMapping ?? {})[0];
      if (!known) return true;`,
      ],
    ],
  },
  {
    id: 'looks-at-the-first-secret',
    why: 'Compares only the first secret of a pod with the record.',
    origin: 'common: find by index',
    law: 'Trusts',
    edits: [
      [
        'accepts(known, credentials().flatMap(secretOf))',
        'accepts(known, credentials().slice(0, 1).flatMap(secretOf))',
      ],
    ],
  },
];
