import { describe, expect, it } from 'vitest';
import { deployments, pods } from '../../api/resource.ts';
import type { Subject } from '../protocol/details.ts';
import type { Moment } from '../protocol/message.ts';
import { createService, createWeb, type Observed, observedCluster, webPods } from './observed.fixture.ts';

/** A run with a roll-out and faults of several kinds. */
function plan(observed: Observed): void {
  createWeb(observed);
  createService(observed);
  const fromMs = observed.cluster.sim.elapsedMs;
  observed.cluster.nemesis.schedule([
    { atMs: fromMs + 500, fault: 'delay-watches', process: 'replicaset-controller', forMs: 3_000 },
    { atMs: fromMs + 900, fault: 'cut-watches', process: 'default-scheduler' },
    {
      atMs: fromMs + 2_000,
      fault: 'crash',
      process: 'kubelet-node-1',
      skip: 0,
      performed: true,
      restartAfterMs: 1_500,
    },
    { atMs: fromMs + 6_000, fault: 'partition', node: 'node-2', forMs: 2_000 },
  ]);
}

const subjects: readonly Subject[] = [
  { kind: 'object', resource: 'deployments.apps', key: 'default/web' },
  { kind: 'component', name: 'replicaset-controller' },
  { kind: 'component', name: 'kubelet-node-1' },
  { kind: 'node', name: 'node-1' },
  { kind: 'message', id: 10 },
  { kind: 'apiserver', index: 0 },
];

