import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6: the sync. */
export const level6: readonly Mistake[] = [
  {
    id: 'acts-before-it-tells',
    why: 'Reports the status only after the work: while an image is pulled, the status does not show it.',
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
    why: 'After one container fails to start, the others are not started: a pod with one bad image runs no container.',
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
    why: 'The reason of a failed start is not recorded: the status stays ContainerCreating forever.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.reasons.update(pod.metadata.uid, result);\n', '']],
  },
  {
    id: 'crashes-in-a-circle',
    why: 'A crashing container is restarted at once, each time.',
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
    why: 'A container in back-off is not reported.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        `parts.steps.backedOff(it, wait)`,
        `new ContainerBackOff('CrashLoopBackOff', wait.message, wait.untilMs)`,
      ],
      [
        `import { computePodActions } from './actions.ts';`,
        `import { ContainerBackOff } from '#given/41-kubelet';
import { computePodActions } from './actions.ts';`,
      ],
    ],
  },
  {
    id: 'waits-in-other-words',
    why: 'The reason of a crashing container is BackOff, which no tool recognizes as CrashLoopBackOff.',
    origin: 'common',
    law: 'Wait reasons',
    edits: [
      [
        `parts.steps.backedOff(it, wait)`,
        `(parts.steps.backedOff(it, wait), new ContainerBackOff('BackOff', wait.message, wait.untilMs))`,
      ],
      [
        `import { computePodActions } from './actions.ts';`,
        `import { ContainerBackOff } from '#given/41-kubelet';
import { computePodActions } from './actions.ts';`,
      ],
    ],
  },
  {
    id: 'failed-hook-is-forgiven',
    why: 'A container whose postStart hook has failed keeps running.',
    origin: 'common',
    law: 'Level 7',
    edits: [[`(message) => killContainer(parts, pod, { id, name, message })`, `async () => {}`]],
  },
  {
    id: 'probes-never-begin',
    why: 'The probes of a pod are never started.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.probes.addPod(pod);\n', '']],
  },
  {
    id: 'failure-is-swallowed',
    why: 'A failed sync counts as successful, and is retried only after a minute.',
    origin: 'k#113091',
    law: 'Level 6',
    edits: [['  if (error) throw error;\n  return result.results', '  return result.results']],
  },
  {
    id: 'starts-beside-what-it-could-not-kill',
    why: 'Continues after a failed kill: a second container runs next to the first.',
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
    why: 'Does not check the network: each attempt to create a sandbox fails, and is reported as a failure.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  parts.steps.mustHaveNetwork(pod);\n', '']],
  },
  {
    id: 'created-before-it-is-created',
    why: 'Emits Created before the runtime has created the container, also if that fails.',
    origin: 'common',
    law: 'True events',
    edits: [
      [
        '  const created = runtime.createContainer(',
        "  parts.containerEvent(pod, name, 'Normal', 'Created', 'Container created');\n  const created = runtime.createContainer(",
      ],
      [
        "  const id = await created.catch(fail('CreateContainerError'));\n  parts.containerEvent(pod, name, 'Normal', 'Created', 'Container created');\n",
        "  const id = await created.catch(fail('CreateContainerError'));\n",
      ],
    ],
  },
  {
    id: 'no-pull-secrets',
    why: 'Starts containers without the secrets for images: private images cannot be pulled.',
    origin: 'common',
    law: 'Level 6',
    edits: [['const pullSecrets = await parts.pullSecretsOf(pod);', 'const pullSecrets: never[] = [];']],
  },
  {
    id: 'address-of-the-last-sandbox',
    why: 'Gives a container the address of the sandbox before the sync: none at the first start, and an old one later.',
    origin: 'common',
    law: 'Own address',
    edits: [['imageRef, ips: sandbox.ips };', 'imageRef, ips: podStatus.ips };']],
  },
];
