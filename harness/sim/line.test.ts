import { describe, expect, test } from 'vitest';
import { type Call, type Effect, Line } from './line.ts';
import { Simulation } from './simulation.ts';

/** Creates a line to a counter. A message takes 10 ms, one way. */
function counter(effect?: Effect | ((verb: string) => Effect)) {
  const sim = new Simulation();
  const interference =
    effect && (({ verb }: { verb: string }) => (typeof effect === 'function' ? effect(verb) : effect));
  const line = new Line(sim, {
    actor: 'actor',
    latencyMs: () => 10,
    ...(interference ? { interference } : {}),
  });
  const state = { count: 0, arrivedMs: -1, discarded: 0 };
  const raise = (options: Partial<Call<number>> = {}): Promise<number> =>
    line.call({
      port: 'api',
      verb: 'raise',
      object: 'counter',
      mutates: true,
      perform: async () => {
        state.arrivedMs = sim.elapsedMs;
        return ++state.count;
      },
      revisionOf: (count) => count,
      discard: () => state.discarded++,
      ...options,
    });
  const told = () =>
    sim.trace.entries.map(({ atMs, verb, outcome, revision }) => [atMs, verb, outcome, revision]);
  return { sim, line, state, raise, told };
}

const lost = new Error('no answer');

describe('Line', () => {
  test('takes a latency in each direction', async () => {
    const { sim, state, raise, told } = counter();
    expect(await sim.settle(raise())).toBe(1);
    expect([state.arrivedMs, sim.elapsedMs, state.discarded]).toEqual([10, 20, 0]);
    expect(told()).toEqual([[10, 'raise', 'ok', 1]]);
    expect(sim.trace.entries[0]).toMatchObject({ actor: 'actor', object: 'counter' });
  });

  test('returns a rejection like a result', async () => {
    const { sim, raise, told } = counter();
    const refused = Object.assign(new Error('no'), { reason: 'Conflict' });
    await expect(sim.settle(raise({ perform: () => Promise.reject(refused) }))).rejects.toBe(refused);
    expect(sim.elapsedMs).toBe(20);
    expect(told()).toEqual([[10, 'raise', 'Conflict', undefined]]);
  });

  test('returns a connection error, too', async () => {
    const { sim, raise, told } = counter();
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const noServer = (): never => {
      throw refused;
    };
    await expect(sim.settle(raise({ perform: noServer }))).rejects.toBe(refused);
    expect(sim.elapsedMs).toBe(20);
    expect(told()).toEqual([[10, 'raise', 'ECONNREFUSED', undefined]]);
  });

  test('can fail before the effect', async () => {
    const { sim, state, raise, told } = counter({ kind: 'fail', error: lost, performed: false });
    await expect(sim.settle(raise())).rejects.toBe(lost);
    expect([state.count, sim.elapsedMs]).toEqual([0, 20]);
    expect(told()).toEqual([[10, 'raise', 'Error', undefined]]);
  });

  test('can fail after the effect, and discards a result that no caller receives', async () => {
    const { sim, state, raise, told } = counter({ kind: 'fail', error: lost, performed: true, afterMs: 500 });
    await expect(sim.settle(raise())).rejects.toBe(lost);
    expect([state.count, state.discarded, sim.elapsedMs]).toEqual([1, 1, 520]);
    expect(told()).toEqual([[10, 'raise', 'ok, unheard', 1]]);
  });

  test.each([true, false])('can lose the answer, performed: %s', async (performed) => {
    const { sim, state, raise, told } = counter({ kind: 'vanish', performed });
    let settled = false;
    void raise().finally(() => (settled = true));
    await sim.run({ forMs: 1_000_000 });
    expect([settled, state.count, state.discarded]).toEqual([false, Number(performed), Number(performed)]);
    expect(told()).toEqual([[10, 'raise', performed ? 'ok, unheard' : 'lost', performed ? 1 : undefined]]);
  });

  test('performs nothing for an actor that is severed before the call arrives', async () => {
    const { sim, line, state, raise, told } = counter();
    let settled = false;
    void raise().finally(() => (settled = true));
    sim.schedule(9, 'test', 'sever', () => line.sever());
    await sim.run();
    expect([settled, state.count, line.severed, told()]).toEqual([false, 0, true, []]);
  });

  test('performs the call but returns nothing if the actor is severed after it arrived', async () => {
    const { sim, line, state, raise } = counter();
    let settled = false;
    void raise().finally(() => (settled = true));
    sim.schedule(11, 'test', 'sever', () => line.sever());
    await sim.run();
    expect([settled, state.count, state.discarded]).toEqual([false, 1, 1]);
  });

  test('ignores calls of a severed actor', async () => {
    const { sim, line, state, raise } = counter();
    line.sever();
    let settled = false;
    void raise().finally(() => (settled = true));
    await sim.run();
    expect([settled, state.count, sim.elapsedMs]).toEqual([false, 0, 0]);
  });

  test('calls back once when it is severed', () => {
    const { line } = counter();
    let told = 0;
    line.onSever(() => told++);
    line.sever();
    line.sever();
    expect(told).toBe(1);
  });

  test('rejects at once on abort; the sent call is performed, and its result discarded', async () => {
    const { sim, state, raise } = counter();
    const controller = new AbortController();
    const call = raise({ signal: controller.signal });
    sim.schedule(5, 'test', 'abort', () => controller.abort('enough'));
    await expect(sim.settle(call)).rejects.toBe('enough');
    expect(sim.elapsedMs).toBe(5);
    await sim.run();
    expect([state.count, state.discarded]).toEqual([1, 1]);
  });

  test('sends nothing if the signal is already aborted', async () => {
    const { sim, state, raise } = counter();
    await expect(raise({ signal: AbortSignal.abort('never') })).rejects.toBe('never');
    await sim.run();
    expect([state.count, state.discarded]).toEqual([0, 0]);
  });

  test('keeps an answer that arrived before the abort', async () => {
    const { sim, state, raise } = counter();
    const controller = new AbortController();
    expect(await sim.settle(raise({ signal: controller.signal }))).toBe(1);
    controller.abort();
    await sim.run();
    expect(state.discarded).toBe(0);
  });

  test('detects a loop of aborted calls', async () => {
    const { sim, raise } = counter();
    void (async () => {
      for (;;) await raise({ signal: AbortSignal.abort() }).catch(() => {});
    })();
    await expect(sim.run({ forMs: 10 })).rejects.toThrow('actor called raise counter 1000 times in a row');
  });

  test('decides the effect of each call separately', async () => {
    const fails: Effect = { kind: 'fail', error: lost, performed: false };
    const { sim, raise } = counter((verb) => (verb === 'bad' ? fails : { kind: 'pass' }));
    await expect(sim.settle(raise({ verb: 'bad' }))).rejects.toBe(lost);
    expect(await sim.settle(raise())).toBe(1);
  });

  test('lets a fast call overtake a slow one', async () => {
    const sim = new Simulation();
    const latencies = [30, 5, 5, 5];
    const line = new Line(sim, { actor: 'actor', latencyMs: () => latencies.shift() ?? 0 });
    const arrived: string[] = [];
    const send = (verb: string) =>
      line.call({ port: 'api', verb, object: '', mutates: true, perform: async () => arrived.push(verb) });
    await sim.settle(Promise.all([send('slow'), send('quick')]));
    expect(arrived).toEqual(['quick', 'slow']);
  });
});
