import type { Random } from '../../sim/index.ts';

/** The random choices of the generators. */
export interface Chance {
  /** Returns one of them, with equal probability. */
  one<T>(of: readonly T[]): T;
  /** Returns true with probability 1 in `times`. */
  oneIn(times: number): boolean;
  /** Returns a whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** Makes `count` values, one after the other. */
  many<T>(count: number, make: (index: number) => T): T[];
}

/** Creates choices from a seeded generator. */
export function chanceOf({ int }: Random): Chance {
  return {
    int,
    one: <T>(of: readonly T[]): T => of[int(of.length)] as T,
    oneIn: (times) => int(times) === 0,
    many: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
}
