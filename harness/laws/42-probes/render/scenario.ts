import {
  type ContainerPlan,
  type ContainerRun,
  nameOf,
  type Phase,
  PROBE_TYPES,
  type ProbePlan,
  type ProbesScenario,
} from '../scenario.ts';

/** Describes a scenario, for a failure message. Defaults are left out. */
export function describeScenario({ pods, restart, schedule }: ProbesScenario): readonly string[] {
  return [
    ...pods.flatMap(({ addAfterMs, restartPolicy, initFails, containers, syncsMs, ending }, i) => [
      `web-${i}: added when the kubelet is ${addAfterMs} ms old, restartPolicy ${restartPolicy}`,
      ...(initFails ? ['  its init container fails at first, with exit code 1'] : []),
      ...containers.flatMap((container, c) => sayContainer(container, nameOf(container, c))),
      ...(syncsMs.length > 0 ? [`  further statuses after ${syncsMs.join(', ')} ms`] : []),
      ...(ending
        ? [
            `  ${ENDINGS[ending.how]} ${ending.inUpdate === undefined ? `after ${ending.atMs} ms` : `within call ${ending.inUpdate} of onUpdate about it`}${ending.how === 'delete' ? `, grace period ${ending.graceMs} ms` : ''}`,
          ]
        : []),
    ]),
    ...(restart
      ? [
          `the kubelet crashes at ${restart.atMs} ms and restarts ${restart.downMs} ms later${restart.statusFirst ? '; then it calls updatePodStatus before addPod' : ''}`,
        ]
      : []),
    ...(schedule.some((choice) => choice > 0)
      ? [`order of events at the same instant: ${schedule.join(', ')}`]
      : []),
  ];
}

const ENDINGS = { delete: 'deleted', remove: 'removed (removePod)', 'clean up': 'removed (cleanupPods)' };

function sayContainer({ isSidecar, probes, runs }: ContainerPlan, name: string): readonly string[] {
  return [
    `  ${name}${isSidecar ? ', a sidecar' : ''}`,
    ...PROBE_TYPES.flatMap((type) => {
      const plan = probes[type];
      return plan ? [`    ${type}: ${sayProbe(plan)}`] : [];
    }),
    ...runs.map((containerRun, i) => `    run ${i + 1}: ${describeContainerRun(containerRun)}`),
  ];
}

function sayProbe(plan: ProbePlan): string {
  const {
    way,
    initialDelaySeconds,
    periodSeconds,
    timeoutSeconds,
    successThreshold,
    failureThreshold,
    isFancy,
  } = plan;
  return [
    `${way}${isFancy ? ' with a named port, a host and headers' : ''}`,
    ...(initialDelaySeconds > 0 ? [`initial delay ${initialDelaySeconds} s`] : []),
    `period ${periodSeconds} s`,
    ...(timeoutSeconds === 1 ? [] : [`timeout ${timeoutSeconds} s`]),
    `successThreshold ${successThreshold}, failureThreshold ${failureThreshold}`,
  ].join(', ');
}

function describeContainerRun({ afterMs, ends, drainMs, answers }: ContainerRun): string {
  return [
    `starts after ${afterMs} ms`,
    ...(ends ? [`exits after ${ends.afterMs} ms with code ${ends.exitCode}`] : []),
    ...(drainMs > 0 ? [`takes ${drainMs} ms to stop`] : []),
    ...PROBE_TYPES.flatMap((type) => {
      const phases = answers[type];
      return phases ? [`${type}: ${sayPhases(phases)}`] : [];
    }),
  ].join('; ');
}

function sayPhases(phases: readonly Phase[]): string {
  return phases
    .map(({ forMs, gives, takesMs }, i) => {
      const long = i === phases.length - 1 ? '' : ` for ${forMs} ms`;
      return `${gives}${takesMs > 0 ? ` after ${takesMs} ms` : ''}${long}`;
    })
    .join(', then ');
}
