import { describe, expect, test } from 'vitest';
import type { Streams } from '../../contracts/node/streaming-service.ts';
import { Simulation } from '../../sim/index.ts';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { opens, SpdyClient, sends } from '../spdy/client.fixture.ts';

/** A user who types the given text and reads the output. On a terminal the user pauses before each text. */
function user({ typed = [] as readonly string[], tty = false, sim = new Simulation() } = {}) {
  const seen = { stdout: '', stderr: '' };
  const gone = new AbortController();
  const streams: Streams = {
    stdin: (async function* () {
      for (const text of typed) {
        if (tty) await sim.clock.sleep(100);
        yield text;
      }
    })(),
    stdout(text) {
      seen.stdout += text;
    },
    stderr(text) {
      seen.stderr += text;
    },
    tty,
    signal: gone.signal,
  };
  return { seen, streams, leave: () => gone.abort() };
}

/** Runs a command in a container of busybox. Returns its exit code and the output that the user saw. */
async function exec(command: readonly string[], options: Parameters<typeof user>[0] = {}) {
  const { machine, shell, sim } = machineAlone();
  const { id } = await shell('sleep 1000');
  const { seen, streams } = user({ ...options, sim });
  const code = await sim.settle(machine.streaming.exec(id, command, streams));
  return { code, ...seen };
}

describe('A command in a container', () => {
  test('writes to stdout and stderr separately', async () => {
    expect(await exec(['hostname'])).toEqual({ code: 0, stdout: 'web\n', stderr: '' });
    const stderr = 'cat: /none: No such file or directory\n';
    expect(await exec(['cat', '/none'])).toEqual({ code: 1, stdout: '', stderr });
  });

  test("reads the user's input until its end", async () => {
    expect(await exec(['cat'], { typed: ['a', 'b\n', 'c'] })).toMatchObject({ code: 0, stdout: 'ab\nc' });
  });

  test('can be a shell that runs each line on arrival', async () => {
    const typed = [
      'echo one; X=2\nif true; then\n',
      '  echo $X\n',
      'fi\necho $(',
      'echo inner)\nexit 7\necho never\n',
    ];
    expect(await exec(['sh'], { typed })).toEqual({ code: 7, stdout: 'one\n2\ninner\n', stderr: '' });
  });

  test('can be a shell that continues after a syntax error', async () => {
    const { stdout, stderr, code } = await exec(['sh'], { typed: ['fi fi )\necho $?\n'] });
    expect({ stdout, code }).toEqual({ stdout: '2\n', code: 0 });
    expect(stderr).toMatch(/^sh: syntax error: .*\n$/);
  });

  test('is rejected if the container does not contain the command, or does not run', async () => {
    await expect(exec(['nope'])).rejects.toThrow('exec: "nope": executable file not found in $PATH');
    const { machine, shell, sim } = machineAlone();
    const { id } = await shell('exit 0');
    await sim.run({ forMs: 5_000 });
    await expect(machine.streaming.exec(id, ['sh'], user().streams)).rejects.toThrow('CONTAINER_EXITED');
    await expect(machine.streaming.exec('none', ['sh'], user().streams)).rejects.toThrow('not found');
  });

  test('is killed when the user disconnects', async () => {
    const { machine, shell, sim } = machineAlone();
    const { id } = await shell('sleep 1000');
    const { streams, leave } = user();
    const code = machine.streaming.exec(id, ['sleep', '500'], streams);
    await sim.run({ forMs: 1_000 });
    leave();
    expect(await sim.settle(code)).toBe(137);
    expect(sim.elapsedMs).toBeLessThan(10_000);
  });
});

