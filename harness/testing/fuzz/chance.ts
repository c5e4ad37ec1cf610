import type { Random } from '../../sim/index.ts';

/** What the generators draw with. */
export interface Chance {
  /** One of them, each as likely as the others. */
  one<T>(of: readonly T[]): T;
  /** Happens once in so many times. */
  oneIn(times: number): boolean;
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** So many, made one after the other. */
  many<T>(count: number, make: (index: number) => T): T[];
}

/** Chance from a seeded generator. */
export function chanceOf({ int }: Random): Chance {
  return {
    int,
    one: <T>(of: readonly T[]): T => of[int(of.length)] as T,
    oneIn: (times) => int(times) === 0,
    many: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
}
