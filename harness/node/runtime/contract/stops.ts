import { expect, test } from 'vitest';
import { serves } from '../../programs/scripted.ts';
import type { Open } from './open.ts';

/** The maximum time from the end of a process until a runtime reports it. */
const SEEN_MS = 100;

/** Tests how every runtime stops containers. */
export function describeStops(open: Open): void {
  const ending = (ms: number) => open({ programs: { 'redis-server': serves({ stopsAfterMs: ms }) } });

  test('send the stop signal, and return when the container has exited', async () => {
    const { run, runtime, settle, status, sim } = ending(3_000);
    const { id } = await run('redis:8');
    const before = sim.clock.now();
    await settle(runtime.stopContainer(id, 30));
    const { state, exitCode, finishedAtMs } = await status(id);
    expect([state, exitCode, finishedAtMs - before]).toEqual(['CONTAINER_EXITED', 0, 3_000]);
    expect(sim.clock.now() - finishedAtMs).toBeLessThanOrEqual(SEEN_MS);
  });

  test('kill exactly at the end of the grace period', async () => {
    const { run, runtime, settle, status, sim } = ending(3_000);
    const { id } = await run('redis:8');
    const before = sim.clock.now();
    await settle(runtime.stopContainer(id, 2));
    const { exitCode, finishedAtMs, reason } = await status(id);
    expect([exitCode, reason, finishedAtMs - before]).toEqual([137, 'Error', 2_000]);
    expect(sim.clock.now() - finishedAtMs).toBeLessThanOrEqual(SEEN_MS);
  });

  test('kill at once if the grace period is 0', async () => {
    const { run, runtime, settle, status, sim } = ending(3_000);
    const { id } = await run('redis:8');
    const before = sim.clock.now();
    await settle(runtime.stopContainer(id, 0));
    const { exitCode, finishedAtMs } = await status(id);
    expect([exitCode, finishedAtMs - before]).toEqual([137, 0]);
  });

  test('use the stop signal of the image', async () => {
    const { run, runtime, settle, status } = open();
    const { id } = await run('nginx:1.27');
    await settle(runtime.stopContainer(id, 30));
    expect(await status(id)).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  test('have no effect on a container that has exited', async () => {
    const { shell, runtime, settle, status, sim } = open();
    const { id } = await shell('exit 7');
    await sim.run({ forMs: 50 });
    const before = await status(id);
    await settle(runtime.stopContainer(id, 30));
    await settle(runtime.stopContainer(id, 0));
    expect(await status(id)).toEqual(before);
  });

  test('end together if they are concurrent, and the shorter grace period wins', async () => {
    const { run, runtime, settle, status, sim } = ending(60_000);
    const { id } = await run('redis:8');
    const before = sim.clock.now();
    await settle(Promise.all([runtime.stopContainer(id, 30), runtime.stopContainer(id, 5)]));
    const { exitCode, finishedAtMs } = await status(id);
    expect([exitCode, finishedAtMs - before]).toEqual([137, 5_000]);
    expect(sim.clock.now() - finishedAtMs).toBeLessThanOrEqual(SEEN_MS);
  });

  test('kill the children of a container too', async () => {
    const { shell, runtime, settle, machine } = open();
    const { id } = await shell('sleep 1000 & sleep 2000');
    const { pidsFree } = await settle(machine.host.stats.usage());
    await settle(runtime.stopContainer(id, 0));
    expect((await settle(machine.host.stats.usage())).pidsFree).toBe(pidsFree + 3);
  });

  test('reset open connections', async () => {
    const programs = { nginx: serves({ answersAfterMs: 60_000 }) };
    const { run, runtime, settle, machine, sim } = open({ programs });
    const { id, ip } = await run('nginx:1.27');
    const asked = machine.host.network
      .request({
        scheme: 'http',
        method: 'GET',
        host: ip,
        port: 80,
        path: '/',
        headers: {},
        timeoutMs: 30_000,
      })
      .catch((error: { code: string }) => error.code);
    await sim.run({ forMs: 1_000 });
    await settle(runtime.stopContainer(id, 0));
    expect(await settle(asked)).toBe('ECONNRESET');
  });
}
