import type { Mistake } from '#harness/testing';

/** Wrong about Level 8: after a restart. */
export const level8: readonly Mistake[] = [
  {
    id: 'orphans-run-on',
    why: 'Looks at pods that are wanted, and never at what runs besides.',
    origin: 'common',
    law: 'Level 8',
    edits: [["    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });\n", '']],
  },
  {
    id: 'second-one-while-the-first-starts',
    why: 'Makes another container while one that was made may be starting: both run.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Level 8',
    edits: [["  await removeUnstarted(parts, start).catch(fail('CreateContainerError'));\n", '']],
  },
  {
    id: 'sandboxes-pile-up',
    why: 'Keeps every sandbox that a pod has had.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'for (const { id, state } of sandboxes.slice(keep)) {',
        'for (const { id, state } of sandboxes.slice(keep * 1_000)) {',
      ],
    ],
  },
  {
    id: 'last-sandbox-stays',
    why: 'Keeps the last sandbox of a pod that is gone.',
    origin: 'common',
    law: 'At rest',
    edits: [
      [
        '    const keep = workers.shouldPodContentBeRemoved(uid) ? 0 : 1;\n',
        '    const keep = workers.knows(uid) ? 1 : 1;\n',
      ],
    ],
  },
  {
    id: 'directories-stay',
    why: 'Keeps the directories of pods that are gone.',
    origin: 'common',
    law: 'Level 8',
    edits: [['  await parts.steps.removeOrphanedDirectories(needed);\n', '']],
  },
  {
    id: 'logs-stay',
    why: 'Keeps the logs of pods that are gone.',
    origin: 'common',
    law: 'Level 8',
    edits: [['  await parts.steps.removeOrphanedLogs();\n', '']],
  },
  {
    id: 'orphan-without-an-end',
    why: 'Does not stop the containers of an unknown pod.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'const killed = await killPod(parts, orphanedPod(pod), { graceSeconds: ORPHAN_GRACE_SECONDS });',
        'const killed = await killPod(parts, { ...orphanedPod(pod), containers: [], sandboxIDs: [] }, { graceSeconds: ORPHAN_GRACE_SECONDS });',
      ],
    ],
  },
];