describe('A terminal', () => {
  const shown = async (...typed: readonly string[]): Promise<string> =>
    (await exec(['sh'], { typed, tty: true })).stdout;

  test('echoes input, and shows a prompt for each command', async () => {
    expect(await shown('echo hi\r', 'exit\r')).toBe('# echo hi\r\nhi\r\n# exit\r\n');
  });

  test('supports line editing', async () => {
    expect(await shown('echo hx\u007fi\r', '\u0004')).toBe('# echo hx\b \bi\r\nhi\r\n# ');
    expect(await shown('rm\u0015echo\r', '\u0004')).toBe('# rm\b \b\b \becho\r\n\r\n# ');
  });

  test('prompts for the rest of an incomplete command', async () => {
    expect(await shown('if true\r', 'then echo x; fi\r', '\u0004')).toBe(
      '# if true\r\n> then echo x; fi\r\nx\r\n# ',
    );
  });

  test('interrupts the running command on Ctrl-C, but not the shell', async () => {
    const { machine, shell, sim } = machineAlone();
    const { id } = await shell('sleep 1000');
    const { seen, streams } = user({ tty: true });
    const typed = async function* () {
      yield 'sleep 900\r';
      await sim.clock.sleep(2_000);
      yield '\u0003';
      await sim.clock.sleep(10);
      yield 'echo $?\r';
      yield '\u0004';
    };
    await sim.settle(machine.streaming.exec(id, ['sh'], { ...streams, stdin: typed() }));
    expect(seen.stdout).toBe('# sleep 900\r\n^C\r\n# echo $?\r\n130\r\n# ');
    expect(sim.elapsedMs).toBeLessThan(20_000);
  });

  test('ends the input of a command on Ctrl-D, and the shell continues', async () => {
    expect(await shown('cat\r', 'x\r', '\u0004', 'echo more\r', '\u0004')).toBe(
      '# cat\r\nx\r\nx\r\n# echo more\r\nmore\r\n# ',
    );
  });
});

describe('An attached user', () => {
  test('sees the output of the container from then on, until it exits', async () => {
    const { machine, shell, sim } = machineAlone();
    const { id } = await shell('echo before; sleep 10; echo after; echo oops >&2');
    await sim.run({ forMs: 5_000 });
    const { seen, streams } = user();
    await sim.settle(machine.streaming.attach(id, streams));
    expect(seen).toEqual({ stdout: 'after\n', stderr: 'oops\n' });
  });

  test('can type to the first process if it reads stdin, which continues after the user disconnects', async () => {
    const { machine, run, sim, status } = machineAlone();
    const { id } = await run('busybox:1.37', { command: ['sh'], stdin: true });
    const attach = async (...typed: readonly string[]): Promise<string> => {
      const { seen, streams, leave } = user({ typed });
      const attached = machine.streaming.attach(id, streams);
      await sim.run({ forMs: 1_000 });
      leave();
      await sim.settle(attached);
      return seen.stdout;
    };
    expect(await attach('X=1\necho one\n')).toBe('one\n');
    expect(await attach('echo $X\n')).toBe('1\n');
    expect((await status(id)).state).toBe('CONTAINER_RUNNING');
    await attach('exit 3\n');
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 3 });
  });

  test('ends the input of a container with stdinOnce', async () => {
    const { machine, run, sim, status } = machineAlone();
    const { id } = await run('busybox:1.37', { command: ['cat'], stdin: true, stdinOnce: true });
    const { seen, streams } = user({ typed: ['hello\n'] });
    await sim.settle(machine.streaming.attach(id, streams));
    expect(seen.stdout).toBe('hello\n');
    await sim.run({ forMs: 1_000 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0 });
  });

  test('cannot type to a container without stdin', async () => {
    const { machine, shell, sim } = machineAlone();
    const { id } = await shell('cat; sleep 10; echo end');
    const { seen, streams } = user({ typed: ['hello\n'] });
    await sim.settle(machine.streaming.attach(id, streams));
    expect(seen.stdout).toBe('end\n');
  });

  test('uses the terminal of the container, if it has one', async () => {
    const { machine, run, sim, status } = machineAlone();
    const { id } = await run('busybox:1.37', { command: ['sh'], stdin: true, stdinOnce: true, tty: true });
    await sim.run({ forMs: 1_000 });
    const { seen, streams, leave } = user({
      typed: ['\r', 'sleep 900\r', '\u0003', 'echo hi\r'],
      tty: true,
      sim,
    });
    const attached = machine.streaming.attach(id, streams);
    await sim.run({ forMs: 1_000 });
    leave();
    await sim.settle(attached);
    expect(seen.stdout).toBe('\r\n# sleep 900\r\n^C\r\n# echo hi\r\nhi\r\n# ');
    expect((await status(id)).state).toBe('CONTAINER_RUNNING');
  });

  test('can disconnect, and the container continues', async () => {
    const { machine, shell, sim, status } = machineAlone();
    const { id } = await shell('sleep 1000');
    const { streams, leave } = user();
    const attached = machine.streaming.attach(id, streams);
    await sim.run({ forMs: 1_000 });
    leave();
    await sim.settle(attached);
    expect((await status(id)).state).toBe('CONTAINER_RUNNING');
  });
});

