import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4: the actions. */
export const level4: readonly Mistake[] = [
  {
    id: 'sandbox-failed-once',
    why: 'A pod with policy Never fails when its first sandbox fails, although no container ever ran.',
    origin: 'k#79398',
    law: 'Level 4',
    edits: [
      ['attempt !== 0 && podStatus.containerStatuses.length > 0) return {};', 'attempt !== 0) return {};'],
    ],
  },
  {
    id: 'runs-once-runs-twice',
    why: 'A pod with policy Never runs again after its sandbox dies.',
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
    why: 'Creates a new sandbox for a pod whose containers have all succeeded, and starts none in it.',
    origin: 'k#92614',
    law: 'Level 4',
    hidden: 'The phase of such a pod is Succeeded, and then no actions are computed.',
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
    why: 'In a new sandbox all containers run again, even those that have succeeded under policy OnFailure.',
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
    why: 'Starts the containers while init containers are still running.',
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
    why: 'Restarts a lost container without killing it first: it may run twice.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'No runtime here loses a container: after a restart it finds all of them, or reports that they have exited.',
    edits: [[`status?.state === 'unknown' && restarts`, `status?.state === 'unknown' && !restarts`]],
  },
  {
    id: 'never-keeps-the-old-definition',
    why: 'A container of a pod with policy Never keeps its old image, although the spec has another.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [`kill.reason === undefined || restartsAfterKill(container, pod)`, `restartsAfterKill(container, pod)`],
    ],
  },
  {
    id: 'never-is-killed-and-started',
    why: 'Restarts a container after its liveness probe has failed, although its policy is Never.',
    origin: 'common',
    law: 'Level 4',
    edits: [[`kill.reason === undefined || restartsAfterKill(container, pod)`, `true`]],
  },
  {
    id: 'ended-pod-lingers',
    why: 'Keeps the sandbox of a pod in which no container runs or will run.',
    origin: 'common',
    law: 'Level 4',
    edits: [['? { ...begun, killPod: true,', '? { ...begun, killPod: false,']],
  },
  {
    id: 'kills-what-starts',
    why: 'Kills a pod without running containers, although some are about to start.',
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
    why: 'Starts every container that does not run, regardless of its restart policy.',
    origin: 'common',
    law: 'Restart policy',
    edits: [[`: shouldContainerBeRestarted(container, pod, podStatus);`, `: status?.state !== 'running';`]],
  },
  {
    id: 'probes-judge-the-dead',
    why: 'Checks the probes and the definition of an exited container, as if it ran.',
    origin: 'common',
    law: 'Level 4',
    edits: [[`status?.state === 'running' ? whyToKill`, `status ? whyToKill`]],
  },
];
