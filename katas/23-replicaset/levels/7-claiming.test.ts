import { describe, expect, test } from 'vitest';
import { keyOf, type Pod, pods, replicaSets } from '#harness';
import { claimPods } from '#kata/23-replicaset/replicaset';
import { failureOf } from './failure.fixture.ts';
import { namesOf, owner } from './objects.fixture.ts';
import { KEY, NAMESPACE, PROCESS } from './stage.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 7 · Claiming', () => {
  /** Four pods: its own, an orphan, its own that it no longer selects, and a pod of a StatefulSet. */
  async function snapshot() {
    const stage = await SyncContextStage.open();
    const { metadata } = await stage.addSet({ replicas: 2 });
    const ownerReferences = [owner(metadata.uid)];
    await stage.addPod('own', { ownerReferences });
    await stage.addPod('orphan');
    await stage.addPod('odd', { labels: { app: 'other' }, ownerReferences });
    await stage.addPod('db-0', { ownerReferences: [owner('uid-of-db', 'db', 'StatefulSet')] });
    await stage.pass();
    const candidates = stage.pods();
    const claim = () => stage.settled(claimPods(stage.syncContext, stage.cached(), candidates));
    const ownersOf = (name: string) => stage.pod(name)?.metadata.ownerReferences ?? [];
    return { stage, uid: metadata.uid, claim, ownersOf };
  }

  test('returns its own and adopted pods, and releases pods that it no longer selects', async () => {
    const { stage, uid, claim, ownersOf } = await snapshot();
    await using _ = stage;
    expect(namesOf(await claim()).sort(), 'its own pod and the adopted orphan').toEqual(['orphan', 'own']);
    expect(ownersOf('orphan'), 'the orphan is adopted').toEqual([owner(uid)]);
    expect(ownersOf('odd'), 'the selector does not match it: it is released').toEqual([]);
    expect(ownersOf('db-0'), 'owners of db-0: another controller has it, so leave it as it is').toEqual([
      owner('uid-of-db', 'db', 'StatefulSet'),
    ]);
    expect(stage.count('patch'), 'one adoption and one release').toBe(2);
  });

  test('records the version of an adopted pod', async () => {
    const { stage, uid, claim } = await snapshot();
    await using _ = stage;
    const { syncContext } = stage;
    const noted: unknown[] = [];
    syncContext.written.wroteAt = (...args) => void noted.push(args);
    await claim();
    expect(noted, 'call syncContext.written.wroteAt with the version after the adoption').toEqual([
      [uid, 'pods', stage.pod('orphan')?.metadata.resourceVersion],
    ]);
  });

  test('reads the ReplicaSet from the server once, and only before an adoption', async () => {
    const { stage } = await snapshot();
    await using _ = stage;
    await stage.addPod('orphan-2');
    await stage.pass();
    const asked = () =>
      stage.cluster.trace.entries.filter(({ actor, verb }) => actor === PROCESS && verb === 'get');
    await stage.settled(claimPods(stage.syncContext, stage.cached(), stage.pods()));
    expect(asked(), 'one get of the ReplicaSet for two orphans').toHaveLength(1);
    await stage.settled(claimPods(stage.syncContext, stage.cached(), [stage.pod('own') as Pod]));
    expect(asked(), 'no further get, because no candidate is an orphan').toHaveLength(1);
  });

  test('fails instead of adopting if the server says that the ReplicaSet is being deleted', async () => {
    const { stage, claim, ownersOf } = await snapshot();
    await using _ = stage;
    stage.blind('replicasets', 10_000);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    const rule = 'the server says that the ReplicaSet is being deleted, although the cache does not';
    expect(await failureOf(claim()), `claimPods must reject: ${rule}`).not.toBe('it did not fail');
    expect(ownersOf('orphan'), `adopt nothing: ${rule}`).toEqual([]);
  });

  test('adopts nothing for another ReplicaSet of the same name', async () => {
    const { stage, claim, ownersOf } = await snapshot();
    await using _ = stage;
    stage.blind('replicasets', 10_000);
    await stage.admin.delete(replicaSets, KEY);
    await stage.addSet({ replicas: 2 });
    const rule = 'the ReplicaSet on the server has another uid than the one in the cache';
    expect(await failureOf(claim()), `claimPods must reject: ${rule}`).not.toBe('it did not fail');
    expect(ownersOf('orphan'), `adopt nothing: ${rule}`).toEqual([]);
  });

  test('leaves out a pod that no longer exists, without failing', async () => {
    const { stage, claim } = await snapshot();
    await using _ = stage;
    stage.blind('pods', 10_000);
    for (const name of ['orphan', 'odd']) await stage.admin.delete(pods, { namespace: NAMESPACE, name });
    expect(
      namesOf(await claim()),
      'the patch of a pod that is gone ends in NotFound: leave the pod out',
    ).toEqual(['own']);
  });

  test('does not touch another pod of the same name', async () => {
    const { stage, claim, ownersOf } = await snapshot();
    await using _ = stage;
    stage.blind('pods', 10_000);
    await stage.admin.delete(pods, keyOf(stage.pod('orphan') as Pod));
    await stage.addPod('orphan', { labels: { app: 'other' } });
    const rule = 'the pod on the server has another uid than the orphan in the cache: patch with the uid';
    expect(await failureOf(claim()), `claimPods must reject: ${rule}`).not.toBe('it did not fail');
    expect(ownersOf('orphan'), rule).toEqual([]);
  });

  test('claims the other pods if one claim fails, and then fails', async () => {
    const { stage, claim, ownersOf } = await snapshot();
    await using _ = stage;
    stage.refuse('InternalError', 1);
    const failure = await failureOf(claim());
    expect(failure, 'claimPods must reject, because the server refused one of two patches').not.toBe(
      'it did not fail',
    );
    // The server rejected the first of the adoption and the release, in either order.
    expect(
      ownersOf('orphan'),
      'owners of orphan, compared with those of odd: one of adoption and release was rejected, and the other must still be sent',
    ).toHaveLength(ownersOf('odd').length);
  });
});
