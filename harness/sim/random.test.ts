import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from './random.ts';

const draw = (random: Random): unknown[] => [random.float(), random.int(1_000_000), random.uuid()];

describe('Random', () => {
  test('Reproducible: the same seed gives the same sequence, another seed a different one', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, other) => {
        expect(draw(seededRandom(seed))).toEqual(draw(seededRandom(seed)));
        fc.pre(seed !== other);
        expect(draw(seededRandom(seed))).not.toEqual(draw(seededRandom(other)));
      }),
    );
  });

  // Every counterexample and every golden trace depends on these values. They may change only if the generator does;
  // then all of those files must be regenerated.
  test('draws the same values on every machine and version of Node', () => {
    const random = seededRandom(7);
    expect([1, 2, 3].map(() => random.float())).toEqual([
      0.5424545317571271, 0.08987712761040723, 0.3883674724488546,
    ]);
    expect([10, 100, 1_000, 2 ** 31].map((below) => random.int(below))).toEqual([4, 25, 698, 627467937]);
    expect(random.uuid()).toBe('3560f43c-e42d-46c8-bf6c-f570a99ff3e3');
    expect(random.fork('kubelet').int(1_000_000)).toBe(479_030);
  });

  test('stays within bounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 2 ** 31 }), (seed, below) => {
        const random = seededRandom(seed);
        const [float, int] = [random.float(), random.int(below)];
        expect(float >= 0 && float < 1).toBe(true);
        expect(Number.isInteger(int) && int >= 0 && int < below).toBe(true);
      }),
    );
  });

  test('spreads the first draws of neighbouring seeds and labels', () => {
    const tenths = (randoms: Random[]): number[] => {
      const counts = Array.from({ length: 10 }, () => 0);
      for (const random of randoms) (counts[random.int(10)] as number)++;
      return counts;
    };
    const seeds = tenths(Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed)));
    const labels = tenths(Array.from({ length: 1_000 }, (_, i) => seededRandom(1).fork(`node-${i}`)));
    for (const count of [...seeds, ...labels]) expect(Math.abs(count - 100)).toBeLessThan(40);
  });

  test('generates UUIDs of version 4', () => {
    const random = seededRandom(1);
    const uuids = Array.from({ length: 100 }, () => random.uuid());
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(uuids).size).toBe(100);
  });

  test('Independent: earlier draws do not change a fork, and a fork does not advance its parent', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat({ max: 5 }), (seed, label, draws) => {
        const [used, fresh] = [seededRandom(seed), seededRandom(seed)];
        for (let i = 0; i < draws; i++) used.float();
        expect(draw(used.fork(label))).toEqual(draw(fresh.fork(label)));
        const untouched = seededRandom(seed);
        expect(draw(fresh)).toEqual(draw(untouched));
      }),
    );
  });

  test("returns a different fork for every label, and never the parent's sequence", () => {
    const random = seededRandom(1);
    const labels = ['', 'a', 'b', 'a#1', 'a#2', ...Array.from({ length: 1_000 }, (_, i) => `node-${i}`)];
    const first = [random.fork('x').fork('x'), ...labels.map((label) => random.fork(label))].map((each) =>
      each.uuid(),
    );
    expect(new Set([random.uuid(), ...first]).size).toBe(labels.length + 2);
  });
});
