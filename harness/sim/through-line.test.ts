import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Effect, Line } from './line.ts';
import { seededRandom } from './random.ts';
import { Simulation } from './simulation.ts';
import { throughLine } from './through-line.ts';

/**
 * Allocates addresses by id. A second request returns the same address; a release without an address is not an error.
 */
class AddressPool {
  readonly #byId = new Map<string, number>();
  #asked = 0;

  async allocate(id: string): Promise<number> {
    this.#asked++;
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const taken = new Set(this.#byId.values());
    const address = [1, 2, 3].find((each) => !taken.has(each));
    if (address === undefined) throw new Error('no addresses left');
    this.#byId.set(id, address);
    return address;
  }

  async release(id: string, _signal?: AbortSignal): Promise<void> {
    this.#byId.delete(id);
  }

  async holders(): Promise<string[]> {
    return [...this.#byId.keys()];
  }

  async asked(): Promise<number> {
    return this.#asked;
  }
}

const failure = new Error('rpc error: code = Unavailable');

function world(seed = 1, effects: readonly Effect[] = []) {
  const sim = new Simulation();
  const random = seededRandom(seed);
  const left = [...effects];
  const line = new Line(sim, {
    actor: 'kubelet',
    latencyMs: () => random.int(5),
    interference: ({ port }) => (port === 'cni' ? left.shift() : undefined) ?? { kind: 'pass' },
  });
  const pool = new AddressPool();
  return { sim, line, pool, cni: throughLine(pool, line, { port: 'cni', reads: ['holders', 'asked'] }) };
}

describe('throughLine', () => {
  test("returns the port's results over the line", async () => {
    const { sim, cni, pool } = world();
    expect(await sim.settle(cni.allocate('pod-a'))).toBe(1);
    expect(await sim.settle(cni.holders())).toEqual(['pod-a']);
    expect(await pool.holders()).toEqual(['pod-a']);
    expect(sim.trace.entries).toMatchObject([
      { actor: 'kubelet', verb: 'allocate', object: 'pod-a', outcome: 'ok' },
      { actor: 'kubelet', verb: 'holders', object: '', outcome: 'ok' },
    ]);
    expect(sim.elapsedMs).toBeGreaterThan(0);
  });

  test('reports the subject of each call, and whether it mutates', async () => {
    const sim = new Simulation();
    const asked: unknown[] = [];
    const line = new Line(sim, {
      actor: 'kubelet',
      latencyMs: () => 1,
      interference: ({ port, verb, object, mutates }) => {
        asked.push([port, verb, object, mutates]);
        return { kind: 'pass' };
      },
    });
    const objectOf = (method: string, args: readonly unknown[]): string => `${method}(${args.join()})`;
    const cri = throughLine(new AddressPool(), line, { port: 'cri', reads: ['holders'], objectOf });
    await sim.settle(cri.allocate('a'));
    await sim.settle(cri.holders());
    expect(asked).toEqual([
      ['cri', 'allocate', 'allocate(a)', true],
      ['cri', 'holders', 'holders()', false],
    ]);
  });

  test('can be passed to code that awaits it', async () => {
    const { cni } = world();
    expect(await Promise.resolve(cni)).toBe(cni);
  });

  test('fails before or after the effect', async () => {
    const { sim, cni, pool } = world(1, [
      { kind: 'fail', error: failure, performed: false },
      { kind: 'fail', error: failure, performed: true },
    ]);
    await expect(sim.settle(cni.allocate('a'))).rejects.toBe(failure);
    expect(await pool.holders()).toEqual([]);
    await expect(sim.settle(cni.allocate('a'))).rejects.toBe(failure);
    expect(await pool.holders()).toEqual(['a']);
    expect(await sim.settle(cni.allocate('a'))).toBe(1);
  });

  test('passes on an error of the port', async () => {
    const { sim, cni } = world();
    for (const id of ['a', 'b', 'c']) await sim.settle(cni.allocate(id));
    await expect(sim.settle(cni.allocate('d'))).rejects.toThrow('no addresses left');
  });

  test('stops waiting when a signal among the arguments is aborted', async () => {
    const { sim, cni, pool } = world();
    await pool.allocate('a');
    const controller = new AbortController();
    const release = cni.release('a', controller.signal);
    controller.abort('enough');
    await expect(sim.settle(release)).rejects.toBe('enough');
  });

  test('has no effect for a severed actor', async () => {
    const { sim, line, cni, pool } = world();
    line.sever();
    void cni.allocate('a');
    await sim.run();
    expect(await pool.holders()).toEqual([]);
  });

  test('Exclusive: no two holders share an address if it is released by id, whichever calls fail before or after their effect', async () => {
    const effect: fc.Arbitrary<Effect> = fc.oneof(
      fc.constant({ kind: 'pass' } as const),
      fc.boolean().map((performed) => ({ kind: 'fail', error: failure, performed }) as const),
    );
    const life = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), holdMs: fc.nat({ max: 20 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(effect, { maxLength: 30 }),
        fc.array(life, { maxLength: 12 }),
        async (seed, effects, lives) => {
          const { sim, cni, pool } = world(seed, effects);
          const hands = new Map<number, string>();
          const queues = new Map<string, Promise<void>>();
          for (const { id, holdMs } of lives) {
            const before = queues.get(id) ?? Promise.resolve();
            queues.set(
              id,
              before.then(() => live(sim, cni, hands, { id, holdMs })),
            );
          }
          await sim.settle(Promise.all(queues.values()));
          expect(await pool.holders()).toEqual([]);
        },
      ),
    );
  });
});

/** Allocates an address, holds it for a while and releases it, with retries. */
async function live(
  sim: Simulation,
  cni: AddressPool,
  hands: Map<number, string>,
  { id, holdMs }: { readonly id: string; readonly holdMs: number },
): Promise<void> {
  const insist = async <R>(call: () => Promise<R>): Promise<R> => {
    for (;;) {
      try {
        return await call();
      } catch {
        await sim.clock.sleep(10);
      }
    }
  };
  const address = await insist(() => cni.allocate(id));
  if (hands.has(address)) throw new Error(`${address} is given to ${id} while ${hands.get(address)} has it`);
  hands.set(address, id);
  await sim.clock.sleep(holdMs);
  hands.delete(address);
  await insist(() => cni.release(id));
}
