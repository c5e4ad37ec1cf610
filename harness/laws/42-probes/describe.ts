import {
  type ContainerPlan,
  type ContainerRun,
  nameOf,
  type Phase,
  PROBE_TYPES,
  type ProbePlan,
  type ProbesScenario,
} from './scenario.ts';

/** A scenario in words: what a red tells of the smallest life that breaks a law. What is usual is left out. */
export function describeScenario({ pods, restart, schedule }: ProbesScenario): readonly string[] {
  return [
    ...pods.flatMap(({ addAfterMs, restartPolicy, containers, syncsMs, ending }, i) => [
      `web-${i}: added when the kubelet is ${addAfterMs} ms old, restartPolicy ${restartPolicy}`,
      ...containers.flatMap((container, c) => sayContainer(container, nameOf(container, c))),
      ...(syncsMs.length > 0 ? [`  status also after ${syncsMs.join(', ')} ms`] : []),
      ...(ending
        ? [
            `  ${ending.how} after ${ending.atMs} ms${ending.how === 'delete' ? `, grace ${ending.graceMs} ms` : ''}`,
          ]
        : []),
    ]),
    ...(restart ? [`the kubelet dies at ${restart.atMs} ms and is back ${restart.downMs} ms later`] : []),
    ...(schedule.some((choice) => choice > 0)
      ? [`of what is due at once, in this order: ${schedule.join(', ')}`]
      : []),
  ];
}

function sayContainer({ isSidecar, probes, runs }: ContainerPlan, name: string): readonly string[] {
  return [
    `  ${name}${isSidecar ? ', a sidecar' : ''}`,
    ...PROBE_TYPES.flatMap((type) => {
      const plan = probes[type];
      return plan ? [`    ${type}: ${sayProbe(plan)}`] : [];
    }),
    ...runs.map((containerRun, i) => `    life ${i + 1}: ${describeContainerRun(containerRun)}`),
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
    `${way}${isFancy ? ' with names and headers' : ''}`,
    ...(initialDelaySeconds > 0 ? [`delay ${initialDelaySeconds} s`] : []),
    `period ${periodSeconds} s`,
    ...(timeoutSeconds === 1 ? [] : [`timeout ${timeoutSeconds} s`]),
    `thresholds ${successThreshold} and ${failureThreshold}`,
  ].join(', ');
}

function describeContainerRun({ afterMs, ends, drainMs, answers }: ContainerRun): string {
  return [
    `starts after ${afterMs} ms`,
    ...(ends ? [`ends after ${ends.afterMs} ms with ${ends.exitCode}`] : []),
    ...(drainMs > 0 ? [`takes ${drainMs} ms to stop`] : []),
    ...PROBE_TYPES.flatMap((type) => {
      const phases = answers[type];
      return phases ? [`${type} ${sayPhases(phases)}`] : [];
    }),
  ].join('; ');
}

function sayPhases(phases: readonly Phase[]): string {
  return phases
    .map(({ forMs, gives, takesMs }, i) => {
      const long = i === phases.length - 1 ? '' : ` for ${forMs} ms`;
      return `${gives}${takesMs > 0 ? ` in ${takesMs} ms` : ''}${long}`;
    })
    .join(', then ');
}
