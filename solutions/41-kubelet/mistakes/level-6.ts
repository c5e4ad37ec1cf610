import type { Mistake } from '#harness/testing';

/** Wrong about Level 6: carry it out. */
export const level6: readonly Mistake[] = [
  {
    id: 'acts-before-it-tells',
    why: 'Tells how a pod is when it has done what it can: while an image is pulled, the status does not say so.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      ['  parts.statuses.setPodStatus(pod, status);\n  if (status.phase', '  if (status.phase'],
      [
        '  parts.reasons.update(pod.metadata.uid, result);',
        '  parts.statuses.setPodStatus(pod, status);\n  parts.reasons.update(pod.metadata.uid, result);',
      ],
    ],
  },
  {
    id: 'one-failure-stops-all',
    why: 'Starts no container after one that could not be started: a pod with one bad image runs nothing.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'for (const i of actions.containersToStart) await start(containers[i] as core.Container);',
        'for (const i of actions.containersToStart) if (!(await start(containers[i] as core.Container))) break;',
      ],
    ],
  },
  {
    id: 'reasons-are-not-kept',
    why: 'Does not keep why a container did not start: its status says ContainerCreating for ever.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.reasons.update(pod.metadata.uid, result);\n', '']],
  },
  {
    id: 'crashes-in-a-circle',
    why: 'Starts a container that crashes again at once, each time.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        `const wait = doBackOff(pod, container, podStatus, backOff);`,
        `const wait = undefined as ReturnType<typeof doBackOff>;`,
      ],
    ],
  },
  {
    id: 'waits-in-silence',
    why: 'Does not tell of a container that has to wait.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        `parts.steps.backedOff(it, wait)`,
        `new ContainerBackOff('CrashLoopBackOff', wait.message, wait.untilMs)`,
      ],
      [
        `import { computePodActions } from './actions.ts';`,
        `import { ContainerBackOff } from '#harness';
import { computePodActions } from './actions.ts';`,
      ],
    ],
  },
  {
    id: 'waits-in-other-words',
    why: 'Says BackOff of a container that crashes: no tool takes that for CrashLoopBackOff.',
    origin: 'common',
    law: 'Waits in words',
    edits: [
      [
        `parts.steps.backedOff(it, wait)`,
        `(parts.steps.backedOff(it, wait), new ContainerBackOff('BackOff', wait.message, wait.untilMs))`,
      ],
      [
        `import { computePodActions } from './actions.ts';`,
        `import { ContainerBackOff } from '#harness';
import { computePodActions } from './actions.ts';`,
      ],
    ],
  },
  {
    id: 'failed-hook-is-forgiven',
    why: 'Lets a container run on whose hook after the start has failed.',
    origin: 'common',
    law: 'Level 7',
    edits: [[`(message) => killContainer(parts, pod, { id, name, message })`, `async () => {}`]],
  },
  {
    id: 'probes-never-begin',
    why: 'Does not begin to probe a pod.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.probes.addPod(pod);\n', '']],
  },
  {
    id: 'failure-is-swallowed',
    why: 'Takes a sync that failed for one that succeeded: what failed is tried again after a minute.',
    origin: 'k#113091',
    law: 'Level 6',
    edits: [['  if (error) throw error;\n  return result.results', '  return result.results']],
  },
  {
    id: 'starts-beside-what-it-could-not-kill',
    why: 'Goes on when something could not be killed: another one runs beside it.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        `  if (result.error()) return result;
`,
        ``,
      ],
    ],
  },
  {
    id: 'starts-without-a-network',
    why: 'Does not ask whether there is a network: each try to make a sandbox fails, and is told of as a failure.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.steps.mustHaveNetwork(pod);\n', '']],
  },
];
