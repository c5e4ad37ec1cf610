import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { containerConfig, machineAlone, refused, sandboxConfig } from '../machine.fixture.ts';
import { serves } from '../programs/scripted.ts';
import { failure, lineWith } from './contract/sandboxes.ts';
import type { ProfileName } from './profile.ts';

/** The behaviors of the three runtimes. None is wrong. */
type Each<T> = Readonly<Record<ProfileName, T>>;

/** Makes the same calls on all three runtimes, and compares the results with the expected behavior of each. */
function differ<T>(title: string, of: (profile: ProfileName) => Promise<T>, expected: Each<T>): void {
  test.each(Object.keys(expected) as ProfileName[])(`${title}: %s`, async (profile) => {
    expect(await of(profile)).toEqual(expected[profile]);
  });
}

const nothing = 'it was not refused';

describe('Runtimes differ in', () => {
  differ(
    'the order of steps when a sandbox starts',
    async (profile) => {
      const { begin, machine, sim, runtime, settle } = machineAlone({ profile });
      const working = refused(begin('nginx:1.27'));
      await sim.run({ forMs: 39 });
      const listed = await settle(runtime.listPodSandbox());
      const before = [
        machine.history.map(({ event }) => event).join(),
        listed.map(({ state }) => state).join(),
      ];
      await settle(working);
      return [
        ...before,
        machine.history
          .slice(0, 2)
          .map(({ event }) => event)
          .join(),
      ];
    },
    {
      containerd: ['address-allocated', '', 'address-allocated,sandbox-ready'],
      'cri-o': ['address-allocated', '', 'address-allocated,sandbox-ready'],
      'cri-dockerd': ['', 'SANDBOX_NOTREADY', 'address-allocated,sandbox-ready'],
    },
  );

  differ(
    'the rest of a sandbox after its network fails',
    async (profile) => {
      const sim = new Simulation();
      const line = lineWith(sim, { add: [failure(false)] });
      const { runtime, settle, refusal } = machineAlone({ profile, sim, line });
      await refusal(runtime.runPodSandbox(sandboxConfig()));
      return (await settle(runtime.listPodSandbox())).map(({ state }) => state);
    },
    { containerd: [], 'cri-o': [], 'cri-dockerd': ['SANDBOX_NOTREADY'] },
  );

  differ(
    'releasing an address after a failed teardown of the network',
    async (profile) => {
      const sim = new Simulation();
      const line = lineWith(sim, { del: [failure(false)] });
      const { runtime, settle, refusal, machine } = machineAlone({ profile, sim, line });
      const id = await settle(runtime.runPodSandbox(sandboxConfig()));
      const first = (await refusal(runtime.stopPodSandbox(id))) !== nothing;
      const second = await refusal(runtime.stopPodSandbox(id));
      const released = machine.history.some(({ event }) => event === 'address-released');
      return [first, second, released];
    },
    {
      containerd: [true, nothing, true],
      // It does not retry: the address stays allocated.
      'cri-o': [true, nothing, false],
      'cri-dockerd': [true, nothing, true],
    },
  );

  differ(
    'a second sandbox of the same pod and attempt',
    async (profile) => {
      const { runtime, settle } = machineAlone({ profile });
      const first = await settle(runtime.runPodSandbox(sandboxConfig()));
      const outcome = await settle(
        runtime.runPodSandbox(sandboxConfig()).then(
          (second) => (second === first ? 'the same' : 'another'),
          (error: Error) => error.message,
        ),
      );
      return outcome.replace(first, 'ID');
    },
    {
      containerd:
        'rpc error: code = Unknown desc = failed to reserve sandbox name "web_default_uid-web_0": name "web_default_uid-web_0" is reserved for "ID"',
      'cri-o': 'the same',
      'cri-dockerd':
        'rpc error: code = Unknown desc = failed to create a sandbox for pod "web": Error response from daemon: Conflict. The container name "/k8s_POD_web_default_uid-web_0" is already in use by container "ID". You have to remove (or rename) that container to be able to reuse that name.',
    },
  );

  differ(
    'the state of a container after its sandbox stops',
    async (profile) => {
      const { run, runtime, settle, status } = machineAlone({ profile });
      const { id, sandboxId } = await run('nginx:1.27');
      await settle(runtime.stopPodSandbox(sandboxId));
      return (await status(id)).state;
    },
    { containerd: 'CONTAINER_EXITED', 'cri-o': 'CONTAINER_EXITED', 'cri-dockerd': 'CONTAINER_RUNNING' },
  );

  differ(
    'the exit of a container whose sandbox stops',
    async (profile) => {
      const programs = { 'redis-server': serves({ stopsAfterMs: 5_000 }) };
      const { run, runtime, settle, machine } = machineAlone({ profile, programs });
      const { sandboxId } = await run('redis:8');
      await settle(runtime.stopPodSandbox(sandboxId));
      return machine.history.find(({ event }) => event === 'container-exited')?.exitCode;
    },
    { containerd: 137, 'cri-o': 0, 'cri-dockerd': undefined },
  );

  differ(
    'the addresses of a sandbox that was stopped',
    async (profile) => {
      const { runtime, settle } = machineAlone({ profile });
      const id = await settle(runtime.runPodSandbox(sandboxConfig()));
      await settle(runtime.stopPodSandbox(id));
      return (await settle(runtime.podSandboxStatus(id))).ips;
    },
    { containerd: [], 'cri-o': ['10.244.1.2'], 'cri-dockerd': [] },
  );

  differ(
    'the error for an unknown container',
    async (profile) => {
      const { runtime, refusal } = machineAlone({ profile });
      const code = async (call: Promise<unknown>) =>
        /code = (\w+)/.exec(await refusal(call))?.[1] ?? 'success';
      return {
        status: await code(runtime.containerStatus('x')),
        stop: await code(runtime.stopContainer('x', 1)),
        remove: await code(runtime.removeContainer('x')),
        start: await code(runtime.startContainer('x')),
        sandbox: await code(runtime.podSandboxStatus('x')),
      };
    },
    {
      containerd: {
        status: 'NotFound',
        stop: 'success',
        remove: 'success',
        start: 'NotFound',
        sandbox: 'NotFound',
      },
      'cri-o': {
        status: 'NotFound',
        stop: 'success',
        remove: 'success',
        start: 'NotFound',
        sandbox: 'NotFound',
      },
      'cri-dockerd': {
        status: 'Unknown',
        stop: 'NotFound',
        remove: 'Unknown',
        start: 'Unknown',
        sandbox: 'Unknown',
      },
    },
  );

  differ(
    'when and how they report a missing command',
    async (profile): Promise<unknown> => {
      const { runtime, settle, refusal, status, machine } = machineAlone({ profile });
      const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
      const config = containerConfig('busybox:1.37', { command: ['no-such'] });
      const create = await refusal(runtime.createContainer(sandboxId, config, sandboxConfig()));
      const [container] = await settle(runtime.listContainers());
      if (!container) return [create];
      const start = await refusal(runtime.startContainer(container.id));
      const { state, reason, exitCode, message, startedAtMs, createdAtMs, logPath } = await status(
        container.id,
      );
      const log = await settle(machine.files.readFile(logPath));
      return [
        start.replace(container.id, 'ID').replace(/^rpc.*? desc = |: failed to create shim.*$/g, ''),
        ...[state, reason, exitCode, startedAtMs === createdAtMs],
        message.slice(message.indexOf('exec: ')),
        `log: ${JSON.stringify(log)}`,
      ];
    },
    {
      containerd: [
        'failed to create containerd task',
        ...['CONTAINER_EXITED', 'StartError', 128, false],
        'exec: "no-such": executable file not found in $PATH',
        'log: ""',
      ],
      'cri-o': [
        'rpc error: code = Unknown desc = container create failed: executable file `no-such` not found in $PATH: No such file or directory',
      ],
      'cri-dockerd': [
        'failed to start container "ID": Error response from daemon: failed to create task for container',
        ...['CONTAINER_EXITED', 'ContainerCannotRun', 127, true],
        'exec: "no-such": executable file not found in $PATH: unknown',
        'log: ""',
      ],
    },
  );

  differ(
    'stopping a container that was never started',
    async (profile) => {
      const { runtime, settle, status } = machineAlone({ profile });
      const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig()));
      const config = containerConfig('nginx:1.27');
      const id = await settle(runtime.createContainer(sandboxId, config, sandboxConfig()));
      await settle(runtime.stopContainer(id, 1));
      const { state, exitCode } = await status(id);
      return [state, exitCode];
    },
    {
      containerd: ['CONTAINER_CREATED', 0],
      'cri-o': ['CONTAINER_EXITED', 137],
      'cri-dockerd': ['CONTAINER_CREATED', 0],
    },
  );

  differ(
    'how often a stop signal is sent',
    async (profile) => {
      let signals = 0;
      const programs = {
        'redis-server': async ({ onSignal }: { onSignal(signal: 'SIGTERM', handle: () => void): void }) => {
          onSignal('SIGTERM', () => signals++);
          return new Promise<number>(() => {});
        },
      };
      const { run, runtime, settle } = machineAlone({ profile, programs });
      const { id } = await run('redis:8');
      await settle(Promise.all([runtime.stopContainer(id, 3), runtime.stopContainer(id, 2)]));
      return signals;
    },
    { containerd: 1, 'cri-o': 1, 'cri-dockerd': 2 },
  );

  differ(
    'how soon a stop returns',
    async (profile) => {
      const programs = { 'redis-server': serves({ stopsAfterMs: 1_234 }) };
      const { run, runtime, settle, sim } = machineAlone({ profile, programs });
      const { id } = await run('redis:8');
      const before = sim.elapsedMs;
      await settle(runtime.stopContainer(id, 30));
      return sim.elapsedMs - before;
    },
    { containerd: 1_239, 'cri-o': 1_300, 'cri-dockerd': 1_239 },
  );

  differ(
    'removing a running container: with or without a grace period',
    async (profile) => {
      const programs = { 'redis-server': serves({ stopsAfterMs: 20_000 }) };
      const { run, runtime, settle, machine } = machineAlone({ profile, programs });
      const { id } = await run('redis:8');
      await settle(runtime.removeContainer(id));
      return machine.history.find(({ event }) => event === 'container-exited')?.exitCode;
    },
    { containerd: 137, 'cri-o': 0, 'cri-dockerd': 137 },
  );

  differ(
    'a command that exceeds its timeout',
    async (profile) => {
      const { shell, runtime, settle, machine } = machineAlone({ profile });
      const { id } = await shell('sleep 1000');
      const { pidsFree } = await settle(machine.host.stats.usage());
      const outcome = await settle(
        runtime.execSync(id, ['sleep', '60'], 1).then(
          ({ exitCode, stderr }) => `${exitCode} ${stderr}`,
          (error: Error) => error.message,
        ),
      );
      const left = pidsFree - (await settle(machine.host.stats.usage())).pidsFree;
      return [outcome, left];
    },
    {
      containerd: [
        'rpc error: code = DeadlineExceeded desc = failed to exec in container: timeout 1s exceeded: context deadline exceeded',
        0,
      ],
      'cri-o': ['-1 command timed out', 0],
      'cri-dockerd': ['rpc error: code = DeadlineExceeded desc = context deadline exceeded', 1],
    },
  );

  differ(
    'the image in the status of a container',
    async (profile) => {
      const { run, runtime, settle, status, machine } = machineAlone({ profile });
      const image = machine.images.resolve('nginx:1.27');
      const { id } = await run(image?.id ?? '');
      const [listed] = await settle(runtime.listContainers());
      const told = (ref = '') => ref.replace(image?.id ?? '', 'ID').replace(/sha256:\w+$/, 'DIGEST');
      const { imageRef, image: named } = await status(id);
      return [told(listed?.imageRef), told(imageRef), named.image];
    },
    {
      containerd: ['ID', 'docker.io/library/nginx@DIGEST', 'docker.io/library/nginx:1.27'],
      'cri-o': [
        'docker.io/library/nginx@DIGEST',
        'docker.io/library/nginx@DIGEST',
        'docker.io/library/nginx:1.27',
      ],
      'cri-dockerd': ['ID', 'docker-pullable://nginx@DIGEST', 'nginx:1.27'],
    },
  );

  differ(
    'the containers of a machine after a power failure',
    async (profile) => {
      const { run, runtime, settle, machine, sim } = machineAlone({ profile });
      await run('nginx:1.27');
      machine.powerOff();
      machine.powerOn();
      await sim.run({ forMs: 1_000 });
      const statuses = (await settle(runtime.listContainers())).map(({ id }) => runtime.containerStatus(id));
      const told = (await settle(Promise.all(statuses))).map(
        ({ exitCode, reason }) => `${exitCode} ${reason}`,
      );
      return [told.join(), machine.history.some(({ event }) => event === 'address-released')];
    },
    { containerd: ['255 Unknown', false], 'cri-o': ['', true], 'cri-dockerd': ['255 Error', false] },
  );

  differ(
    'the message for a missing network, and the calls that work without one',
    async (profile) => {
      const { runtime, settle, refusal, machine } = machineAlone({ profile });
      const id = await settle(runtime.runPodSandbox(sandboxConfig()));
      await settle(machine.files.removeAll('/etc/cni/net.d'));
      const [, network] = await settle(runtime.status());
      return [network?.message, (await refusal(runtime.stopPodSandbox(id))) === nothing];
    },
    {
      containerd: ['Network plugin returns error: cni plugin not initialized', false],
      'cri-o': [
        'Network plugin returns error: no CNI configuration file in /etc/cni/net.d/. Has your network provider started?',
        true,
      ],
      'cri-dockerd': ['docker: network plugin is not ready: cni config uninitialized', false],
    },
  );

  differ(
    'whether they can lose track of a container until it stops',
    async (profile) => {
      const { run, runtime, settle, status, machine } = machineAlone({ profile });
      const { id } = await run('nginx:1.27');
      machine.loseTrack(id);
      const { state } = await status(id);
      await settle(runtime.stopContainer(id, 30));
      const after = await status(id);
      return [state, after.state, after.exitCode];
    },
    {
      containerd: ['CONTAINER_UNKNOWN', 'CONTAINER_EXITED', 0],
      'cri-o': ['CONTAINER_UNKNOWN', 'CONTAINER_EXITED', 0],
      'cri-dockerd': ['CONTAINER_RUNNING', 'CONTAINER_EXITED', 0],
    },
  );

  differ(
    'the names of the runtime and of its process',
    async (profile) => {
      const { runtime, settle, machine, refusal } = machineAlone({ profile });
      const { runtimeName } = await settle(runtime.version());
      machine.stopRuntime();
      return [runtimeName, /unix (\S+):/.exec(await refusal(runtime.version()))?.[1]];
    },
    {
      containerd: ['containerd', '/run/containerd/containerd.sock'],
      'cri-o': ['cri-o', '/var/run/crio/crio.sock'],
      'cri-dockerd': ['docker', '/run/cri-dockerd.sock'],
    },
  );
});
