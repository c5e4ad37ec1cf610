import { sayCircumstances } from '../../../testing/telling.ts';
import type {
  FaultPlan,
  ImagesScenario,
  Login,
  PodPlan,
  RegistryStep,
  SecretPlan,
} from '../scenario/index.ts';

/** Describes a scenario, one line per step. */
export function describeScenario(scenario: ImagesScenario): readonly string[] {
  const { profile, configuration, node, preloaded, diskBytes, otherFiles, registry, pods, collect, faults } =
    scenario;
  const settings = Object.entries(configuration).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const steps = [
    ...otherFiles.map(({ atMs, bytes }) => ({
      atMs,
      text: `other files take ${bytes / 1e6} of the ${diskBytes / 1e6} MB of the disk`,
    })),
    ...registry.map((step) => ({ atMs: step.atMs, text: sayStep(step) })),
    ...pods.map((pod) => ({ atMs: pod.fromMs, text: sayPod(pod) })),
    ...pods.flatMap(({ name, untilMs }) =>
      untilMs === undefined ? [] : [{ atMs: untilMs, text: `${name} is deleted` }],
    ),
    ...collect.map(({ atMs, call }) => ({ atMs, text: call })),
    ...faults.map((fault) => ({ atMs: fault.atMs, text: sayFault(fault) })),
  ];
  return [
    ...sayCircumstances(scenario),
    `${profile}${settings.length > 0 ? `, ${settings.join(', ')}` : ''}`,
    ...(node.length > 0 ? [`credentials of the node: ${node.map(sayLogin).join(', ')}`] : []),
    ...(preloaded.length > 0 ? [`preloaded images: ${preloaded.join(', ')}`] : []),
    ...steps.sort((a, b) => a.atMs - b.atMs).map(({ atMs, text }) => `at ${atMs} ms: ${text}`),
  ];
}

function sayPod({
  name,
  namespace,
  image,
  second,
  policy,
  secrets,
  retryMs,
  runsMs,
  restartAfterMs,
}: PodPlan): string {
  const own = secrets.map(
    ({ logins, brokenUntilMs, ...secret }) =>
      `${secretName({ logins, ...secret })} (${logins.map(sayLogin).join(', ')}${brokenUntilMs === undefined ? '' : `; unreadable before ${brokenUntilMs} ms`})`,
  );
  const images = second === undefined ? `"${image}"` : `"${image}", and then "${second}"`;
  const asks = `${name} requests ${images}${policy ? `, ${policy}` : ''}`;
  const where = namespace === 'default' ? '' : `, in ${namespace}`;
  return `${asks}${where}${own.length > 0 ? `, with ${own.join(' and ')}` : ''}; retries after ${retryMs} ms; runs for ${runsMs} ms${restartAfterMs === undefined ? '' : `, and restarts ${restartAfterMs} ms later`}`;
}

/** Describes a secret, with a number for each object of the same name: `team/pull#1`. */
export function secretName({ namespace, name, uid = 1 }: SecretPlan): string {
  return `${namespace}/${name}#${uid}`;
}

/** Describes a login: `team at registry.example.com`. */
export function sayLogin({ registry, user, good }: Login): string {
  return `${user} at ${registry}${good ? '' : ' with a wrong password'}`;
}

function sayStep(step: RegistryStep): string {
  return step.happens === 'thinks'
    ? `${step.host} takes ${step.latencyMs} ms for each request`
    : `${step.host}: ${step.happens}`;
}

function sayFault(fault: FaultPlan): string {
  if (fault.fault === 'dies') {
    const call = fault.skip === 0 ? 'its next call' : `call ${fault.skip + 1} from then on`;
    return `the kubelet crashes ${fault.performed ? 'after' : 'before'} ${call} takes effect, and restarts ${fault.restartAfterMs} ms later`;
  }
  return `the next ${fault.verb} fails with "${fault.says}", ${fault.performed ? 'after' : 'before'} it takes effect`;
}
