import { describe, expect, test } from 'vitest';
import { deployments, replicaSets } from '../../api/resource.ts';
import { isConflict } from '../../api/status.ts';
import { aDeployment, Stage } from '../../laws/24-deployment/index.ts';
import { DESIRED_REPLICAS, MAX_REPLICAS, REVISION } from './annotations.ts';
import { DeploymentControl } from './deployment-control.ts';

/** Creates a Deployment `web` and a DeploymentControl, and records the Events. */
async function open(parts: Parameters<Stage['create']>[0] = {}) {
  const stage = await Stage.empty();
  const told: string[] = [];
  const control = new DeploymentControl({
    client: stage.client,
    clock: stage.cluster.clock,
    recorder: { event: (_object, type, reason, message) => told.push(`${type} ${reason}: ${message}`) },
  });
  const web = await stage.create(parts);
  const setOf = (replicas: number) => ({
    metadata: { namespace: 'default', name: 'web-1', labels: { app: 'web' } },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: web.spec.template },
  });
  return { stage, control, told, web, setOf, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

describe('DeploymentControl', () => {
  test('creates a ReplicaSet, and emits an Event with its size', async () => {
    await using opened = await open();
    const { control, web, setOf, told, stage } = opened;
    const { replicaSet, existed } = await control.create(web, setOf(3));
    expect(existed).toBe(false);
    expect(stage.replicaSet('web-1')).toEqual(replicaSet);
    expect(told).toEqual(['Normal ScalingReplicaSet: Scaled up replica set web-1 from 0 to 3']);
  });

  test('emits no Event for a ReplicaSet without pods', async () => {
    await using opened = await open();
    await opened.control.create(opened.web, opened.setOf(0));
    expect(opened.told).toEqual([]);
  });

  test('returns the ReplicaSet that already has the name', async () => {
    await using opened = await open();
    const { control, web, setOf, stage } = opened;
    const there = await stage.addReplicaSet('web-1', { of: 'other' });
    expect(await control.create(web, setOf(3))).toEqual({ replicaSet: there, existed: true });
    expect(opened.told).toEqual([]);
  });

  test('reports a refusal of the server as an Event and as a condition', async () => {
    await using opened = await open();
    const { control, web, setOf, told, stage } = opened;
    const wrong = { ...setOf(3), spec: { ...setOf(3).spec, selector: { matchLabels: { app: 'other' } } } };
    await expect(control.create(web, wrong)).rejects.toThrow('selector');
    expect(told).toEqual([
      expect.stringMatching(/^Warning ReplicaSetCreateError: Failed to create new replica set "web-1": /),
    ]);
    expect(stage.condition('Progressing')).toBe('Progressing False ReplicaSetCreateError');
  });

  test('scales a ReplicaSet and sets its annotations in one write', async () => {
    await using opened = await open({ replicas: 3 });
    const { control, web, told, stage } = opened;
    const up = await stage.addReplicaSet('up', { replicas: 1 });
    const down = await stage.addReplicaSet('down', { replicas: 4 });
    const same = await stage.addReplicaSet('same', { replicas: 2 });
    const before = stage.cluster.storage.revision;
    const orders = [
      { replicaSet: up, replicas: 3 },
      { replicaSet: down, replicas: 0 },
      { replicaSet: same, replicas: 2 },
    ];
    await control.scale(web, orders, 2);
    expect(stage.cluster.storage.revision).toBe(before + 3);
    for (const [name, replicas] of Object.entries({ up: 3, down: 0, same: 2 })) {
      const { metadata, spec } = stage.replicaSet(name) ?? {};
      expect(spec?.replicas).toBe(replicas);
      expect(metadata?.annotations).toEqual({ [DESIRED_REPLICAS]: '3', [MAX_REPLICAS]: '5' });
    }
    expect(told).toEqual([
      'Normal ScalingReplicaSet: Scaled up replica set up from 1 to 3',
      'Normal ScalingReplicaSet: Scaled down replica set down from 4 to 0',
    ]);
  });

  test('does not scale a ReplicaSet that has changed, nor the ones after it', async () => {
    await using opened = await open();
    const { control, web, told, stage } = opened;
    const stale = await stage.addReplicaSet('stale', { replicas: 1 });
    const next = await stage.addReplicaSet('next', { replicas: 1 });
    await stage.client.update(replicaSets, { ...stale, spec: { ...stale.spec, replicas: 9 } });
    const orders = [
      { replicaSet: stale, replicas: 3 },
      { replicaSet: next, replicas: 3 },
    ];
    const error = await control.scale(web, orders, 0).catch((thrown: unknown) => thrown);
    expect(isConflict(error)).toBe(true);
    expect([stage.replicaSet('stale'), stage.replicaSet('next')].map((each) => each?.spec.replicas)).toEqual([
      9, 1,
    ]);
    expect(told).toEqual([]);
  });

  test('deletes a ReplicaSet only if it is unchanged, and skips one that no longer exists', async () => {
    await using opened = await open();
    const { control, stage } = opened;
    const [gone, changed, empty] = [
      await stage.addReplicaSet('gone'),
      await stage.addReplicaSet('changed'),
      await stage.addReplicaSet('empty'),
    ];
    const key = { namespace: 'default', name: 'gone' };
    await stage.client.delete(replicaSets, key, { propagationPolicy: 'Background' });
    await stage.client.update(replicaSets, { ...changed, spec: { ...changed.spec, replicas: 1 } });
    await control.delete([gone, empty]);
    expect(stage.replicaSet('empty')).toBeUndefined();
    await expect(control.delete([changed])).rejects.toThrow(Error);
    expect(stage.replicaSet('changed')).toBeDefined();
  });

  test('updates a status or a revision only if it has changed', async () => {
    await using opened = await open();
    const { control, web, stage } = opened;
    expect(await control.updateStatus(web, { ...web.status, replicas: 0 })).toBe(web);
    const counted = await control.updateStatus(web, { replicas: 2 });
    expect(counted).toEqual(stage.deployment());
    expect(counted.status.replicas).toBe(2);
    const revised = await control.updateStatus(counted, counted.status, '7');
    expect(revised.metadata.annotations?.[REVISION]).toBe('7');
    expect(await control.updateStatus(revised, revised.status, '7')).toBe(revised);
  });

  test('sets the paused condition once', async () => {
    await using opened = await open({ paused: true });
    const { control, web, stage } = opened;
    const marked = await control.markPaused(web);
    expect(stage.condition('Progressing')).toBe('Progressing Unknown DeploymentPaused');
    expect(await control.markPaused(marked)).toBe(marked);
  });

  test('warns about an empty selector, and updates observedGeneration', async () => {
    await using opened = await open();
    const { control, web, told } = opened;
    await control.refuseToSelectAll({ ...web, spec: { ...web.spec, selector: {} } });
    expect(told).toEqual([
      'Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required.',
    ]);
    const { status } = await opened.stage.client.get(deployments, { namespace: 'default', name: 'web' });
    expect(status.observedGeneration).toBe(aDeployment().metadata.generation);
  });
});
