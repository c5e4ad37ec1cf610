import { describe, expect, test } from 'vitest';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';

/** Runs a script in a container until it exits. Returns its exit code and its log. */
async function outcome(
  script: string,
  { forMs = 60_000, env = {} as Record<string, string>, prefix = '' } = {},
) {
  const { shell, status, log, sim } = machineAlone();
  const envs = Object.entries(env).map(([key, value]) => ({ key, value }));
  const { id } = await shell(prefix + script, { envs });
  await sim.run({ forMs });
  const { state, exitCode, startedAtMs, finishedAtMs } = await status(id);
  return { state, exitCode, log: await log(id), ranMs: finishedAtMs - startedAtMs };
}

describe('A shell', () => {
  test.each([
    ['echo hello', 0, ['stdout F hello']],
    ['exit 3', 3, []],
    ['true && echo yes || echo no', 0, ['stdout F yes']],
    ['false && echo yes || echo no', 0, ['stdout F no']],
    ['false; echo $?', 0, ['stdout F 1']],
    ['! false', 0, []],
    ['no-such-thing', 127, ['stderr F no-such-thing: not found']],
    ['set -e; false; echo never', 1, []],
    [`X="a  b"; echo $X; echo "$X"; echo \${Y:-else}`, 0, ['stdout F a b', 'stdout F a  b', 'stdout F else']],
    ['echo \'$X\' "$X" \\$X', 0, ['stdout F $X given $X'], { X: 'given' }],
    ['printenv | tail -n 1', 0, ['stdout F HOME=/root'], { X: '1' }],
    ['printenv Y NONE X', 1, ['stdout F 2', 'stdout F 1'], { X: '1', Y: '2' }],
    ['printenv Y; printenv constructor || echo none', 0, ['stdout F 2', 'stdout F none'], { Y: '2' }],
    ['echo $(echo inner; echo two)', 0, ['stdout F inner two']],
    [
      'i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo $i; done',
      0,
      ['stdout F 1', 'stdout F 2', 'stdout F 3'],
    ],
    ['for x in 1 2; do echo $((x / 0)); done; echo never', 2, ['stderr F sh: divide by zero']],
    ['X=$((1 % 0)) true; echo never', 2, ['stderr F sh: divide by zero']],
    ['for x in a b; do echo $x; done', 0, ['stdout F a', 'stdout F b']],
    ['if [ -z "$NONE" ]; then echo empty; else echo full; fi', 0, ['stdout F empty']],
    ['echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f', 0, ['stdout F one', 'stdout F two']],
    ['echo oops >&2', 0, ['stderr F oops']],
    ['cat /none', 1, ['stderr F cat: /none: No such file or directory']],
    ['cat /none 2>/dev/null || echo quiet', 0, ['stdout F quiet']],
    ['touch /tmp/a && ls /tmp && rm /tmp/a && ls /tmp', 0, ['stdout F a']],
    ['touch /tmp/.a /tmp/b; ls /tmp; ls -A /tmp', 0, ['stdout F b', 'stdout F .a', 'stdout F b']],
    ['hostname; echo -n no newline', 0, ['stdout F web', 'stdout P no newline']],
    ['exec echo as another', 0, ['stdout F as another']],
    ['echo a | cat', 0, ['stdout F a']],
    ['for x in a b; do echo $x; done | cat | cat', 0, ['stdout F a', 'stdout F b']],
    ['echo a | false; echo $?; false | true; echo $?', 0, ['stdout F 1', 'stdout F 0']],
    ['! echo a | false', 0, []],
    ['set -e; true | false; echo never', 1, []],
    ['echo a |', 2, ['stderr F sh: syntax error: unexpected end of file']],
    ['cat < /tmp/f', 2, ['stderr F sh: syntax error: "<" is not supported here']],
    [
      'echo one > /tmp/f; echo two >> /tmp/f; tail -n 1 /tmp/f; tail -c+5 /tmp/f',
      0,
      ['stdout F two', 'stdout F two'],
    ],
    ['for x in 1 2 3; do echo $x; done | tail -n+2', 0, ['stdout F 2', 'stdout F 3']],
    ['echo abc | tail -c 3', 0, ['stdout F bc']],
    ['[ -d /tmp ] && test ! -e /none && echo yes', 0, ['stdout F yes']],
    ['[ -d /tmp', 2, ['stderr F [: missing ]']],
    ['echo "unfinished', 2, ['stderr F sh: syntax error: unterminated quoted string']],
    ['if true; then echo x', 2, ['stderr F sh: syntax error: unexpected end of file (expecting "fi")']],
  ])('runs %j', async (script, exitCode, log, env: Record<string, string> = {}) => {
    expect(await outcome(script, { env })).toMatchObject({ state: 'CONTAINER_EXITED', exitCode, log });
  });

  test.each([
    ['sleep 5', 5_000],
    ['sleep 1; sleep 0.5', 1_500],
    ['sleep 10 & sleep 1', 1_000],
    ['sleep 3 & sleep 1; wait', 3_000],
  ])('measures the run time of %j', async (script, ranMs) => {
    expect(await outcome(script)).toMatchObject({ exitCode: 0, ranMs });
  });

  test('can loop forever without blocking the simulation', async () => {
    const { state, log } = await outcome('while true; do date +%s; sleep 10; done', { forMs: 35_000 });
    expect([state, log.length]).toEqual(['CONTAINER_RUNNING', 4]);
    expect(await outcome('while true; do true; done', { forMs: 1_000 })).toMatchObject({
      state: 'CONTAINER_RUNNING',
    });
  });

  test('ignores SIGTERM as the first process of a container, unless it has a trap', async () => {
    const { shell, runtime, settle, status, sim } = machineAlone();
    const { id } = await shell('sleep 100');
    const before = sim.elapsedMs;
    await settle(runtime.stopContainer(id, 10));
    expect([(await status(id)).exitCode, sim.elapsedMs - before]).toEqual([137, 10_005]);
  });

  test.each([
    ['trap "echo bye; exit 0" TERM; while true; do sleep 1; done', 1_000],
    ['trap "echo bye; exit 0" TERM; sleep 1000 & wait', 0],
  ])('runs its trap after the current command: %j', async (script, atMostMs) => {
    const { shell, runtime, settle, status, sim, log } = machineAlone();
    const { id } = await shell(script);
    await sim.run({ forMs: 5_300 });
    const before = sim.elapsedMs;
    await settle(runtime.stopContainer(id, 10));
    expect(sim.elapsedMs - before).toBeLessThanOrEqual(atMostMs + 5);
    expect([(await status(id)).exitCode, await log(id)]).toEqual([0, ['stdout F bye']]);
  });
});

