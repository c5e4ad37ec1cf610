import { expect, test } from 'vitest';
import { containerConfig, refused, sandboxConfig } from '../../machine.fixture.ts';
import type { Program } from '../../programs/program.ts';
import { uses } from '../../programs/scripted.ts';
import type { Open } from './open.ts';

/** Tests how every runtime handles containers. */
export function describeContainers(open: Open): void {
  test('are created, run and exit, with the time of each step', async () => {
    const { runtime, settle, status, sim } = open();
    const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
    const config = containerConfig('busybox:1.37', { command: ['sh', '-c', 'sleep 5; exit 3'] });
    const id = await settle(runtime.createContainer(sandboxId, config, sandboxConfig()));
    const { metadata, labels, annotations } = config;
    expect(await status(id)).toMatchObject({
      ...{ id, metadata, labels, annotations, state: 'CONTAINER_CREATED' },
      ...{ startedAtMs: 0, finishedAtMs: 0, exitCode: 0, reason: '', message: '' },
      logPath: '/var/log/pods/default_web_uid-web/main/0.log',
    });
    await settle(runtime.startContainer(id));
    const running = await status(id);
    expect(running).toMatchObject({ state: 'CONTAINER_RUNNING', finishedAtMs: 0, reason: '' });
    expect(running.startedAtMs).toBe(sim.clock.now());
    await sim.run({ forMs: 4_990 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
    await sim.run({ forMs: 50 });
    expect(await status(id)).toMatchObject({
      ...{ state: 'CONTAINER_EXITED', exitCode: 3, reason: 'Error' },
      ...{ startedAtMs: running.startedAtMs, finishedAtMs: running.startedAtMs + 5_000 },
    });
  });

  test('report the id of their image, as in the list of images', async () => {
    const { run, status, machine, settle } = open();
    const { id } = await run('nginx:1.27');
    const { imageId, imageRef } = await status(id);
    const images = await settle(machine.host.images.listImages());
    const image = images.find((each) => each.id === imageId);
    expect(image?.repoTags.join()).toContain('nginx:1.27');
    expect(imageRef).toContain('sha256:');
  });

  test.each([
    ['exit 0', 0, 'Completed'],
    ['exit 1', 1, 'Error'],
    ['exit 256', 0, 'Completed'],
    ['exit 255', 255, 'Error'],
  ])('exit with the code of their program: %s', async (script, exitCode, reason) => {
    const { shell, status, sim } = open();
    const { id } = await shell(script);
    await sim.run({ forMs: 20 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode, reason });
  });

  test('exit with code 1 when they crash, and log the reason', async () => {
    const programs = {
      nginx: async () => {
        throw new Error('panic: out of luck');
      },
    };
    const { run, status, log, sim } = open({ programs });
    const { id } = await run('nginx:1.27');
    await sim.run({ forMs: 20 });
    expect(await status(id)).toMatchObject({ exitCode: 1, reason: 'Error' });
    expect(await log(id)).toEqual(['stderr F panic: out of luck']);
  });

  test('are OOM-killed when they exceed their memory limit', async () => {
    const MIB = 1024 ** 2;
    const grows: Program = async ({ useMemory, clock }) => {
      useMemory(90 * MIB);
      await clock.sleep(100);
      useMemory(101 * MIB);
      return clock.sleep(100).then(() => 0);
    };
    const { run, status, sim } = open({ programs: { nginx: grows } });
    const { id } = await run('nginx:1.27', { resources: { memoryLimitBytes: 100 * MIB } });
    await sim.run({ forMs: 50 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
    await sim.run({ forMs: 200 });
    expect(await status(id)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  test('are OOM-killed when the machine runs out of memory, the largest first', async () => {
    const GIB = 1024 ** 3;
    const { run, status, sim, settle, machine } = open({
      programs: { nginx: uses({ memoryBytes: 5 * GIB }), 'httpd-foreground': uses({ memoryBytes: 3 * GIB }) },
      capacity: { memoryBytes: 8 * GIB },
    });
    const large = await run('nginx:1.27', {}, sandboxConfig('large'));
    const small = await run('httpd:2.4', {}, sandboxConfig('small'));
    await sim.run({ forMs: 20 });
    expect(await status(large.id)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(await status(small.id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
    const { oomKills } = await settle(machine.host.stats.usage());
    expect(oomKills).toEqual([{ process: 'nginx', pid: expect.any(Number) }]);
    machine.powerOff();
    machine.powerOn();
    expect((await settle(machine.host.stats.usage())).oomKills).toEqual([]);
  });

  test('run the command of the image, or that of the pod', async () => {
    const { run, log, sim } = open();
    const command = ['echo', 'as', 'command'];
    const both = await run('busybox:1.37', { command, args: ['and', 'args'] }, sandboxConfig('a'));
    const args = await run('redis:8', { args: ['echo', 'through', 'the', 'entrypoint'] }, sandboxConfig('b'));
    await sim.run({ forMs: 20 });
    expect(await log(both.id)).toEqual(['stdout F as command and args']);
    expect(await log(args.id)).toEqual(['stdout F through the entrypoint']);
  });

  test('have the environment of the image, which the pod can override', async () => {
    const { shell, log, sim } = open();
    const envs = [
      { key: 'A', value: 'b=c' },
      { key: 'PATH', value: '/mine' },
    ];
    const { id } = await shell('echo $A $PATH $HOSTNAME', { envs });
    await sim.run({ forMs: 20 });
    expect(await log(id)).toEqual(['stdout F b=c /mine web']);
  });

  test('have the home directory of root in their environment, which the pod can override', async () => {
    const { shell, log, sim } = open();
    const plain = await shell('echo $HOME', {}, sandboxConfig('a'));
    const own = await shell('echo $HOME', { envs: [{ key: 'HOME', value: '/mine' }] }, sandboxConfig('b'));
    await sim.run({ forMs: 20 });
    expect([await log(plain.id), await log(own.id)]).toEqual([['stdout F /root'], ['stdout F /mine']]);
  });

  test('cannot be created from an image that does not exist', async () => {
    const { runtime, settle, refusal } = open();
    const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
    const config = containerConfig('redis:7');
    expect(await refusal(runtime.createContainer(sandboxId, config, sandboxConfig()))).toMatch(
      /rpc error: code = \w+ desc = .*redis:7/,
    );
    expect(await settle(runtime.listContainers())).toEqual([]);
  });

  test('never run if their command does not exist', async () => {
    const { run, machine } = open();
    expect(await refused(run('busybox:1.37', { command: ['no-such'] }))).toMatch(
      /rpc error: code = Unknown desc = .*no-such.*not found/,
    );
    expect(machine.history.map(({ event }) => event)).not.toContain('container-started');
  });

  test('are started only once, even by concurrent calls', async () => {
    const { runtime, settle, machine } = open();
    const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
    const id = await settle(
      runtime.createContainer(sandboxId, containerConfig('nginx:1.27'), sandboxConfig()),
    );
    await settle(Promise.allSettled([runtime.startContainer(id), runtime.startContainer(id)]));
    await settle(Promise.allSettled([runtime.startContainer(id)]));
    expect(machine.history.filter(({ event }) => event === 'container-started')).toHaveLength(1);
  });

  test('cannot be restarted', async () => {
    const { shell, refusal, runtime, sim } = open();
    const { id } = await shell('exit 0');
    await sim.run({ forMs: 20 });
    expect(await refusal(runtime.startContainer(id))).toMatch(/^rpc error: code = Unknown/);
  });

  test('can be removed while they run, and their logs stay', async () => {
    const { shell, runtime, settle, machine, sim } = open();
    const { id } = await shell('echo hello; sleep 1000');
    await sim.run({ forMs: 20 });
    await settle(runtime.removeContainer(id));
    expect(await settle(runtime.listContainers())).toEqual([]);
    expect(machine.history.at(-1)).toMatchObject({ event: 'container-removed', containerId: id });
    expect(await settle(machine.files.readFile('/var/log/pods/default_web_uid-web/main/0.log'))).toContain(
      'hello',
    );
  });

  test('see mounted files of the node, and can write unless the mount is read-only', async () => {
    const { shell, machine, settle, sim, log } = open();
    await settle(machine.files.mkdirAll('/node/dir'));
    await settle(machine.files.writeFile('/node/dir/given', 'from the node'));
    const mounts = [
      { containerPath: '/mine', hostPath: '/node/dir', readonly: false },
      { containerPath: '/theirs', hostPath: '/node/dir', readonly: true },
    ];
    const { id } = await shell('cat /theirs/given; echo ok > /mine/made; echo no > /theirs/not', { mounts });
    await sim.run({ forMs: 20 });
    expect(await settle(machine.files.readFile('/node/dir/made'))).toBe('ok\n');
    expect(await log(id)).toEqual([
      "stderr F sh: can't create /theirs/not: read-only file system",
      'stdout P from the node',
    ]);
  });

  test('cannot be created on a full disk, and leave no files there', async () => {
    const { runtime, settle, refusal, machine } = open({ capacity: { inodes: 18 } });
    const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
    const before = machine.files.disk.usedInodes;
    for (let i = 0; machine.files.disk.usedInodes < 18; i++)
      await settle(machine.files.writeFile(`/f${i}`, ''));
    const create = runtime.createContainer(sandboxId, containerConfig('nginx:1.27'), sandboxConfig());
    expect(await refusal(create)).toContain('no space left on device');
    expect(await settle(runtime.listContainers())).toEqual([]);
    expect([before < 18, machine.files.disk.usedInodes]).toEqual([true, 18]);
  });

  test('can write a termination message to a mounted file', async () => {
    const { shell, machine, settle, sim } = open();
    await settle(machine.files.mkdirAll('/var/lib/kubelet/pods/uid'));
    const hostPath = '/var/lib/kubelet/pods/uid/0a1b2c3d';
    await settle(machine.files.writeFile(hostPath, ''));
    const mounts = [{ containerPath: '/dev/termination-log', hostPath, readonly: false }];
    await shell('echo out of luck > /dev/termination-log; exit 1', { mounts });
    await sim.run({ forMs: 20 });
    expect(await settle(machine.files.readFile(hostPath))).toBe('out of luck\n');
  });

  test('have separate writable layers, which are deleted with them', async () => {
    const { shell, machine, settle, runtime, sim } = open();
    const usedBefore = machine.files.disk.usedBytes;
    const a = await shell('echo 0123456789 > /tmp/f; sleep 100', {}, sandboxConfig('a'));
    const b = await shell('sleep 1; cat /tmp/f; sleep 100', {}, sandboxConfig('b'));
    await sim.run({ forMs: 2_000 });
    const stats = await settle(runtime.listContainerStats());
    const bytes = (id: string) => stats.find((each) => each.id === id)?.writableLayerBytes;
    expect([bytes(a.id), bytes(b.id)]).toEqual([11, 0]);
    for (const { id, sandboxId } of [a, b]) {
      await settle(runtime.removeContainer(id));
      await settle(runtime.stopPodSandbox(sandboxId));
      await settle(runtime.removePodSandbox(sandboxId));
    }
    const logs = await settle(machine.files.usage('/var/log'));
    expect(machine.files.disk.usedBytes - usedBefore).toBe(logs);
  });

  test('share the network of their sandbox', async () => {
    const { run, runtime, settle } = open();
    const { sandboxId } = await run('nginx:1.27');
    const config = containerConfig('busybox:1.37', {
      metadata: { name: 'second', attempt: 0 },
      command: ['sleep', '99'],
    });
    const id = await settle(runtime.createContainer(sandboxId, config, sandboxConfig()));
    await settle(runtime.startContainer(id));
    const { stdout } = await settle(runtime.execSync(id, ['wget', '-qO-', 'http://127.0.0.1/'], 0));
    expect(stdout).toContain('Welcome to nginx!');
  });
}
