import { expect, test } from 'vitest';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { deployments, podDisruptionBudgets, pods, serviceAccounts } from '../../api/resource.ts';
import { isNotFound, StatusError } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import { certificateSigningRequest, deployment, inDefault, pod, refusal } from './objects.ts';
import type { Open } from './open.ts';

/** Operations on pods and scalable objects besides the verbs. */
export function describePods(open: Open): void {
  test('binds a pod to a node, once', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(pods, pod('a'));
    await client.bind(inDefault('a'), 'node-1', { uid: metadata.uid });
    const bound = await client.get(pods, inDefault('a'));
    expect(bound.spec.nodeName).toBe('node-1');
    expect(bound.status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    expect(await refusal(client.bind(inDefault('a'), 'node-2'))).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "node-1"',
    ]);
  });

  test('binds only the pod with the expected uid', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(pods, pod('a'));
    const [code, reason, message] = await refusal(client.bind(inDefault('a'), 'node-1', { uid: 'other' }));
    expect([code, reason]).toEqual([409, 'Conflict']);
    expect(message).toContain(`UID in precondition: other, UID in object meta: ${metadata.uid}`);
  });

  test('evicts a pod without a budget', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(pods, pod('a'));
    await client.evict(inDefault('a'));
    await expect(client.get(pods, inDefault('a'))).rejects.toSatisfy(isNotFound);
  });

  test('evicts no more pods than the budget allows', async () => {
    await using opened = await open();
    const { client } = opened;
    await run(client, 'a');
    await run(client, 'b');
    await allowDisruptions(client, 1);
    await client.evict(inDefault('a'), { gracePeriodSeconds: 0 });
    await expect(client.get(pods, inDefault('a'))).rejects.toSatisfy(isNotFound);
    const budget = await client.get(podDisruptionBudgets, inDefault('budget'));
    expect(budget.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { a: '2024-04-17T00:00:00Z' },
    });

    const error = await client.evict(inDefault('b')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StatusError);
    const { status } = error as StatusError;
    expect([status.code, status.reason, status.message]).toEqual([
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ]);
    expect(status.details?.causes).toEqual([
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget budget does not allow evicting pods currently',
      },
    ]);
  });

  test('adds an ephemeral container', async () => {
    await using opened = await open();
    const { client } = opened;
    const { spec, ...created } = await client.create(pods, pod('a'));
    const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
    const updated = await client.updateEphemeralContainers({
      ...created,
      spec: { ...spec, ephemeralContainers },
    });
    expect(updated.spec.ephemeralContainers).toMatchObject(ephemeralContainers);
    const patched = await client.patch(
      pods,
      inDefault('a'),
      { type: 'strategic', body: { spec: { ephemeralContainers: [{ name: 'more', image: 'busybox' }] } } },
      { subresource: 'ephemeralcontainers' },
    );
    expect(patched.spec.ephemeralContainers).toHaveLength(2);
  });

  test('approves a certificate request', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(certificateSigningRequests, certificateSigningRequest('jane'));
    const approved = { type: 'Approved', status: 'True', reason: 'Known' };
    const updated = await client.updateApproval({ ...created, status: { conditions: [approved] } });
    expect(updated.status.conditions).toMatchObject([approved]);
    const body = { status: { conditions: [{ type: 'Approved', status: 'True', message: 'It is jane.' }] } };
    const patched = await client.patch(
      certificateSigningRequests,
      { name: 'jane' },
      { type: 'merge', body },
      { subresource: 'approval' },
    );
    expect(patched.status.conditions).toMatchObject([{ type: 'Approved', message: 'It is jane.' }]);
  });

  test('creates a token for a service account', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(serviceAccounts, { metadata: inDefault('web') });
    const spec = { audiences: ['vault'], expirationSeconds: 600 };
    const token = await client.createToken(inDefault('web'), { spec });
    expect(token).toMatchObject({ kind: 'TokenRequest', spec });
    expect(token.status.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await refusal(client.createToken(inDefault('none'), { spec }))).toEqual([
      404,
      'NotFound',
      'serviceaccounts "none" not found',
    ]);
  });

  test('reads and sets the number of desired replicas', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(deployments, deployment('web', 3));
    const scale = await client.getScale(deployments, inDefault('web'));
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 3 },
      status: { replicas: 0, selector: 'app=web' },
    });
    const scaled = await client.updateScale(deployments, inDefault('web'), { replicas: 5 });
    expect(scaled.spec.replicas).toBe(5);
    const { spec, metadata } = await client.get(deployments, inDefault('web'));
    expect([spec.replicas, metadata.generation, metadata.resourceVersion]).toEqual([
      5,
      2,
      scaled.metadata.resourceVersion,
    ]);
    const { resourceVersion } = scale.metadata;
    const [code, reason] = await refusal(
      client.updateScale(deployments, inDefault('web'), { replicas: 6, resourceVersion }),
    );
    expect([code, reason]).toEqual([409, 'Conflict']);
  });

  test('patches the scale', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(deployments, deployment('web', 3));
    const patch = { type: 'merge', body: { spec: { replicas: 0 } } } as const;
    const patched: unknown = await client.patch(deployments, inDefault('web'), patch, {
      subresource: 'scale',
    });
    // As in Go's JSON, zero is left out.
    expect(patched).toEqual(expect.objectContaining({ kind: 'Scale', spec: {} }));
    expect((await client.get(deployments, inDefault('web'))).spec.replicas).toBe(0);
  });
}

/** Creates a pod that is running and ready. */
async function run(client: Client, name: string): Promise<void> {
  await client.create(pods, pod(name));
  await client.bind(inDefault(name), 'node-1');
  const bound = await client.get(pods, inDefault(name));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await client.updateStatus(pods, { ...bound, status });
}

/** Creates a budget for the pods `app=web`, with the status that its controller would set. */
async function allowDisruptions(client: Client, disruptionsAllowed: number): Promise<void> {
  const budget = await client.create(podDisruptionBudgets, {
    metadata: inDefault('budget'),
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  const counted = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 };
  await client.updateStatus(podDisruptionBudgets, { ...budget, status: { ...counted, disruptionsAllowed } });
}
