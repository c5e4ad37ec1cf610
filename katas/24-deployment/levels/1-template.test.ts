import { describe, expect, test } from 'vitest';
import { equalIgnoreHash, POD_TEMPLATE_HASH, type PodTemplateSpec } from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { ruleFor, vectors } from '#harness/testing';
import { computeHash, findNewReplicaSet, newReplicaSetFor } from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, templateOf } from '#laws/24-deployment';
import { named, table } from './tables.fixture.ts';

describe('Level 1 · One template, one ReplicaSet', () => {
  const template = templateOf('nginx:1', { app: 'web', tier: 'front' });

  test('computes the same hash for the same template, whatever the order of its fields', () => {
    const shuffled = {
      spec: { containers: [{ image: 'nginx:1', name: 'web' }] },
      metadata: { labels: { tier: 'front', app: 'web' } },
    };
    expect(computeHash(shuffled), 'the order of fields must not change the hash').toBe(computeHash(template));
    expect(computeHash({ ...template }), 'a copy of the template has the same hash').toBe(
      computeHash(template),
    );
  });

  const container = { name: 'web', image: 'nginx:1' };
  const alike: readonly (readonly [string, object, object])[] = [
    ['an absent list and an empty one', container, { ...container, env: [] }],
    ['an absent text and an empty one', container, { ...container, workingDir: '' }],
    ['a field that is absent and one that is undefined', container, { ...container, args: undefined }],
    ['an absent map and an empty one', container, { ...container, resources: {} }],
    [
      'two spellings of an amount',
      { ...container, resources: { limits: { cpu: '1' } } },
      { ...container, resources: { limits: { cpu: '1000m' } } },
    ],
  ];
  test.each(alike)('computes one hash for templates that are equal in Kubernetes: %s', (_, a, b) => {
    const hash = (one: object) =>
      computeHash({ ...template, spec: { containers: [one] } } as PodTemplateSpec);
    expect(hash(a), `${JSON.stringify(a)} and ${JSON.stringify(b)} mean the same`).toBe(hash(b));
  });

  test('computes another hash for another value or another order of containers', () => {
    const two = (first: string, second: string) => ({
      ...template,
      spec: { containers: [first, second].map((name) => ({ name, image: 'nginx:1' })) },
    });
    const hashes = [template, templateOf('nginx:2', { app: 'web' }), two('a', 'b'), two('b', 'a')].map(
      (each) => computeHash(each),
    );
    expect(new Set(hashes).size, 'four templates need four hashes').toBe(4);
  });

  test('computes another hash for another collisionCount', () => {
    const hashes = [undefined, 1, 2, 3].map((count) => computeHash(template, count));
    expect(new Set(hashes).size, 'collisionCount undefined, 1, 2 and 3 need four hashes').toBe(4);
    expect(computeHash(template, 2), 'the same template and collisionCount 2, computed twice').toBe(
      hashes[2],
    );
  });

  interface Collisions {
    readonly template: PodTemplateSpec;
    readonly a: number | null;
    readonly b: number;
  }
  test.each(named(vectors<Collisions, { different: true }>('replicaset', 'computeHash', 2)))(
    'distinguishes collision counts as Kubernetes does: %s',
    (_, { input: { template, a, b } }) =>
      expect(
        computeHash(template, a ?? undefined),
        `the hashes with collisionCount ${a} and ${b} must differ`,
      ).not.toBe(computeHash(template, b)),
  );

  test('computes a hash that is valid in a name and in a label', () => {
    for (let i = 0; i < 200; i++) {
      expect(
        computeHash(templateOf(`nginx:${i}`, { app: 'web' }), i % 3),
        'the hash must have 1 to 10 lower-case letters and digits',
      ).toMatch(/^[a-z0-9]{1,10}$/);
    }
  });

  test('names the ReplicaSet of a template after the Deployment and the hash', () => {
    const deployment = aDeployment({ image: 'nginx:2', status: { collisionCount: 2 } });
    const made = newReplicaSetFor(deployment);
    const hash = computeHash(deployment.spec.template, 2);
    expect(
      made.metadata.name,
      'metadata.name: the name of the Deployment, a hyphen, and the hash of the template with collisionCount 2',
    ).toBe(`web-${hash}`);
    expect(made.metadata.namespace, 'metadata.namespace: that of the Deployment').toBe('default');
    expect(made.spec.replicas, 'the sync gives it its size').toBe(0);
    expect(
      newReplicaSetFor(deployment),
      'a second call for the same Deployment must return an equal ReplicaSet',
    ).toEqual(made);
  });

  test('adds the hash to the labels of the ReplicaSet and its pods, and to its selector', () => {
    const deployment = aDeployment({ minReadySeconds: 7 });
    const labels = { app: 'web', [POD_TEMPLATE_HASH]: computeHash(deployment.spec.template) };
    const { metadata, spec } = newReplicaSetFor(deployment);
    expect(metadata.labels, 'metadata.labels: those of the template and pod-template-hash').toEqual(labels);
    expect(
      spec.template.metadata?.labels,
      'labels of spec.template: those of the template and pod-template-hash',
    ).toEqual(labels);
    expect(
      spec.selector.matchLabels,
      'spec.selector.matchLabels: those of the Deployment and pod-template-hash',
    ).toEqual(labels);
    expect(
      equalIgnoreHash(spec.template, deployment.spec.template),
      'spec.template must equal that of the Deployment, apart from the hash',
    ).toBe(true);
    expect(spec.minReadySeconds, 'spec.minReadySeconds: that of the Deployment').toBe(7);
  });

  test('keeps the selector of the Deployment', () => {
    const plain = aDeployment();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const deployment = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    const { selector } = newReplicaSetFor(deployment).spec;
    expect(selector.matchExpressions, 'spec.selector.matchExpressions: those of the Deployment').toEqual(
      matchExpressions,
    );
    expect(
      selector.matchLabels,
      'spec.selector.matchLabels: the Deployment has none, so only pod-template-hash',
    ).toEqual({ [POD_TEMPLATE_HASH]: computeHash(plain.spec.template) });
  });

  test('truncates a Deployment name that is too long for the hash', () => {
    const name = 'w'.repeat(253);
    const made = newReplicaSetFor(aDeployment({ name }));
    const hash = made.metadata.labels?.[POD_TEMPLATE_HASH] ?? '';
    expect(
      made.metadata.name,
      'the name of the Deployment has 253 characters: truncate it, so that with a hyphen and the hash it has 253',
    ).toBe(`${'w'.repeat(252 - hash.length)}-${hash}`);
  });

  test('sets the Deployment as owner', () => {
    const { uid } = aDeployment().metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid };
    expect(
      newReplicaSetFor(aDeployment()).metadata.ownerReferences,
      'metadata.ownerReferences: only the Deployment, as controller',
    ).toEqual([{ ...owner, controller: true, blockOwnerDeletion: true }]);
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
      const rule =
        'the oldest ReplicaSet whose template equals that of the Deployment, whatever its label pod-template-hash';
      expect(findNewReplicaSet(deployment, found(input))?.metadata.name, ruleFor(rule, input)).toBe(name);
    },
  );

  test('finds the new ReplicaSet by its template, whatever its hash', () => {
    const released = aReplicaSet('web-1', { image: 'nginx:1', hash: 'of-another-release' });
    expect(
      findNewReplicaSet(aDeployment(), [released]),
      'compare templates, not the label pod-template-hash',
    ).toBe(released);
  });

  test('finds the new ReplicaSet if a quantity is written differently', () => {
    const asking = (cpu: string) => ({
      containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu } } }],
    });
    const plain = aDeployment();
    const template = { ...plain.spec.template, spec: asking('1') };
    const deployment = { ...plain, spec: { ...plain.spec, template } };
    const found = (cpu: string) => {
      const set = aReplicaSet('web-1');
      const its = { metadata: set.spec.template?.metadata ?? {}, spec: asking(cpu) };
      return findNewReplicaSet(deployment, [{ ...set, spec: { ...set.spec, template: its } }]);
    };
    expect(found('1000m')?.metadata.name, 'cpu 1 and 1000m are the same amount').toBe('web-1');
    expect(
      found('2'),
      'the ReplicaSet asks for cpu 2, and the Deployment for 1: the templates differ',
    ).toBeUndefined();
  });

  test('finds the same new ReplicaSet in any order, and undefined without one', () => {
    const twins = ['b', 'a', 'c'].map((name) => aReplicaSet(name, { image: 'nginx:1', created: 5 }));
    const rule = 'three were created at the same second: the first by name';
    expect(findNewReplicaSet(aDeployment(), twins)?.metadata.name, rule).toBe('a');
    expect(findNewReplicaSet(aDeployment(), twins.toReversed())?.metadata.name, rule).toBe('a');
    expect(
      findNewReplicaSet(aDeployment(), [aReplicaSet('old')]),
      'no ReplicaSet has the template',
    ).toBeUndefined();
  });
});
