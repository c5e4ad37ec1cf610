import { describe, expect, test } from 'vitest';
import { AwaitedFinalizers, CountedExpectations } from './expectations.ts';

describe('CountedExpectations', () => {
  test('are satisfied when the cache has shown each of them', () => {
    const expectations = new CountedExpectations({ now: () => 0 });
    expect(expectations.areSatisfied('a')).toBe(true);
    expectations.expect('a', 'creations', 2);
    expectations.observed('a', 'creations');
    expect(expectations.areSatisfied('a')).toBe(false);
    expectations.observed('a', 'creations');
    expect(expectations.areSatisfied('a')).toBe(true);
    expect(expectations.areSatisfied('b')).toBe(true);
  });

  test('expire after five minutes', () => {
    let nowMs = 0;
    const expectations = new CountedExpectations({ now: () => nowMs });
    expectations.expect('a', 'deletions', 1);
    nowMs = 300_000;
    expect(expectations.expiryMs('a')).toBe(1);
    nowMs += expectations.expiryMs('a');
    expect(expectations.areSatisfied('a')).toBe(true);
  });

  test('replace earlier ones, and can be forgotten', () => {
    const expectations = new CountedExpectations({ now: () => 0 });
    expectations.expect('a', 'creations', 2);
    expectations.expect('a', 'deletions', 1);
    expectations.observed('a', 'deletions');
    expect(expectations.areSatisfied('a')).toBe(true);
    expectations.expect('a', 'creations', 2);
    expectations.forget('a');
    expect(expectations.areSatisfied('a')).toBe(true);
  });
});

describe('AwaitedFinalizers', () => {
  test('lists pods until the cache shows them without the finalizer', () => {
    const awaited = new AwaitedFinalizers();
    awaited.expect('job', ['a', 'b']);
    awaited.expect('job', ['c']);
    const before = awaited.of('job');
    awaited.observed('job', 'a');
    expect([...awaited.of('job')]).toEqual(['b', 'c']);
    expect([...before], 'a list that was read does not change').toEqual(['a', 'b', 'c']);
    awaited.forget('job');
    expect([...awaited.of('job')]).toEqual([]);
  });
});
