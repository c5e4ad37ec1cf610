import type { Mistake } from '#harness/testing';

/** Wrong about Level 6: carry it out. */
export const level6: readonly Mistake[] = [
  {
    id: 'acts-before-it-tells',
    why: 'Tells how a pod is when it has done what it can: while an image is pulled, nobody knows of it.',
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
    law: 'Waits in words',
    edits: [['  parts.reasons.update(pod.metadata.uid, result);\n', '']],
  },
  {
    id: 'crashes-in-a-circle',
    why: 'Starts a container that crashes again at once, each time.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  if (wait) {\n', '  if (wait && wait.untilMs < 0) {\n']],
  },
  {
    id: 'waits-in-silence',
    why: 'Does not tell of a container that has to wait.',
    origin: 'common',
    law: 'Level 6',
    edits: [["    parts.containerEvent(pod, container.name, 'Warning', 'BackOff', message);\n", '']],
  },
  {
    id: 'failed-hook-is-forgiven',
    why: 'Lets a container run on whose hook after the start has failed.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        "    const killed = killContainer(parts, pod, { id, name, message: 'FailedPostStartHook' });",
        '    const killed = Promise.resolve();',
      ],
    ],
  },
  {
    id: 'hook-tells-secrets',
    why: 'Writes what a hook said into an event, which more people may read than the pod.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        "'FailedPostStartHook', 'PostStartHook failed');",
        "'FailedPostStartHook', 'PostStartHook failed: ' + messageOf(error));",
      ],
    ],
  },
  {
    id: 'probes-never-begin',
    why: 'Does not begin to probe a pod.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.probes.addPod(pod);\n', '']],
  },
  {
    id: 'init-containers-survive-their-sandbox',
    why: 'Keeps the init containers of a sandbox that is gone: in the new one the pod counts as initialized.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        '    return parts.steps.removeInitContainers(pod, podStatus.containerStatuses, { keep: 0 });',
        '    return;',
      ],
    ],
  },
  {
    id: 'sandbox-changes-in-silence',
    why: 'Does not tell that a sandbox takes the place of another one.',
    origin: 'common',
    law: 'Level 7',
    edits: [["    parts.context.recorder.event(pod, 'Normal', 'SandboxChanged', message);\n", '']],
  },
  {
    id: 'failure-is-swallowed',
    why: 'Takes a sync that failed for one that succeeded: what failed is tried again after a minute.',
    origin: 'k#113091',
    law: 'Level 6',
    edits: [['  if (error) throw error;\n  return result.results', '  return result.results']],
  },
];
