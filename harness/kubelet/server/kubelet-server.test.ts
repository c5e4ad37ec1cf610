import { describe, expect, test } from 'vitest';
import type { ContainerStatus } from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { CriError } from '../../contracts/node/cri/index.ts';
import type { LogOptions } from '../../contracts/node/kubelet-server.ts';
import { machineAlone, refused, sandboxConfig } from '../../node/machine.fixture.ts';
import { containerLabels, sandboxLabels } from '../labels.ts';
import { newKubeletServer } from './kubelet-server.ts';

const metadata = { name: 'web', namespace: 'default', uid: 'uid-web' };

function podWith(status: Partial<ContainerStatus>): Pod {
  return {
    metadata,
    spec: {},
    status: { containerStatuses: [{ name: 'main', ...status }] },
  } as unknown as Pod;
}

/** Starts a machine with a container that runs a script, and the kubelet's server on it. */
async function serving(script: string) {
  const alone = machineAlone();
  const labels = containerLabels({ metadata } as Pod, { name: 'main' });
  const sandbox = sandboxConfig('web', { labels: sandboxLabels({ metadata } as Pod) });
  const { id } = await alone.shell(script, { labels }, sandbox);
  const server = newKubeletServer({
    node: 'node-1',
    pods: () => [running],
    host: alone.machine.host,
    streaming: alone.machine.streaming,
    clock: alone.sim.clock,
  });
  const containerID = `containerd://${id}`;
  const running = podWith({ containerID, state: { running: {} } } as Partial<ContainerStatus>);
  /** Reads a log to its end. */
  const logs = async (options: LogOptions = {}, pod = running): Promise<string> => {
    let text = '';
    const read = async (): Promise<void> => {
      const { signal } = new AbortController();
      for await (const chunk of await server.containerLogs({ pod, container: 'main' }, options, signal)) {
        text += chunk;
      }
    };
    await alone.settle(read());
    return text;
  };
  return { ...alone, id, server, running, logs };
}

describe('The log of a container', () => {
  const script = 'echo one; sleep 10; echo two >&2; sleep 10; echo -n three';

  test('is the output written until now', async () => {
    const { sim, logs } = await serving(script);
    await sim.run({ forMs: 15_000 });
    expect(await logs()).toBe('one\ntwo\n');
  });

  test.each([
    [{ tailLines: 1 }, 'three'],
    [{ tailLines: 0 }, ''],
    [{ limitBytes: 5 }, 'one\nt'],
    [{ stream: 'Stderr' }, 'two\n'],
    [{ stream: 'Stdout' }, 'one\nthree'],
    [{ sinceSeconds: 25 }, 'two\nthree'],
  ] as const)('is filtered by %j', async (options, text) => {
    const { sim, logs } = await serving(script);
    await sim.run({ forMs: 35_000 });
    expect(await logs(options)).toBe(text);
  });

  test('is returned byte for byte, including invalid UTF-8', async () => {
    const { sim, logs } = await serving('echo a\udcff');
    await sim.run({ forMs: 1_000 });
    expect(await logs()).toBe('a\udcff\n');
    expect(await logs({ limitBytes: 2 })).toBe('a\udcff');
  });

  test('has the time of each line with timestamps', async () => {
    const { sim, logs } = await serving(script);
    await sim.run({ forMs: 15_000 });
    const lines = (await logs({ timestamps: true })).split('\n');
    expect(lines.map((line) => line.replace(/^\S{30} /, ''))).toEqual(['one', 'two', '']);
    const [first = 0, second = 0] = lines.map((line) => Date.parse(line.split(' ')[0] ?? ''));
    expect(second - first).toBe(10_000);
  });

  test('can be followed until the container exits', async () => {
    const { sim, logs } = await serving(script);
    const beganMs = sim.elapsedMs;
    expect(await logs({ follow: true })).toBe('one\ntwo\nthree');
    expect(sim.elapsedMs - beganMs).toBeGreaterThan(19_000);
  });

  test('can be followed live, until the reader disconnects', async () => {
    const { sim, server, running } = await serving(script);
    const reader = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      const of = { pod: running, container: 'main' };
      for await (const chunk of await server.containerLogs(of, { follow: true }, reader.signal))
        seen.push(chunk);
    })();
    await sim.run({ forMs: 5_000 });
    expect(seen).toEqual(['one\n']);
    await sim.run({ forMs: 10_000 });
    expect(seen).toEqual(['one\n', 'two\n']);
    reader.abort();
    await sim.settle(following);
    expect(sim.elapsedMs).toBeLessThan(20_000);
  });

  const terminated = (containerID: string) => ({ terminated: { containerID } });
  test.each([
    [{}, false, 'container "main" in pod "web" is waiting to start - no logs yet'],
    [
      { state: { waiting: { reason: 'ContainerCreating' } } },
      false,
      'container "main" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      { state: { waiting: { reason: 'ImagePullBackOff' } } },
      false,
      'container "main" in pod "web" is waiting to start: trying and failing to pull image',
    ],
    [
      { state: { waiting: { reason: 'ErrImagePull' } } },
      false,
      `container "main" in pod "web" is waiting to start: image can't be pulled`,
    ],
    [{ state: { terminated: {} } }, false, 'container "main" in pod "web" is terminated'],
    [{ state: { running: {} } }, true, 'previous terminated container "main" in pod "web" not found'],
    [
      { state: { waiting: {} }, lastState: terminated('containerd://gone') },
      false,
      'unable to retrieve container logs for containerd://gone',
    ],
    [
      { state: terminated('containerd://now'), lastState: terminated('containerd://before') },
      true,
      'unable to retrieve container logs for containerd://before',
    ],
    [
      { state: { terminated: {} }, lastState: terminated('containerd://before') },
      false,
      'unable to retrieve container logs for containerd://before',
    ],
  ] as unknown as [Partial<ContainerStatus>, boolean, string][])(
    'is rejected with status %j, previous: %s',
    async (status, previous, why) => {
      const { logs } = await serving('sleep 1000');
      expect(await refused(logs({ previous }, podWith(status)))).toBe(why);
    },
  );
});