describe('Programs', () => {
  test('serve HTTP, and answer 404 for a missing file', async () => {
    const { run, get, log } = machineAlone();
    const web = await run('nginx:1.27', { metadata: { name: 'web', attempt: 0 } });
    expect(await get(web.ip, 80)).toMatchObject({ status: 200, body: expect.stringContaining('nginx') });
    expect(await get(web.ip, 80, { path: '/none' })).toMatchObject({ status: 404 });
    const line = String.raw`stdout F 10\.244\.\d+\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d \+0000\] `;
    expect((await log(web.id)).slice(1)).toEqual([
      expect.stringMatching(`^${line}"GET / HTTP/1.1" 200 \\d+ "-" "-" "-"$`),
      expect.stringMatching(`^${line}"GET /none HTTP/1.1" 404 \\d+ "-" "-" "-"$`),
    ]);
    const other = await run('httpd:2.4', {}, sandboxConfig('b'));
    expect(await get(other.ip, 80)).toMatchObject({ body: expect.stringContaining('It works!') });
  });

  test('reject uploads to nginx', async () => {
    const { run, network, settle } = machineAlone();
    const { ip: host } = await run('nginx:1.27');
    const to = { scheme: 'http', host, port: 80, headers: {}, timeoutMs: 1_000 } as const;
    const ask = async (method: string, path: string) =>
      (await settle(network.request({ ...to, method, path }))).status;
    expect([await ask('HEAD', '/'), await ask('POST', '/'), await ask('DELETE', '/')]).toEqual([
      200, 405, 405,
    ]);
    expect([await ask('POST', '/none'), await ask('PUT', '/none')]).toEqual([404, 405]);
  });

  test('serve mounted files', async () => {
    const { run, get, machine, settle } = machineAlone();
    await settle(machine.files.mkdirAll('/data'));
    await settle(machine.files.writeFile('/data/index.html', 'mine'));
    const mounts = [{ containerPath: '/usr/share/nginx/html', hostPath: '/data', readonly: true }];
    const { ip } = await run('nginx:1.27', { mounts });
    expect((await get(ip, 80)).body).toBe('mine');
    await settle(machine.files.writeFile('/data/index.html', 'changed'));
    expect((await get(ip, 80)).body).toBe('changed');
  });

  test('reach each other by address, and themselves by 127.0.0.1', async () => {
    const { run, runtime, settle } = machineAlone();
    const { ip } = await run('nginx:1.27', {}, sandboxConfig('server'));
    const { id } = await run('redis:8', {}, sandboxConfig('client'));
    const exec = (...command: string[]) => settle(runtime.execSync(id, command, 0));
    expect(await exec('redis-cli', 'ping')).toEqual({ stdout: 'PONG\n', stderr: '', exitCode: 0 });
    const { id: box } = await run('busybox:1.37', { command: ['sleep', '1d'] }, sandboxConfig('box'));
    const wget = (url: string) => settle(runtime.execSync(box, ['wget', '-qO-', url], 0));
    expect((await wget(`http://${ip}/`)).stdout).toContain('Welcome to nginx!');
    expect(await wget(`http://${ip}:81/`)).toMatchObject({
      exitCode: 1,
      stderr: `wget: can't connect to remote host (${ip}): Connection refused\n`,
    });
    expect(await wget('http://web/')).toMatchObject({ exitCode: 1, stderr: "wget: bad address 'web'\n" });
  });

  test('cannot listen on a port that another process of the pod uses', async () => {
    const { runtime, run, settle, status, sim, log } = machineAlone();
    const { sandboxId } = await run('nginx:1.27');
    const config = { ...sandboxConfig() };
    const second = {
      metadata: { name: 'second', attempt: 0 },
      image: { image: 'nginx:1.27' },
      envs: [],
      mounts: [],
      labels: {},
      annotations: {},
      logPath: 'second/0.log',
    };
    const id = await settle(runtime.createContainer(sandboxId, second, config));
    await settle(runtime.startContainer(id));
    await sim.run({ forMs: 10 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 1 });
    expect((await log(id))[0]).toContain('Address already in use');
  });

  test('are OOM-killed when they exceed their memory limit', async () => {
    const { machine, run, status, sim } = machineAlone();
    machine.images.load('stress', {
      config: { Cmd: ['stress', '--vm', '1', '--vm-bytes', '250M'] },
      layers: [{ sizeBytes: 1_000, executables: ['stress'] }],
    });
    const limited = await run('stress', { resources: { memoryLimitBytes: 200 * 1024 ** 2 } });
    const free = await run('stress', {}, sandboxConfig('free'));
    await sim.run({ forMs: 1_000 });
    expect(await status(limited.id)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(await status(free.id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
  });

  test('print a greeting', async () => {
    const { run, status, log, sim } = machineAlone();
    const { id } = await run('hello-world');
    await sim.run({ forMs: 10 });
    expect(await status(id)).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(await log(id)).toContain('stdout F Hello from Docker!');
  });
});
