import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deployments, pods } from '../../api/resource.ts';
import { createService, createWeb, observedCluster, webPods } from './observed.fixture.ts';

const web = { kind: 'object', resource: 'deployments.apps', key: 'default/web' } as const;

describe('The details of an object', () => {
  it('have it as YAML, without the owners of its fields', async () => {
    await using observed = await observedCluster({ trackOnCreate: true });
    createWeb(observed);
    await observed.cluster.runFor(3_000);
    const { yaml = '' } = await observed.look(web);
    expect(yaml).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n/);
    const shown = parse(yaml);
    const [stored] = observed.cluster.storage.list(deployments, { namespace: 'default' });
    const { managedFields, ...metadata } = stored?.metadata ?? {};
    expect(managedFields).not.toEqual([]);
    expect(shown).toEqual({ ...stored, metadata });
  });

  it('list its writes with author, time and changed fields, newest first', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const [pod] = webPods(observed);
    const { revisions } = await observed.look({
      kind: 'object',
      resource: 'pods',
      key: `default/${pod?.metadata.name}`,
    });
    const first = revisions.at(-1);
    expect(first).toMatchObject({ actor: 'replicaset-controller', verb: 'create' });
    expect(first?.changes).toContainEqual({ path: 'spec.restartPolicy', to: '"Always"' });
    expect(revisions.at(-2)).toMatchObject({
      actor: 'default-scheduler',
      verb: 'bind',
      changes: expect.arrayContaining([{ path: 'spec.nodeName', to: `"${pod?.spec.nodeName}"` }]),
    });
    const [newest] = revisions;
    expect(newest).toMatchObject({ actor: `kubelet-${pod?.spec.nodeName}`, verb: 'patch' });
    expect(newest?.changes).toContainEqual({
      path: 'status.conditions[Ready].status',
      from: '"False"',
      to: '"True"',
    });
  });

  it('have its Events, newest last, and the text of kubectl describe', async () => {
    await using observed = await observedCluster({
      describe: async (resource, key) => `${resource} ${key} described`,
    });
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const [pod] = webPods(observed);
    const key = `default/${pod?.metadata.name}`;
    const { events, describe } = await observed.look({ kind: 'object', resource: 'pods', key });
    expect(events.map(({ reason }) => reason)).toEqual([
      'Scheduled',
      'Pulling',
      'Pulled',
      'Created',
      'Started',
    ]);
    expect(events[0]).toMatchObject({ type: 'Normal', from: 'default-scheduler', count: 1 });
    expect(events[1]?.from).toBe(`kubelet, ${pod?.spec.nodeName}`);
    expect(describe).toBe(`pods ${key} described`);
  });

  it('name the objects around it', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    createService(observed);
    await observed.cluster.runFor(3_000);
    const [pod] = webPods(observed);
    const name = pod?.metadata.name ?? '';
    const replicaSet = name.replace(/-[^-]+$/, '');
    const around = async (resource: string, key: string) =>
      (await observed.look({ kind: 'object', resource, key })).related.map(
        ({ relation, label }) => `${relation} ${label}`,
      );
    expect(await around('deployments.apps', 'default/web')).toEqual([
      `controls ReplicaSet ${replicaSet}`,
      'worked on by deployment-controller',
    ]);
    expect(await around('pods', `default/${name}`)).toEqual([
      `controlled by ReplicaSet ${replicaSet}`,
      `worked on by kubelet-${pod?.spec.nodeName}`,
      `runs on Node ${pod?.spec.nodeName}`,
      'endpoint of Service web',
    ]);
    expect(await around('services', 'default/web')).toContain(`sends to Pod ${name}`);
  });

  it('keep the writes of an object that is deleted', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const [pod] = webPods(observed);
    const name = pod?.metadata.name ?? '';
    void observed.kubectl.delete(pods, { namespace: 'default', name });
    await observed.cluster.runFor(40_000);
    const { yaml, describe, revisions } = await observed.look({
      kind: 'object',
      resource: 'pods',
      key: `default/${name}`,
    });
    expect([yaml, describe]).toEqual([undefined, undefined]);
    expect(revisions[0]).toMatchObject({ verb: 'delete', changes: [] });
    expect(revisions.some(({ actor, verb }) => actor === 'kubectl' && verb === 'delete')).toBe(true);
  });
});
