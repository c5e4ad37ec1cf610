import { sayCircumstances } from '../../testing/telling.ts';
import type { FaultPlan, ImagesScenario, Login, PodPlan, RegistryStep, SecretPlan } from './scenario.ts';

/** A life in words, a line a step. */
export function describeScenario(scenario: ImagesScenario): readonly string[] {
  const { profile, configuration, node, preloaded, diskBytes, otherFiles, registry, pods, collect, faults } =
    scenario;
  const settings = Object.entries(configuration).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const steps = [
    ...otherFiles.map(({ atMs, bytes }) => ({
      atMs,
      said: `other files take ${bytes / 1e6} MB of the disk's ${diskBytes / 1e6} MB`,
    })),
    ...registry.map((step) => ({ atMs: step.atMs, said: sayStep(step) })),
    ...pods.map((pod) => ({ atMs: pod.fromMs, said: sayPod(pod) })),
    ...pods.flatMap(({ name, untilMs }) =>
      untilMs === undefined ? [] : [{ atMs: untilMs, said: `${name} is deleted` }],
    ),
    ...collect.map(({ atMs, call }) => ({ atMs, said: call })),
    ...faults.map((fault) => ({ atMs: fault.atMs, said: sayFault(fault) })),
  ];
  return [
    ...sayCircumstances(scenario),
    `${profile}${settings.length > 0 ? `, ${settings.join(', ')}` : ''}`,
    ...(node.length > 0 ? [`the node has ${node.map(sayLogin).join(', ')}`] : []),
    ...(preloaded.length > 0 ? [`there from the start: ${preloaded.join(', ')}`] : []),
    ...steps.sort((a, b) => a.atMs - b.atMs).map(({ atMs, said }) => `at ${atMs} ms: ${said}`),
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
      `${secretName({ logins, ...secret })} (${logins.map(sayLogin).join(', ')}${brokenUntilMs === undefined ? '' : `; it cannot be read before ${brokenUntilMs} ms`})`,
  );
  const images = second === undefined ? `"${image}"` : `"${image}", and then for "${second}"`;
  const asks = `${name} asks for ${images}${policy ? `, ${policy}` : ''}`;
  const where = namespace === 'default' ? '' : `, in ${namespace}`;
  return `${asks}${where}${own.length > 0 ? `, with ${own.join(' and ')}` : ''}; again after ${retryMs} ms; runs for ${runsMs} ms${restartAfterMs === undefined ? '' : `, and starts again ${restartAfterMs} ms later`}`;
}

/** Names a secret with a number for each object of its name: `team/pull#1`. */
export function secretName({ namespace, name, uid = 1 }: SecretPlan): string {
  return `${namespace}/${name}#${uid}`;
}

/** Formats a login: `team at registry.example.com`. */
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
    const when = fault.skip === 0 ? 'its next call' : `its next call but ${fault.skip}`;
    return `the kubelet dies ${fault.performed ? 'after' : 'before'} ${when}, and starts ${fault.restartAfterMs} ms later`;
  }
  return `the next ${fault.verb} ${fault.performed ? 'is carried out, and fails' : 'fails'} with "${fault.says}"`;
}
