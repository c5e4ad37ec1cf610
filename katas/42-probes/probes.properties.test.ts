import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type core, pods } from '#harness';
import { type Cluster, createCluster, holds, remembering } from '#harness/testing';
import { newProbeManager } from '#kata/42-probes/probes';
import {
  healthWorkloads,
  type ProbesScenario,
  probeLaws,
  redirectWorkloads,
  restartWorkloads,
  runProbes,
  serves,
  smallKubelet,
  workloads,
} from '#laws/42-probes';

/** All laws check the same runs, and each scenario runs once. The laws need only `newProbeManager`. */
const live = remembering((scenario: ProbesScenario) => runProbes(newProbeManager, scenario));

describe('The laws of time', () => {
  test('Punctual: each probe runs exactly when its tick is due, and at no other time', () =>
    holds(probeLaws.punctual, workloads, live));

  test('One at a time: a probe starts only after the one before it has ended', () =>
    holds(probeLaws.oneAtATime, workloads, live));

  test('Initial delay: no probe runs before its initial delay, counted from the start of each container', () =>
    holds(probeLaws.initialDelay, workloads, live));

  test('Startup first: until a container has started, only its startup probe runs', () =>
    holds(probeLaws.startupFirst, workloads, live));

  test('Prompt: updatePodStatus triggers the readiness probe of a started container that is not ready', () =>
    holds(probeLaws.prompt, workloads, live));
});

describe('The laws of results', () => {
  test('Initial results: before the first answer, a container is alive, is not ready, and its startup is undecided', () =>
    holds(probeLaws.initialResults, workloads, live));

  test('Counts: a result changes after as many equal answers in a row as its threshold, and not before', () =>
    holds(probeLaws.counts, workloads, live));

  test('On hold: after a stored liveness failure or startup result, the probe waits for the next container', () =>
    holds(probeLaws.onHold, workloads, live));

  test('Resets: a restarted container begins with the initial results', () =>
    holds(probeLaws.resets, workloads, live));

  test('Not running: a container that does not run gets Failure and no probe', () =>
    holds(probeLaws.notRunning, workloads, live));

  test('Notifies: onUpdate is called once for each change of a result', () =>
    holds(probeLaws.notifies, workloads, live));

  test('Started: the startup probe decides whether a container has started', () =>
    holds(probeLaws.started, workloads, live));

  test('Ready: a container is ready when it has started and its readiness probe has succeeded', () =>
    holds(probeLaws.ready, workloads, live));
});

describe('The laws of a single probe', () => {
  test('Right target: each call has the host, port, path, headers and command of the pod spec', () =>
    holds(probeLaws.rightTarget, workloads, live));

  test('Timeouts: each call has the timeout of the pod spec', () =>
    holds(probeLaws.timeouts, workloads, live));

  test('Retries: a probe that ends in an error is tried three times at once, and does not count', () =>
    holds(probeLaws.retries, workloads, live));

  test('Emits events: each failure, warning and error has exactly one event', () =>
    holds(probeLaws.emitsEvents, workloads, live));
});

describe('The laws of the end', () => {
  test('Termination: in a terminating pod, liveness and startup probes stop, and readiness probes go on', () =>
    holds(probeLaws.termination, workloads, live));

  test('Quiet: after a pod is removed, its probes stop and its results are deleted', () =>
    holds(probeLaws.quiet, workloads, live));

  test('Cleans up: in the end, no timer and no result is left', () =>
    holds(probeLaws.cleansUp, workloads, live));
});

describe('★ The law of gRPC (Level 11)', () => {
  test('gRPC health: a gRPC probe checks the health of its service', () =>
    holds(probeLaws.grpcHealth, healthWorkloads, live));
});

describe('★ The law of redirects (Level 12)', () => {
  test('Redirects: a redirect within the host is followed, and one to another host is a success with a warning', () =>
    holds(probeLaws.redirects, redirectWorkloads, live));
});

describe('★ The laws of a kubelet that starts (Level 13)', () => {
  test('Spreads: each worker of a young kubelet starts at a random time within its first period', () =>
    holds(probeLaws.spreads, restartWorkloads, live));

  test('Stays ready: a ready container stays ready when its kubelet restarts', () =>
    holds(probeLaws.staysReady, restartWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: a hanging container is restarted, an unready one is not Ready, and a slow starter is left alone', async () => {
    await using cluster = await createCluster({
      seed: 42,
      components: { ...components, probeManager: newProbeManager, kubelet: smallKubelet },
    });
    const http = { httpGet: { path: '/', port: 80 }, periodSeconds: 2, failureThreshold: 2 };
    const machine = cluster.addMachine('node-1', {
      preloaded: ['nginx:1.27', 'redis:8', 'busybox:1.37'],
      programs: {
        nginx: serves({ http: (_, sinceMs) => (sinceMs < 10_000 ? 200 : 500) }),
        'redis-server': serves({ http: (_, sinceMs) => (sinceMs > 10_000 && sinceMs < 20_000 ? 503 : 200) }),
        sleep: serves({ listensAfterMs: 15_000 }),
      },
    });
    const run = (name: string, image: string, command: string, probes: Partial<core.Container>) =>
      cluster.admin.create(pods, {
        metadata: { namespace: 'default', name },
        spec: {
          nodeName: 'node-1',
          containers: [{ name: 'main', image, command: [command], ...probes }],
        },
      });
    await run('hangs', 'nginx:1.27', 'nginx', { livenessProbe: http });
    await run('wavers', 'redis:8', 'redis-server', { readinessProbe: http });
    await run('dawdles', 'busybox:1.37', 'sleep', {
      startupProbe: { ...http, failureThreshold: 20 },
      livenessProbe: { ...http, failureThreshold: 1 },
    });
    cluster.runOnNode('node-1', 'kubelet');
    await cluster.runFor(33_000);
    const starts = (name: string): number =>
      machine.history.filter(({ event, pod }) => event === 'container-started' && pod?.name === name).length;
    expect(
      { hangs: starts('hangs'), wavers: starts('wavers'), dawdles: starts('dawdles') },
      'starts of each container: hangs fails its liveness probe twice, wavers only its readiness probe, dawdles starts slowly but within its startup probe',
    ).toEqual({
      hangs: 3,
      wavers: 1,
      dawdles: 1,
    });
    expect(
      readiness(cluster, 'wavers'),
      'the condition Ready of wavers over time: its readiness probe fails from 10 to 20 s',
    ).toEqual(['False', 'True', 'False', 'True']);
    expect(
      readiness(cluster, 'dawdles'),
      'the condition Ready of dawdles over time: it starts after 15 s',
    ).toEqual(['False', 'True']);
  });
});

/** Returns the successive values of the condition Ready of a pod. */
function readiness(cluster: Cluster, name: string): readonly (string | undefined)[] {
  const seen = cluster.journal.of(pods).flatMap(({ object: { metadata, status } }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return metadata.name === name && ready !== undefined ? [ready] : [];
  });
  return seen.filter((status, i) => status !== seen[i - 1]);
}
