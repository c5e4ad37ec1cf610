import type { Mistake } from '#harness/testing';

const SYNC = '  parts.statuses.setPodStatus(pod, status);\n  if (status.phase';

/** Wrong about what only a whole life shows. */
export const ofLaws: readonly Mistake[] = [
  {
    id: 'goes-on-with-a-dead-container',
    why: 'Starts a container beside the one that runs, when its definition has changed.',
    origin: 'common',
    law: 'Never twice',
    edits: [['      await killContainer(parts, pod, { ...kill, id: criId(id) });\n', '']],
  },
  {
    id: 'counts-by-twos',
    why: 'Counts each restart twice.',
    origin: 'common',
    law: 'Counts restarts',
    edits: [
      [
        'container({ pod, container, restartCount,',
        'container({ pod, container, restartCount: 2 * restartCount,',
      ],
    ],
  },
  {
    id: 'ended-is-success',
    why: 'A pod that is over has succeeded, whatever its containers exited with.',
    origin: 'kubernetes/kubernetes#88440',
    law: 'Succeeds by success',
    edits: [["exitCode === 0) ? 'Succeeded' : 'Failed';", "exitCode === 0) ? 'Succeeded' : 'Succeeded';"]],
  },
  {
    id: 'no-dead-one-is-kept',
    why: 'Keeps no dead container for people to look at, and forgets how often it was started.',
    origin: 'common',
    law: 'Keeps the newest',
    edits: [['shouldPodContentBeRemoved(uid) ? 0 : 1;', 'shouldPodContentBeRemoved(uid) ? 0 : 0;']],
  },
  {
    id: 'every-end-is-good',
    why: 'Tells of each container that has ended that it exited with 0.',
    origin: 'common',
    law: 'Truthful',
    edits: [
      [
        SYNC,
        '  const good = (one: { state?: { terminated?: { exitCode: number } } }) =>\n    one.state?.terminated ? { ...one, state: { terminated: { ...one.state.terminated, exitCode: 0 } } } : one;\n  parts.statuses.setPodStatus(pod, { ...status, containerStatuses: status.containerStatuses?.map(good) } as typeof status);\n  if (status.phase',
      ],
    ],
  },
  {
    id: 'words-of-its-own',
    why: 'Has other words for what it does than all other kubelets.',
    origin: 'common',
    law: 'Tells in words',
    edits: [["'Created', 'Container created'", "'Made', 'Container made'"]],
  },
  {
    id: 'starts-in-silence',
    why: 'Does not tell of a container that it has started.',
    origin: 'common',
    law: 'Tells what it does',
    edits: [["  parts.containerEvent(pod, name, 'Normal', 'Started', 'Container started');\n", '']],
  },
];
