import { sayFault } from '../../../faults/say-fault.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { ContainerPlan, KubeletScenario, Operation, PodPlan, Step } from '../scenario/index.ts';

/** Describes a scenario of a kubelet, one line per step. */
export function describeScenario({
  profile,
  before,
  steps,
  calm,
  listsAfterMs,
  ...circumstances
}: KubeletScenario): readonly string[] {
  return [
    ...sayCircumstances(circumstances),
    `on ${profile}`,
    ...(listsAfterMs === undefined
      ? []
      : [`lists of the runtime arrive ${listsAfterMs} ms later than other calls`]),
    ...saySteps(before, (step) => describeStep(step)).map((line) => `before the kubelet starts, ${line}`),
    ...saySteps(steps, describeStep),
    ...sayHealing(steps),
    ...saySteps(calm, describeStep).map((line) => `after all faults, ${line}`),
  ];
}

function describeStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : describeOperation(step);
}

function describeOperation(operation: Operation): string | undefined {
  switch (operation.do) {
    case 'create':
      return `create pod-${operation.pod}: ${describePod(operation.as)}`;
    case 'replace':
      return `delete pod-${operation.pod} with grace period 0 and create another pod of this name: ${describePod(operation.as)}`;
    case 'delete':
      return `delete pod-${operation.pod}${operation.graceSeconds === undefined ? '' : ` with grace period ${operation.graceSeconds} s`}`;
    case 'set-image':
      return `set the image of container ${operation.container} of pod-${operation.pod} to ${operation.image}`;
    case 'meddle':
      return `another client writes the status of pod-${operation.pod}: ${operation.with}`;
    case 'restart-kubelet':
      return `the kubelet crashes and restarts after ${operation.downMs} ms`;
    case 'restart-runtime':
      return `the runtime is down for ${operation.forMs} ms`;
    case 'lose-network':
      return `the node's network has no configuration for ${operation.forMs} ms`;
    case 'kill-sandbox':
      return `the sandbox of pod-${operation.pod} dies`;
    case 'oom':
      return `container ${operation.container} of pod-${operation.pod} is OOM-killed`;
    case 'reboot':
      return `the machine is without power for ${operation.downMs} ms`;
    case 'nothing':
      return undefined;
  }
}

function describePod({
  restartPolicy,
  inits,
  containers,
  graceSeconds,
  activeDeadlineSeconds,
  volume,
  gate,
  hostNetwork,
  hasPullSecret,
}: PodPlan): string {
  return [
    restartPolicy,
    ...(graceSeconds === undefined ? [] : [`grace period ${graceSeconds} s`]),
    ...(activeDeadlineSeconds === undefined ? [] : [`deadline ${activeDeadlineSeconds} s`]),
    ...(volume ? ['a volume'] : []),
    ...(gate ? ['a readiness gate'] : []),
    ...(hostNetwork ? ['host network'] : []),
    ...(hasPullSecret ? ['a pull secret'] : []),
    ...[...inits, ...containers].map(describeContainer),
  ].join(', ');
}

function describeContainer({
  name,
  image,
  runs,
  onTerm,
  restartPolicy,
  rules,
  preStopSeconds,
  hasStopCommand,
  knowsAddress,
  probes,
}: ContainerPlan): string {
  const details = [
    ...(image === 'program:1' ? [] : [image]),
    ...(runs.length === 0
      ? []
      : [`exits with ${runs.map(({ lastsMs, code }) => `${code} after ${lastsMs} ms`).join(', ')}`]),
    ...(onTerm === 'ignores'
      ? ['ignores SIGTERM']
      : [`SIGTERM: exits with ${onTerm.code} after ${onTerm.afterMs} ms`]),
    ...(restartPolicy ? [`its own policy ${restartPolicy}`] : []),
    ...(rules?.map(({ operator, values }) => `restarts on exit code ${operator} ${values.join(' ')}`) ?? []),
    ...(preStopSeconds === undefined ? [] : [`preStop hook of ${preStopSeconds} s`]),
    ...(hasStopCommand ? ['preStop hook with a command'] : []),
    ...(knowsAddress ? ["the pod's address in its environment"] : []),
    ...(probes ? [`probes ${JSON.stringify(probes)}`] : []),
  ];
  return `${name} (${details.join('; ')})`;
}
