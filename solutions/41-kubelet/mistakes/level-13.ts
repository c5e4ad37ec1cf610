import type { Mistake } from '#harness/testing';

/** Mistakes of Level 13: static pods. */
export const level13: readonly Mistake[] = [
  {
    id: 'no-mirror-for-the-new-version',
    why: 'Keeps the mirror pod of an earlier version: the API shows an image that does not run.',
    origin: 'common',
    law: 'Level 13',
    edits: [['if (isMirror && !mirrorPod', 'if (!mirrorPod']],
  },
  {
    id: 'mirror-is-not-made-again',
    why: 'Ignores that the mirror pod is being deleted.',
    origin: 'common',
    law: 'Level 13',
    hidden: 'A mirror pod is deleted at once, because no container runs under its own uid.',
    edits: [['if (isMirror && !mirrorPod.metadata.deletionTimestamp) return;', 'if (isMirror) return;']],
  },
  {
    id: 'mirror-stays',
    why: 'Keeps the mirror pod after its manifest was deleted.',
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
    why: 'Deletes the mirror pod while its pod still terminates: the API does not show that.',
    origin: 'common',
    law: 'Level 13',
    edits: [['    if (parts.workers.isTerminatingByFullName(fullName(mirrorPod.metadata))) continue;\n', '']],
  },
  {
    id: 'mirrors-for-every-pod',
    why: 'Creates mirror pods of pods that are already in the API.',
    origin: 'common',
    law: 'Level 13',
    hidden: 'The API already has a pod with that name.',
    edits: [['if (isStaticPod(pod)) await reconcileMirrorPod', 'await reconcileMirrorPod']],
  },
];
