import { describe, expect, test } from 'vitest';
import { keyOf, type OwnerReference, type Pod, pods } from '#harness';
import { named, ruleFor, type VectorCase, vectors } from '#harness/testing';
import { LABELS, namesOf, owner } from './objects.fixture.ts';
import { NAMESPACE, Stage } from './stage.fixture.ts';
import { syncRow } from './sync-rows.fixture.ts';

describe('Level 9 · The sync', () => {
  test('creates the wanted number of pods from the template', async () => {
    await using stage = await Stage.begin();
    const { metadata } = await stage.addSet({ replicas: 3 });
    expect(stage.active(), 'active pods of a ReplicaSet with 3 replicas').toHaveLength(3);
    for (const pod of stage.active()) {
      expect(
        pod.metadata.name,
        'the name of a created pod: the server generates it from generateName',
      ).toMatch(/^web-/);
      expect(pod.metadata.generateName, 'generateName of a created pod').toBe('web-');
      expect(pod.metadata.labels, 'labels of a created pod: those of the template').toEqual({
        ...LABELS,
        version: '1',
      });
      expect(pod.metadata.annotations, 'annotations of a created pod: those of the template').toEqual({
        note: 'hello',
      });
      expect(pod.metadata.ownerReferences, 'owners of a created pod: only the ReplicaSet').toEqual([
        owner(metadata.uid),
      ]);
    }
  });

  test('emits an event for each created pod, and writes the status', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    const expected = stage.pods().map((pod) => `Normal SuccessfulCreate: Created pod: ${pod.metadata.name}`);
    expect(stage.emitted(), 'Events: one for each created pod').toEqual(expect.arrayContaining(expected));
    expect(stage.set().status, 'the status after the creates').toMatchObject({
      replicas: 2,
      fullyLabeledReplicas: 2,
      observedGeneration: 1,
    });
  });

  test('agrees with Kubernetes: 2 running of 2: nothing', async () => {
    const { input, expect: wanted } = syncRow('sync-01');
    await using stage = await Stage.empty();
    const { metadata } = await stage.addSet(input.spec);
    for (const name of ['pod0', 'pod1']) {
      await stage.startPod(await stage.addPod(name, { ownerReferences: [owner(metadata.uid)] }));
    }
    await stage.start();
    expect(stage.count('create'), 'creates of pods that the controller sent').toBe(wanted.creates);
    expect(stage.count('delete'), 'deletes of pods that the controller sent').toBe(wanted.deletes);
    expect(stage.count('patch'), 'patches of pods, adoptions included, that the controller sent').toBe(
      wanted.adoptPatches,
    );
    expect(stage.set().status.readyReplicas, 'status.readyReplicas of 2 ready pods').toBe(2);
  });

  test('replaces terminating and failed pods', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    const [first, second] = stage.active() as [Pod, Pod];
    await stage.startPod(first);
    await stage.startPod(second);
    await stage.admin.delete(pods, keyOf(first));
    await stage.admin.updateStatus(pods, {
      ...(stage.pod(second.metadata.name) as Pod),
      status: { phase: 'Failed' },
    });
    await stage.pass();
    expect(
      stage.active(),
      'one pod is being deleted and one has failed: neither is active, so two are missing',
    ).toHaveLength(2);
    expect(stage.pods(), 'all pods: 2 inactive ones, which stay, and 2 new ones').toHaveLength(4);
    expect(stage.count('delete'), 'a pod that is not active is never deleted').toBe(0);
  });

  test('deletes surplus pods in order, and emits events', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    const [first, second, third] = stage.active() as [Pod, Pod, Pod];
    await stage.startPod(first);
    await stage.startPod(second, 'node-2', false);
    await stage.startPod(third, 'node-3');
    await stage.pass();
    await stage.scale(2);
    expect(namesOf(stage.active()).sort(), 'the second pod is not ready, so it goes').toEqual(
      namesOf([first, third]).sort(),
    );
    expect(stage.emitted(), 'Events: one for the deleted pod').toContain(
      `Normal SuccessfulDelete: Deleted pod: ${second.metadata.name}`,
    );
    await stage.scale(0);
    expect(stage.active(), 'active pods after scaling to 0').toEqual([]);
    expect(stage.set().status, 'the status after scaling to 0').toMatchObject({
      replicas: 0,
      observedGeneration: 3,
    });
  });

  interface RelatedRow {
    readonly replicaSets: readonly {
      readonly name: string;
      readonly ownerUID: string;
      readonly deleting?: boolean;
    }[];
    readonly of: string;
    readonly pods?: readonly { readonly name: string; readonly owner: string }[];
  }
  // A ReplicaSet that is being deleted deletes no pod, so these rows cannot be observed.
  const observable = ({
    input: { replicaSets: all, of },
  }: VectorCase<unknown, unknown> & { input: RelatedRow }) =>
    !all.some(({ name, deleting }) => name === of && deleting);
  const kin = () => [
    ...named(vectors<RelatedRow, { names: string[] }>('replicaset', 'relatedPods', 1, observable)),
    ...named(vectors<RelatedRow, { names: string[] }>('replicaset', 'siblingReplicaSets', 1, observable)),
  ];
  test.each(kin())('ranks crowded nodes as Kubernetes does: %s', async (_, { input, expect: { names } }) => {
    await using stage = await Stage.empty();
    for (const { name, ownerUID } of input.replicaSets) {
      const ownerReferences = [owner(ownerUID, 'site', 'Deployment')];
      await stage.addSet({
        name,
        selector: { app: name },
        replicas: name === input.of ? 1 : 2,
        ownerReferences,
      });
    }
    const isKin = (name: string) =>
      input.pods
        ? input.pods.some((pod) => pod.owner === name && names.includes(pod.name))
        : names.includes(name);
    const others = input.replicaSets.filter(({ name }) => name !== input.of);
    const addOwned = async (set: string, name: string, node: string) => {
      const pod = await stage.addPod(name, {
        labels: { app: set },
        ownerReferences: [owner(stage.set(set).metadata.uid, set)],
      });
      await stage.startPod(pod, node);
    };
    for (const { name } of others.filter((each) => isKin(each.name))) {
      for (const i of [1, 2]) await addOwned(name, `kin-${name}-${i}`, 'crowded');
    }
    for (const { name } of others.filter((each) => !isKin(each.name))) {
      for (const i of [1, 2]) await addOwned(name, `other-${name}-${i}`, 'quiet');
    }
    // A controller that counts other pods, or no related pods, deletes the younger pod on the quiet node.
    await addOwned(input.of, 'on-crowded', 'crowded');
    if (others.some(({ name }) => isKin(name))) await stage.pass(60_000);
    await addOwned(input.of, 'on-quiet', 'quiet');
    if (!others.some(({ name }) => isKin(name))) {
      await stage.pass(60_000);
      await stage.setReady({ ...(stage.pod('on-crowded') as Pod) }, false);
      await stage.setReady({ ...(stage.pod('on-crowded') as Pod) }, true);
    }
    await stage.start();
    expect(
      namesOf(stage.active(input.of)),
      ruleFor(
        'the pod goes whose node has more active pods of ReplicaSets with the same controller (the node crowded)',
        input,
      ),
    ).toEqual(['on-quiet']);
  });

  test('adopts orphans instead of creating pods, also later ones', async () => {
    await using stage = await Stage.begin();
    await stage.addPod('early');
    const { metadata } = await stage.addSet({ replicas: 1 });
    expect(namesOf(stage.active()), 'one pod is wanted, and the orphan matches: adopt it').toEqual(['early']);
    expect(
      stage.pod('early')?.metadata.ownerReferences,
      'owners of the orphan early: the ReplicaSet must adopt it',
    ).toEqual([owner(metadata.uid)]);
    await stage.startPod(stage.pod('early') as Pod);
    await stage.addPod('late');
    await stage.pass();
    const adopted = stage.writes().filter(({ verb }) => verb === 'patch');
    expect(
      adopted.map(({ object }) => object.metadata.name),
      'adopt each matching orphan, also beyond spec.replicas',
    ).toEqual(['early', 'late']);
    expect(
      namesOf(stage.active()),
      'active pods: late was surplus and is not ready, so it is deleted',
    ).toEqual(['early']);
    expect(stage.count('create'), 'creates of pods: the orphans were enough').toBe(0);
  });

  test('adopts a relabeled pod, and keeps its other owners', async () => {
    await using stage = await Stage.begin();
    const { controller, blockOwnerDeletion, ...friend } = owner('uid-of-friend', 'friend', 'ConfigMap');
    await stage.addSet({ replicas: 0 });
    await stage.scale(1);
    const [own] = stage.active() as [Pod];
    await stage.addPod('stray', { labels: { app: 'other' }, ownerReferences: [friend as OwnerReference] });
    await stage.pass();
    expect(
      stage.pod('stray')?.metadata.ownerReferences,
      'owners of the unselected pod: leave it alone',
    ).toHaveLength(1);
    await stage.startPod(stage.pod('stray') as Pod);
    const body = { metadata: { labels: LABELS } };
    await stage.admin.patch(pods, { namespace: NAMESPACE, name: 'stray' }, { type: 'merge', body });
    await stage.pass();
    expect(
      stage.pod('stray')?.metadata.ownerReferences,
      'its labels match now: add an ownerReference, and keep the other',
    ).toHaveLength(2);
    expect(
      stage.pod('stray')?.metadata.ownerReferences,
      'owners of the pod after its adoption: keep the ConfigMap friend',
    ).toContainEqual(friend);
    expect(
      stage.pod(own.metadata.name),
      'the older pod: the adopted pod is ready, so the older one is surplus and must be deleted',
    ).toBeUndefined();
  });

  test('releases a pod that no longer matches, and creates a replacement', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1 });
    const [pod] = stage.active() as [Pod];
    await stage.admin.patch(pods, keyOf(pod), {
      type: 'merge',
      body: { metadata: { labels: { app: 'debug' } } },
    });
    await stage.pass();
    expect(
      stage.pod(pod.metadata.name)?.metadata.ownerReferences ?? [],
      'the selector does not match it any more: release it',
    ).toEqual([]);
    expect(stage.pod(pod.metadata.name)?.metadata.deletionTimestamp, 'released, not deleted').toBeUndefined();
    expect(stage.active(), 'the released pod is replaced').toHaveLength(1);
    expect(
      stage.active()[0]?.metadata.uid,
      'uid of the active pod: it must be the replacement, not the released pod',
    ).not.toBe(pod.metadata.uid);
  });

  test('neither changes nor counts a pod with another controller', async () => {
    await using stage = await Stage.begin();
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    const before = await stage.addPod('db-0', { ownerReferences: [database] });
    await stage.addSet({ replicas: 1 });
    expect(stage.active(), 'db-0 has another controller, so it does not count').toHaveLength(1);
    await stage.scale(0);
    expect(stage.pods(), 'db-0 has another controller: leave it as it is').toEqual([before]);
    expect(stage.set().status.replicas, 'status.replicas: db-0 does not count').toBe(0);
  });
});
