import { describe, expect, it } from 'vitest';
import { formatBytes, formatWhen, isSameSubject } from './format.ts';
import { follow } from './trail.ts';

describe('A time', () => {
  it.each([
    [0, '+0.000 s'],
    [12_340, '+12.340 s'],
    [185_000, '+3 min 05 s'],
    [7_505_000, '+2 h 05 min'],
    [-29_892, '−29.892 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(formatWhen(ms)).toBe(text);
  });
});

describe('A size', () => {
  it.each([
    [0, '0 B'],
    [318_954, '311 KiB'],
    [2_000_000, '1.9 MiB'],
    [107_374_182_400, '100 GiB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('A subject', () => {
  it('is the same as another with equal fields', () => {
    const pod = { kind: 'object', resource: 'pods', key: 'default/web' } as const;
    expect(isSameSubject(pod, { key: 'default/web', kind: 'object', resource: 'pods' })).toBe(true);
    expect(isSameSubject(pod, { ...pod, resource: 'services' })).toBe(false);
    expect(isSameSubject({ kind: 'node', name: 'a' }, { kind: 'component', name: 'a' })).toBe(false);
  });
});

describe('The way back', () => {
  const [a, b, c] = (['a', 'b', 'c'] as const).map((name) => ({ kind: 'node', name }) as const);

  it('grows by each new subject, and ends at a subject that is already on it', () => {
    if (!a || !b || !c) throw new Error('three subjects');
    const way = [a, b, c].reduce<ReturnType<typeof follow>>(follow, []);
    expect(way).toEqual([a, b, c]);
    expect(follow(way, c)).toBe(way);
    expect(follow(way, a)).toEqual([a]);
  });

  it('forgets the oldest subjects', () => {
    const way = Array.from({ length: 9 }, (_, i) => ({ kind: 'message', id: i }) as const);
    expect(way.reduce<ReturnType<typeof follow>>(follow, [])).toEqual(way.slice(3));
  });
});
