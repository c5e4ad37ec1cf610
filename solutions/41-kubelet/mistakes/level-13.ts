import type { Mistake } from '#harness/testing';

/** Wrong about Level 13: static pods. */
export const level13: readonly Mistake[] = [
  {
    id: 'no-mirror-for-the-new-version',
    why: 'Keeps the mirror of an earlier version: the API shows an image that does not run.',
    origin: 'common',
    law: 'Level 13',
    edits: [['if (isMirror && !mirrorPod', 'if (!mirrorPod']],
  },
  {
    id: 'mirror-is-not-made-again',
    why: 'Does not mind that the mirror is to be deleted.',
    origin: 'common',
    law: 'Level 13',
    hidden: 'A mirror is deleted at once when nothing runs under its own uid.',
    edits: [['if (isMirror && !mirrorPod.metadata.deletionTimestamp) return;', 'if (isMirror) return;']],
  },
  {
    id: 'mirror-stays',
    why: 'Keeps the mirror of a pod whose manifest is gone.',
    origin: 'common',
    law: 'Level 13',
    edits: [
      [
        '    await deleteMirrorPod(parts, mirrorPod).catch((error: unknown) => parts.context.log(messageOf(error)));\n',
        '',
      ],
    ],
  },
  {
    id: 'mirror-goes-first',
    why: 'Deletes the mirror while its pod still ends: the API does not show that.',
    origin: 'common',
    law: 'Level 13',
    edits: [['    if (parts.workers.isTerminatingByFullName(fullName(mirrorPod.metadata))) continue;\n', '']],
  },
  {
    id: 'mirrors-for-every-pod',
    why: 'Makes a mirror of pods that are in the API already.',
    origin: 'common',
    law: 'Level 13',
    hidden: 'The API has one of that name.',
    edits: [['if (isStaticPod(pod)) await reconcileMirrorPod', 'await reconcileMirrorPod']],
  },
];
