import { describe, expect, test } from 'vitest';
import type { KubeletParts, PodSync } from '#given/41-kubelet';
import { configMaps, events } from '#harness';
import { syncPod } from '#kata/41-kubelet/kubelet';
import { nodeUp, shell } from './node.fixture.ts';

const isRunning = { state: { running: expect.anything() } };

describe('Level 6 · Carry it out', () => {
  test('creates a sandbox, then creates and starts the container in it', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(1_000);
    expect(up.operations(), 'what carryOut did, in this order').toEqual([
      'sandbox-ready',
      'container-created main',
      'container-started main',
    ]);
    expect(
      (await up.pod())?.status.phase,
      'the phase in the API: syncPod must report the new status (getPhase of Level 1 computes it)',
    ).toBe('Running');
  });

  test('emits events for the image, the container and its start', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(1_000);
    expect(await up.events(), 'the events of ensureImageExists (given) and of startContainer').toEqual([
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
      'Normal Created Container created',
      'Normal Started Container started',
    ]);
  });

  test('reports the status before it does anything', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(1_000);
    const [first] = up.statuses();
    const ready = up.host.history.find(({ event }) => event === 'sandbox-ready');
    expect(first?.status.phase, 'the phase of the first status: syncPod must report before it works').toBe(
      'Pending',
    );
    expect(
      first?.status.containerStatuses?.[0]?.state,
      'the container in the first status, before it exists',
    ).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(first?.atMs, 'the first status must be reported before the sandbox is ready').toBeLessThan(
      ready?.atMs ?? 0,
    );
  });

  test('only reports the status of a pod that has ended', async () => {
    const reported: unknown[] = [];
    const parts = {
      generateAPIPodStatus: () => ({ phase: 'Succeeded' }),
      statuses: { setPodStatus: (_: unknown, status: unknown) => reported.push(status) },
    };
    // Each other part is missing: a call of it would throw.
    const sync = { pod: { metadata: {}, spec: { containers: [] } }, podStatus: {} };
    const outcome = await syncPod(
      parts as unknown as KubeletParts,
      {} as Parameters<typeof syncPod>[1],
      sync as unknown as PodSync,
    );
    expect(
      [outcome, reported],
      'the outcome of syncPod, and the reported statuses: the status shows that the pod has ended',
    ).toEqual(['ended', [{ phase: 'Succeeded' }]]);
  });

  test('runs init containers one after another, and the containers after them', async () => {
    await using up = await nodeUp();
    await up.create({
      initContainers: [shell('first', 'sleep 2'), shell('second', 'sleep 2')],
      containers: [shell('main', 'sleep 100'), shell('other', 'sleep 100')],
    });
    await up.run(12_000);
    const runs = up.operations().filter((operation) => /started|exited/.test(operation));
    // The order of the two containers is free.
    expect(
      [...runs.slice(0, 4), ...runs.slice(4).toSorted()],
      'each init container must exit before the next starts, and the containers start last (computeInitContainerActions of Level 3 chooses)',
    ).toEqual([
      'container-started first',
      'container-exited first',
      'container-started second',
      'container-exited second',
      'container-started main',
      'container-started other',
    ]);
  });

  test('starts the other containers when one has no image', async () => {
    await using up = await nodeUp();
    await up.create({
      containers: [
        { name: 'lost', image: 'nginx:none' },
        { name: 'main', image: 'nginx:1.27' },
      ],
    });
    await up.run(4_000);
    expect(
      await up.container('main'),
      'a container without an image must not stop carryOut from starting the others',
    ).toMatchObject(isRunning);
    expect(
      (await up.container('lost'))?.state?.waiting?.reason,
      'the reason for which the container waits is that of ensureImageExists',
    ).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    expect(await up.events(), 'the event about the container that did not start').toContain(
      'Warning Failed Error: ErrImagePull',
    );
  });

  test('starts nothing after an init container that cannot be started', async () => {
    await using up = await nodeUp();
    await up.create({ initContainers: [{ name: 'lost', image: 'nginx:none' }] });
    await up.run(5_000);
    expect(
      up.operations(),
      'an init container that does not start must stop carryOut: no other container may be created',
    ).toEqual(['sandbox-ready']);
    expect(
      await up.container('main'),
      'a container that waits for an init container has the reason PodInitializing',
    ).toMatchObject({ state: { waiting: { reason: 'PodInitializing' } } });
  });

  test('waits for the ConfigMap that the environment of a container refers to', async () => {
    await using up = await nodeUp();
    const configMapKeyRef = { name: 'settings', key: 'color' };
    const env = [{ name: 'COLOR', valueFrom: { configMapKeyRef } }];
    await up.create({ containers: [shell('main', 'test "$COLOR" = red && sleep 100', { env })] });
    await up.run(3_000);
    expect(
      up.when('container-started'),
      'the environment refers to a ConfigMap that is missing, so startContainer must not start the container',
    ).toEqual([]);
    await up.run(17_000);
    expect(
      (await up.container())?.state?.waiting,
      'the reason comes from parts.configs.container, which failed',
    ).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: 'configmap "settings" not found',
    });
    const metadata = { namespace: 'default', name: 'settings' };
    await up.cluster.admin.create(configMaps, { metadata, data: { color: 'red' } });
    await up.run(30_000);
    expect(
      await up.container(),
      'the ConfigMap exists now: the next sync must start the container',
    ).toMatchObject(isRunning);
  });

  test('gives a container the address of its pod at the first start and at each restart', async () => {
    await using up = await nodeUp();
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    await up.create({ containers: [shell('main', 'test -n "$IP" || exit 7; sleep 1; exit 1', { env })] });
    await up.run(20_000);
    const codes = up.host.history
      .filter(({ event }) => event === 'container-exited')
      .map((each) => each.exitCode);
    expect(
      codes.slice(0, 3),
      'the exit codes: 7 means that the container started without the IP of its pod in status.podIP',
    ).toEqual([1, 1, 1]);
  });

  test('creates no sandbox before the network is ready, and emits an event', async () => {
    await using up = await nodeUp();
    const list = '/etc/cni/net.d/10-cbr0.conflist';
    const network = up.host.files.peek(list) ?? '';
    await up.cluster.settle(up.host.files.removeAll(list));
    await up.run(6_000);
    await up.create({});
    await up.run(10_000);
    expect(
      up.operations(),
      'without a network syncPod must create nothing for a pod that is not in the host network',
    ).toEqual([]);
    expect(
      (await up.events()).join('; '),
      'the events about the pod: syncPod must emit NetworkNotReady',
    ).toMatch(/Warning NetworkNotReady /);
    await up.cluster.settle(up.host.files.writeFile(list, network));
    await up.run(60_000);
    expect(
      await up.container(),
      'the network is ready now: the next sync must start the container',
    ).toMatchObject(isRunning);
  });

  test('reports why a container did not start', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [{ name: 'main', image: 'busybox:1.37', command: ['nothing'] }] });
    await up.run(2_500);
    const { waiting } = (await up.container())?.state ?? {};
    expect(
      waiting?.reason,
      'the reason for which the container waits: startContainer of the runtime failed',
    ).toBe('RunContainerError');
    expect(waiting?.message, 'the message for which the container waits: the error of the runtime').toContain(
      'exec: "nothing": executable file not found',
    );
    expect(
      await up.events(),
      'a container that failed to start must not have the event Started',
    ).not.toContain('Normal Started Container started');
  });

  test('emits Created only after the container was created', async () => {
    await using up = await nodeUp();
    up.failNext('createContainer');
    await up.create({});
    await up.run(4_000);
    const created = up.host.history.find(({ event }) => event === 'container-created');
    expect(created?.atMs, 'ms of the creation: a createContainer that failed must be retried').toBeDefined();
    const reported = up.cluster.journal.of(events).find(({ object }) => object.reason === 'Created');
    expect(
      reported?.atMs,
      'ms of the first event Created: the first createContainer failed, so the event must follow the second one',
    ).toBeGreaterThan(created?.atMs as number);
  });

  test('restarts a container that crashes after 0, 10, 20 and 40 seconds, and at most half as long again', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1; exit 1')] });
    await up.run(140_000);
    const [started, exited] = [up.when('container-started'), up.when('container-exited')];
    const delays = started.slice(1, 5).map((atMs, i) => (atMs - (exited[i] as number)) / 1_000);
    for (const [i, seconds] of [0, 10, 20, 40].entries()) {
      expect(
        delays[i],
        `restart ${i + 1} came after a delay (in seconds) below its back-off: see doBackOff (Level 5)`,
      ).toBeGreaterThanOrEqual(seconds);
      expect(
        delays[i],
        `restart ${i + 1} came too long after its back-off (in seconds): a pod in back-off must be synced again`,
      ).toBeLessThan(1.5 * seconds + 2.5);
    }
    expect(
      (await up.container())?.restartCount,
      'restartCount: each start passes the next attempt number to the runtime',
    ).toBe(started.length - 1);
  });

  test('reports a container in back-off', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1; exit 1')] });
    await up.run(120_000);
    const pod = `web_default(${(await up.pod())?.metadata.uid})`;
    expect(
      await up.events(),
      'carryOut must emit BackOff (parts.steps.backedOff) while doBackOff (Level 5) delays a container',
    ).toContain(`Warning BackOff Back-off restarting failed container main in pod ${pod}`);
    const waits = up.statuses().flatMap(({ status }) => status.containerStatuses?.[0]?.state?.waiting ?? []);
    expect(
      waits,
      'the status while a container waits: carryOut reports the error of doBackOff (Level 5)',
    ).toContainEqual({
      reason: 'CrashLoopBackOff',
      message: `back-off 20s restarting failed container=main pod=${pod}`,
    });
  });

  test('reads the secrets for images, and emits an event about a missing one', async () => {
    await using up = await nodeUp();
    await up.create({ imagePullSecrets: [{ name: 'missing' }] });
    await up.run(3_000);
    expect(
      (await up.events()).join('; '),
      'the events about the pod, whose imagePullSecrets names a Secret that does not exist: syncPod must call parts.pullSecretsOf',
    ).toMatch(/Warning FailedToRetrieveImagePullSecret /);
  });

  test('retries to create a sandbox', async () => {
    await using up = await nodeUp();
    up.failNext('runPodSandbox');
    await up.create({});
    await up.run(20_000);
    expect(
      (await up.events()).join('; '),
      'the events about the pod: runPodSandbox failed, so carryOut must emit FailedCreatePodSandBox',
    ).toMatch(/Warning FailedCreatePodSandBox /);
    expect(await up.container(), 'the next sync must try again').toMatchObject(isRunning);
  });

  test('starts the probes of a container, and reports when it is ready', async () => {
    await using up = await nodeUp();
    const readinessProbe = { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 2, periodSeconds: 1 };
    await up.create({ containers: [{ name: 'main', image: 'nginx:1.27', readinessProbe }] });
    await up.run(1_000);
    expect(
      (await up.container())?.ready,
      'ready before the first readiness probe: syncPod must call parts.probes.addPod before it starts containers',
    ).toBe(false);
    await up.run(6_000);
    expect((await up.container())?.ready, 'ready after the readiness probe has succeeded').toBe(true);
  });
});