describe('An observer of a cluster', () => {
  it('does not change the run: its trace is the same as without an observer', async () => {
    await using alone = await observedCluster();
    alone.observer[Symbol.dispose]();
    plan(alone);
    await alone.cluster.runFor(9_000);

    await using watched = await observedCluster();
    plan(watched);
    for (let i = 0; i < 30; i++) {
      await watched.cluster.runFor(300);
      watched.observer.view();
      watched.observer.newMessages();
      watched.observer.newMoments();
      watched.observer.around(i * 300);
      for (const subject of subjects) await watched.observer.inspect(subject);
    }
    expect(watched.cluster.trace.hash()).toBe(alone.cluster.trace.hash());
  });

  it('has the same messages and moments however often it is called, even within an instant', async () => {
    await using rare = await observedCluster();
    plan(rare);
    await rare.cluster.runFor(12_000);
    const all = { messages: rare.observer.newMessages(), moments: rare.observer.newMoments() };

    await using often = await observedCluster();
    plan(often);
    const [messages, moments] = [[...often.observer.newMessages()], [] as Moment[]];
    let tasks = 0;
    for (const endMs = often.cluster.sim.elapsedMs + 12_000; often.cluster.sim.elapsedMs < endMs; ) {
      await often.cluster.sim.run({
        forMs: endMs - often.cluster.sim.elapsedMs,
        until: () => ++tasks % 7 === 0,
      });
      messages.push(...often.observer.newMessages());
      moments.push(...often.observer.newMoments());
    }
    expect(messages).toEqual(all.messages);
    expect(moments).toEqual(all.moments);
    expect(messages.map(({ id }) => id)).toEqual(messages.map((_, i) => i));
  });

  it('reports the moments of a roll-out', async () => {
    await using observed = await observedCluster();
    createService(observed);
    await observed.cluster.runFor(100);
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(5_000);
    const [pod] = webPods(observed);
    const { name = '' } = pod?.metadata ?? {};
    const moments = observed.observer.newMoments().filter(({ kind }) => kind !== 'rules');
    expect(moments.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'endpoints: Service web: 0 of 0 endpoints ready',
      `rollout: Deployment web rolls out ${name.replace(/-[^-]+$/, '')}`,
      `scheduled: Pod ${name} is bound to ${pod?.spec.nodeName}`,
      `pod-ready: Pod ${name} is ready`,
      'endpoints: Service web: 1 of 1 endpoint ready',
      'rollout: Deployment web is complete',
    ]);
    expect(moments[2]?.subject).toEqual({ kind: 'object', resource: 'pods', key: `default/${name}` });
  });

  it('reports once that a container cannot run, and that a roll-out is stuck', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1, image: 'nginx:none' });
    await observed.cluster.runFor(700_000);
    const { name = '' } = webPods(observed)[0]?.metadata ?? {};
    const texts = observed.observer.newMoments().map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith(`Pod ${name}: `))).toEqual([`Pod ${name}: ErrImagePull`]);
    expect(texts.at(-1)).toBe('Deployment web is stuck: ProgressDeadlineExceeded');
  });

  it('reports the begin and the end of a fault, a crash, a lost node and a deleted pod', async () => {
    await using observed = await observedCluster();
    const { cluster, observer, kubectl } = observed;
    createWeb(observed, { replicas: 1 });
    await cluster.runFor(5_000);
    observer.newMoments();
    const [pod] = webPods(observed);
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'replicaset-controller', forMs: 1_000 });
    await cluster.runFor(2_000);
    void kubectl.delete(pods, { namespace: 'default', name: pod?.metadata.name ?? '' });
    await cluster.runFor(500);
    cluster.nemesis.strike({ fault: 'node-death', node: 'node-2' });
    await cluster.runFor(2_000);
    const texts = observer.newMoments().map(({ kind, text }) => `${kind}: ${text}`);
    expect(texts.slice(0, 2)).toEqual([
      'fault-began: Fault: hold back the events of replicaset-controller for 1 s',
      'fault-ended: Fault ended: hold back the events of replicaset-controller for 1 s',
    ]);
    expect(texts).toContain('fault-began: Fault: kill node-2');
    expect(texts).toContain('crash: kubelet-node-2 crashes');
    expect(texts).toContain(`pod-deleted: Pod ${pod?.metadata.name} is deleted`);
  });

  it('draws requests there and back, events, calls and probes between their places', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const seen = observed.observer
      .newMessages()
      .filter(({ isBackground }) => !isBackground)
      .map(({ kind, way, verb }) => `${kind} ${verb}: ${way.join(' > ')}`);
    for (const expected of [
      'request create: user:kubectl > apiserver:0',
      'event ADDED: apiserver:0 > process:deployment-controller',
      'request create: process:replicaset-controller > apiserver:0',
      'note explain: process:default-scheduler',
      'request bind: process:default-scheduler > apiserver:0',
    ]) {
      expect(seen).toContain(expected);
    }
    expect(seen.find((each) => each.startsWith('call runPodSandbox'))).toMatch(
      /: process:kubelet-(node-\d) > node:\1$/,
    );
  });

  it('marks messages that recur as background: a cluster at rest is calm', async () => {
    await using observed = await observedCluster();
    await observed.cluster.runFor(15_000);
    observed.observer.newMessages();
    await observed.cluster.runFor(320_000);
    const messages = observed.observer.newMessages();
    expect(messages.length).toBeGreaterThan(1_000);
    expect(messages.filter(({ isBackground }) => !isBackground)).toEqual([]);
  });

  it('describes the end of a fault, and the events that it held back', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    const process = 'replicaset-controller';
    cluster.nemesis.strike({ fault: 'delay-watches', process, forMs: 5_000, resource: 'replicasets' });
    createWeb(observed, { replicas: 1 });
    await cluster.runFor(1_000);
    await cluster.admin.patch(
      deployments,
      { namespace: 'default', name: 'web' },
      { type: 'merge', body: { spec: { replicas: 2 } } },
    );
    await cluster.runFor(6_000);
    const acts = observer.around(5_000).map(({ who, text }) => `${who} ${text}`);
    expect(acts).toContain(
      'nemesis this fault ends: hold back the events of replicasets for replicaset-controller for 5 s',
    );
    expect(acts.filter((each) => each.includes('held back'))).toEqual([
      'replicaset-controller receives 2 events that the fault held back',
    ]);
  });

  it('returns the last acts before a moment around which nothing happened', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(60_000);
    const acts = observed.observer.around(55_000);
    expect(acts.every(({ isBefore, atMs }) => isBefore && atMs < 54_000)).toBe(true);
    expect(acts.map(({ text }) => text)).toContain('updates the status of Deployment web: 1 of 1 available');
  });

  it('describes the acts around a moment in sentences, with the requests that show them', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(5_000);
    observed.observer.newMessages();
    const acts = observed.observer.around(0);
    expect(acts.map(({ who, text }) => `${who} ${text}`)).toContain(
      'kubectl creates Deployment web: 1 replica of nginx:1.25',
    );
    const bind = acts.find(({ text }) => text.startsWith('binds Pod'));
    expect(bind?.message).toBeDefined();
    expect(await observed.look({ kind: 'message', id: bind?.message ?? -1 })).toMatchObject({
      title: expect.stringMatching(/^default-scheduler bind pods\/default\/web-.*\/binding$/),
    });
  });

  it('knows an object only if it existed', async () => {
    await using observed = await observedCluster();
    const { observer } = observed;
    expect(
      await observer.inspect({ kind: 'object', resource: 'pods', key: 'default/nobody' }),
    ).toBeUndefined();
    expect(await observer.inspect({ kind: 'component', name: 'nobody' })).toBeUndefined();
    expect(await observer.inspect({ kind: 'node', name: 'node-9' })).toBeUndefined();
    expect(await observer.inspect({ kind: 'message', id: 99 })).toBeUndefined();
    expect(await observer.inspect({ kind: 'apiserver', index: 3 })).toBeUndefined();
    expect(
      await observer.inspect({ kind: 'object', resource: deployments.plural, key: 'web' }),
    ).toBeUndefined();
  });
});