describe('A command', () => {
  const streams = { stdout: () => {}, stderr: () => {}, tty: false, signal: new AbortController().signal };

  test('runs in the running container', async () => {
    const { settle, server, running } = await serving('sleep 1000');
    const of = { pod: running, container: 'main' };
    expect(await settle(server.exec(of, ['sh', '-c', 'exit 4'], streams))).toBe(4);
  });

  test('is rejected if no container runs', async () => {
    const { sim, refusal, server, running } = await serving('exit 0');
    await sim.run({ forMs: 5_000 });
    const of = { pod: running, container: 'main' };
    expect(await refusal(server.exec(of, ['sh'], streams))).toBe('container not found ("main")');
    expect(await refusal(server.attach(of, streams))).toBe('container not found ("main")');
  });

  test('is rejected with the error of the runtime', async () => {
    const { refusal, server, running } = await serving('sleep 1000');
    const of = { pod: running, container: 'main' };
    expect(await refusal(server.exec(of, ['nope'], streams))).toContain('executable file not found in $PATH');
  });
});

describe('Resource metrics', () => {
  test("include each container's usage since its creation", async () => {
    const { sim, settle, server } = await serving('sleep 1000');
    await sim.run({ forMs: 10_000 });
    const { node, containers } = await settle(server.resourceMetrics());
    expect(containers).toEqual([
      {
        pod: { namespace: 'default', name: 'web' },
        container: 'main',
        startedAtMs: expect.any(Number),
        atMs: sim.clock.now(),
        cpuUsageCoreNanoSeconds: expect.any(Number),
        memoryWorkingSetBytes: 2 * 1024 ** 2,
      },
    ]);
    const [{ startedAtMs = 0, cpuUsageCoreNanoSeconds = 0 } = {}] = containers;
    expect(node.cpuUsageCoreNanoSeconds).toBeGreaterThan(cpuUsageCoreNanoSeconds);
    await sim.run({ forMs: 10_000 });
    const later = await settle(server.resourceMetrics());
    expect(later.containers).toMatchObject([{ startedAtMs, cpuUsageCoreNanoSeconds }]);
    expect(later.node.cpuUsageCoreNanoSeconds).toBeGreaterThan(node.cpuUsageCoreNanoSeconds);
  });
});

