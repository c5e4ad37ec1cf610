import { describe, expect, test } from 'vitest';
import { framework, type Pod } from '#harness';
import {
  affinityCounts,
  antiAffinityCounts,
  existingAntiAffinityCounts,
  interPodAffinity,
  podMatchesAllAffinityTerms,
  termMatches,
} from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot, type SchedulingPodParts } from '#laws/scheduling';
import { apart, both, near, type PodAffinityTerm } from './affinity.fixture.ts';
import { type Labels, type NodeRow, nodeOf, type PodRow, type PodSpec, podOf } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { about, ask, type Said } from './verdicts.fixture.ts';

describe('Level 8 ★ · Pod affinity', () => {
  const AFFINITY = "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
  const ANTI_AFFINITY = "Unschedulable: node(s) didn't match pod anti-affinity rules";
  const EXISTING = "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";
  const term = (app: string, parts: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
    topologyKey: 'zone',
    labelSelector: { matchLabels: { app } },
    ...parts,
  });
  const a = aSchedulingNode('a', { labels: { zone: 'z1', host: 'a' } });
  const b = aSchedulingNode('b', { labels: { zone: 'z1', host: 'b' } });
  const c = aSchedulingNode('c', { labels: { zone: 'z2', host: 'c' } });
  const bare = aSchedulingNode('bare');
  const nodes = [a, b, c, bare];
  const incoming = (spec: Partial<PodSpec>, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: 'new', labels: { app: 'new' }, ...parts, spec });
  const there = (on: string, app: string, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: `${app}-on-${on}`, labels: { app }, nodeName: on, ...parts });
  /** Returns the status of each node. */
  const asked = (pod: Pod, pods: readonly Pod[], namespaces: Readonly<Record<string, Labels>> = {}) =>
    expect(ask(interPodAffinity, pod, aSnapshot(nodes, pods, namespaces)), about(pod, nodes, pods));
  const anywhere: Said = { a: 'Success', b: 'Success', c: 'Success', bare: 'Success' };

  /** The only term of a pod of the namespace `mine`, as the framework reads it. */
  const read = (of: PodAffinityTerm): framework.AffinityTerm => {
    const [only] = framework.podInfoOf(incoming(near(of), { namespace: 'mine' })).requiredAffinityTerms;
    if (only === undefined) throw new Error('The framework reads a term of affinity.');
    return only;
  };
  const namespaces = new Map<string, Labels>([
    ['mine', { team: 'red' }],
    ['yours', { team: 'blue' }],
  ]);
  const named = (namespace: string, app = 'db'): Pod => aSchedulingPod({ namespace, labels: { app } });

  test('matches pods of its own namespace by default', () => {
    expect(termMatches(read(term('db')), named('mine'), namespaces), 'same namespace, labels match').toBe(
      true,
    );
    expect(
      termMatches(read(term('db')), named('mine', 'web'), namespaces),
      'same namespace, labels differ',
    ).toBe(false);
    expect(
      termMatches(read(term('db')), named('yours'), namespaces),
      'a term without namespaces means the namespace of its own pod',
    ).toBe(false);
  });

  test('matches pods of the namespaces that a term names, and only of these', () => {
    const yours = read(term('db', { namespaces: ['yours'] }));
    expect(termMatches(yours, named('yours'), namespaces), 'the namespace is named').toBe(true);
    expect(termMatches(yours, named('mine'), namespaces), 'the own namespace is not named').toBe(false);
  });

  test('matches pods of the namespaces that a term selects as well', () => {
    const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
    expect(
      termMatches(read(term('db', blue)), named('yours'), namespaces),
      'the namespaceSelector matches the labels of the namespace',
    ).toBe(true);
    expect(
      termMatches(read(term('db', blue)), named('mine'), namespaces),
      'the namespaceSelector does not match',
    ).toBe(false);
    expect(
      termMatches(read(term('db', { ...blue, namespaces: ['mine'] })), named('mine'), namespaces),
      'namespaces and namespaceSelector add up',
    ).toBe(true);
    const all = read(term('db', { namespaceSelector: {} }));
    expect(
      termMatches(all, named('yours'), namespaces),
      'an empty namespaceSelector matches every namespace',
    ).toBe(true);
    const labelless = 'a namespace that is not among `namespaces` has no labels, ';
    const unknown = named('nobody-knows');
    expect(termMatches(all, unknown, namespaces), `${labelless}and {} selects it`).toBe(true);
    expect(
      termMatches(read(term('db', blue)), unknown, namespaces),
      `${labelless}and { matchLabels: { team: 'blue' } } does not select it`,
    ).toBe(false);
  });

  test('matches no pod without a selector, and every pod with an empty one', () => {
    const { labelSelector, ...without } = term('db');
    expect(
      termMatches(read(without), named('mine'), namespaces),
      'a missing labelSelector matches no pod',
    ).toBe(false);
    expect(
      termMatches(read({ ...without, labelSelector: {} }), named('mine'), namespaces),
      'an empty labelSelector matches every pod',
    ).toBe(true);
  });

  test('requires every term to match, and at least one term', () => {
    const [db, old] = [read(term('db')), read({ ...term('db'), labelSelector: { matchLabels: { v: '1' } } })];
    const one = aSchedulingPod({ namespace: 'mine', labels: { app: 'db' } });
    const two = aSchedulingPod({ namespace: 'mine', labels: { app: 'db', v: '1' } });
    expect(podMatchesAllAffinityTerms([db], one, namespaces), 'one term, which matches').toBe(true);
    expect(podMatchesAllAffinityTerms([db, old], one, namespaces), 'the second term does not match').toBe(
      false,
    );
    expect(podMatchesAllAffinityTerms([db, old], two, namespaces), 'both terms match').toBe(true);
    expect(podMatchesAllAffinityTerms([], two, namespaces), 'without any term the result is false').toBe(
      false,
    );
  });

  /** Compares the content of the maps. */
  const plain = (counts: framework.TopologyCounts) =>
    Object.fromEntries([...counts].map(([key, values]) => [key, Object.fromEntries(values)]));
  const [db, web, host] = [term('db'), term('web'), { topologyKey: 'host' }];

  test('counts the pods that match all affinity terms of the pod', () => {
    const old: PodAffinityTerm = { ...host, labelSelector: { matchLabels: { v: '1' } } };
    const pods = [
      there('a', 'db', { labels: { app: 'db', v: '1' } }),
      there('b', 'db', { labels: { app: 'db', v: '1' } }),
      there('c', 'db'),
      there('bare', 'db', { labels: { app: 'db', v: '1' } }),
    ];
    const counted = (...terms: PodAffinityTerm[]) => {
      const pod = incoming(near(...terms));
      return expect(plain(affinityCounts(pod, aSnapshot(nodes, pods))), about(pod, nodes, pods, 'counts'));
    };
    counted(db).toEqual({ zone: { z1: 2, z2: 1 } });
    counted(db, old).toEqual({
      zone: { z1: 2 },
      host: { a: 1, b: 1 },
    });
    counted(web).toEqual({});
    counted().toEqual({});
  });

  test('counts the pods that each anti-affinity term of the pod selects', () => {
    const pods = [there('a', 'db'), there('b', 'web'), there('c', 'db'), there('bare', 'db')];
    const counted = (...terms: PodAffinityTerm[]) => {
      const pod = incoming(apart(...terms));
      return expect(
        plain(antiAffinityCounts(pod, aSnapshot(nodes, pods))),
        about(pod, nodes, pods, 'counts'),
      );
    };
    const near = { ...web, ...host };
    counted(db).toEqual({ zone: { z1: 1, z2: 1 } });
    counted(db, near).toEqual({
      zone: { z1: 1, z2: 1 },
      host: { b: 1 },
    });
    counted(db, web).toEqual({
      zone: { z1: 2, z2: 1 },
    });
    counted().toEqual({});
  });

  test('counts the running pods whose anti-affinity terms select the pod', () => {
    const shy = (on: string, ...terms: PodAffinityTerm[]) => there(on, 'shy', { spec: apart(...terms) });
    const pods = [shy('a', term('new'), term('new', host)), shy('b', term('new')), shy('c', db)];
    const counted = (more: readonly Pod[], pod = incoming({})) => {
      const all = [...pods, ...more];
      const counts = existingAntiAffinityCounts(pod, aSnapshot(nodes, all));
      return expect(plain(counts), about(pod, nodes, all, 'counts'));
    };
    const usual = { zone: { z1: 2 }, host: { a: 1 } };
    counted([]).toEqual(usual);
    counted([there('bare', 'rude', { spec: apart(term('new')) })]).toEqual(usual);
    counted([there('c', 'fond', { spec: near(term('new')) })]).toEqual(usual);
    counted([], incoming({}, { labels: { app: 'db' } })).toEqual({ zone: { z2: 1 } });
    counted([], incoming({}, { labels: { app: 'other' } })).toEqual({});
  });

  test('accepts every node when no pod has a rule', () =>
    asked(incoming({}), [there('a', 'db'), there('c', 'web')]).toEqual(anywhere));

  test('accepts every node of a zone with a selected pod', () =>
    asked(incoming(near(term('db'))), [there('a', 'db')]).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('rejects every node while no selected pod runs', () =>
    asked(incoming(near(term('db'))), [there('a', 'web')]).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('requires one pod that matches all terms', () => {
    const [app, tier] = [term('db'), { ...term('db'), labelSelector: { matchLabels: { tier: 'data' } } }];
    const spec = near(app, tier);
    const none: Said = { a: AFFINITY, b: AFFINITY, c: AFFINITY, bare: AFFINITY };
    const two = [there('a', 'db'), there('b', 'other', { labels: { tier: 'data' } })];
    asked(incoming(spec), two).toEqual(none);
    const one = [there('a', 'db', { labels: { app: 'db', tier: 'data' } })];
    asked(incoming(spec), one).toEqual({ a: 'Success', b: 'Success', c: AFFINITY, bare: AFFINITY });
  });

  test('requires the right domain for every term', () =>
    asked(incoming(near(term('db'), term('db', { topologyKey: 'host' }))), [there('a', 'db')]).toEqual({
      a: 'Success',
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('accepts the first pod of a group on every node with a zone', () => {
    const first = incoming(near(term('new')));
    const begins: Said = { a: 'Success', b: 'Success', c: 'Success', bare: AFFINITY };
    asked(first, [there('a', 'db')]).toEqual(begins);
    // Once there is one, the others join it.
    asked(first, [there('c', 'new')]).toEqual({ a: AFFINITY, b: AFFINITY, c: 'Success', bare: AFFINITY });
    // A pod of another namespace or without a zone does not count, so this pod is still the first.
    asked(first, [there('c', 'new', { namespace: 'other' })]).toEqual(begins);
    asked(first, [there('bare', 'new')]).toEqual(begins);
  });

  test('does not start a second group', () => {
    const hostless = aSchedulingNode('hostless', { labels: { zone: 'z1' } });
    const pod = incoming(near(term('new'), term('new', host)));
    // The running pod has a zone but no hostname, so the group exists.
    const pods = [there('hostless', 'new')];
    const on = [hostless, b, c];
    expect(ask(interPodAffinity, pod, aSnapshot(on, pods)), about(pod, on, pods)).toEqual({
      hostless: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
    });
  });

  test('treats an empty label as a domain', () => {
    const empty = aSchedulingNode('empty', { labels: { zone: '' } });
    const said = (pod: Pod, pods: readonly Pod[] = []) =>
      expect(ask(interPodAffinity, pod, aSnapshot([empty, c], pods)), about(pod, [empty, c], pods));
    said(incoming(apart(term('db'))), [there('empty', 'db')]).toEqual({ empty: ANTI_AFFINITY, c: 'Success' });
    said(incoming(near(term('db'))), [there('empty', 'db')]).toEqual({ empty: 'Success', c: AFFINITY });
    said(incoming(near(term('new')))).toEqual({ empty: 'Success', c: 'Success' });
    const shy = there('empty', 'db', { spec: apart(term('new')) });
    said(incoming({}), [shy]).toEqual({ empty: EXISTING, c: 'Success' });
  });

  test('is rejected by anti-affinity to every pod, even without labels', () => {
    const alone = there('a', 'db', { spec: apart({ topologyKey: 'zone', labelSelector: {} }) });
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}, { labels: {} }), [alone]).toEqual(said);
  });

  test('accepts a first pod only if it matches all its own terms', () =>
    asked(incoming(near(term('new'), term('db'))), []).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('does not accept a first pod whose terms exclude its own namespace', () =>
    asked(incoming(near(term('new', { namespaces: ['other'] }))), []).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('rejects a domain with pods that its anti-affinity excludes, but not a node without the label', () =>
    asked(incoming(apart(term('db'))), [there('a', 'db'), there('bare', 'db')]).toEqual({
      a: ANTI_AFFINITY,
      b: ANTI_AFFINITY,
      c: 'Success',
      bare: 'Success',
    }));

  test('rejects a node if any anti-affinity term is violated', () =>
    asked(incoming(apart(term('web'), term('db', { topologyKey: 'host' }))), [there('a', 'db')]).toEqual({
      a: ANTI_AFFINITY,
      b: 'Success',
      c: 'Success',
      bare: 'Success',
    }));

  test('rejects a domain with pods whose anti-affinity excludes it, even without a rule of its own', () => {
    const shy = there('a', 'db', { spec: apart(term('new')) });
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}), [shy]).toEqual(said);
    asked(incoming({}, { labels: { app: 'other' } }), [shy]).toEqual(anywhere);
    const onBare = there('bare', 'db', { spec: apart(term('new')) });
    asked(incoming({}), [onBare]).toEqual(anywhere);
  });

  test('applies the default namespace of the pod that has the term', () => {
    const shy = (parts: Partial<PodAffinityTerm> = {}) => [
      there('a', 'db', { namespace: 'other', spec: apart(term('new', parts)) }),
    ];
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}), shy()).toEqual(anywhere);
    asked(incoming({}), shy({ namespaces: ['default'] })).toEqual(said);
    const selects = { namespaceSelector: { matchLabels: { team: 'red' } } };
    asked(incoming({}), shy(selects), { default: { team: 'red' }, other: {} }).toEqual(said);
    asked(incoming({}), shy(selects), { default: { team: 'blue' }, other: { team: 'red' } }).toEqual(
      anywhere,
    );
  });

  test('ignores the affinity of other pods, and preferences', () => {
    const fond = there('a', 'db', { spec: near(term('new')) });
    const weighted = [{ weight: 100, podAffinityTerm: term('db') }];
    const rather: Partial<PodSpec> = {
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: weighted } },
    };
    asked(incoming({}), [fond]).toEqual(anywhere);
    asked(incoming(rather), [there('a', 'db')]).toEqual(anywhere);
  });

  test('counts pods that are being deleted', () => {
    const going = [there('a', 'db', { deleted: true })];
    asked(incoming(near(term('db'))), going).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    });
    asked(incoming(apart(term('db'))), going).toEqual({
      a: ANTI_AFFINITY,
      b: ANTI_AFFINITY,
      c: 'Success',
      bare: 'Success',
    });
  });

  test('reports affinity first, then its own anti-affinity, then that of other pods', () => {
    const shy = there('c', 'web', { spec: apart(term('new')) });
    const pods = [there('a', 'db'), shy];
    asked(incoming(both(near(term('db')), apart(term('web')))), pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    });
    asked(incoming(apart(term('web'))), pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: ANTI_AFFINITY,
      bare: 'Success',
    });
  });

  interface ClusterRow {
    readonly pod: PodRow;
    readonly nodes: readonly NodeRow[];
    readonly existingPods: readonly PodRow[];
  }
  interface ClusterExpect {
    readonly codes: Readonly<Record<string, framework.Code>>;
    readonly reasons: Readonly<Record<string, string>>;
  }
  const sentences: Readonly<Record<string, string>> = {
    affinity: AFFINITY,
    antiAffinity: ANTI_AFFINITY,
    existingAntiAffinity: EXISTING,
  };
  test.each(table<ClusterRow, ClusterExpect>('podAffinity', 14))(
    'judges pod affinity as upstream does: %s',
    (_, { input, expect: { codes, reasons } }) => {
      const pod = podOf(input.pod, input.existingPods.length);
      const [on, pods] = [input.nodes.map(nodeOf), input.existingPods.map(podOf)];
      const wanted = Object.keys(codes).map((name) => [name, sentences[reasons[name] ?? ''] ?? 'Success']);
      expect(ask(interPodAffinity, pod, aSnapshot(on, pods)), about(pod, on, pods)).toEqual(
        Object.fromEntries(wanted),
      );
    },
  );
});
