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

/** All laws are read off the same lives; each is lived once. They ask for a manager, and not for a shape. */
const live = remembering((scenario: ProbesScenario) => runProbes(newProbeManager, scenario));

describe('The laws of time', () => {
  test('Punctual: each probe is made when its tick is due, to the millisecond, and at no other time', () =>
    holds(probeLaws.punctual, workloads, live));

  test('One at a time: no probe begins while one before it is under way', () =>
    holds(probeLaws.oneAtATime, workloads, live));

  test('Delayed: no probe comes before its initial delay, counted from the start of each container', () =>
    holds(probeLaws.delayed, workloads, live));

  test('Startup first: until a container has started only its startup probe is made', () =>
    holds(probeLaws.startupFirst, workloads, live));

  test('Prompt: a container that is not ready when its status is made is asked at once', () =>
    holds(probeLaws.prompt, workloads, live));
});

describe('The laws of results', () => {
  test('Begins: before the first answer a container is not ready, is alive, and may yet start', () =>
    holds(probeLaws.begins, workloads, live));

  test('Counts: a result changes when as many answers in a row say so as the threshold wants, and not before', () =>
    holds(probeLaws.counts, workloads, live));

  test('Decided: once a container is to be killed, or has started, that probe is not made again', () =>
    holds(probeLaws.decided, workloads, live));

  test('Fresh: a container that was started anew begins anew', () => holds(probeLaws.fresh, workloads, live));

  test('Gone: a container that does not run fails, and is not asked', () =>
    holds(probeLaws.gone, workloads, live));

  test('Tells: each change of a result is told, once', () => holds(probeLaws.tells, workloads, live));

  test('Started: a container has started when its startup probe says so', () =>
    holds(probeLaws.started, workloads, live));

  test('Ready: a container is ready when it has started and its readiness probe says so', () =>
    holds(probeLaws.ready, workloads, live));
});

describe('The laws of a single probe', () => {
  test('Addressed: a probe asks where the spec of the pod says, and for what', () =>
    holds(probeLaws.addressed, workloads, live));

  test('In time: each call has as much time as the spec of the pod says', () =>
    holds(probeLaws.timeouts, workloads, live));

  test('Retries: what could not be asked is tried three times at once, and counts for nothing', () =>
    holds(probeLaws.retries, workloads, live));

  test('Explains: of each failure people are told, once', () => holds(probeLaws.explains, workloads, live));
});

describe('The laws of the end', () => {
  test('Ends: when a pod is to end, its liveness and startup probes stop, and its readiness probes go on', () =>
    holds(probeLaws.ends, workloads, live));

  test('Quiet: after its removal nothing of a pod is asked, told or known', () =>
    holds(probeLaws.quiet, workloads, live));

  test('At rest: in the end nothing is left on the clock, and nothing is known', () =>
    holds(probeLaws.atRest, workloads, live));
});

describe('★ The law of gRPC (Level 11)', () => {
  test('Health: a gRPC service is asked for its health', () =>
    holds(probeLaws.health, healthWorkloads, live));
});

describe('★ The law of redirects (Level 12)', () => {
  test('Redirected: a redirect within a host is followed; one that leads away is a success with a warning', () =>
    holds(probeLaws.redirects, redirectWorkloads, live));
});

describe('★ The laws of a kubelet that starts (Level 13)', () => {
  test('Spreads: probes of a young kubelet begin at any time within their first period', () =>
    holds(probeLaws.spreads, restartWorkloads, live));

  test('Steady: a container that was ready stays so when its kubelet is started again', () =>
    holds(probeLaws.steady, restartWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: what hangs is killed and started again, what is not ready gets no requests, and what starts slowly is left alone', async () => {
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

/** How the condition Ready of a pod changed. */
function readiness(cluster: Cluster, name: string): readonly (string | undefined)[] {
  const seen = cluster.journal.of(pods).flatMap(({ object: { metadata, status } }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return metadata.name === name && ready !== undefined ? [ready] : [];
  });
  return seen.filter((status, i) => status !== seen[i - 1]);
}
