import type { Mistake } from '#harness/testing';

const SYNC = '  parts.statuses.setPodStatus(pod, status);\n  if (status.phase';

/** Mistakes that only a whole run shows. */
export const ofLaws: readonly Mistake[] = [
  {
    id: 'goes-on-with-a-dead-container',
    why: 'If the definition of a container has changed, a second one is started next to the first.',
    origin: 'common',
    law: 'Never twice',
    edits: [
      [
        `killWhatIsNotToRun(parts, actions, work, { killContainer, killPod })`,
        `killWhatIsNotToRun(parts, actions, work, { killContainer: async () => {}, killPod })`,
      ],
    ],
  },
  {
    id: 'counts-by-twos',
    why: 'Each restart counts twice.',
    origin: 'common',
    law: 'Counts restarts',
    edits: [
      [
        `const made = { pod, container, restartCount,`,
        `const made = { pod, container, restartCount: 2 * restartCount,`,
      ],
    ],
  },
  {
    id: 'ended-is-success',
    why: 'An ended pod has succeeded, even if its containers failed.',
    origin: 'kubernetes/kubernetes#88440',
    law: 'Real success',
    edits: [["exitCode === 0) ? 'Succeeded' : 'Failed';", "exitCode === 0) ? 'Succeeded' : 'Succeeded';"]],
  },
  {
    id: 'every-end-is-good',
    why: 'Reports exit code 0 for every ended container.',
    origin: 'common',
    law: 'Truthful status',
    edits: [
      [
        SYNC,
        '  const good = (one: { state?: { terminated?: { exitCode: number } } }) =>\n    one.state?.terminated ? { ...one, state: { terminated: { ...one.state.terminated, exitCode: 0 } } } : one;\n  parts.statuses.setPodStatus(pod, { ...status, containerStatuses: status.containerStatuses?.map(good) } as typeof status);\n  if (status.phase',
      ],
    ],
  },
  {
    id: 'words-of-its-own',
    why: 'Uses other reasons and messages than all other kubelets.',
    origin: 'common',
    law: 'Event texts',
    edits: [["'Created', 'Container created'", "'Made', 'Container made'"]],
  },
  {
    id: 'starts-in-silence',
    why: 'Does not emit an event when it starts a container.',
    origin: 'common',
    law: 'Emits events',
    edits: [["  parts.containerEvent(pod, name, 'Normal', 'Started', 'Container started');\n", '']],
  },

  {
    id: 'image-of-the-first-container',
    why: 'Starts every container of a pod with the image of the first one.',
    origin: 'common',
    law: 'Right image',
    edits: [
      [
        '.ensureImageExists(image)',
        ".ensureImageExists({ ...image, container: { ...container, image: pod.spec.containers[0]?.image ?? '' } })",
      ],
    ],
  },
  {
    id: 'spec-of-the-first-look',
    why: 'Keeps the first spec of a pod: a new image never runs.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        '  const { pod, mirrorPod, podStatus, signal } = sync;\n',
        `  const { mirrorPod, podStatus, signal } = sync;
  const remembered = parts as { specs?: Map<string, typeof sync.pod.spec> };
  remembered.specs ??= new Map();
  const spec = remembered.specs.get(sync.pod.metadata.uid) ?? sync.pod.spec;
  remembered.specs.set(sync.pod.metadata.uid, spec);
  const pod = { ...sync.pod, spec };
`,
      ],
    ],
  },
  {
    id: 'asked-to-stop-is-stopped',
    why: 'A pod counts as ended as soon as the stop of its containers is requested: its replacement starts while it still runs.',
    origin: 'k#101934',
    law: 'Terminal phase',
    edits: [
      [
        '  const killed = await killPod(parts, runningPod(pod, podStatus), { graceSeconds, signal });',
        `  const killing = killPod(parts, runningPod(pod, podStatus), { graceSeconds, signal });
  killing.catch(() => {});
  const killed = { error: (): Error | undefined => undefined };`,
      ],
      ['const last = await parts.steps.podStatusAfterKill(pod, podStatus);', 'const last = podStatus;'],
    ],
  },
  {
    id: 'ended-before-it-is-stopped',
    why: 'Reports at once that a pod has failed, and stops it afterwards: its replacement starts while it still runs.',
    origin: 'k#101934',
    law: 'Terminal phase',
    edits: [
      [
        '  // From now on, failures of these probes are expected.',
        `  const { namespace = '', name } = pod.metadata;
  if (status.phase === 'Failed') {
    const body = { status: { phase: 'Failed' } };
    await parts.context.client.patch(pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' });
  }
  // From now on, failures of these probes are expected.`,
      ],
      [
        'export async function syncTerminatingPod(',
        "import { pods } from '#harness';\nexport async function syncTerminatingPod(",
      ],
    ],
  },
  {
    id: 'remembers-by-name',
    why: 'Stores the exit states of containers by the name of their pod: a recreated pod inherits the states of its predecessor.',
    origin: 'common',
    law: 'Respects the uid',
    edits: [
      [
        SYNC,
        `  const remembered = parts as { ended?: Map<string, typeof status.containerStatuses> };
  remembered.ended ??= new Map();
  const before = remembered.ended.get(pod.metadata.name);
  const reported = status.containerStatuses?.map((each) => {
    const terminated = before?.find(({ name }) => name === each.name)?.state?.terminated;
    return terminated && !each.lastState?.terminated ? { ...each, lastState: { terminated } } : each;
  });
  remembered.ended.set(pod.metadata.name, status.containerStatuses);
  parts.statuses.setPodStatus(pod, { ...status, ...(reported && { containerStatuses: reported }) });
  if (status.phase`,
      ],
    ],
  },
  {
    id: 'deletes-by-name',
    why: 'Removes a pod from the API by its name, even if another pod has that name by then.',
    origin: 'common',
    law: 'Deletes last',
    edits: [
      [
        '  parts.statuses.terminatePod(pod);\n',
        `  parts.statuses.terminatePod(pod);
  const { namespace = '', name } = pod.metadata;
  await parts.context.client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 }).catch(() => {});
`,
      ],
      [
        'export async function syncTerminatingPod(',
        "import { pods } from '#harness';\nexport async function syncTerminatingPod(",
      ],
    ],
  },
  {
    id: 'counts-what-is-left',
    why: 'The restart count is the number of remaining dead containers: it decreases when one is removed.',
    origin: 'common',
    law: 'Never counts down',
    edits: [
      [
        SYNC,
        `  const left = (each: string) =>
    podStatus.containerStatuses.filter(({ name, state }) => name === each && state === 'exited').length;
  const reported = status.containerStatuses?.map((each) => ({ ...each, restartCount: left(each.name) }));
  parts.statuses.setPodStatus(pod, { ...status, ...(reported && { containerStatuses: reported }) });
  if (status.phase`,
      ],
    ],
  },
  {
    id: 'looks-on-for-ever',
    why: 'A timer keeps reading the runtime after the kubelet was stopped.',
    origin: 'common',
    law: 'Shuts down',
    edits: [
      [
        '  parts.probes.addPod(pod);\n',
        `  parts.probes.addPod(pod);
  const own = parts as { looks?: boolean };
  const look = (): void => {
    void parts.context.host.runtime.version().catch(() => {});
    parts.context.clock.after(1_000, look);
  };
  if (!own.looks) look();
  own.looks = true;
`,
      ],
    ],
  },
  {
    id: 'node-says-goodbye',
    why: 'Sets its node to not ready when it stops: each update of a kubelet evicts all pods.',
    origin: 'common',
    law: 'Stops writing',
    edits: [
      [
        '  await Promise.all([every(() => lease.renew()), every(() => reporter.sync())]);',
        `  await Promise.all([every(() => lease.renew()), every(() => reporter.sync())]);
  const found = await client.get(nodes, { name: node });
  const conditions = (found.status.conditions ?? []).map((each) => ({ ...each, status: each.type === 'Ready' ? 'False' : each.status }));
  await client.updateStatus(nodes, { ...found, status: { ...found.status, conditions } });`,
      ],
    ],
  },
  {
    id: 'makes-no-node',
    why: 'Updates an existing Node but does not create one: a new machine stays unknown.',
    origin: 'common',
    law: 'a kubelet registers its node',
    edits: [['  await reporter.register();\n', '']],
  },
  {
    id: 'runtime-does-not-count',
    why: 'Reports a node as ready although its runtime is down.',
    origin: 'common',
    law: 'True conditions',
    edits: [["...(runtimeErrors ?? ['container", "...(runtimeErrors ? [] : ['container"]],
  },
  {
    id: 'no-mirror',
    why: 'Runs static pods without mirror pods: the API does not show them.',
    origin: 'common',
    law: 'a static pod runs',
    edits: [['    await client.create(pods, newMirrorPod(pod));\n', '']],
  },
  {
    id: 'one-sidecar-is-enough',
    why: 'Starts the containers of a pod as soon as its first sidecar runs, at the same time as the later sidecars.',
    origin: 'common',
    law: 'Sidecar order',
    edits: [['if (i === initContainers.length - 1) initialized', 'if (i === 0) initialized']],
  },
];
