import type { Mistake } from '#harness/testing';

/** Wrong about Level 4: what to do now. */
export const level4: readonly Mistake[] = [
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
    hidden: 'The phase of such a pod says first that it has succeeded, and then nothing is computed.',
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
      [
        `return policy !== 'OnFailure' || state !== 'exited' || exitCode !== 0;`,
        `return i >= 0 || policy !== 'OnFailure' || state !== 'exited' || exitCode !== 0;`,
      ],
    ],
  },
  {
    id: 'containers-before-init',
    why: 'Starts the containers in a new sandbox before its init containers have run.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        `if (initContainers.length > 0) return { createSandbox: true, initContainersToStart: [0] };`,
        `if (initContainers.length > 0) return { createSandbox: true, initContainersToStart: [0], containersToStart };`,
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
    hidden:
      'No runtime here loses sight of a container: after a restart it finds all of them again, or says that they have exited.',
    edits: [[`status?.state === 'unknown' && restarts`, `status?.state === 'unknown' && !restarts`]],
  },
  {
    id: 'never-keeps-the-old-definition',
    why: 'A container of a pod that runs once keeps its old image, though the spec has another.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [`kill.reason === undefined || restartsAfterKill(container, pod)`, `restartsAfterKill(container, pod)`],
    ],
  },
  {
    id: 'never-is-killed-and-started',
    why: 'Starts a container again after its liveness probe has failed, though its policy is Never.',
    origin: 'common',
    law: 'Level 4',
    edits: [[`kill.reason === undefined || restartsAfterKill(container, pod)`, `true`]],
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
  {
    id: 'starts-what-has-ended',
    why: 'Starts whatever does not run, and does not ask its policy.',
    origin: 'common',
    law: 'By policy',
    edits: [[`: shouldContainerBeRestarted(container, pod, podStatus);`, `: status?.state !== 'running';`]],
  },
  {
    id: 'probes-judge-the-dead',
    why: 'Judges a container that has exited by its probes and its definition, as if it ran.',
    origin: 'common',
    law: 'Level 4',
    edits: [[`status?.state === 'running' ? whyToKill`, `status ? whyToKill`]],
  },
];
