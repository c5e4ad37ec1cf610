import { sayFault } from '../../faults/say-fault.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import type { ContainerPlan, KubeletScenario, Operation, PodPlan, Step } from './scenario.ts';

/** A life of a kubelet in words, a line a step. */
export function describeScenario({
  profile,
  before,
  steps,
  calm,
  ...circumstances
}: KubeletScenario): readonly string[] {
  return [
    ...sayCircumstances(circumstances),
    `on ${profile}`,
    ...saySteps(before, (step) => sayStep(step)).map((line) => `before the kubelet, ${line}`),
    ...saySteps(steps, sayStep),
    ...sayHealing(steps),
    ...saySteps(calm, sayStep).map((line) => `in the calm, ${line}`),
  ];
}

function sayStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : sayOperation(step);
}

function sayOperation(operation: Operation): string | undefined {
  switch (operation.do) {
    case 'create':
      return `create pod-${operation.pod}: ${sayPod(operation.as)}`;
    case 'replace':
      return `delete pod-${operation.pod} by force, and create another one: ${sayPod(operation.as)}`;
    case 'delete':
      return `delete pod-${operation.pod}${operation.graceSeconds === undefined ? '' : ` with ${operation.graceSeconds} s`}`;
    case 'set-image':
      return `set the image of container ${operation.container} of pod-${operation.pod} to ${operation.image}`;
    case 'meddle':
      return `another client writes the status of pod-${operation.pod}: ${operation.with}`;
    case 'restart-kubelet':
      return `the kubelet dies, for ${operation.afterMs} ms`;
    case 'restart-runtime':
      return `the runtime is down for ${operation.forMs} ms`;
    case 'kill-sandbox':
      return `the first process of the sandbox of pod-${operation.pod} dies`;
    case 'oom':
      return `container ${operation.container} of pod-${operation.pod} is killed for want of memory`;
    case 'reboot':
      return `the machine loses its power for ${operation.afterMs} ms`;
    case 'nothing':
      return undefined;
  }
}

function sayPod({
  restartPolicy,
  inits,
  containers,
  graceSeconds,
  activeDeadlineSeconds,
  volume,
  gate,
  hostNetwork,
}: PodPlan): string {
  return [
    restartPolicy,
    ...(graceSeconds === undefined ? [] : [`${graceSeconds} s to stop`]),
    ...(activeDeadlineSeconds === undefined ? [] : [`a deadline of ${activeDeadlineSeconds} s`]),
    ...(volume ? ['a volume'] : []),
    ...(gate ? ['a readiness gate'] : []),
    ...(hostNetwork ? ["the node's network"] : []),
    ...[...inits, ...containers].map(sayContainer),
  ].join(', ');
}

function sayContainer({
  name,
  image,
  runs,
  onTerm,
  restartPolicy,
  rules,
  preStopSeconds,
  probes,
}: ContainerPlan): string {
  const said = [
    ...(image === 'program:1' ? [] : [image]),
    ...(runs.length === 0
      ? []
      : [`exits ${runs.map(({ lastsMs, code }) => `${code} after ${lastsMs} ms`).join(', ')}`]),
    ...(onTerm === 'ignores'
      ? ['ignores SIGTERM']
      : [`stops within ${onTerm.afterMs} ms with ${onTerm.code}`]),
    ...(restartPolicy ? [restartPolicy] : []),
    ...(rules?.map(({ operator, values }) => `restarts if ${operator} ${values.join(' ')}`) ?? []),
    ...(preStopSeconds === undefined ? [] : [`a hook of ${preStopSeconds} s`]),
    ...(probes ? [`probes ${JSON.stringify(probes)}`] : []),
  ];
  return `${name} (${said.join('; ')})`;
}
