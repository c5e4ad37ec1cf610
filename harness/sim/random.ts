import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Chance as an argument: the same seed gives the same sequence. */
export interface Random {
  /** Returns a number in [0, 1). */
  float(): number;
  /** Returns a whole number from 0 to `below` - 1. `below` must be at least 1. */
  int(below: number): number;
  /** Returns a random (version 4) UUID, as the apiserver assigns to every new object. */
  uuid(): string;
  /**
   * Returns another generator, independent of this one. The same label gives the same generator, whatever was drawn
   * before. So the draws of one actor never change those of another.
   */
  fork(label: string): Random;
}

/** Returns a generator of the sequence that belongs to `seed`. */
export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(scrambled(seed));
  // Skip the first draws, which still show the seed: otherwise the first draw is the same for every small seed.
  for (let i = 0; i < WARM_UP; i++) generator.next();
  const int = (below: number): number => uniformInt(generator, 0, below - 1);
  return {
    float: () => uniformFloat64(generator),
    int,
    uuid() {
      const hex = Array.from({ length: 32 }, () => int(16).toString(16));
      hex[12] = '4';
      hex[16] = (8 + int(4)).toString(16);
      const text = hex.join('');
      return [
        text.slice(0, 8),
        text.slice(8, 12),
        text.slice(12, 16),
        text.slice(16, 20),
        text.slice(20),
      ].join('-');
    },
    fork: (label) => seededRandom(fnv1a(label, seed)),
  };
}

/** Number of draws until the seed is no longer visible. */
const WARM_UP = 8;

/** Applies MurmurHash3's finalizer, so that neighbouring seeds have unrelated sequences. */
function scrambled(seed: number): number {
  let hash = seed | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Hashes a label with FNV-1a over UTF-16 code units, 32 bits, to spread labels over seeds. */
function fnv1a(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
