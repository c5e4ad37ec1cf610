import { describe, expect, test } from 'vitest';
import { named, ruleFor, vectors } from '#harness/testing';
import { EXPECTATIONS_TIMEOUT_MS, Expectations, podNews } from '#kata/23-replicaset/replicaset';
import { aPod, NOW_MS, owner, type PodParts } from './objects.fixture.ts';

/** Expectations with a manual clock. */
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

  test('is unknown at first, and fulfilled if it expects nothing', () => {
    const { expectations } = expecting();
    expect(expectations.state(KEY), 'before the first begin').toBe('unknown');
    expectations.begin(KEY);
    expect(expectations.state(KEY), 'after begin, nothing is expected').toBe('fulfilled');
    expect(expectations.state('uid-of-shop'), 'another key was never begun').toBe('unknown');
  });

  test('is pending until every created pod is observed', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a', 'b']);
    expectations.expect(KEY, 'creations', ['c']);
    for (const uid of ['a', 'c']) expectations.observed(KEY, 'creations', uid);
    expect(expectations.state(KEY), 'creations of a, b and c are expected; only a and c were observed').toBe(
      'pending',
    );
    expectations.observed(KEY, 'creations', 'b');
    expect(expectations.state(KEY), 'a, b and c were observed').toBe('fulfilled');
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
    const expected = input.steps.flatMap(({ do: what, keys = [], key = '' }, step) => {
      if (what === 'expectDeletions') expectations.expect(KEY, 'deletions', keys);
      if (what === 'deletionObserved') expectations.observed(KEY, 'deletions', key);
      if (what !== 'satisfied') return [];
      return [{ step, satisfied: expectations.state(KEY) === 'fulfilled' }];
    });
    expect(expected, ruleFor('satisfied when each expected pod was observed', input)).toEqual(results);
  });

  test('expects each pod once, and only its own event fulfills it', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    expectations.expect(KEY, 'creations', ['a']);
    expectations.observed(KEY, 'creations', 'stranger');
    expectations.observed('uid-of-shop', 'creations', 'a');
    expectations.observed(KEY, 'deletions', 'stranger');
    expect(
      expectations.state(KEY),
      'a is not observed yet: other pods, other keys and other kinds of news do not count',
    ).toBe('pending');
    expectations.observed(KEY, 'creations', 'a');
    expect(expectations.state(KEY), 'a was observed, and it was expected twice but is one pod').toBe(
      'fulfilled',
    );
  });

  test('does not expect a pod whose event came before the response', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.observed(KEY, 'creations', 'a');
    expectations.expect(KEY, 'creations', ['a']);
    expectations.observed(KEY, 'deletions', 'b');
    expectations.expect(KEY, 'deletions', ['b']);
    expect(
      expectations.state(KEY),
      'a and b were observed before they were expected: an event can come before the answer of the request',
    ).toBe('fulfilled');
  });

  test('forgets observations from before begin', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.observed(KEY, 'deletions', 'a');
    expectations.begin(KEY);
    expectations.expect(KEY, 'deletions', ['a']);
    expect(expectations.state(KEY), 'begin forgets what was observed before it').toBe('pending');
    expectations.observed(KEY, 'deletions', 'a');
    expect(expectations.state(KEY), 'the deletion of a was observed').toBe('fulfilled');
  });

  test('ignores expectations for a key without begin', () => {
    const { expectations } = expecting();
    expectations.expect(KEY, 'creations', ['a']);
    expectations.observed(KEY, 'creations', 'b');
    expectations.doubt(KEY);
    expect(expectations.state(KEY), 'a key that was never begun is unknown').toBe('unknown');
  });

  test('expires after five minutes without the expected event', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    pass(EXPECTATIONS_TIMEOUT_MS);
    expect(expectations.state(KEY), 'exactly five minutes have passed').toBe('pending');
    pass(1);
    expect(expectations.state(KEY), 'more than five minutes have passed').toBe('expired');
    expectations.observed(KEY, 'creations', 'a');
    expect(expectations.state(KEY), 'the pod came late, so nothing is missing any more').toBe('fulfilled');
  });

  test('counts the five minutes from the last expectation', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    pass(200_000);
    expectations.expect(KEY, 'deletions', ['b']);
    pass(200_000);
    expect(expectations.state(KEY), '200 s after the last expectation').toBe('pending');
    pass(100_001);
    expect(expectations.state(KEY), 'more than five minutes after the last expectation').toBe('expired');
  });

  test('stays in doubt until the next begin, and keeps its expectations', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    expectations.doubt(KEY);
    expect(expectations.state(KEY), 'a key in doubt is unknown').toBe('unknown');
    pass(1_000);
    expectations.begin(KEY);
    expect(expectations.state(KEY), 'begin ends the doubt, but a is still missing').toBe('pending');
    expectations.observed(KEY, 'creations', 'a');
    expect(expectations.state(KEY), 'a was observed').toBe('fulfilled');
  });

  test('drops expired expectations at the next begin', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    pass(300_001);
    expectations.begin(KEY);
    expect(
      expectations.state(KEY),
      'the expectation of a had expired when the key began again, so it must be dropped',
    ).toBe('fulfilled');
    expectations.expect(KEY, 'deletions', ['b']);
    expectations.doubt(KEY);
    pass(300_001);
    expectations.begin(KEY);
    expect(expectations.state(KEY), 'the deletion of b has expired, in doubt or not: begin drops it').toBe(
      'fulfilled',
    );
  });

  test('forgets a key completely', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expect(KEY, 'creations', ['a']);
    expectations.forget(KEY);
    expect(expectations.state(KEY), 'a forgotten key has no expectations at all').toBe('unknown');
    expectations.begin(KEY);
    expect(expectations.state(KEY), 'a key that begins again expects nothing').toBe('fulfilled');
  });

  test('reports the controller of a new pod', () => {
    const news = podNews(undefined, aPod({ ownerReferences: [owner()] }));
    expect(news, 'a new pod with a controller: it appears to that controller and wakes it').toEqual({
      appearedTo: owner(),
      lostTo: undefined,
      wakes: [owner()],
      orphan: false,
    });
  });

  test('reports the new controller of an adopted pod', () => {
    const adopted = podNews(aPod(), aPod({ ownerReferences: [owner()] }));
    expect(
      adopted,
      'the pod had no controller before and has one now: it was adopted, and appears to that controller',
    ).toEqual({ appearedTo: owner(), lostTo: undefined, wakes: [owner()], orphan: false });
    const seen = aPod({ ownerReferences: [owner()] });
    expect(
      podNews(seen, aPod({ ownerReferences: [owner()], ready: true })).appearedTo,
      'the pod had the same controller before: it appears to no one',
    ).toBeUndefined();
  });

  test('does not expect the creation of a pod whose deletion it observed', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.observed(KEY, 'deletions', 'a');
    expectations.expect(KEY, 'creations', ['a']);
    expect(
      expectations.state(KEY),
      'the deletion was observed before the creation was expected: nothing is left to wait for',
    ).toBe('fulfilled');
  });

  test('wakes both the old and the new controller', () => {
    const [mine, yours] = [owner(), owner('uid-of-shop', 'shop')];
    const before = aPod({ ownerReferences: [mine] });
    const moved = podNews(before, aPod({ ownerReferences: [yours] }));
    expect(
      moved,
      'the controller changed from web to shop: the pod appears to one and is lost to the other',
    ).toMatchObject({ appearedTo: yours, lostTo: mine, orphan: false });
    expect(new Set(moved.wakes), 'both controllers must be woken').toEqual(new Set([mine, yours]));
    const freed = podNews(before, aPod());
    expect(freed, 'the pod was released: it is lost to its controller and now an orphan').toEqual({
      appearedTo: undefined,
      lostTo: mine,
      wakes: [mine],
      orphan: true,
    });
    const gone = podNews(before, undefined);
    expect(gone, 'the pod is deleted: it is lost to its controller, and does not become an orphan').toEqual({
      appearedTo: undefined,
      lostTo: mine,
      wakes: [mine],
      orphan: false,
    });
  });

  test('wakes the controller at every change, and reports an inactive pod as lost', () => {
    const mine = { ownerReferences: [owner()] };
    const ready = podNews(aPod({ ...mine, ready: false }), aPod({ ...mine, ready: true }));
    expect(ready, 'a pod became ready: only wake its controller').toEqual({
      appearedTo: undefined,
      lostTo: undefined,
      wakes: [owner()],
      orphan: false,
    });
    expect(
      podNews(aPod(mine), aPod({ ...mine, phase: 'Failed' })).lostTo,
      'a pod that has failed is no longer active: its controller has lost it',
    ).toEqual(owner());
    expect(
      podNews(aPod(mine), aPod({ ...mine, deletionTimestamp: true })).lostTo,
      'a pod that is being deleted is no longer active: its controller has lost it',
    ).toEqual(owner());
    expect(
      podNews(aPod(), aPod({ ...mine, deletionTimestamp: true })),
      'an orphan was adopted while it was being deleted: it has appeared, and is lost',
    ).toMatchObject({ appearedTo: owner(), lostTo: owner() });
  });

  test('reports an orphan only if it is new, was released or has new labels', () => {
    expect(podNews(undefined, aPod()).orphan, 'a new pod without a controller').toBe(true);
    expect(
      podNews(aPod({ labels: {} }), aPod()).orphan,
      'an orphan with new labels may now be selected',
    ).toBe(true);
    expect(
      podNews(aPod({ ready: false }), aPod({ ready: true })).orphan,
      'the readiness of an orphan does not matter',
    ).toBe(false);
    expect(podNews(aPod(), undefined), 'an orphan is gone: it concerns no controller').toEqual({
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
  test.each(podEvents())('reports deletions as Kubernetes does: %s', (_, { input, expect: wanted }) => {
    const { expectations } = expecting();
    const of = (parts: PodParts | undefined) =>
      parts && aPod({ ...parts, uid: `ns/${parts.name}`, ownerReferences: [owner(KEY)] });
    const fulfilled: boolean[] = [];
    const queued: boolean[] = [];
    for (const { event, ...each } of input.events) {
      expectations.begin(KEY);
      if (each.expect) expectations.expect(KEY, 'deletions', each.expect);
      const previous = of(event === 'delete' ? each.pod : each.old);
      const current = of(event === 'add' ? each.pod : each.new);
      const { lostTo, wakes } = podNews(previous, current);
      const uid = (current ?? previous)?.metadata.uid as string;
      if (lostTo) expectations.observed(lostTo.uid, 'deletions', uid);
      fulfilled.push(expectations.state(KEY) === 'fulfilled');
      queued.push(wakes.some((reference) => reference.uid === KEY));
    }
    expect(fulfilled, ruleFor('is the expected deletion observed after each event', input)).toEqual(
      wanted.fulfilledAfter,
    );
    expect(queued, ruleFor('does each event wake the controller', input)).toEqual(
      wanted.queued.map((each, i) => each ?? queued[i]),
    );
  });
});
