import { expect, test } from 'vitest';
import type { Open } from './open.ts';

/** Tests how every runtime handles commands and the output of programs. */
export function describeCommands(open: Open): void {
  test('run in the container, and return output and exit code', async () => {
    const { shell, runtime, settle, log } = open();
    const { id } = await shell('echo shared > /tmp/f; sleep 1000', { envs: [{ key: 'X', value: 'y' }] });
    const exec = (script: string) => settle(runtime.execSync(id, ['sh', '-c', script], 5));
    expect(await exec('cat /tmp/f; echo $X; echo no >&2; exit 4')).toEqual({
      stdout: 'shared\ny\n',
      stderr: 'no\n',
      exitCode: 4,
    });
    expect(await log(id)).toEqual([]);
  });

  test('may run for a long time without a timeout', async () => {
    const { shell, runtime, settle, sim } = open();
    const { id } = await shell('sleep 1000');
    const before = sim.elapsedMs;
    const took = async (timeoutSeconds: number) => {
      await settle(runtime.execSync(id, ['sleep', '90'], timeoutSeconds));
      return sim.elapsedMs - before;
    };
    expect(await took(0)).toBe(90_010);
  });

  test('time out exactly at their timeout', async () => {
    const { shell, runtime, settle, sim } = open();
    const { id } = await shell('sleep 1000');
    const before = sim.elapsedMs;
    const failed = await settle(
      runtime.execSync(id, ['sleep', '60'], 2).then(
        ({ exitCode }) => exitCode !== 0,
        (error: { code: string }) => error.code === 'DeadlineExceeded',
      ),
    );
    expect([failed, sim.elapsedMs - before]).toEqual([true, 2_010]);
  });

  test('fail in a container that does not run', async () => {
    const { shell, runtime, refusal, sim } = open();
    const { id } = await shell('exit 0');
    await sim.run({ forMs: 50 });
    expect(await refusal(runtime.execSync(id, ['true'], 0))).toMatch(/^rpc error: code = /);
    expect(await refusal(runtime.execSync('none', ['true'], 0))).toMatch(/^rpc error: code = /);
  });

  test('fail if they do not exist', async () => {
    const { shell, runtime, settle } = open();
    const { id } = await shell('sleep 1000');
    const failed = runtime.execSync(id, ['no-such'], 0).then(
      ({ exitCode, stdout }) => exitCode !== 0 && stdout.includes('no-such'),
      (error: Error) => error.message.includes('no-such'),
    );
    expect(await settle(failed)).toBe(true);
  });

  test('are killed with their container', async () => {
    const { shell, runtime, settle, sim } = open();
    const { id } = await shell('sleep 5');
    const before = sim.elapsedMs;
    const { exitCode } = await settle(runtime.execSync(id, ['sleep', '60'], 0));
    expect([exitCode, sim.elapsedMs - before < 5_020]).toEqual([137, true]);
  });

  test('write the container log line by line, with time, stream and a tag for partial lines', async () => {
    const { shell, machine, settle, sim } = open();
    await shell('echo one; sleep 1; echo two >&2; echo -n rest');
    await sim.run({ forMs: 2_000 });
    const text = await settle(machine.files.readFile('/var/log/pods/default_web_uid-web/main/0.log'));
    const lines = text.split('\n').filter(Boolean);
    const time = /^2024-04-17T00:00:0\d\.\d{9}Z /;
    expect(lines.every((line) => time.test(line))).toBe(true);
    expect(lines.map((line) => line.replace(time, ''))).toEqual([
      'stdout F one',
      'stderr F two',
      'stdout P rest',
    ]);
  });
}
