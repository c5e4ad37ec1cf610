import type { Mistake } from '#harness/testing';

/** Level 4 · Pull with each of them */
export const level4: readonly Mistake[] = [
  {
    id: 'first-credential-only',
    why: 'Gives up after the first credential.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        `      failures.push(errorText(error));
    }
  }
  const`,
        `      throw error;
    }
  }
  const`,
      ],
    ],
  },
  {
    id: 'anonymous-in-the-end',
    why: 'Tries an anonymous pull after all credentials have failed.',
    origin: 'docker pull does it so',
    law: 'Tries each',
    edits: [
      [
        `  const [only = '', ...more] = new Set(failures);`,
        `  const last = await images.pullImage({ image }, undefined, sandboxConfig, signal).catch(() => undefined);
  if (last !== undefined) return { imageRef: last };
  const [only = '', ...more] = new Set(failures);`,
      ],
    ],
  },
  {
    id: 'last-failure-only',
    why: 'Reports only the failure of the last credential.',
    origin: 'common',
    law: 'Right reason',
    edits: [['new Set(failures);', 'new Set(failures.slice(-1));']],
  },
  {
    id: 'pulls-without-a-pod',
    why: 'Does not pass the pod to the runtime.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      ['images.pullImage({ image }, undefined, sandboxConfig, signal) };', 'images.pullImage({ image }) };'],
    ],
  },
  {
    id: 'goes-on-after-the-end',
    why: 'Tries the next credential for a deleted pod.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `      signal?.throwIfAborted();
      failures.push(errorText(error));
    }
  }
  const`,
        `      failures.push(errorText(error));
    }
  }
  const`,
      ],
    ],
  },
];
