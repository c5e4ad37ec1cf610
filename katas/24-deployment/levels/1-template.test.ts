import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '#harness';
import { vectors } from '#harness/testing';
import {
  computeHash,
  equalIgnoreHash,
  filterActiveReplicaSets,
  findNewReplicaSet,
  findOldReplicaSets,
  newReplicaSetFor,
  POD_TEMPLATE_HASH,
  type PodTemplateSpec,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, templateOf } from '#laws/24-deployment';
import { namesOf } from './sizes.fixture.ts';
import { named, table } from './tables.fixture.ts';

describe('Level 1 · One template, one ReplicaSet', () => {
  const template = templateOf('nginx:1', { app: 'web', tier: 'front' });

  test('gives the same template the same hash, however its fields are ordered', () => {
    const shuffled = {
      spec: { containers: [{ image: 'nginx:1', name: 'web' }] },
      metadata: { labels: { tier: 'front', app: 'web' } },
    };
    expect(computeHash(shuffled)).toBe(computeHash(template));
    expect(computeHash({ ...template })).toBe(computeHash(template));
  });

  test('does not mind fields that are not there', () => {
    const { metadata, spec } = template;
    const vague = { metadata: { ...metadata, annotations: undefined }, spec } as never;
    expect(computeHash(vague)).toBe(computeHash(template));
  });

  test('gives another template another hash: another value, another order of containers', () => {
    const two = (first: string, second: string) => ({
      ...template,
      spec: { containers: [first, second].map((name) => ({ name, image: 'nginx:1' })) },
    });
    const hashes = [template, templateOf('nginx:2', { app: 'web' }), two('a', 'b'), two('b', 'a')].map(
      (each) => computeHash(each),
    );
    expect(new Set(hashes).size).toBe(4);
  });

  test('gives another hash for another number of collisions', () => {
    const hashes = [undefined, 1, 2, 3].map((count) => computeHash(template, count));
    expect(new Set(hashes).size).toBe(4);
    expect(computeHash(template, 2)).toBe(hashes[2]);
  });

  interface Collisions {
    readonly template: PodTemplateSpec;
    readonly a: number | null;
    readonly b: number;
  }
  test.each(named(vectors<Collisions, { different: true }>('replicaset', 'computeHash', 2)))(
    'tells numbers of collisions apart as Kubernetes does: %s',
    (_, { input: { template, a, b } }) =>
      expect(computeHash(template, a ?? undefined)).not.toBe(computeHash(template, b)),
  );

  interface Sized {
    readonly replicaSets: readonly ({ readonly name: string; readonly replicas: number } | null)[];
  }
  test.each(named(vectors<Sized, { names: string[] }>('replicaset', 'filterActiveReplicaSets', 1)))(
    'takes for active what Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      // There are no null pointers here.
      const all = input.replicaSets.flatMap((rs) =>
        rs ? aReplicaSet(rs.name, { replicas: rs.replicas }) : [],
      );
      expect(namesOf(filterActiveReplicaSets(all))).toEqual(wanted.names);
    },
  );

  test('makes a hash that can end a name and be a label', () => {
    for (let i = 0; i < 200; i++) {
      expect(computeHash(templateOf(`nginx:${i}`, { app: 'web' }), i % 3)).toMatch(/^[a-z0-9]{1,10}$/);
    }
  });

  interface PairOfTemplates {
    readonly a: Deployment['spec']['template'];
    readonly b: Deployment['spec']['template'];
  }
  test.each(table<PairOfTemplates, { equal: boolean }>('equalIgnoreHash', 6))(
    'compares templates as Kubernetes does: %s',
    (_, { input: { a, b }, expect: { equal } }) => {
      expect(equalIgnoreHash(a, b)).toBe(equal);
      expect(equalIgnoreHash(b, a)).toBe(equal);
    },
  );

  test('takes amounts for the same that are spelt differently, and the empty for the absent', () => {
    const asking = (cpu: string) => ({
      ...template,
      spec: { containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu } } }] },
    });
    expect(equalIgnoreHash(asking('1'), asking('1000m'))).toBe(true);
    expect(equalIgnoreHash(asking('1'), asking('2'))).toBe(false);
    const annotated = { ...template, metadata: { ...template.metadata, annotations: {} } };
    expect(equalIgnoreHash(annotated, template)).toBe(true);
  });

  test('names the ReplicaSet of a template after the Deployment and the hash', () => {
    const deployment = aDeployment({ image: 'nginx:2', status: { collisionCount: 2 } });
    const made = newReplicaSetFor(deployment);
    const hash = computeHash(deployment.spec.template, 2);
    expect(made.metadata.name).toBe(`web-${hash}`);
    expect(made.metadata.namespace).toBe('default');
    expect(made.spec.replicas).toBe(0);
    expect(newReplicaSetFor(deployment)).toEqual(made);
  });

  test('puts the hash where it keeps pods apart: on the ReplicaSet, its pods, and in its selector', () => {
    const deployment = aDeployment({ minReadySeconds: 7 });
    const labels = { app: 'web', [POD_TEMPLATE_HASH]: computeHash(deployment.spec.template) };
    const { metadata, spec } = newReplicaSetFor(deployment);
    expect(metadata.labels).toEqual(labels);
    expect(spec.template.metadata?.labels).toEqual(labels);
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(equalIgnoreHash(spec.template, deployment.spec.template)).toBe(true);
    expect(spec.minReadySeconds).toBe(7);
  });

  test('keeps all that the Deployment’s selector asks for', () => {
    const plain = aDeployment();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const deployment = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    const { selector } = newReplicaSetFor(deployment).spec;
    expect(selector.matchExpressions).toEqual(matchExpressions);
    expect(selector.matchLabels).toEqual({ [POD_TEMPLATE_HASH]: computeHash(plain.spec.template) });
  });

  test('makes the Deployment its owner', () => {
    const { uid } = aDeployment().metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid };
    expect(newReplicaSetFor(aDeployment()).metadata.ownerReferences).toEqual([
      { ...owner, controller: true, blockOwnerDeletion: true },
    ]);
  });

  interface Found {
    readonly template: string;
    readonly replicaSets: readonly {
      readonly name: string;
      readonly template: string;
      readonly created: number;
      readonly specReplicas: number;
    }[];
  }
  const found = ({ replicaSets: rows }: Found): ReplicaSet[] =>
    rows.map(({ name, template: image, created, specReplicas: replicas }) =>
      aReplicaSet(name, { image, created, replicas }),
    );
  test.each(table<Found, { name: string }>('findNewReplicaSet', 2))(
    'finds the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { name } }) => {
      const deployment = aDeployment({ image: input.template });
      expect(findNewReplicaSet(deployment, found(input))?.metadata.name).toBe(name);
    },
  );

  test('finds the same new ReplicaSet in whatever order they come, and none where there is none', () => {
    const twins = ['b', 'a', 'c'].map((name) => aReplicaSet(name, { image: 'nginx:1', created: 5 }));
    expect(findNewReplicaSet(aDeployment(), twins)?.metadata.name).toBe('a');
    expect(findNewReplicaSet(aDeployment(), twins.toReversed())?.metadata.name).toBe('a');
    expect(findNewReplicaSet(aDeployment(), [aReplicaSet('old')])).toBeUndefined();
  });

  test.each(table<Found, { allOld: string[]; oldWithPods: string[] }>('findOldReplicaSets', 3))(
    'finds the old ReplicaSets as Kubernetes does: %s',
    (_, { input, expect: { allOld, oldWithPods } }) => {
      const old = findOldReplicaSets(aDeployment({ image: input.template }), found(input));
      expect(namesOf(old).sort()).toEqual(allOld.toSorted());
      expect(namesOf(filterActiveReplicaSets(old)).sort()).toEqual(oldWithPods.toSorted());
    },
  );
});
