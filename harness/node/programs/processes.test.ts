import { describe, expect, test } from 'vitest';
import type * as cri from '../../contracts/node/cri/index.ts';
import { containerConfig, machineAlone, sandboxConfig } from '../machine.fixture.ts';

const HEAD = 'stdout F PID   USER     TIME  COMMAND';

const line = (pid: number, command: string): string =>
  `stdout F ${String(pid).padStart(5)} root      0:00 ${command}`;

/** Starts a pod with nginx and a container `debug`, which runs a command. Returns the log of that container. */
async function debugged(command: readonly string[], of: Partial<cri.ContainerConfig> = {}) {
  const { run, runtime, settle, log, sim } = machineAlone();
  const sandbox = sandboxConfig();
  const { sandboxId, id: web } = await run('nginx:1.27', of.pid === 'pod' ? { pid: 'pod' } : {}, sandbox);
  await run('redis:8', {}, sandboxConfig('other'));
  const pid = typeof of.pid === 'object' ? { target: of.pid.target || web } : of.pid;
  const metadata = { name: 'debug', attempt: 0 };
  const config = containerConfig('busybox:1.37', { ...of, metadata, command, ...(pid && { pid }) });
  const id = await settle(runtime.createContainer(sandboxId, config, sandbox));
  const failure = await settle(
    runtime.startContainer(id).then(
      () => '',
      (error: Error) => error.message,
    ),
  );
  await sim.run({ forMs: 5_000 });
  return failure ? [failure] : log(id);
}

describe('ps', () => {
  test('lists the processes of its container, from number 1', async () => {
    expect(await debugged(['sh', '-c', 'echo; ps'])).toEqual([
      'stdout F ',
      HEAD,
      line(1, 'sh -c echo; ps'),
      line(2, 'ps'),
    ]);
  });

  test('lists the processes of its pod, if they share a namespace', async () => {
    expect(await debugged(['ps'], { pid: 'pod' })).toEqual([
      HEAD,
      line(1, '/pause'),
      line(2, 'nginx -g daemon off;'),
      line(3, 'ps'),
    ]);
  });

  test('lists the processes of its target', async () => {
    expect(await debugged(['ps'], { pid: { target: '' } })).toEqual([
      HEAD,
      line(1, 'nginx -g daemon off;'),
      line(2, 'ps'),
    ]);
  });

  test('lists the processes of all pods in the namespace of the machine', async () => {
    const lines = await debugged(['ps'], { pid: 'node' });
    expect(lines.map((each) => each.slice(30))).toEqual([
      'COMMAND',
      '/pause',
      'nginx -g daemon off;',
      '/pause',
      'redis-server',
      'ps',
    ]);
  });

  test('has no container to join if its target does not run', async () => {
    expect(await debugged(['ps'], { pid: { target: 'gone' } })).toEqual([
      expect.stringMatching(/invalid target container: no container gone runs/),
    ]);
  });
});

describe('chroot', () => {
  const host: Partial<cri.ContainerConfig> = {
    mounts: [{ containerPath: '/host', hostPath: '/', readonly: false }],
  };

  test('runs a command with the files of the machine', async () => {
    expect(await debugged(['chroot', '/host', 'ls', '/var/log/pods/default_web_uid-web'], host)).toEqual([
      'stdout F debug',
      'stdout F main',
    ]);
  });

  test('changes the root directory of all commands of a shell', async () => {
    const script = 'echo changed > /host-name; cat /host-name';
    expect(await debugged(['chroot', '/host/', 'sh', '-c', script], host)).toEqual(['stdout F changed']);
    expect(await debugged(['sh', '-c', `chroot /host sh -c "${script}"; cat /host/host-name`], host)).toEqual(
      ['stdout F changed', 'stdout F changed'],
    );
  });

  test.each([
    [
      ['chroot', '/none'],
      "stderr F chroot: can't change root directory to '/none': No such file or directory",
    ],
    [['chroot', '/tmp', 'ls'], "stderr F chroot: can't execute 'ls': No such file or directory"],
    [['chroot', '/host', 'nginx'], "stderr F chroot: can't execute 'nginx': No such file or directory"],
  ])('rejects %j', async (command, refusal) => {
    expect(await debugged(command, host)).toEqual([refusal]);
  });
});