describe('Connections to ports', () => {
  /** Returns a pod with a running sandbox and a newer one. A connection fails with an error that names its sandbox. */
  async function twice() {
    const { sim, settle, runtime, machine, id, running, refusal } = await serving('sleep 1000');
    await sim.run({ forMs: 1_000 });
    const labels = sandboxLabels({ metadata } as Pod);
    const again = sandboxConfig('web', { labels, metadata: { ...metadata, attempt: 1 } });
    const newest = await settle(runtime.runPodSandbox(again));
    const streaming = {
      ...machine.streaming,
      portForward: async (sandbox: string) => {
        throw new CriError('Unknown', `it is ${sandbox === newest ? 'the newest' : 'another'}`);
      },
    };
    const server = newKubeletServer({
      ...{ node: 'node-1', pods: () => [] },
      ...{ host: machine.host, streaming, clock: sim.clock },
    });
    const { podSandboxId: first } =
      (await settle(runtime.listContainers())).find((each) => each.id === id) ?? {};
    const asked = () => refusal(server.portForward(running));
    const stop = (sandbox = '') => settle(runtime.stopPodSandbox(sandbox));
    return { asked, stop, first, newest };
  }

  test('go to the newest sandbox of the pod, and fail with the error of the runtime', async () => {
    const { asked, stop, newest } = await twice();
    expect(await asked()).toBe('rpc error: code = Unknown desc = it is the newest');
    await stop(newest);
    expect(await asked()).toBe('rpc error: code = Unknown desc = it is the newest');
  });

  test('are rejected if nothing of the pod runs', async () => {
    const { asked, stop, first, newest } = await twice();
    await stop(first);
    await stop(newest);
    expect(await asked()).toBe('pod not found ("web_default")');
  });
});

describe('The pages of a kubelet', () => {
  /** Requests a page after ten seconds. */
  async function page(path: string, method = 'GET') {
    const { sim, server, settle } = await serving('sleep 100');
    await sim.run({ forMs: 10_000 });
    return settle(server.answer({ method, path }));
  }

  test.each(['/healthz', '/healthz/syncloop', '/healthz?verbose'])('%s reports health', async (path) => {
    expect(await page(path)).toMatchObject({ status: 200, body: 'ok' });
  });

  test('/pods lists the pods of the node', async () => {
    const { headers, body } = await page('/pods');
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toMatchObject({ kind: 'PodList', apiVersion: 'v1', items: [{ metadata }] });
  });

  test('/stats/summary reports the usage of the node, its pods and their containers', async () => {
    const { node, pods } = JSON.parse((await page('/stats/summary')).body);
    expect(node).toMatchObject({
      nodeName: 'node-1',
      cpu: { usageCoreNanoSeconds: expect.any(Number) },
      memory: { availableBytes: expect.any(Number), workingSetBytes: expect.any(Number) },
    });
    const usage = { cpu: { usageNanoCores: expect.any(Number) }, memory: { workingSetBytes: 2 * 1024 ** 2 } };
    expect(pods).toMatchObject([{ podRef: metadata, containers: [{ name: 'main', ...usage }], ...usage }]);
  });

  test.each([
    ['/metrics', 'kubelet_running_pods 1'],
    ['/metrics', 'kubelet_running_containers{container_state="running"} 1'],
    [
      '/metrics/resource',
      'container_memory_working_set_bytes{container="main",namespace="default",pod="web"} 2097152',
    ],
  ])('%s contains the line %s', async (path, line) => {
    expect((await page(path)).body.split('\n')).toContain(line);
  });

  test('do not exist under other paths, and accept no writes', async () => {
    expect(await page('/nope')).toMatchObject({ status: 404, body: '404 page not found\n' });
    expect(await page('/pods', 'POST')).toMatchObject({ status: 405 });
  });
});
