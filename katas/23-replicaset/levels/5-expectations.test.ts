import { describe, expect, test } from 'vitest';
import { named, vectors } from '#harness/testing';
import { EXPECTATIONS_TIMEOUT_MS, Expectations, podNews } from '#kata/23-replicaset/replicaset';
import { aPod, NOW_MS, owner, type PodParts } from './objects.fixture.ts';

/** Expectations, and the time that they go by. */
function expecting() {
  let nowMs = NOW_MS;
  const expectations = new Expectations({ now: () => nowMs });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { expectations, pass };
}

describe('Level 5 · Expectations', () => {
  const KEY = 'uid-of-web';

  test('knows nothing of a key at first, and waits for nothing when nothing was expected', () => {
    const { expectations } = expecting();
    expect(expectations.state(KEY)).toBe('unknown');
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
    expect(expectations.state('uid-of-shop')).toBe('unknown');
  });

  test('waits until every pod that was created has been seen', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a', 'b']);
    expectations.expectCreations(KEY, ['c']);
    expectations.end(KEY);
    for (const uid of ['a', 'c']) expectations.creationObserved(KEY, uid);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  interface Script {
    readonly steps: readonly { readonly do: string; readonly keys?: string[]; readonly key?: string }[];
  }
  interface ScriptResults {
    readonly results: readonly { readonly step: number; readonly satisfied: boolean }[];
  }
  const scripts = () =>
    named(
      vectors<Script, ScriptResults>(
        'replicaset',
        'expectations',
        2,
        ({ input }) => 'steps' in (input as object),
      ),
    );
  test.each(scripts())('waits as Kubernetes does: %s', (_, { input, expect: { results } }) => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    const told = input.steps.flatMap(({ do: what, keys = [], key = '' }, step) => {
      if (what === 'expectDeletions') expectations.expectDeletions(KEY, keys);
      if (what === 'deletionObserved') expectations.deletionObserved(KEY, key);
      if (what !== 'satisfied') return [];
      return [{ step, satisfied: expectations.state(KEY) === 'fulfilled' }];
    });
    expect(told).toEqual(results);
  });

  test('waits for one pod once, however often it is expected, and for that one only', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    expectations.creationObserved(KEY, 'stranger');
    expectations.creationObserved('uid-of-shop', 'a');
    expectations.deletionObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('does not wait for what was seen before the answer came', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.creationObserved(KEY, 'a');
    expectations.expectCreations(KEY, ['a']);
    expectations.deletionObserved(KEY, 'b');
    expectations.expectDeletions(KEY, ['b']);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('remembers nothing of what was seen before somebody began to act, or after', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.deletionObserved(KEY, 'a');
    expectations.end(KEY);
    expectations.deletionObserved(KEY, 'b');
    expectations.begin(KEY);
    expectations.expectDeletions(KEY, ['a', 'b']);
    expectations.end(KEY);
    expectations.deletionObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('pending');
    expectations.deletionObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('waits no more for a deletion that failed', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectDeletions(KEY, ['a', 'b']);
    expectations.deletionFailed(KEY, 'a');
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.deletionObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('expects nothing for a key that was never begun, and harms nobody', () => {
    const { expectations } = expecting();
    expectations.expectCreations(KEY, ['a']);
    expectations.creationObserved(KEY, 'b');
    expectations.deletionFailed(KEY, 'c');
    expectations.doubt(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
  });

  test('believes no longer that something comes when it has not come for five minutes', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    expect(expectations.expiresInMs(KEY)).toBe(300_001);
    pass(EXPECTATIONS_TIMEOUT_MS);
    expect(expectations.state(KEY)).toBe('pending');
    expect(expectations.expiresInMs(KEY)).toBe(1);
    pass(1);
    expect(expectations.state(KEY)).toBe('expired');
    expect(expectations.expiresInMs(KEY)).toBeUndefined();
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('counts the time from what was expected last', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    pass(200_000);
    expectations.expectDeletions(KEY, ['b']);
    expectations.end(KEY);
    pass(200_000);
    expect(expectations.state(KEY)).toBe('pending');
    expect(expectations.expiresInMs(KEY)).toBe(100_001);
  });

  test('is in doubt until somebody begins anew, and still waits for what it waited for', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.doubt(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
    expect(expectations.expiresInMs(KEY)).toBeUndefined();
    pass(1_000);
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('waits no longer for what had expired once somebody begins anew', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    pass(300_001);
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('forgets all about a key that is deleted', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.deleteExpectations(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
    expectations.begin(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('tells whom a new pod appears to, and who is to look', () => {
    const news = podNews(undefined, aPod({ ownerReferences: [owner()] }));
    expect(news).toEqual({ appearedTo: owner(), lostTo: undefined, wakes: [owner()], orphan: false });
  });

  test('tells the former controller of a pod that went, and the new one of a pod that came', () => {
    const [mine, yours] = [owner(), owner('uid-of-shop', 'shop')];
    const before = aPod({ ownerReferences: [mine] });
    const moved = podNews(before, aPod({ ownerReferences: [yours] }));
    expect(moved).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine, yours], orphan: false });
    const freed = podNews(before, aPod());
    expect(freed).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine], orphan: true });
    const gone = podNews(before, undefined);
    expect(gone).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine], orphan: false });
  });

  test('wakes the controller at whatever change, and counts as lost what is no longer active', () => {
    const mine = { ownerReferences: [owner()] };
    const ready = podNews(aPod({ ...mine, ready: false }), aPod({ ...mine, ready: true }));
    expect(ready).toEqual({ appearedTo: undefined, lostTo: undefined, wakes: [owner()], orphan: false });
    expect(podNews(aPod(mine), aPod({ ...mine, phase: 'Failed' })).lostTo).toEqual(owner());
    expect(podNews(aPod(mine), aPod({ ...mine, deletionTimestamp: true })).lostTo).toEqual(owner());
  });

  test('takes an orphan for news when it is new, freed or labelled anew, and else not', () => {
    expect(podNews(undefined, aPod()).orphan).toBe(true);
    expect(podNews(aPod({ labels: {} }), aPod()).orphan).toBe(true);
    expect(podNews(aPod({ ready: false }), aPod({ ready: true })).orphan).toBe(false);
    expect(podNews(aPod(), undefined)).toEqual({
      appearedTo: undefined,
      lostTo: undefined,
      wakes: [],
      orphan: false,
    });
  });

  interface PodEvents {
    readonly events: readonly {
      readonly expect?: string[];
      readonly pod?: PodParts;
      readonly old?: PodParts;
      readonly new?: PodParts;
      readonly event: 'add' | 'update' | 'delete';
    }[];
  }
  interface PodEventsResults {
    readonly fulfilledAfter: readonly boolean[];
    readonly queued: readonly (boolean | null)[];
  }
  const podEvents = () =>
    named(
      vectors<PodEvents, PodEventsResults>('replicaset', 'expectations', 1, ({ input }) => 'events' in input),
    );
  test.each(podEvents())('hears of deletions as Kubernetes does: %s', (_, { input, expect: wanted }) => {
    const { expectations } = expecting();
    const of = (parts: PodParts | undefined) =>
      parts && aPod({ ...parts, uid: `ns/${parts.name}`, ownerReferences: [owner(KEY)] });
    const fulfilled: boolean[] = [];
    const queued: boolean[] = [];
    for (const { event, ...each } of input.events) {
      expectations.begin(KEY);
      if (each.expect) expectations.expectDeletions(KEY, each.expect);
      expectations.end(KEY);
      const previous = of(event === 'delete' ? each.pod : each.old);
      const current = of(event === 'add' ? each.pod : each.new);
      const { lostTo, wakes } = podNews(previous, current);
      const uid = (current ?? previous)?.metadata.uid as string;
      if (lostTo) expectations.deletionObserved(lostTo.uid, uid);
      fulfilled.push(expectations.state(KEY) === 'fulfilled');
      queued.push(wakes.some((reference) => reference.uid === KEY));
    }
    expect(fulfilled).toEqual(wanted.fulfilledAfter);
    expect(queued).toEqual(wanted.queued.map((each, i) => each ?? queued[i]));
  });
});
