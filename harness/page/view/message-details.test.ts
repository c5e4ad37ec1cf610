import { describe, expect, it } from 'vitest';
import type { Message } from '../protocol/message.ts';
import { createService, createWeb, type Observed, observedCluster, webPods } from './observed.fixture.ts';

/** Opens a connection from a host, and returns its message. */
function connect({ cluster, observer }: Observed, from: string, to: string): Message {
  observer.newMessages();
  cluster.network.follow({ from, to });
  const [message, ...others] = observer.newMessages();
  if (!message || others.length > 0)
    throw new Error('Failed to find the packet: it is not the only message.');
  return message;
}

/** The address of the Service `web`. */
const serviceIP = ({ observer }: Observed): string =>
  observer.view().services.find(({ name }) => name === 'web')?.clusterIP ?? '';

describe('The details of a message', () => {
  it('show what a request changed', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const bind = observed.observer.newMessages().find(({ verb }) => verb === 'bind');
    const [pod] = webPods(observed);
    expect(await observed.look({ kind: 'message', id: bind?.id ?? -1 })).toMatchObject({
      title: `default-scheduler bind pods/default/${pod?.metadata.name}/binding`,
      subject: { kind: 'object', resource: 'pods', key: `default/${pod?.metadata.name}` },
      changes: expect.arrayContaining([{ path: 'spec.nodeName', to: `"${pod?.spec.nodeName}"` }]),
      fate: 'ok',
    });
  });

  it('follow a packet through a Service: from hop to hop, with the rule that changes its destination, and back', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    createService(observed);
    await observed.cluster.runFor(5_000);
    const [pod] = webPods(observed);
    const { name = '' } = pod?.metadata ?? {};
    const here = pod?.spec.nodeName ?? '';
    const other = here === 'node-1' ? 'node-2' : 'node-1';
    const message = connect(observed, other, `${serviceIP(observed)}:80`);
    expect(message).toMatchObject({
      kind: 'packet',
      verb: 'tcp',
      object: `${serviceIP(observed)}:80`,
      way: [`node:${other}`, 'cloud', `node:${here}`, `pod:default/${name}`],
      outcome: 'delivered',
      isFailure: false,
    });
    const { title, hops = [], fate, subject } = await observed.look({ kind: 'message', id: message.id });
    expect(title).toBe(`${other} → ${serviceIP(observed)}:80 tcp`);
    expect(fate).toBe(`delivered to ${name} on ${here}`);
    expect(subject).toEqual({ kind: 'object', resource: 'pods', key: `default/${name}` });
    const translated = hops.find(({ isChanged }) => isChanged);
    expect(translated).toMatchObject({ direction: 'there', place: `node:${other}`, where: other });
    expect(translated?.what).toMatch(/^OUTPUT DNAT/);
    expect(translated?.why).toMatch(/^KUBE-SVC-\w+ has one endpoint\.$/);
    expect(translated?.rules).toMatchObject({
      kind: 'node',
      name: other,
      rules: expect.stringMatching(/^KUBE-SVC-\w+ KUBE-SEP-\w+$/),
    });
    expect(translated?.packet).toContain(`→ ${pod?.status.podIP}:80 tcp`);
    expect(hops.some(({ what }) => what.startsWith('route '))).toBe(true);
    const back = hops.filter(({ direction }) => direction === 'back');
    expect(back[0]).toMatchObject({ place: `pod:default/${name}`, what: 'sends' });
    expect(back.at(-1)).toMatchObject({ place: `node:${other}`, what: 'receives' });
    expect(back.at(-1)?.packet).toContain(`${serviceIP(observed)}:80 → `);
    expect(back.find(({ what }) => what.includes('back from DNAT'))?.why).toBe(
      'The source of the answer is the called address again, such as that of the Service.',
    );
  });

  it('explain the choice of an endpoint by the probability of its rule', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 3 });
    createService(observed);
    await observed.cluster.runFor(5_000);
    const reasons = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { id } = connect(observed, 'node-1', `${serviceIP(observed)}:80`);
      const { hops = [] } = await observed.look({ kind: 'message', id });
      const choice = hops.find(({ what }) => what.startsWith('OUTPUT DNAT'))?.why ?? '';
      reasons.add(choice.replace(/^KUBE-SVC-\w+ /, ''));
    }
    const chooses = 'chooses one of 3 endpoints at random.';
    expect([...reasons].sort()).toEqual([
      `${chooses} This last rule takes each connection that the rules before it leave.`,
      `${chooses} This rule takes a connection that reaches it with probability 0.33.`,
      `${chooses} This rule takes a connection that reaches it with probability 0.50.`,
    ]);
  });

  it('name the rule that rejects a packet to a Service without endpoints', async () => {
    await using observed = await observedCluster();
    createService(observed);
    await observed.cluster.runFor(5_000);
    const message = connect(observed, 'node-1', `${serviceIP(observed)}:80`);
    expect(message).toMatchObject({ kind: 'packet', isFailure: true, way: ['node:node-1'] });
    const { fate, hops, subject } = await observed.look({ kind: 'message', id: message.id });
    expect(fate).toMatch(
      /^rejected: rejected in node-1: -A KUBE-SERVICES .*default\/web.*has no endpoints.* -j REJECT/,
    );
    expect(hops?.some(({ direction }) => direction === 'back')).toBe(false);
    expect(subject).toBeUndefined();
  });

  it('are found among the acts around their time', async () => {
    await using observed = await observedCluster();
    createService(observed);
    await observed.cluster.runFor(5_000);
    const { id } = connect(observed, 'node-1', `${serviceIP(observed)}:80`);
    const packets = observed.observer.around(5_000).filter(({ message }) => message === id);
    expect(packets).toEqual([
      {
        atMs: 5_000,
        who: 'node-1',
        text: expect.stringMatching(/^sends to \S+:80 tcp: rejected in node-1: -A KUBE-SERVICES /),
        message: id,
      },
    ]);
  });

  it('describe a fault in words', async () => {
    await using observed = await observedCluster();
    observed.cluster.nemesis.strike({ fault: 'cut-watches', process: 'default-scheduler' });
    const fault = observed.observer.newMessages().find(({ kind }) => kind === 'fault');
    expect(fault).toMatchObject({ way: ['process:default-scheduler'], isBackground: false });
    const { title } = await observed.look({ kind: 'message', id: fault?.id ?? -1 });
    expect(title).toBe('nemesis cut the watches of default-scheduler');
  });
});

describe('The details of an apiserver', () => {
  it('list the newest writes, and every open watch', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const { log, watches, revision } = await observed.look({ kind: 'apiserver', index: 0 });
    expect(log[0]?.revision).toBeLessThanOrEqual(revision);
    const revisions = log.map((each) => each.revision);
    expect(revisions).toEqual(revisions.toSorted((a, b) => b - a));
    expect(log.some(({ label }) => label.startsWith('Lease'))).toBe(false);
    const created = log.find(({ actor }) => actor === 'kubectl');
    expect(created).toMatchObject({ verb: 'create', label: 'Deployment web', atMs: 1 });
    expect(watches).toContainEqual(
      expect.objectContaining({ actor: 'deployment-controller', resource: 'replicasets' }),
    );
  });
});
