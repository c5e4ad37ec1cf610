import { describe, expect, test } from 'vitest';
import type { Pod } from '#harness';
import {
  HARD_POD_AFFINITY_WEIGHT,
  interPodAffinity,
  LABEL_HOSTNAME,
  scorePlugins,
} from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSchedulingPod, aSnapshot, type SchedulingPodParts } from '#laws/scheduling';
import { labelled, nodesOf, only } from './nodes.fixture.ts';
import type { Spec } from './pods.fixture.ts';
import { expectScores } from './scores.fixture.ts';

type Terms = NonNullable<
  NonNullable<NonNullable<Spec['affinity']>['podAffinity']>['preferredDuringSchedulingIgnoredDuringExecution']
>;
type Term = Terms[number]['podAffinityTerm'];

describe('Level 8 ★ · Affinity to pods', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };
  const DB = { app: 'db' };

  const about = (podLabels: Record<string, string>, more: Partial<Term> = {}): Term => ({
    topologyKey: ZONE,
    labelSelector: { matchLabels: podLabels },
    ...more,
  });
  const wish = (weight: number, podAffinityTerm: Term): Terms[number] => ({ weight, podAffinityTerm });
  const near = (...terms: Terms): Partial<Spec> => ({
    affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const far = (...terms: Terms): Partial<Spec> => ({
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const needs = (...terms: Term[]): Partial<Spec> => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const shuns = (...terms: Term[]): Partial<Spec> => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });

  /** The web server to schedule. */
  const waiting = (spec: Partial<Spec> = {}, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ labels: WEB, spec, ...parts });
  let made = 0;
  /** A database that is there already. */
  const there = (nodeName: string, spec: Partial<Spec> = {}, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: `there-${++made}`, nodeName, labels: DB, spec, ...parts });

  const nodes = labelled({
    a1: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a1' },
    a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
    b: { [ZONE]: 'b', [LABEL_HOSTNAME]: 'b' },
    bare: {},
  });
  const ask = (pod: Pod, others: readonly Pod[], feasible?: readonly string[]) => {
    const snapshot = aSnapshot(nodes, others, {
      default: {},
      shop: { team: 'shop' },
      bank: { team: 'bank' },
    });
    return askScorePlugin(
      interPodAffinity,
      pod,
      snapshot,
      feasible ? { feasible: only(snapshot, ...feasible) } : {},
    );
  };

  test('is a plugin named InterPodAffinity that skips when no term concerns a pod', () => {
    expect(interPodAffinity.name).toBe('InterPodAffinity');
    expectScores(ask(waiting(), [there('a1'), there('b')])).toBe('Skip');
    expectScores(ask(waiting(near(wish(1, about({ app: 'none' })))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(near(wish(1, about(DB)))), [])).toBe('Skip');
    expectScores(ask(waiting(), [there('a1', near(wish(1, about(DB))))])).toBe('Skip');
  });

  test('prefers domains with more pods of its affinity terms', () => {
    const pod = waiting(near(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1')])).toEqual({ a1: 100, a2: 100, b: 0, bare: 0 });
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
  });

  test('avoids domains with pods of its anti-affinity terms', () => {
    const pod = waiting(far(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1')])).toEqual({ a1: 0, a2: 0, b: 100, bare: 100 });
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')])).toEqual({
      a1: 0,
      a2: 0,
      b: 50,
      bare: 100,
    });
  });

  test('adds up all of its terms, each with its weight and its places', () => {
    const pod = waiting({
      affinity: {
        ...near(wish(6, about(DB)), wish(2, about(DB, { topologyKey: LABEL_HOSTNAME }))).affinity,
        ...far(wish(3, about({ app: 'batch' }))).affinity,
      },
    });
    const batch = there('b', {}, { labels: { app: 'batch' } });
    // a1: 6 + 2, a2: 6, b: -3, bare: 0. From the least, -3, to the most, 8, it is 11.
    expectScores(ask(pod, [there('a1'), batch])).toEqual({ a1: 100, a2: 81, b: 0, bare: 27 });
  });

  test('does not skip when gains and losses cancel out', () => {
    const { podAffinity } = near(wish(5, about(DB))).affinity ?? {};
    const { podAntiAffinity } = far(wish(5, about(DB))).affinity ?? {};
    const torn = waiting({ affinity: { podAffinity, podAntiAffinity } } as Partial<Spec>);
    expectScores(ask(torn, [there('a1')])).toEqual({ a1: 0, a2: 0, b: 0, bare: 0 });
  });

  test('counts the preferred terms of running pods too', () => {
    const fond = there('a1', near(wish(7, about(WEB))));
    const shy = there('b', far(wish(7, about(WEB))));
    expectScores(ask(waiting(), [fond, shy])).toEqual({ a1: 100, a2: 100, b: 0, bare: 50 });
    const db = waiting({}, { labels: { app: 'batch' } });
    expectScores(ask(db, [fond, shy])).toBe('Skip');
  });

  test('counts 1 for each required affinity term of a running pod', () => {
    expect(HARD_POD_AFFINITY_WEIGHT).toBe(1);
    const bound = there('a1', needs(about(WEB), about(WEB, { topologyKey: LABEL_HOSTNAME })));
    const fond = there('b', near(wish(4, about(WEB))));
    expectScores(ask(waiting(), [bound, fond])).toEqual({ a1: 50, a2: 25, b: 100, bare: 0 });
  });

  test('ignores its own required terms, and required anti-affinity of other pods', () => {
    expectScores(ask(waiting(needs(about(DB))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(shuns(about(DB))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(), [there('a1', shuns(about(WEB)))])).toBe('Skip');
  });

  test('adds its own terms and those of other pods', () => {
    const pod = waiting(near(wish(2, about(DB))));
    const fond = there('a1', near(wish(3, about(WEB))));
    const shy = there('b', far(wish(1, about(WEB))));
    // a: 2 + 3, b: 2 - 1
    expectScores(ask(pod, [fond, shy])).toEqual({ a1: 100, a2: 100, b: 20, bare: 0 });
  });

  test('counts no domain on a node without the label', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('bare')])).toBe('Skip');
    expectScores(ask(pod, [there('bare'), there('b')])).toEqual({ a1: 0, a2: 0, b: 100, bare: 0 });
  });

  test('treats an empty label as a domain', () => {
    const snapshot = aSnapshot(labelled({ x: { [ZONE]: '' }, y: { [ZONE]: 'b' } }), [there('x')]);
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(askScorePlugin(interPodAffinity, pod, snapshot)).toEqual({ x: 100, y: 0 });
  });

  test('counts the terms of running pods also if the pod has preferred terms', () => {
    const pod = waiting(near(wish(2, about({ app: 'cache' }))));
    const cache = there('a1', {}, { labels: { app: 'cache' } });
    expectScores(ask(pod, [cache, there('b', needs(about(WEB)))])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
    expectScores(ask(pod, [cache, there('b', near(wish(1, about(WEB))))])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
  });

  test('counts pods on all nodes, feasible or not', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('a1')], ['a2', 'b'])).toEqual({ a2: 100, b: 0 });
    expectScores(ask(waiting(), [there('a1', near(wish(1, about(WEB))))], ['a2', 'b'])).toEqual({
      a2: 100,
      b: 0,
    });
  });

  test('counts pods that are being deleted', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('b', {}, { deleted: true })])).toEqual({ a1: 0, a2: 0, b: 100, bare: 0 });
  });

  test('normalizes between the lowest and the highest score', () => {
    const pod = waiting(near(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')], ['a1', 'b'])).toEqual({ a1: 100, b: 0 });
    expectScores(ask(pod, [there('a1'), there('b')], ['a1', 'a2', 'b'])).toEqual({ a1: 0, a2: 0, b: 0 });
    expectScores(
      ask(waiting(far(wish(10, about(DB)))), [there('a1'), there('a2'), there('b')], ['a1', 'b']),
    ).toEqual({
      a1: 0,
      b: 100,
    });
  });

  test('computes in floating point and rounds down, as Go does', () => {
    const pod = waiting(near(wish(100, about(DB)), wish(29, about({ app: 'cache' }))));
    const cache = there('b', {}, { labels: { app: 'cache' } });
    // 29/100 × 100 is a little less than 29.
    expectScores(ask(pod, [there('a1'), cache])).toEqual({ a1: 100, a2: 100, b: 28, bare: 0 });
  });

  test('selects pods of its own namespace unless a term names or selects others', () => {
    const inShop = there('a1', {}, { namespace: 'shop' });
    const inBank = there('b', {}, { namespace: 'bank' });
    const own = there('b');
    const scores = (more: Partial<Term>) =>
      expectScores(
        ask(waiting(near(wish(1, about(DB, more)))), [inShop, inBank, own]),
        `a pod of namespace shop is on a1, of bank on b, of the pod's own namespace on b; the term has ${JSON.stringify(more)}`,
      );
    const [shop, bank] = [
      { a1: 100, a2: 100, b: 0, bare: 0 },
      { a1: 0, a2: 0, b: 100, bare: 0 },
    ];
    scores({}).toEqual(bank);
    scores({ namespaces: ['shop'] }).toEqual(shop);
    scores({ namespaceSelector: { matchLabels: { team: 'shop' } } }).toEqual(shop);
    scores({ namespaces: ['bank'], namespaceSelector: { matchLabels: { team: 'none' } } }).toEqual(bank);
    scores({ namespaceSelector: {} }).toEqual({ a1: 50, a2: 50, b: 100, bare: 0 });
  });

  test('applies the default namespace of the pod that has the term', () => {
    const fond = there('a1', near(wish(1, about(WEB))), { namespace: 'shop' });
    expectScores(ask(waiting(), [fond])).toBe('Skip');
    expectScores(ask(waiting({}, { namespace: 'shop' }), [fond])).toEqual({
      a1: 100,
      a2: 100,
      b: 0,
      bare: 0,
    });
  });

  test('is in scorePlugins, with the weight 2', () => {
    // A missing implementation must fail as NotImplemented.
    askScorePlugin(interPodAffinity, aSchedulingPod(), aSnapshot(nodesOf({ a: {} })));
    expect(scorePlugins).toContainEqual({ plugin: interPodAffinity, weight: 2 });
  });
});
