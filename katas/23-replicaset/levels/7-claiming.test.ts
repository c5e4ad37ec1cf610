import { describe, expect, test } from 'vitest';
import { keyOf, type Pod, pods, replicaSets } from '#harness';
import { claimPods } from '#kata/23-replicaset/replicaset';
import { DeskStage } from './desk.fixture.ts';
import { failureOf } from './failure.fixture.ts';
import { namesOf, owner } from './objects.fixture.ts';
import { KEY, NAMESPACE, PROCESS } from './stage.fixture.ts';

describe('Level 7 · Claiming', () => {
  /** One of its own, an orphan, one that it no longer selects, one of a StatefulSet. */
  async function scene() {
    const stage = await DeskStage.open();
    const { metadata } = await stage.addSet({ replicas: 2 });
    const ownerReferences = [owner(metadata.uid)];
    await stage.addPod('own', { ownerReferences });
    await stage.addPod('orphan');
    await stage.addPod('odd', { labels: { app: 'other' }, ownerReferences });
    await stage.addPod('db-0', { ownerReferences: [owner('uid-of-db', 'db', 'StatefulSet')] });
    await stage.pass();
    const candidates = stage.pods();
    const claim = () => stage.settled(claimPods(stage.desk, stage.cached(), candidates));
    const ownersOf = (name: string) => stage.pod(name)?.metadata.ownerReferences ?? [];
    return { stage, uid: metadata.uid, claim, ownersOf };
  }

  test('gives its own and what it adopts, and releases what it no longer selects', async () => {
    const { stage, uid, claim, ownersOf } = await scene();
    await using _ = stage;
    expect(namesOf(await claim()).sort()).toEqual(['orphan', 'own']);
    expect(ownersOf('orphan')).toEqual([owner(uid)]);
    expect(ownersOf('odd')).toEqual([]);
    expect(ownersOf('db-0')).toEqual([owner('uid-of-db', 'db', 'StatefulSet')]);
    expect(stage.count('patch')).toBe(2);
  });

  test('notes the version of what it adopted', async () => {
    const { stage, uid, claim } = await scene();
    await using _ = stage;
    const { desk } = stage;
    const noted: unknown[] = [];
    desk.written.wroteAt = (...args) => void noted.push(args);
    await claim();
    expect(noted).toEqual([[uid, 'pods', stage.pod('orphan')?.metadata.resourceVersion]]);
  });

  test('asks once whether the ReplicaSet is alive, and only if there is a pod to adopt', async () => {
    const { stage } = await scene();
    await using _ = stage;
    await stage.addPod('orphan-2');
    await stage.pass();
    const asked = () =>
      stage.cluster.trace.entries.filter(({ actor, verb }) => actor === PROCESS && verb === 'get');
    await stage.settled(claimPods(stage.desk, stage.cached(), stage.pods()));
    expect(asked()).toHaveLength(1);
    await stage.settled(claimPods(stage.desk, stage.cached(), [stage.pod('own') as Pod]));
    expect(asked()).toHaveLength(1);
  });

  test('adopts nothing if the ReplicaSet is being deleted and the cache does not say so, and fails', async () => {
    const { stage, claim, ownersOf } = await scene();
    await using _ = stage;
    stage.blind('replicasets', 10_000);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    expect(await failureOf(claim())).not.toBe('it did not fail');
    expect(ownersOf('orphan')).toEqual([]);
  });

  test('adopts nothing for another ReplicaSet of the same name', async () => {
    const { stage, claim, ownersOf } = await scene();
    await using _ = stage;
    stage.blind('replicasets', 10_000);
    await stage.admin.delete(replicaSets, KEY);
    await stage.addSet({ replicas: 2 });
    expect(await failureOf(claim())).not.toBe('it did not fail');
    expect(ownersOf('orphan')).toEqual([]);
  });

  test('does not count a pod that is gone, and does not fail because of it', async () => {
    const { stage, claim } = await scene();
    await using _ = stage;
    stage.blind('pods', 10_000);
    for (const name of ['orphan', 'odd']) await stage.admin.delete(pods, { namespace: NAMESPACE, name });
    expect(namesOf(await claim())).toEqual(['own']);
  });

  test('does not touch another pod of the same name', async () => {
    const { stage, claim, ownersOf } = await scene();
    await using _ = stage;
    stage.blind('pods', 10_000);
    await stage.admin.delete(pods, keyOf(stage.pod('orphan') as Pod));
    await stage.addPod('orphan', { labels: { app: 'other' } });
    expect(await failureOf(claim())).not.toBe('it did not fail');
    expect(ownersOf('orphan')).toEqual([]);
  });

  test('claims the others, too, if one fails, and then fails', async () => {
    const { stage, claim, ownersOf } = await scene();
    await using _ = stage;
    stage.refuse('InternalError', 1);
    expect(await failureOf(claim())).not.toBe('it did not fail');
    // Of an adoption and a release one was refused, whichever came first.
    expect(ownersOf('orphan')).toHaveLength(ownersOf('odd').length);
  });
});
