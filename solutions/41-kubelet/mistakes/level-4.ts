import type { Mistake } from '#harness/testing';

/** Wrong about Level 4: what to do now. */
export const level4: readonly Mistake[] = [
  {
    id: 'own-policy-is-ignored',
    why: 'Knows the policy of the pod alone.',
    origin: 'common',
    law: 'By policy',
    edits: [
      [
        `const policy = restartPolicy ?? pod.spec.restartPolicy ?? 'Always';`,
        `const policy = pod.spec.restartPolicy ?? 'Always';`,
      ],
    ],
  },
  {
    id: 'rules-are-ignored',
    why: `Knows the container's own policy, and not the rules beside it.`,
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  if (restartPolicy !== undefined && matches) return true;
`,
        '',
      ],
    ],
  },
  {
    id: 'not-in-is-in',
    why: 'Takes NotIn for In.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `(exitCodes?.values?.includes(exitCode) ? 'In' : 'NotIn')`,
        `(exitCodes?.values?.includes(exitCode) ? exitCodes.operator : 'none')`,
      ],
    ],
  },
  {
    id: 'no-rule-no-restart',
    why: 'When a container has rules and none matches, it is not started again, whatever its policy says.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  if (restartPolicy !== undefined && matches) return true;
`,
        `  if (restartPolicy !== undefined && matches) return true;
  if (restartPolicyRules.length > 0) return false;
`,
      ],
    ],
  },
  {
    id: 'sandbox-failed-once',
    why: 'A pod that runs once is given up when its first sandbox fails, though nothing of it ever ran.',
    origin: 'k#79398',
    law: 'Level 4',
    edits: [
      ['attempt !== 0 && podStatus.containerStatuses.length > 0) return {};', 'attempt !== 0) return {};'],
    ],
  },
  {
    id: 'runs-once-runs-twice',
    why: 'A pod that runs once runs again when its sandbox dies.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  if (restartPolicy === 'Never' && attempt !== 0 && podStatus.containerStatuses.length > 0) return {};
`,
        '',
      ],
    ],
  },
  {
    id: 'finished-pod-gets-a-sandbox',
    why: 'Makes a new sandbox for a pod whose containers have all ended well, and starts nothing in it.',
    origin: 'k#92614',
    law: 'Level 4',
    edits: [
      [
        `  if (containersToStart.length === 0) return {};
`,
        '',
      ],
    ],
  },
  {
    id: 'success-runs-again',
    why: 'In a new sandbox everything runs again, also what ended well and is to run on failure alone.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [`return policy === 'OnFailure' && state === 'exited' && exitCode === 0 ? [] : [i];`, 'return [i];'],
    ],
  },
  {
    id: 'containers-before-init',
    why: 'Starts the containers in a new sandbox before its init containers have run.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  return initContainers.length > 0
    ? { createSandbox: true, initContainersToStart: [0] }
    : { createSandbox: true, containersToStart };`,
        '  return { createSandbox: true, containersToStart, initContainersToStart: initContainers.length > 0 ? [0] : [] };',
      ],
    ],
  },
  {
    id: 'containers-beside-init',
    why: 'Starts the containers while the init containers are still under way.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  if (!initialized) return begun;
`,
        '',
      ],
    ],
  },
  {
    id: 'lost-container-runs-twice',
    why: 'Starts a container again that is lost, and does not kill it first: it may run twice.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `      if (status?.state === 'unknown') {
        containersToKill.set(status.id, unknownToKill(container.name, 'Container'));
      }
`,
        '',
      ],
    ],
  },
  {
    id: 'never-keeps-the-old-definition',
    why: 'A container of a pod that runs once keeps its old image, though the spec has another.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      ['ill.reason === undefined || restartsAfterKill(container, pod)', 'restartsAfterKill(container, pod)'],
    ],
  },
  {
    id: 'never-is-killed-and-started',
    why: 'Starts a container again after its liveness probe has failed, though its policy is Never.',
    origin: 'common',
    law: 'Level 4',
    edits: [['ill.reason === undefined || restartsAfterKill(container, pod)', 'true']],
  },
  {
    id: 'kill-asks-the-pod',
    why: 'After a failed probe goes by the policy of the pod, though the container has one.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `return (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';`,
        `return pod.spec.restartPolicy !== 'Never';`,
      ],
    ],
  },
  {
    id: 'unknown-probe-is-failure',
    why: 'Kills what a probe has not decided about yet.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `if (probes.liveness(id) === 'Failure') return`,
        `if (probes.liveness(id) !== undefined && probes.liveness(id) !== 'Success') return`,
      ],
    ],
  },
  {
    id: 'startup-is-not-asked',
    why: 'A container whose startup probe has failed is left alone.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `  if (probes.startup(id) === 'Failure') return { message: 'failed startup probe', reason: 'StartupProbe' };
`,
        '',
      ],
    ],
  },
  {
    id: 'ended-pod-lingers',
    why: 'Keeps the sandbox of a pod in which nothing runs and nothing will.',
    origin: 'common',
    law: 'Level 4',
    edits: [['? { ...begun, killPod: true,', '? { ...begun, killPod: false,']],
  },
  {
    id: 'kills-what-starts',
    why: 'Kills the pod when nothing runs, though something is to be started.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'return kept === 0 && containersToStart.length === 0',
        'return kept === 0 && podStatus.containerStatuses.length > 0',
      ],
    ],
  },
];
