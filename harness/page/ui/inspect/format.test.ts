import { describe, expect, it } from 'vitest';
import { argumentsOf, formatBytes, formatWhen, indentOf, isSameSubject, sharedTimes } from './format.ts';
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

describe('The times of a list', () => {
  it('show their milliseconds where several have the same words', () => {
    const times = [141_002, 141_750, 150_000, 150_000, 12_001, 12_002];
    expect([...sharedTimes(times)]).toEqual([141_002, 141_750]);
    expect(formatWhen(141_002, true)).toBe('+2 min 21.002 s');
    expect(formatWhen(7_505_250, true)).toBe('+2 h 05 min 05.250 s');
  });
});

describe('A long line', () => {
  it('goes on below its value, or behind its own indentation', () => {
    expect(indentOf('Name:       web')).toBe(12);
    expect(indentOf('    Image:  nginx:1.25')).toBe(12);
    expect(indentOf('    - name: nginx')).toBe(8);
    expect(indentOf('A name that is very long:     web')).toBe(2);
  });

  it('of a command breaks before an option, and never between an option and its value', () => {
    expect(
      argumentsOf(
        '-A KUBE-SVC-X ! -s 10.244.0.0/16 -m comment --comment "default/web -> 10.1.2.3:80" -j KUBE-SEP-Y',
      ),
    ).toEqual([
      '-A KUBE-SVC-X',
      '! -s 10.244.0.0/16',
      '-m comment',
      '--comment "default/web -> 10.1.2.3:80"',
      '-j KUBE-SEP-Y',
    ]);
    expect(argumentsOf('10.244.2.0/24 via 172.18.0.3 dev eth0')).toEqual([
      '10.244.2.0/24',
      'via 172.18.0.3',
      'dev eth0',
    ]);
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