describe('A connection to a port of a sandbox', () => {
  /**
   * Returns the answers to a user who sends this text to a port of a sandbox. A web server listens on port 8080 there.
   */
  async function talk(port: number, sent: string, network: 'pod' | 'node' = 'pod') {
    const { machine, shell, sim } = machineAlone();
    const script = 'echo hello > /tmp/index.html; httpd -f -p 8080 -h /tmp';
    const { sandboxId: box } = await shell(script, {}, sandboxConfig('web', { network }));
    await sim.run({ forMs: 1_000 });
    const ports = await machine.streaming.portForward(box);
    const client = new SpdyClient();
    void ports.spdy(client.socket);
    const of = (streamtype: string) => ({ streamtype, requestid: '0', port: String(port) });
    await client.say(opens(1, of('error')), sends(1, '', true), opens(3, of('data')), sends(3, sent, true));
    await sim.run({ forMs: 1_000 });
    return { box, heard: client.heard.slice(2) };
  }

  const request = 'GET / HTTP/1.1\r\nHost: web\r\n\r\n';

  test('reaches the program on this port, as if from inside', async () => {
    const { heard } = await talk(8080, request.repeat(2));
    expect(heard).toHaveLength(4);
    for (const answer of heard.slice(0, 2))
      expect(answer).toMatch(/^3 data HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nhello\n$/);
    expect(heard.slice(2)).toEqual(['3 end', '1 end']);
  });

  test('reports an error if nothing listens on the port', async () => {
    const { box, heard } = await talk(81, request);
    const [, netns] = /namespace "(\S+)":/.exec(heard[0] ?? '') ?? [];
    expect(netns).toMatch(/^\/var\/run\/netns\/cni-/);
    const refused = (dial: string, ip: string) => `dial ${dial} ${ip}:81: connect: connection refused`;
    expect(heard).toEqual([
      `1 data error forwarding port 81 to pod ${box}, uid : failed to execute portforward in network namespace "${netns}": failed to connect to localhost:81 inside namespace "${box}", IPv4: ${refused('tcp4', '127.0.0.1')} IPv6 ${refused('tcp6', '[::1]')} `,
      '3 reset 5',
      '1 reset 5',
    ]);
  });

  test("uses the machine's network if the sandbox does", async () => {
    expect((await talk(8080, request, 'node')).heard[0]).toMatch(/^3 data HTTP\/1.1 200 OK/);
    expect((await talk(81, request, 'node')).heard[0]).toContain('in network namespace "host"');
  });

  test('rejects a client that does not speak HTTP', async () => {
    const { box, heard } = await talk(8080, '*1\r\n$4\r\nPING\r\n');
    expect(heard).toEqual([
      `1 data error forwarding port 8080 to pod ${box}, uid : failed to execute portforward for "${box}" port 8080: only HTTP/1.1 is carried to the pods of this cluster`,
      '3 reset 5',
      '1 reset 5',
    ]);
  });

  test('rejects a program that does not speak HTTP', async () => {
    const { machine, run, sim } = machineAlone();
    const { sandboxId: box } = await run('redis:8');
    await sim.run({ forMs: 1_000 });
    const client = new SpdyClient();
    void (await machine.streaming.portForward(box)).spdy(client.socket);
    await client.say(
      opens(1, { streamtype: 'error', port: '6379' }),
      opens(3, { streamtype: 'data', port: '6379' }),
    );
    await client.say(sends(3, request));
    await sim.run({ forMs: 1_000 });
    expect(client.heard[2]).toContain('port 6379: only HTTP/1.1 is carried');
  });

  test('is rejected if the sandbox does not run', async () => {
    const { machine, shell, settle, runtime } = machineAlone();
    const { sandboxId: box } = await shell('sleep 1000');
    await settle(runtime.stopPodSandbox(box));
    await expect(machine.streaming.portForward(box)).rejects.toThrow('sandbox container is not running');
    await expect(machine.streaming.portForward('none')).rejects.toThrow('failed to find sandbox "none"');
  });
});
